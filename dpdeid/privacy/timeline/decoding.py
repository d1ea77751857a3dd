"""The posterior of a gap, given a noisy one and what is publicly known: which day to print.

Floats, because nothing here is a draw: what is computed from outputs and public constants costs no
privacy, however it is rounded. It must be the same on every machine, though, or one date would be
released in two ways; so only + − × ÷ are used, one after the other, which IEEE 754 fixes to the
last bit, and no exp.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import PER_STEP, STEPS, ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.priors import Prior

Decodable = PriorWindow | Window | BoundedLaplace | ClampedGeometric | ProportionalNoise
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_FAR: Final = 20
"""Gaps that lie further from a noisy one, in times of the noise, are left out: e^-20."""
_WEEK: Final = 7
_WORKING: Final = 5


def likelihood(mechanism: Decodable, output: int, values: Integers) -> Floats:
    """P(output | value) for each of these values of the domain, up to one factor."""
    if isinstance(mechanism, PriorWindow | Window):
        first, last = bisect_left(mechanism.table, output), bisect_right(mechanism.table, output)
        low, high = _starts(mechanism)[values], mechanism.size
        shared = np.clip(np.minimum(last, low + high) - np.maximum(first, low), 0, None)
        more = mechanism.weights.inside / mechanism.weights.outside - 1.0
        found: Floats = float(last - first) + more * shared
        return found
    if isinstance(mechanism, ProportionalNoise):
        return _of_indices(mechanism, output, _indices(mechanism)[values])
    if isinstance(mechanism, BoundedLaplace):
        upper = mechanism.upper
        powers, sums = _falling(mechanism.epsilon / upper, upper)
        return powers[np.abs(values - output)] / (sums[values] + sums[upper - values] - 1.0)
    powers, _ = _falling(mechanism.epsilon_per_day, mechanism.upper - mechanism.lower)
    return powers[np.abs(values - output)]


def _of_indices(mechanism: ProportionalNoise, output: int, indices: Integers) -> Floats:
    """The summed weights, from each of these true indices, of all that an output stands for."""
    last = mechanism.inner.upper
    powers, _ = _falling(PER_STEP, last + 1)
    first, end = mechanism.stands_for(output)
    below = powers[np.abs(indices - first) + 1] if first > 0 else 0.0
    above = powers[np.abs(indices - end) + 1] if end < last else 0.0
    outside = np.where(indices < first, powers[np.abs(indices - first)] - above, 0.0)
    outside += np.where(indices > end, powers[np.abs(indices - end)] - below, 0.0)
    within = (indices >= first) & (indices <= end)
    found: Floats = np.where(within, 1.0 + powers[1] - below - above, outside)
    return found


@lru_cache(maxsize=32)
def _starts(mechanism: PriorWindow | Window) -> Integers:
    """Where the window of each value of the domain begins."""
    return np.array([mechanism.start(value) for value in mechanism.domain])


@lru_cache(maxsize=32)
def _indices(mechanism: ProportionalNoise) -> Integers:
    """The index of each value of the domain."""
    return np.array(mechanism.table.of)


@lru_cache(maxsize=32)
def _table(mechanism: ProportionalNoise) -> tuple[Integers, Integers]:
    """The first gap of each index, and these indices."""
    return np.searchsorted(_indices(mechanism), mechanism.table.indices), np.array(
        mechanism.table.indices
    )


@lru_cache(maxsize=32)
def _falling(rate: Fraction, width: int) -> tuple[Floats, Floats]:
    """exp(−rate · d) for d = 0 … width, and the sums of these as far as each."""
    step = SCALE / exp_below(rate)
    powers = np.cumprod(np.concatenate([[1.0], np.full(width, step)]))
    return powers, np.cumsum(powers)


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed of a gap: a prior, and for stretches of days how well a draw is explained.

    Args:
        edges: the first day of each stretch, and the day after the last one.
        explained: one weight for each stretch, up to one factor.
    """

    prior: Prior
    edges: Integers = field(repr=False)
    explained: Floats = field(repr=False)

    def day(
        self,
        base: int,
        side: int,
        low: int | None,
        high: int | None,
        *,
        share: float = 0.5,
        weekend: float = 1.0,
    ) -> int:
        """The day base + side × gap with a `share` of the weight before it, within low..high.

        Args:
            weekend: how likely a day at a weekend is, beside one from Monday to Friday.
        """
        least, most = (low, high) if side > 0 else (high, low)
        first, last = int(self.edges[0]), int(self.edges[-1]) - 1
        start = first if least is None else max(side * (least - base), first)
        stop = last if most is None else min(side * (most - base), last)
        if start >= stop:
            return within(base + side * min(max(start, first), last), low, high)
        calendar = (side, side * (base - 1) % _WEEK, weekend) if weekend != 1 else (1, 0, 1.0)
        sums = _cumulative(self.prior, *calendar)
        edges = np.minimum(np.maximum(self.edges, start), stop + 1)
        below = sums[edges]
        reached = (self.explained * (below[1:] - below[:-1])).cumsum()
        sought = float(reached[-1]) * share
        at = min(int(reached.searchsorted(sought)), len(reached) - 1)
        more = (sought - (float(reached[at - 1]) if at else 0.0)) / float(self.explained[at])
        gap = int(sums.searchsorted(float(below[at]) + more)) - 1
        return base + side * min(max(gap, int(edges[at])), int(edges[at + 1]) - 1)


@lru_cache(maxsize=256)
def _cumulative(prior: Prior, side: int, phase: int, weekend: float) -> Floats:
    """The weight of all gaps below 0, 1, … upper + 1.

    Args:
        phase: the day of the week on which a gap of 0 lies, 0 for Monday, times the side.
    """
    weights = prior.weights
    if weekend != 1:
        days = side * (phase + np.arange(len(weights))) % _WEEK
        weights = weights * np.where(days < _WORKING, 1.0, weekend)
    return np.concatenate([[0.0], np.cumsum(weights)])


def within(day: int, low: int | None, high: int | None) -> int:
    """The day of low..high that is nearest to a day."""
    day = day if low is None else max(day, low)
    return day if high is None else min(day, high)


def belief(prior: Prior, mechanism: Decodable | None = None, noisy: int = 0) -> Belief:
    """The posterior of a gap with this prior; without a mechanism no draw was made and the prior
    stands.
    """
    upper = len(prior.weights) - 1
    if mechanism is None:
        return Belief(prior, np.array([0, upper + 1]), np.ones(1))
    edges = _stretches(mechanism, noisy, upper)
    return Belief(prior, edges, likelihood(mechanism, noisy, edges[:-1]))


def _stretches(mechanism: Decodable, output: int, upper: int) -> Integers:
    """The first days of stretches that explain an output alike, and the end of the last; what does
    not explain it is left out, where anything does.
    """
    if isinstance(mechanism, ProportionalNoise):
        table = _table(mechanism)
        at = mechanism.index(output)
        low, high = np.searchsorted(table[1], [at - _FAR * STEPS, at + _FAR * STEPS + 1])
        return np.append(table[0][low:high], table[0][high] if high < len(table[0]) else upper + 1)
    if isinstance(mechanism, PriorWindow | Window):
        starts = _starts(mechanism)
        first, last = bisect_left(mechanism.table, output), bisect_right(mechanism.table, output)
        near = np.searchsorted(starts, [first - mechanism.size, last], side="left")
        changes = 1 + np.flatnonzero(np.diff(starts[max(near[0] - 1, 0) : near[1] + 1]))
        inner = max(near[0] - 1, 0) + changes
        return np.unique(np.concatenate([[0], inner, [upper + 1]]))
    return np.arange(upper + 2)
