"""What `check` says of bits: of each draw, of a record, and where nothing is proved nothing."""

from __future__ import annotations

import re

import pytest

from dpdeid.assurance.leakage import MEANING, leakage_lines, leakages
from dpdeid.policy.policy import load_policy, names, parse_policy, policy_text
from dpdeid.privacy.leakage import NAMED


def test_strict_dates_stay_unnamed_and_times_do_not() -> None:
    lines = list(leakage_lines(load_policy("dp-strict")))
    assert lines[0] == MEANING
    assert "first 1.1, stay 1.1" in lines[1]
    of = {line.split(" of ")[0]: line for line in lines[1:]}
    (dates, chance) = map(float, re.findall(r"at most ([\d.]+)", of["dates and births"]))
    assert chance == pytest.approx(2**dates / 100, rel=0.1)  # of 10,000, in percent
    (towns,) = re.findall(r"at most ([\d.]+) bits", of["towns"])
    assert dates + float(towns) > NAMED
    assert "may add up to a name, and beyond that their sum says nothing" in of["clock times"]


def test_the_bits_of_a_lattice_are_said_to_be_a_bound() -> None:
    for name, is_bound in (("dp", True), ("dp-strict", False)):
        (towns,) = (
            x for x in leakage_lines(load_policy(name)) if x.startswith("one draw of towns")
        )
        assert ("a proved bound, above the exact figure" in towns) is is_bound


@pytest.mark.parametrize("name", ["aphp", "chuv", "redact", "safe-harbor"])
def test_where_nothing_is_proved_nothing_is_said(name: str) -> None:
    assert not list(leakage_lines(load_policy(name)))


def test_the_published_dates_have_none_and_its_towns_have() -> None:
    assert [one.of for one in leakages(load_policy("hnfc"))] == ["towns"]


def test_no_draw_tells_more_than_its_list_has() -> None:
    sizes = {"LU": 211, "973": 20, "972": 26, "971": 31}  # of places, or of what they may stand for
    for name in {*names()} & {"dp", "dp-strict", "hnfc-strict"}:
        towns = leakages(load_policy(name))[-1].draws
        assert all(2 ** towns[listed] <= size + 1e-6 for listed, size in sizes.items())


def test_a_larger_cap_tells_more_of_a_record() -> None:
    """The same draws of towns: one a patient, ten a patient."""
    more = policy_text("dp").replace(
        "epsilon_per_km: 0.05, cap: 1", "epsilon_per_km: 0.05, cap: 10"
    )
    one, ten = (leakages(policy)[-1] for policy in (load_policy("dp"), parse_policy(more)))
    assert one.draws == ten.draws
    assert ten.record == pytest.approx(10 * one.record)
