"""The safe side of exp and ln."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.exact import SCALE, exp_below, log_above, text

exponents = st.fractions(min_value=Fraction(1, 10**6), max_value=50, max_denominator=10**6)


@given(exponents)
def test_exp_below_is_below_and_near(exponent: Fraction) -> None:
    below = Fraction(exp_below(exponent), SCALE)
    terms = [Fraction(1)]
    for n in range(1, 60):  # a lower bound on exp by its series, for small exponents
        terms.append(terms[-1] * exponent / n)
    if exponent <= 1:
        assert sum(terms) * (1 - Fraction(2, 10**50)) <= below <= sum(terms)
    assert math.isclose(below, math.exp(exponent), rel_tol=1e-12)


@given(exponents, exponents)
def test_exp_below_grows_with_its_exponent(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    assert exp_below(low) <= exp_below(high)


@given(exponents)
def test_log_of_exp_is_no_more_than_the_exponent(exponent: Fraction) -> None:
    back = log_above(exp_below(exponent), SCALE)
    assert exponent - Fraction(2, 10**50) <= back <= exponent


@given(st.integers(1, 10**40), st.integers(1, 10**40))
def test_log_above_is_above_and_near(numerator: int, denominator: int) -> None:
    finer = Context(prec=120)
    ratio = finer.divide(Decimal(numerator), Decimal(denominator))
    true = Fraction(finer.ln(ratio))
    assert true <= log_above(numerator, denominator) <= true + Fraction(2, 10**60)


@pytest.mark.parametrize(
    ("amount", "written"),
    [("0.05", "0.05"), ("8", "8"), ("100", "100"), ("8/7", "8/7"), ("1e-9", "0.000000001")],
)
def test_text_is_exact(amount: str, written: str) -> None:
    assert text(Fraction(amount)) == written
    assert Fraction(written) == Fraction(amount)
