"""What the Bayes attacker computes is what the mechanisms' own integers say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.attacks.likelihood import losses, scores
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric, Paper, Shift, Strict, Timeline

METRIC = {"epsilon_per_day": Fraction(1, 10), "cap": 9}


def alike(rows: list[list[int]]) -> Alike:
    return Alike(np.array(rows), np.empty((len(rows), 0), dtype=np.int64))


def log_chances(mode: Timeline, gaps: list[list[int]], released: list[int]) -> list[float]:
    table = scores(Drawn("test", mode, None), alike(gaps), alike([released]), len(released), 0)
    return [float(row) for row in table[:, 0]]


@given(st.integers(100, 900), st.integers(100, 900), st.integers(0, 1_500))
def test_a_shift_to_the_past_is_summed_over(one: int, other: int, released: int) -> None:
    mode = Metric(**METRIC, shift_days=40)  # type: ignore[arg-type]
    first, second = log_chances(mode, [[one], [other]], [released])

    def summed(gap: int) -> float:
        return math.log(sum(math.exp(-0.1 * abs(gap + s - released)) for s in range(41)))

    assert first - second == pytest.approx(summed(one) - summed(other), abs=1e-6)


@given(*[st.integers(1, 200)] * 2, st.integers(0, 59))
def test_noise_by_steps_is_that_of_its_weights(one: int, other: int, at: int) -> None:
    mode = Metric(**METRIC, horizon=600)  # type: ignore[arg-type]
    mechanism = mode.arm(Role.BEFORE).mechanism
    assert isinstance(mechanism, ProportionalNoise)
    released = mechanism.table.days[at]
    first, second = log_chances(mode, [[5, one], [5, other]], [5, released])
    weights = [mechanism.pmf(gap)[released] for gap in (one, other)]
    # integer weights fall a little less than their rate, the more so the smaller they are
    assert first - second == pytest.approx(math.log(weights[0] / weights[1]), abs=1e-6)


@given(*[st.lists(st.integers(1, 900), min_size=3, max_size=3)] * 3)
def test_no_two_chances_differ_by_more_than_the_stated_loss(
    one: list[int], other: list[int], released: list[int]
) -> None:
    """The second and third gap by the tables as they stand, the first within a step of rounding."""
    mode = Metric(**METRIC, horizon=2_000)  # type: ignore[arg-type]
    records = [[first, second, second + third] for first, second, third in (one, other)]
    shown = [released[0], released[1], released[1] + released[2]]
    first, second = log_chances(mode, records, shown)
    stated = losses(Drawn("test", mode, None), alike(records), 0)
    assert stated is not None
    assert abs(first - second) <= stated[0] + 1 / 32 + 1e-9


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
    arm = mode.arm(Role.BEFORE)
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


def test_dates_are_scored_by_their_gaps_to_their_neighbours() -> None:
    """The same gap of eleven days, further away as a whole: the noise is that of the gap."""
    mode = Metric(**METRIC)  # type: ignore[arg-type]
    near, far = log_chances(mode, [[5, 9, 20], [5, 300, 311]], [5, 9, 20])
    (alone,) = log_chances(mode, [[5, 300]], [5, 9])
    (truth,) = log_chances(mode, [[5, 9]], [5, 9])
    assert near - far == pytest.approx(truth - alone)


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
