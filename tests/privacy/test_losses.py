"""Losses that cannot be added by mistake, and amounts that are what was written."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.losses import (
    Epsilon,
    EpsilonPerDay,
    EpsilonPerKm,
    EpsilonPerStep,
    Loss,
    NoGuarantee,
    loss_of,
    positive,
    rounded_up,
)

KINDS = (Epsilon, EpsilonPerDay, EpsilonPerStep, EpsilonPerKm)
amounts = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)


@given(st.sampled_from(KINDS), amounts, amounts)
def test_losses_of_one_kind_add_exactly(
    kind: type[Epsilon], one: Fraction, other: Fraction
) -> None:
    assert kind(one) + kind(other) == kind(one + other)


deltas = st.fractions(min_value=0, max_value=1, max_denominator=10**9)


@given(st.sampled_from(KINDS), amounts, amounts, deltas, deltas)
def test_a_delta_stays_with_its_loss_and_adds_up(
    kind: type[Epsilon], one: Fraction, other: Fraction, first: Fraction, second: Fraction
) -> None:
    together = kind(one, first) + kind(other, second)
    assert together == kind(one + other, min(first + second, Fraction(1)))
    assert kind(one, first).times(3) == sum([kind(one, first)] * 2, start=kind(one, first))
    assert kind(one, first).within(together)
    assert not together.within(kind(one, first))


def test_within_compares_one_kind_only() -> None:
    assert not Epsilon(Fraction(1)).within(EpsilonPerDay(Fraction(2)))
    assert not Epsilon(Fraction(1), Fraction(1, 10)).within(Epsilon(Fraction(2)))


@pytest.mark.parametrize("delta", [-1, "2", 0.1, "nan"])
def test_a_bad_delta_is_refused(delta: object) -> None:
    with pytest.raises(ValueError, match="delta"):
        Epsilon(Fraction(1), delta)  # type: ignore[arg-type]


@given(st.sampled_from(KINDS), amounts, deltas)
def test_json_brings_the_same_loss_back(
    kind: type[Epsilon], amount: Fraction, delta: Fraction
) -> None:
    assert loss_of(kind(amount, delta).to_json()) == kind(amount, delta)
    assert loss_of(NoGuarantee("a shift").to_json()) == NoGuarantee("a shift")


@pytest.mark.parametrize(
    "row", [{}, {"kind": "Epsilon"}, {"kind": "Delta", "amount": "1"}, {"kind": "NoGuarantee"}]
)
def test_what_is_not_a_loss_is_refused(row: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="not a loss"):
        loss_of(row)


ALL: tuple[Loss, ...] = (*(kind(Fraction(1)) for kind in KINDS), NoGuarantee("only promised"))


@pytest.mark.parametrize(("one", "other"), list(permutations(ALL, 2)))
def test_losses_of_different_kinds_do_not_add(one: Loss, other: Loss) -> None:
    with pytest.raises(TypeError):
        one + other  # type: ignore[operator]
    assert one != other


@pytest.mark.parametrize("amount", [0, -1, "0", "nan", "inf", "", "a tenth", None, 0.1, "1/0"])
def test_a_bad_amount_is_refused_by_name(amount: object) -> None:
    with pytest.raises(ValueError, match="my_option"):
        positive(amount, "my_option")  # type: ignore[arg-type]


def test_an_amount_is_what_the_text_says() -> None:
    assert positive("0.1", "x") == Fraction(1, 10)
    assert positive("3/4", "x") == Fraction(3, 4)


@given(amounts)
def test_printed_amounts_are_never_below_the_true_one(amount: Fraction) -> None:
    printed = Fraction(rounded_up(amount))
    assert amount <= printed <= amount + Fraction(1, 10**4) + amount / 10**12


def test_each_kind_prints_its_unit() -> None:
    assert str(Epsilon(Fraction(2))) == "ε = 2"
    assert str(EpsilonPerDay(Fraction("0.05"))) == "ε = 0.05 per day"
    assert str(EpsilonPerStep(Fraction(1, 32))) == "ε = 0.0313 per step"
    assert str(EpsilonPerKm(Fraction(1, 3))) == "ε = 0.3334 per km"
    assert str(Epsilon(Fraction(2), Fraction(123, 10**6))) == "ε = 2, δ = 13e-5"
    assert str(NoGuarantee("a shift")) == "no guarantee (a shift)"
