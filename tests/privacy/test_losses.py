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
    Loss,
    NoGuarantee,
    positive,
    rounded_up,
)

KINDS = (Epsilon, EpsilonPerDay, EpsilonPerKm)
amounts = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)


@given(st.sampled_from(KINDS), amounts, amounts)
def test_losses_of_one_kind_add_exactly(
    kind: type[Epsilon], one: Fraction, other: Fraction
) -> None:
    assert kind(one) + kind(other) == kind(one + other)


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
    assert str(EpsilonPerKm(Fraction(1, 3))) == "ε = 0.3334 per km"
    assert str(NoGuarantee("a shift")) == "no guarantee (a shift)"
