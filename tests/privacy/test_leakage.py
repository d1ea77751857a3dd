"""Leakage in bits: the sum of the largest probabilities, from the exact weights."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.assurance.forecast import timeline_of
from dpdeid.assurance.leakage import leakages
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from dpdeid.privacy.leakage import (
    NAMED,
    Leakage,
    bits,
    joined,
    of_charges,
    of_timeline,
    table_in,
    table_of,
)
from dpdeid.privacy.ledger import Charge, Ledger
from dpdeid.privacy.losses import Amount, Epsilon, NoGuarantee
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.modes import Metric, Strict
from tests.privacy.helpers import probabilities

THIRD = Fraction(1, 3)


def by_definition(mechanism: Decodable) -> float:
    rows = [probabilities(mechanism, value) for value in mechanism.domain]
    return math.log2(sum(map(max, zip(*rows, strict=True))))


@pytest.mark.parametrize(
    "mechanism",
    [
        Window(epsilon=Fraction(2), upper=40),
        Window(epsilon=THIRD, upper=9, width=1),
        PriorWindow(epsilon=Fraction(1), table=(1, 2, 3, 5, 8, 13, 21)),
        BoundedLaplace(epsilon=Fraction(3), upper=60),
        BoundedLaplace(epsilon=THIRD, upper=1),
        ClampedGeometric(epsilon_per_day=THIRD, lower=-20, upper=30),
        ClampedGeometric(epsilon_per_day=Fraction(4), lower=0, upper=1),
    ],
    ids=str,
)
def test_the_bits_of_a_draw_are_those_of_its_weights(mechanism: Decodable) -> None:
    assert bits(mechanism) == pytest.approx(by_definition(mechanism), abs=1e-9)


@pytest.mark.parametrize(
    "mechanism",
    [
        ProportionalNoise(share=THIRD, least=Fraction(1, 2), upper=60),
        ProportionalNoise(share=Fraction(0), least=Fraction(20), upper=90),
        PriorWindow(epsilon=Fraction(1), table=(0, 0, 0, 1, 1, 2, 9, 9, 9, 9, 40)),
    ],
    ids=str,
)
def test_they_are_never_too_few(mechanism: Decodable) -> None:
    assert by_definition(mechanism) <= bits(mechanism) <= by_definition(mechanism) + 1


def test_no_draw_tells_more_than_its_epsilon_or_its_domain() -> None:
    for epsilon in (1, 2, 8):
        window = Window(epsilon=Fraction(epsilon), upper=40)
        assert 0 < bits(window) <= min(epsilon / math.log(2), math.log2(41))


def told(name: str, *changes: tuple[str, str]) -> Leakage:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    mode = timeline_of(parse_policy(text))
    assert isinstance(mode, Metric | Strict)
    return of_timeline(mode)


def test_a_strict_record_stays_unnamed() -> None:
    """Five draws and a birth: 8.3 bits, where e^12 alone would allow 17."""
    leakage = told("dp-strict")
    assert leakage.record == pytest.approx(5 * leakage.first + leakage.draws["birth"], abs=0.3)
    assert 8 < leakage.record < 8.3


def test_the_record_of_many_dates_may_be_named_and_the_shift_hides_its_first() -> None:
    leakage = told("dp")
    assert leakage.record > NAMED
    assert leakage.naming == 3  # ages of the past tell most
    bare = told("dp", ("shift_days: 3650", "shift_days: 0"))
    assert leakage.first < 4 < 9 < bare.first


def test_one_shift_hides_one_date_only() -> None:
    """Two dates under one secret shift tell their interval: a second first date counts in full."""
    first, bare = told("dp").leaks[0], told("dp", ("shift_days: 3650", "shift_days: 0")).leaks[0]
    assert first.bits < first.further == bare.bits == bare.further


def test_a_newborn_counts_with_the_birth_that_tells_most() -> None:
    mode = timeline_of(load_policy("dp-strict"))
    assert isinstance(mode, Strict)
    assert len(mode.of_births()) == 4
    assert told("dp-strict").once == max(map(bits, mode.of_births())) >= bits(mode.of_births()[0])


def test_the_more_noise_the_fewer_bits() -> None:
    more = told("dp", ("before: [0.62, 4, 14]", "before: [1, 8, 14]"))
    assert more.draws["before"] < told("dp").draws["before"]


@pytest.mark.parametrize("name", ["dp", "dp-strict", "hnfc", "hnfc-strict"])
def test_the_table_has_every_mechanism_with_a_loss(name: str) -> None:
    policy = load_policy(name)
    stated = [g for s in policy.strategies for g in s.guarantees() if isinstance(g.loss, Amount)]
    assert table_of(leakages(policy)).keys() == {guarantee.mechanism for guarantee in stated}


TABLE = {"m": (1.5, 4.0), "n": (2.0, 2.0)}
CHARGES = st.builds(
    Charge,
    st.just("u"),
    st.sampled_from("abcdef"),
    st.sampled_from(["m", "n"]),
    st.just(Epsilon(1)),
)


@given(one=st.lists(CHARGES), other=st.lists(CHARGES))
def test_bits_add_by_union_and_a_repeated_charge_counts_once(
    one: list[Charge], other: list[Charge]
) -> None:
    def events(mechanism: str) -> int:
        return len({c.event for c in (*one, *other) if c.mechanism == mechanism})

    union = Ledger.of(one) + Ledger.of([*other, *one])
    first, further = TABLE["m"]
    by_hand = 2.0 * events("n") + (events("m") > 0) * (first - further) + events("m") * further
    found = of_charges(union.charges, TABLE)
    assert found == (pytest.approx(by_hand, abs=1e-3) if one or other else None)


def test_nothing_is_said_where_one_draw_has_no_proof() -> None:
    own, other = (Charge("u", "a", name, Epsilon(1)) for name in ("m", "another's"))
    keyed = Charge("u", "b", "people", NoGuarantee("keyed pseudonym"))
    assert of_charges([keyed], TABLE) is None
    assert of_charges([own, keyed], TABLE) == 1.5
    assert of_charges([own, other], TABLE) is None


def test_of_two_tables_the_larger_figures_hold() -> None:
    assert joined([TABLE, {"m": (1.0, 5.0), "o": (0.0, 0.0)}]) == {
        "m": (1.5, 5.0), "n": (2.0, 2.0), "o": (0.0, 0.0)
    }  # fmt: skip


@pytest.mark.parametrize("head", [{"leakage": 3}, {"leakage": {}}, {"leakage": {"bits": {"m": 1}}}])
def test_what_is_no_table_is_refused(head: dict[str, object]) -> None:
    assert table_in({}) == {}
    with pytest.raises(ValueError, match="bits of a ledger"):
        table_in(head)
