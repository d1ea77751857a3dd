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
from dpdeid.privacy.mechanisms.proportional import PER_STEP, ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.priors import Prior

Decodable = PriorWindow | Window | BoundedLaplace | ClampedGeometric | ProportionalNoise
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_UNLIKELY: Final = 1e-9
"""Days whose weight is a smaller share of the largest are left out at both ends."""
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
        indices = _indices(mechanism)[values]
        powers, _ = _falling(PER_STEP, mechanism.inner.upper)
        return powers[np.abs(indices - mechanism.index(output))]
    if isinstance(mechanism, BoundedLaplace):
        upper = mechanism.upper
        powers, sums = _falling(mechanism.epsilon / upper, upper)
        return powers[np.abs(values - output)] / (sums[values] + sums[upper - values] - 1.0)
    powers, _ = _falling(mechanism.epsilon_per_day, mechanism.upper - mechanism.lower)
    return powers[np.abs(values - output)]


@lru_cache(maxsize=32)
def _starts(mechanism: PriorWindow | Window) -> Integers:
    """Where the window of each value of the domain begins."""
    return np.array([mechanism.start(value) for value in mechanism.domain])


@lru_cache(maxsize=32)
def _indices(mechanism: ProportionalNoise) -> Integers:
    """The index of each value of the domain."""
    return np.array([mechanism.index(value) for value in mechanism.domain])


@lru_cache(maxsize=32)
def _falling(rate: Fraction, width: int) -> tuple[Floats, Floats]:
    """exp(−rate · d) for d = 0 … width, and the sums of these as far as each."""
    step = SCALE / exp_below(rate)
    powers = np.cumprod(np.concatenate([[1.0], np.full(width, step)]))
    return powers, np.cumsum(powers)


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of a gap: weights of `first`, `first` + 1, … days, up to one factor."""

    first: int
    weights: Floats = field(repr=False)

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
        first, last = self.first, self.first + len(self.weights) - 1
        start = first if least is None else max(side * (least - base), first)
        stop = last if most is None else min(side * (most - base), last)
        if start >= stop:
            return _within(base + side * min(max(start, first), last), low, high)
        weights = self.weights[start - first : stop + 1 - first]
        if weekend != 1:
            days = (base - 1 + side * np.arange(start, stop + 1)) % _WEEK
            weights = weights * np.where(days < _WORKING, 1.0, weekend)
        sums = np.cumsum(weights)
        at = int(np.searchsorted(sums, sums[-1] * share))
        return base + side * (start + min(at, stop - start))


def _within(day: int, low: int | None, high: int | None) -> int:
    day = day if low is None else max(day, low)
    return day if high is None else min(day, high)


def belief(prior: Prior, mechanism: Decodable | None = None, noisy: int = 0) -> Belief:
    """The posterior of a gap with this prior; without a mechanism no draw was made and the prior
    stands.
    """
    weights = prior.weights
    if mechanism is not None:
        values = np.arange(min(len(weights) - 1, mechanism.domain[-1]) + 1)
        weights = weights[: len(values)] * likelihood(mechanism, noisy, values)
    likely = np.flatnonzero(weights >= _UNLIKELY * weights.max())
    return Belief(int(likely[0]), weights[likely[0] : likely[-1] + 1])
