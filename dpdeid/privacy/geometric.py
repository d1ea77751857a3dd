"""Clamped geometric noise on whole days: metric privacy, a loss per day."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

from dpdeid.privacy.domains import WORD, checked_epsilon, checked_upper, clamped, largest_ratio
from dpdeid.privacy.exact import SCALE, exp_below, log_above, text
from dpdeid.privacy.falling import STEEPEST, fitting, inwards, reach
from dpdeid.privacy.losses import EpsilonPerDay
from dpdeid.privacy.rng import Source

_MIN_EPSILON: Final = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Noise:
    """Integer weights of a symmetric noise: geometric near 0, flat beyond, a lump at each end.

    Args:
        centre: the weight of 0.
        sums: of the weights of 1, 2, …, as far as they fall.
        floor: the weight of each further distance.
        side: the weight of all distances ≥ 1 on one side, the lump included.
    """

    centre: int
    sums: tuple[int, ...]
    floor: int
    side: int

    @property
    def total(self) -> int:
        """Of all weights; at most a word."""
        return self.centre + 2 * self.side

    def beyond(self, distance: int) -> int:
        """The weight of all distances ≥ `distance` ≥ 1 on one side."""
        done = distance - 1
        falling = min(done, len(self.sums))
        before = self.sums[falling - 1] if falling else 0
        return self.side - before - (done - falling) * self.floor

    def draw(self, source: Source) -> int:
        rank = source.randbelow(self.total) - self.centre
        if rank < 0:
            return 0
        sign, rank = 1 - 2 * (rank & 1), rank >> 1
        fallen = self.sums[-1] if self.sums else 0
        if rank < fallen:
            return sign * (1 + bisect_right(self.sums, rank))
        return sign * (1 + len(self.sums) + (rank - fallen) // self.floor)


@lru_cache(maxsize=24)
def _noise(epsilon: Fraction, width: int) -> Noise:
    """The noise on a domain of `width` + 1 integers.

    Every weight is at most growth / SCALE times the next, and so is every sum of all weights beyond
    a distance (the lump is large enough for the first, and sums of such pairs keep the bound).
    """
    rate = min(epsilon, Fraction(STEEPEST))
    growth, falling = exp_below(rate), min(width - 1, reach(rate, WORD))

    def noise(least: int) -> Noise:
        weights = inwards(growth, falling, least)
        lump = -(-least * SCALE // (growth - SCALE))
        sums = tuple(accumulate(weights[1:]))
        flat = (width - 1 - falling) * least
        return Noise(weights[0], sums, least, (sums[-1] if sums else 0) + flat + lump)

    return noise(fitting(lambda least: noise(least).total, WORD))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClampedGeometric:
    """Two-sided geometric noise clamped to lower..upper; metric privacy, ε per day.

    For all x, x', y: P(y | x) ≤ exp(ε |x − x'|) P(y | x'). The noise is drawn before the value is
    looked at, added, and the sum clamped, so the total is one constant. P(noise = k) is
    proportional to exp(−ε|k|) down to e^−30 of its peak and flat from there to the width of the
    domain: flat is within the bound, all outputs stay possible, and a table needs at most 30 / ε
    integers, whatever the domain. Mean error about 1 / ε days away from the ends.
    Ghosh, Roughgarden and Sundararajan 2012; Chatzikokolakis et al. 2013.

    Args:
        epsilon_per_day: at least 1e−9, exact.
        lower, upper: the domain in days, lower < upper, at most 1,000,000 apart.

    `noise` holds the weights.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_day: Fraction
    lower: int
    upper: int
    noise: Noise = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon_per_day, "epsilon_per_day")
        if epsilon < _MIN_EPSILON:
            raise ValueError("epsilon_per_day must be at least 1e-9")
        checked_upper(self.upper - self.lower, "upper - lower")
        object.__setattr__(self, "epsilon_per_day", epsilon)
        object.__setattr__(self, "noise", _noise(epsilon, self.upper - self.lower))

    def __str__(self) -> str:
        rate = text(self.epsilon_per_day)
        return f"clamped-geometric(epsilon_per_day={rate}, lower={self.lower}, upper={self.upper})"

    @property
    def domain(self) -> range:
        return range(self.lower, self.upper + 1)

    def randomise(self, value: int, source: Source) -> int:
        noise, lower, upper = self.noise.draw(source), self.lower, self.upper
        return min(max(min(max(value, lower), upper) + noise, lower), upper)

    def pmf(self, value: int) -> tuple[int, ...]:
        value = clamped(value, self.domain)
        noise = self.noise
        beyond = [noise.beyond(d) for d in range(1, self.upper - self.lower + 1)]
        beyond.insert(0, noise.centre + beyond[0])
        distances = (abs(value - output) for output in self.domain[1:-1])
        inside = (beyond[distance] - beyond[distance + 1] for distance in distances)
        return (beyond[value - self.lower], *inside, beyond[self.upper - value])

    def privacy_loss(self) -> EpsilonPerDay:
        """The bound for one day from the weights; d days follow, one after the other.

        Where the noise is flat its weights are equal, and its sums change most at the very end.
        """
        width = self.upper - self.lower
        noise = self.noise
        sides = [noise.beyond(d) for d in range(1, min(width, len(noise.sums) + 2) + 1)]
        sums = [noise.centre + sides[0], *sides]
        weights = [a - b for a, b in pairwise(sums)]
        pairs = [*pairwise(sums), *pairwise(weights)]
        if width > 1:
            pairs.append((noise.beyond(width - 1), noise.beyond(width)))
        return EpsilonPerDay(log_above(*largest_ratio(pairs)))
