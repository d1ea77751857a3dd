"""Integer weights that fall with the distance, each at most a given factor below the last.

Weights are built from the far end inwards: each is floor(e^rate × the next one), so no ratio of
neighbours exceeds e^rate, whatever is lost in rounding. All of them together must fit into a 64-bit
word, or a little less of it where the total depends on the value, so that words above a multiple of
it are rare. So far from the peak they stop falling and stay flat, which is within any such bound:
at e^−30 of the peak, or nearer where a day changes a weight so little that integers of that size
could not show it. Two mechanisms draw with them: bounded Laplace (the published one, in integers)
and clamped geometric noise (metric privacy, a loss per day).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from typing import Final

from dpdeid.privacy.exact import BITS, SCALE, exp_below, log_above, text
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay
from dpdeid.privacy.mechanisms.contract import (
    WORD,
    checked_epsilon,
    checked_upper,
    clamped,
    largest_ratio,
)
from dpdeid.privacy.rng import Source

STEEPEST: Final = 30
"""The largest rate that is used: a steeper one changes one draw in e^30."""
_FINE: Final = 1 << 128
_MARGIN: Final = 11  # bits of the least weight, in units of what a step adds to it
_CAPACITY: Final = 1 << 56


def reach(rate: Fraction, capacity: int) -> int:
    """How many steps the weights may fall before they stay flat, ≥ 1."""
    step = min(float(rate), float(STEEPEST))
    room = math.log(capacity >> _MARGIN)
    depth = min(max(room + 2 * math.log(step), 1.0), STEEPEST)
    return max(int(depth / step), 1)


def inwards(growth: int, steps: int, least: int) -> list[int]:
    """`steps` + 1 weights, largest first, the last one `least`; `growth` is over SCALE."""
    weight = least
    found = [weight]
    for _ in range(steps):
        weight = weight * growth >> BITS
        found.append(weight)
    found.reverse()
    return found


def fitting(total: Callable[[int], int], capacity: int) -> int:
    """The least weight for which `total` of it, nearly proportional to it, fills `capacity`."""
    return (capacity - (1 << 20)) * _FINE // total(_FINE)


@dataclass(frozen=True, slots=True, eq=False)
class Falling:
    """Weights of the distances 0..upper, cut at the ends of 0..upper.

    Args:
        rate: what the logarithm of a weight may change by in a day.
        upper: the largest value.
        sums: of the weights of the distances below 0, 1, …, upper + 1.
    """

    rate: Fraction
    upper: int
    sums: tuple[int, ...] = field(repr=False)

    def total(self, value: int) -> int:
        """Of all weights for a value of the domain; at most 2^56."""
        return self.sums[value + 1] + self.sums[self.upper - value + 1] - self.sums[1]

    def draw(self, value: int, source: Source) -> int:
        """A value of 0..upper. One word in 256 at most has to be drawn again."""
        value = min(max(value, 0), self.upper)
        sums = self.sums
        right = sums[self.upper - value + 1]
        total = right + sums[value + 1] - sums[1]
        share = WORD // total
        while (rank := source.randbelow(WORD) // share) >= total:
            pass
        if rank < right:
            return value + bisect_right(sums, rank) - 1
        return value - bisect_right(sums, rank - right + sums[1]) + 1

    def pmf(self, value: int) -> tuple[int, ...]:
        """The weight of each value of 0..upper."""
        value = min(max(value, 0), self.upper)
        distances = (abs(value - output) for output in range(self.upper + 1))
        return tuple(self.sums[distance + 1] - self.sums[distance] for distance in distances)


@lru_cache(maxsize=32)
def falling(rate: Fraction, upper: int) -> Falling:
    """The weights for a rate in (0, STEEPEST], as large as they may be."""
    growth, steps = exp_below(rate), min(reach(rate, _CAPACITY), upper)

    def sums(least: int) -> tuple[int, ...]:
        flat = repeat(least, upper - steps)
        return tuple(accumulate([*inwards(growth, steps, least), *flat], initial=0))

    def most(least: int) -> int:
        return Falling(rate, upper, sums(least)).total(upper // 2)

    return Falling(rate, upper, sums(fitting(most, _CAPACITY)))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedLaplace:
    """Bounded Laplace on the integers 0..upper; ε-LDP.

    P(y | x) is proportional to exp(−λ|x − y|), λ = ε / upper: neighbours x, x + 1 change a weight
    by at most e^λ and the total by at least e^−λ, so the worst pair is (0, upper), whose totals are
    equal: exp(λ · upper). Unit: one interval in days. Holohan et al. 2018, in integers.

    Args:
        epsilon: > 0, exact.
        upper: the width Δ of the domain, in days, ≥ 1.

    `falling` holds the weights by distance.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    upper: int
    falling: Falling = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon, "epsilon")
        checked_upper(self.upper)
        object.__setattr__(self, "epsilon", epsilon)
        rate = min(epsilon / self.upper, Fraction(STEEPEST))
        object.__setattr__(self, "falling", falling(rate, self.upper))

    def __str__(self) -> str:
        return f"bounded-laplace(epsilon={text(self.epsilon)}, upper={self.upper})"

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    def randomise(self, value: int, source: Source) -> int:
        return self.falling.draw(value, source)

    def pmf(self, value: int) -> tuple[int, ...]:
        return self.falling.pmf(value)

    def privacy_loss(self) -> Epsilon:
        """The bound over all pairs, from the weights; the totals of both ends are equal."""
        return Epsilon(self.upper * log_above(exp_below(self.falling.rate), SCALE))


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
