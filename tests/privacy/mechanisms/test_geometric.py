"""Clamped geometric noise: a bound for every pair, on any domain."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.mechanisms.falling import ClampedGeometric
from tests.privacy.helpers import STREAMS, at_most_exp, mean_error, probabilities

rates = st.sampled_from(["0.0001", "0.05", "0.5", "2", "20"]).map(Fraction)


@given(rates, st.integers(-50, 50), st.integers(1, 25))
def test_every_pair_keeps_epsilon_per_day(rate: Fraction, lower: int, width: int) -> None:
    mechanism = ClampedGeometric(epsilon_per_day=rate, lower=lower, upper=lower + width)
    rows = [mechanism.pmf(value) for value in mechanism.domain]
    assert len({sum(row) for row in rows}) == 1
    bounds = [SCALE, *(exp_below(days * rate) for days in range(1, width + 1))]
    for x, row in enumerate(rows):
        for days, other in enumerate(rows[x:]):
            for one, two in zip(row, other, strict=True):
                assert max(one, two) * SCALE <= min(one, two) * bounds[days]
    assert mechanism.privacy_loss().amount <= rate


def test_the_bound_is_tight() -> None:
    mechanism = ClampedGeometric(epsilon_per_day=Fraction("0.05"), lower=0, upper=500)
    near, far = probabilities(mechanism, 0)[0], probabilities(mechanism, 1)[0]
    assert not at_most_exp(near / far, Fraction("0.0499999"))
    assert mechanism.privacy_loss().amount > Fraction("0.0499999999")


@pytest.mark.parametrize(
    ("epsilon", "days"),
    list(zip(("0.5", "1", "2", "4", "8"), (25.96, 22.39, 17.24, 11.43, 6.61), strict=True)),
)
def test_mean_error_at_equal_epsilon_on_two_months(epsilon: str, days: float) -> None:
    rate = Fraction(epsilon) / 61
    error = mean_error(ClampedGeometric(epsilon_per_day=rate, lower=0, upper=61))
    assert error == pytest.approx(days, abs=0.006)


@pytest.mark.parametrize("rate", ["0.0001", "0.05", "3"])
def test_a_century_either_way_is_certified_and_small(rate: str) -> None:
    mechanism = ClampedGeometric(epsilon_per_day=Fraction(rate), lower=-36_500, upper=36_500)
    assert mechanism.privacy_loss().amount <= mechanism.epsilon_per_day
    one, next_day = mechanism.pmf(100), mechanism.pmf(101)
    assert sum(one) == sum(next_day)
    assert min(one) > 0
    worst = max(Fraction(max(pair), min(pair)) for pair in zip(one, next_day, strict=True))
    assert at_most_exp(worst, mechanism.epsilon_per_day)


def test_the_noise_falls_with_the_distance() -> None:
    weights = ClampedGeometric(epsilon_per_day=Fraction("0.5"), lower=0, upper=300).pmf(100)
    assert all(a <= b for a, b in pairwise(weights[1:101]))
    assert all(a >= b for a, b in pairwise(weights[100:300]))
    assert weights[99] == weights[101]


def test_error_is_about_one_over_epsilon() -> None:
    mechanism = ClampedGeometric(epsilon_per_day=Fraction("0.05"), lower=-36_500, upper=36_500)
    draws = [mechanism.randomise(0, STREAMS.stream("error", str(turn))) for turn in range(4_000)]
    assert sum(map(abs, draws)) / len(draws) == pytest.approx(20, rel=0.05)


@pytest.mark.parametrize(("lower", "upper"), [(0, 0), (5, 4), (0, 2_000_000)])
def test_an_impossible_domain_is_refused(lower: int, upper: int) -> None:
    with pytest.raises(ValueError, match="upper - lower"):
        ClampedGeometric(epsilon_per_day=Fraction(1), lower=lower, upper=upper)
