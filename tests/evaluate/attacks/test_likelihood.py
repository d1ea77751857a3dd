"""What the Bayes attacker computes is what the mechanisms' own integers say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.attacks.likelihood import scores
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.timeline.modes import Metric, Paper, Shift, Strict, Timeline

METRIC = {"epsilon_per_day": Fraction(1, 10), "birth_epsilon_per_day": Fraction(1), "cap": 9}


def log_chances(mode: Timeline, gaps: list[list[int]], released: list[int]) -> list[float]:
    def alike(rows: list[list[int]]) -> Alike:
        return Alike(np.array(rows), np.empty((len(rows), 0), dtype=np.int64))

    table = scores(Drawn("test", mode, None), alike(gaps), alike([released]), len(released), 0)
    return [float(row) for row in table[:, 0]]


@given(st.integers(100, 900), st.integers(100, 900), st.integers(0, 1_500))
def test_a_shift_is_summed_over(one: int, other: int, released: int) -> None:
    mode = Metric(**METRIC, shift_days=40)  # type: ignore[arg-type]
    first, second = log_chances(mode, [[one], [other]], [released])

    def summed(gap: int) -> float:
        return math.log(sum(math.exp(-0.1 * abs(gap + s - released)) for s in range(-40, 41)))

    assert first - second == pytest.approx(summed(one) - summed(other), abs=1e-6)


@given(*[st.integers(1, 200)] * 3)
def test_noise_per_day_is_that_of_its_weights(one: int, other: int, released: int) -> None:
    mode = Metric(**METRIC, horizon=600)  # type: ignore[arg-type]
    first, second = log_chances(mode, [[5, one], [5, other]], [5, released])
    arm = next(arm for arm in mode.arms() if arm.signed)
    at = released - arm.mechanism.domain[0]
    weights = [arm.mechanism.pmf(gap)[at] for gap in (one, other)]
    # integer weights fall a little less than e^0.1 a day, the more so the smaller they are
    assert first - second == pytest.approx(math.log(weights[0] / weights[1]), abs=1e-6)


@pytest.mark.parametrize("mechanism", ["window", "prior_window", "bounded_laplace"])
def test_strict_chances_are_those_of_its_weights(mechanism: str) -> None:
    mode = Strict(
        mechanism=mechanism,  # type: ignore[arg-type]
        epsilon=Fraction(2),
        birth_epsilon=Fraction(1),
        cap=9,
        horizon=500,
        cohort_days=400,
    )
    arm = next(arm for arm in mode.arms() if arm.prior[-1] == 500)
    gaps, released = (3, 40, 480), arm.prior[len(arm.prior) // 3]
    found = log_chances(mode, [[5, gap] for gap in gaps], [5, released])
    rows = [arm.mechanism.pmf(gap) for gap in gaps]
    at = list(arm.mechanism.domain).index(released)
    exact = [math.log(row[at] / sum(row)) for row in rows]
    for a, b in ((0, 1), (1, 2)):
        assert found[a] - found[b] == pytest.approx(exact[a] - exact[b], abs=1e-6)


def test_what_is_over_the_cap_tells_nothing() -> None:
    mode = Metric(**(METRIC | {"cap": 2}))  # type: ignore[arg-type]
    first, second = log_chances(mode, [[5, 9, 20], [5, 9, 300]], [7, 9, 25])
    assert first == second


def test_a_shift_alone_keeps_its_intervals() -> None:
    same, moved, other = log_chances(Shift(days=30), [[10, 5], [50, 5], [10, 6]], [30, 5])
    assert same == 0
    assert moved == 0
    assert other < -1_000
    assert log_chances(Shift(days=30), [[10, 5]], [41, 5])[0] < -1_000


def test_the_published_chain_is_scored_by_its_intervals() -> None:
    mode = Paper(epsilon=Fraction(4))
    within, beyond = log_chances(mode, [[100, 50], [100, 700]], [110, 55])
    short = BoundedLaplace(epsilon=Fraction(2), upper=61)

    def log_of(value: int, out: int) -> float:
        row = short.pmf(value)
        return math.log(row[out] / sum(row))

    assert within == pytest.approx(math.log(short.pmf(0)[10]) + log_of(50, 55), abs=1e-6)
    long = BoundedLaplace(epsilon=Fraction(2), upper=36_000).pmf(700)
    assert beyond == pytest.approx(
        math.log(short.pmf(0)[10]) + math.log(long[55] / sum(long)), abs=1e-6
    )
    assert log_chances(mode, [[100, 50]], [90, 55])[0] < -1_000
