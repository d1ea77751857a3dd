"""Posterior medians of a gap: exact against pmfs and enumeration, and better than the draws."""

from __future__ import annotations

import datetime as dt
import math
from bisect import bisect_right
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.decoding import Belief, Decodable, belief, likelihood
from dpdeid.privacy.timeline.modes import Metric, Strict
from dpdeid.privacy.timeline.priors import Prior, ages, evenly, log_uniform, mostly
from tests.privacy.helpers import probabilities
from tests.privacy.making import E0

EPSILON = Fraction(3)
MECHANISMS: list[Decodable] = [
    Window(epsilon=EPSILON, upper=40),
    PriorWindow(epsilon=EPSILON, table=tuple(log_uniform(40).table[::256])),
    BoundedLaplace(epsilon=EPSILON, upper=40),
    ClampedGeometric(epsilon_per_day=Fraction(1, 10), lower=0, upper=40),
    ProportionalNoise(share=Fraction(0), least=Fraction(32), upper=40),
    ProportionalNoise(share=Fraction(7, 20), least=Fraction(3, 5), upper=40),
    ProportionalNoise(share=Fraction(3, 5), least=Fraction(30), upper=40),
    ProportionalNoise(share=Fraction(3, 5), least=Fraction(1), upper=40, after=7, most=5),
]
every_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)


@every_mechanism
def test_the_likelihood_is_the_pmf_read_the_other_way(mechanism: Decodable) -> None:
    domain = mechanism.domain
    rows = [probabilities(mechanism, value) for value in domain]
    for output in (y for y in domain if rows[0][y]):
        exact = [float(row[output]) for row in rows]
        stated = likelihood(mechanism, output, np.arange(len(domain)))
        assert [p / max(exact) for p in exact] == pytest.approx(
            (stated / stated.max()).tolist(), rel=1e-9, abs=1e-12
        )


@given(
    st.sampled_from(["0", "1/4", "3"]).map(Fraction),
    st.sampled_from(["1", "4", "70"]).map(Fraction),
    st.integers(1, 20),
    st.sampled_from([0, 5]),
    st.sampled_from([None, 90]),
)
def test_the_likelihood_of_steps_is_their_pmf(
    share: Fraction, least: Fraction, upper: int, after: int, most: int | None
) -> None:
    """As far as weights fall: some twenty times the noise, beyond which they are flat."""
    noise = ProportionalNoise(share=share, least=least, upper=upper, after=after, most=most)
    test_the_likelihood_is_the_pmf_read_the_other_way(noise)


# --- the day that is printed ----------------------------------------------------------------------


@st.composite
def beliefs(draw: st.DrawFn) -> Belief:
    """A prior, and a few stretches of it that explain a draw."""
    weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=20))
    days = st.integers(0, len(weights))
    edges = sorted(draw(st.sets(days, min_size=2, max_size=6)))
    stretches = len(edges) - 1
    explained = draw(st.lists(st.integers(1, 9), min_size=stretches, max_size=stretches))
    prior = Prior(lambda: range(len(weights)), np.array(weights, dtype=np.float64))
    return Belief(prior, np.array(edges), np.array(explained, dtype=np.float64))


bases = st.integers(E0, E0 + 6)
"""One of each day of the week."""
sides = st.sampled_from([1, -1])
shares = st.sampled_from([0.3, 0.5, 0.7])
ends = st.one_of(st.none(), st.integers(-30, 30))


@given(beliefs(), bases, sides, ends, ends, shares, st.sampled_from([1.0, 0.25]))
def test_a_day_is_the_quantile_of_what_is_left_between_its_bounds(
    known: Belief,
    base: int,
    side: int,
    low: int | None,
    high: int | None,
    share: float,
    weekend: float,
) -> None:
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    least, most = (None if end is None else base + end for end in (low, high))
    got = known.day(base, side, least, most, share=share, weekend=weekend)
    table: dict[int, float] = {}
    for (first, end), explained in zip(pairwise(known.edges), known.explained, strict=True):
        for gap in range(first, end):
            day = base + side * gap
            if (least is None or day >= least) and (most is None or day <= most):
                away = dt.date.fromordinal(day).isoweekday() > 5
                table[day] = known.prior.weights[gap] * explained * (weekend if away else 1.0)
    if not table:
        assert got in (least, most), "where the belief puts nothing, the nearer end is left"
        return
    total, nearer = sum(table.values()), [d for d in table if side * d < side * got]
    below = sum(table[day] for day in nearer)
    assert below <= total * share * (1 + 1e-12)
    assert below + table[got] >= total * share * (1 - 1e-12)


@given(beliefs(), sides, st.integers(-30, 30))
def test_a_belief_moves_with_its_base(known: Belief, side: int, weeks: int) -> None:
    there = known.day(E0 + 7 * weeks, side, None, None, weekend=0.1)
    assert there - known.day(E0, side, None, None, weekend=0.1) == 7 * weeks


@pytest.mark.parametrize("base", range(E0, E0 + 7))
@pytest.mark.parametrize("side", [1, -1])
def test_on_whatever_day_a_base_lies_a_weekend_is_less_likely(base: int, side: int) -> None:
    known = belief(evenly(6))
    days = {known.day(base, side, None, None, share=at / 99, weekend=1e-9) for at in range(1, 99)}
    assert {dt.date.fromordinal(day).isoweekday() for day in days} == {1, 2, 3, 4, 5}


def test_a_sharp_draw_is_believed_and_no_draw_leaves_the_prior() -> None:
    prior = log_uniform(36_000)
    sharp = PriorWindow(epsilon=Fraction(14), table=tuple(prior.table))
    assert belief(prior, sharp, 1_234).day(0, 1, None, None) == pytest.approx(1_234, abs=5)
    unknown = belief(prior).day(0, 1, None, None)
    assert unknown == pytest.approx(prior.table[len(prior.table) // 2], rel=0.05)


@pytest.mark.parametrize(
    "mode",
    [
        Metric(epsilon_per_day=Fraction(1, 20), cap=5),
        Strict(mechanism="prior_window", epsilon=EPSILON, birth_epsilon=EPSILON, cap=5),
    ],
    ids=["metric", "strict"],
)
def test_a_prior_ends_with_the_domain_of_its_mechanism(mode: Metric | Strict) -> None:
    for arm in mode.arms():
        assert arm.mechanism.domain == range(len(arm.known.weights))


@every_mechanism
def test_a_median_is_nearer_to_gaps_of_the_prior_than_its_draw(mechanism: Decodable) -> None:
    """Exact means over all gaps and outputs, gaps distributed as the prior says."""
    prior = log_uniform(40)
    raw = decoded = 0.0
    medians = [belief(prior, mechanism, y).day(0, 1, None, None) for y in mechanism.domain]
    for gap, weight in enumerate(prior.weights.tolist()):
        row = [float(p) * weight for p in probabilities(mechanism, gap)]
        raw += sum(p * abs(y - gap) for y, p in enumerate(row))
        decoded += sum(p * abs(y - gap) for y, p in zip(medians, row, strict=True))
    assert decoded < raw * 1.001


# --- what is publicly known -----------------------------------------------------------------------

PRIORS = {"gaps": log_uniform(36_000), "short": log_uniform(365), "stays": mostly(3, 365)}
PRIORS |= {"ages": ages(43_830), "soon": mostly(7, 365, 2), "any day": evenly(3_652)}


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
def test_the_table_of_a_prior_and_its_weights_say_the_same(prior: Prior) -> None:
    upper = len(prior.weights) - 1
    assert list(prior.table) == sorted(prior.table)
    assert (prior.table[0], prior.table[-1]) == (0, upper)
    sums = np.cumsum(prior.weights) / prior.weights.sum()
    for day in (0, 1, 2, 6, 30, upper // 3, upper // 2, upper - 1):
        share = bisect_right(prior.table, day) / len(prior.table)
        assert share == pytest.approx(sums[day], abs=0.01)


def test_a_log_uniform_gap_is_as_often_below_a_week_as_its_logarithm_says() -> None:
    table = log_uniform(36_000).table
    share = sum(day < 7 for day in table) / len(table)
    assert share == pytest.approx(math.log(2) / math.log(36_008 / 7), rel=0.01)


def test_a_table_is_worked_out_when_it_is_asked_for() -> None:
    asked: list[int] = []

    def quantiles() -> range:
        asked.append(1)
        return range(3)

    prior = Prior(quantiles, np.ones(3))
    assert not asked
    assert [*prior.table] == [*prior.table] == [0, 1, 2]
    assert asked == [1]


@pytest.mark.parametrize("within", [3, 180])
def test_half_of_the_gaps_of_a_stay_are_within_a_few_days(within: int) -> None:
    table = mostly(within, 36_000).table
    for days in (within, 9 * within, 99 * within):
        more = sum(day > days for day in table) / len(table)
        assert more == pytest.approx(within / (days + within), rel=1 / within)
