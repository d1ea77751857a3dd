"""Maps and timelines: of made-up people, the same on every machine, true to the policy."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from dpdeid.evaluate.report import sections as illustrated
from dpdeid.evaluate.report.page import words
from dpdeid.policy.policy import load_policy
from tests.evaluate.report.reading import drawn


@pytest.mark.parametrize("policy", ["dp", "aphp"])
def test_every_inhabitant_is_on_the_map_and_in_the_table(policy: str) -> None:
    section = illustrated.moved(load_policy(policy), words("en"))
    assert section is not None
    rows = section.table.data()
    assert sum(int(row["people"] or 0) for row in rows) == 120
    assert len(list(drawn(section.chart).iter("circle"))) == 120


def test_near_under_dp_and_anywhere_under_aphp() -> None:
    near, far = (
        math.fsum(move.km for move in illustrated.town_moves(load_policy(name), 120)) / 120
        for name in ("dp", "aphp")
    )
    assert 20 < near < 60
    assert far > 200


def test_a_policy_without_surrogate_places_has_no_map() -> None:
    assert illustrated.town_moves(load_policy("redact"), 5) == ()
    assert illustrated.moved(load_policy("redact"), words("en")) is None


def test_a_shift_keeps_every_interval_and_noise_does_not() -> None:
    true = [b - a for a, b in pairwise(illustrated.GAPS)]
    for name, kept in (("aphp", True), ("dp", False)):
        days = illustrated.story(load_policy(name))
        assert days is not None
        known = [day for day in days if day is not None]
        assert len(known) == len(illustrated.GAPS)
        assert ([b - a for a, b in pairwise(known)] == true) == kept


def test_the_timelines_have_a_line_for_each_policy_that_draws_dates() -> None:
    policies = [load_policy(name) for name in ("aphp", "redact", "dp-strict")]
    section = illustrated.dates(policies, words("fr"))
    assert section is not None
    assert section.table.columns == ("event", "original", "aphp", "dp-strict")
    assert [row["original"] for row in section.table.data()] == list(illustrated.GAPS)
    assert [row["aphp"] for row in section.table.data()] == list(illustrated.GAPS)
    assert illustrated.dates([load_policy("redact")], words("fr")) is None


def test_the_same_page_every_time() -> None:
    one, two = (illustrated.town_moves(load_policy("dp"), 20) for _ in range(2))
    assert one == two
