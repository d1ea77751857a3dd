"""Mechanisms on whole days with exact integer probabilities.

Every one has `randomise` (one uniform integer below a total, no rejection, no float), `pmf` (the
integer weights it draws from) and `privacy_loss` (a bound computed from those weights, certified to
be no more than what was asked for). All outputs of a domain are possible from all its values.
Values outside the domain are clamped into it. The windows live in `windows`.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, Protocol, runtime_checkable

from dpdeid.privacy.exact import (
    BITS,
    MAX_EPSILON,
    MIN_EPSILON,
    SCALE,
    bounded_laplace_loss,
    exp_below,
    log_above,
    text,
)
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay, Loss, positive
from dpdeid.privacy.rng import Source

MAX_DOMAIN: Final = 1_000_000
_LEAST_WEIGHT: Final = 1 << 128
_FLOOR: Final = 60  # e−60 = 9e−27 of the peak
_BISECTIONS: Final = 60


@runtime_checkable
class Mechanism(Protocol):
    """Randomises an integer of a finite domain."""

    @property
    def domain(self) -> range:
        """The values it takes and gives."""

    def randomise(self, value: int, source: Source) -> int:
        """A value of the domain, drawn with the weights of `pmf(value)`."""

    def pmf(self, value: int) -> tuple[int, ...]:
        """Integer weights > 0, one for each value of the domain; they need not sum to one."""

    def privacy_loss(self) -> Loss:
        """A bound on the log-ratio of two pmfs, computed from their weights."""


def checked_epsilon(amount: Fraction | int | str, name: str) -> Fraction:
    """`amount` as a fraction for which exact weights can be built.

    Raises:
        ValueError: not finite, not positive, a float, or outside [1e−30, 1000].
    """
    exact = positive(amount, name)
    if not MIN_EPSILON <= exact <= MAX_EPSILON:
        raise ValueError(f"{name} must lie between 1e-30 and {MAX_EPSILON}")
    return exact


def checked_upper(upper: int, name: str = "upper") -> None:
    """Refuses an upper end that gives no domain or one too large for a table."""
    if isinstance(upper, bool) or not isinstance(upper, int):
        raise ValueError(f"{name} must be a whole number")
    if not 1 <= upper <= MAX_DOMAIN:
        raise ValueError(f"{name} must lie between 1 and {MAX_DOMAIN}")


def clamped(value: int, domain: range) -> int:
    """The value of a step-one domain that is nearest to `value`."""
    return min(max(value, domain[0]), domain[-1])


@lru_cache(maxsize=24)
def _falling(growth: int, upper: int) -> tuple[int, ...]:
    """Sums of 0, 1, …, upper + 1 weights that fall with the distance.

    Each weight is floor(growth / SCALE × the next one), so no ratio of neighbours exceeds
    growth / SCALE, whatever is lost in rounding.
    """
    weight = _LEAST_WEIGHT
    weights = [weight]
    for _ in range(upper):
        weight = weight * growth >> BITS
        weights.append(weight)
    return tuple(accumulate(reversed(weights), initial=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedLaplace:
    """Bounded Laplace on the integers 0..upper; ε-LDP, or for values at most `sensitivity` apart.

    P(y | x) is proportional to exp(−λ|x − y|). With sensitivity = upper, λ = ε / upper: neighbours
    x, x + 1 change a weight by at most e^λ and the total T by at least e^−λ, so the worst pair is
    (0, upper), whose totals are equal: exp(λ · upper). With a smaller sensitivity s the totals
    count: λ is the largest rate with s·λ + ln T(s) − ln T(0) ≤ ε. Unit: one interval in days.
    Holohan et al. 2018, in integers.

    Args:
        epsilon: > 0, exact.
        upper: the width Δ of the domain, in days, ≥ 1.
        sensitivity: how far apart two values may lie and still be protected; default `upper`.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    upper: int
    sensitivity: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon, "epsilon"))
        checked_upper(self.upper)
        if self.sensitivity is not None and not 1 <= self.sensitivity <= self.upper:
            raise ValueError("sensitivity must lie between 1 and upper")

    def __str__(self) -> str:
        sensitivity = "" if self.sensitivity is None else f", sensitivity={self.sensitivity}"
        return f"bounded-laplace(epsilon={text(self.epsilon)}, upper={self.upper}{sensitivity})"

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    def _sums(self) -> tuple[int, ...]:
        return _falling(_growth(self.epsilon, self.upper, self.sensitivity), self.upper)

    def _total(self, value: int, sums: tuple[int, ...]) -> int:
        return sums[value + 1] + sums[self.upper - value + 1] - sums[1]

    def randomise(self, value: int, source: Source) -> int:
        value = clamped(value, self.domain)
        sums = self._sums()
        rank = source.randbelow(self._total(value, sums))
        right = sums[self.upper - value + 1]
        if rank < right:
            return value + bisect_right(sums, rank) - 1
        return value - bisect_right(sums, rank - right + sums[1]) + 1

    def pmf(self, value: int) -> tuple[int, ...]:
        value = clamped(value, self.domain)
        sums = self._sums()
        distances = (abs(value - output) for output in self.domain)
        return tuple(sums[distance + 1] - sums[distance] for distance in distances)

    def privacy_loss(self) -> Epsilon:
        """The bound over all pairs at most `sensitivity` apart, from the weights themselves."""
        reach = self.upper if self.sensitivity is None else self.sensitivity
        sums = self._sums()
        totals = [self._total(value, sums) for value in self.domain]
        step = log_above(_growth(self.epsilon, self.upper, self.sensitivity), SCALE)
        far, near = _largest_ratio(zip(totals[reach:], totals, strict=False))
        return Epsilon(reach * step + (log_above(far, near) if far > near else 0))


def _largest_ratio(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The pair with the largest quotient of its first by its second, at least 1."""
    best = (1, 1)
    for pair in pairs:
        if pair[0] * best[1] > best[0] * pair[1]:
            best = pair
    return best


@lru_cache(maxsize=256)
def _growth(epsilon: Fraction, upper: int, sensitivity: int | None) -> int:
    """What one day may multiply a weight by, over SCALE."""
    if sensitivity is None or sensitivity == upper:
        return exp_below(epsilon / upper)
    low, high = Fraction(0), epsilon / sensitivity
    for _ in range(_BISECTIONS):
        rate = (low + high) / 2
        if bounded_laplace_loss(rate, upper, sensitivity) <= epsilon:
            low = rate
        else:
            high = rate
    return exp_below(low)


@dataclass(frozen=True, slots=True)
class _Noise:
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

    def beyond(self, distance: int) -> int:
        """The weight of all distances ≥ `distance` ≥ 1 on one side."""
        done = distance - 1
        falling = min(done, len(self.sums))
        before = self.sums[falling - 1] if falling else 0
        return self.side - before - (done - falling) * self.floor

    def draw(self, source: Source) -> int:
        rank = source.randbelow(self.centre + 2 * self.side) - self.centre
        if rank < 0:
            return 0
        sign, rank = 1 - 2 * (rank & 1), rank >> 1
        fallen = self.sums[-1] if self.sums else 0
        if rank < fallen:
            return sign * (1 + bisect_right(self.sums, rank))
        return sign * (1 + len(self.sums) + (rank - fallen) // self.floor)


@lru_cache(maxsize=24)
def _noise(epsilon: Fraction, width: int) -> _Noise:
    """The noise on a domain of `width` + 1 integers.

    Every weight is at most growth / SCALE times the next, and so is every sum of all weights beyond
    a distance (the lump is large enough for the first, and sums of such pairs keep the bound).
    """
    growth = exp_below(epsilon)
    falling = min(width - 1, math.ceil(_FLOOR / epsilon))
    weights = [_LEAST_WEIGHT]
    for _ in range(falling):
        weights.append(weights[-1] * growth >> BITS)
    weights.reverse()
    lump = -(-_LEAST_WEIGHT * SCALE // (growth - SCALE))
    sums = tuple(accumulate(weights[1:]))
    flat = (width - 1 - falling) * _LEAST_WEIGHT
    return _Noise(weights[0], sums, _LEAST_WEIGHT, (sums[-1] if sums else 0) + flat + lump)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClampedGeometric:
    """Two-sided geometric noise clamped to lower..upper; metric privacy, ε per day.

    For all x, x', y: P(y | x) ≤ exp(ε |x − x'|) P(y | x'). The noise is drawn before the value is
    looked at, added, and the sum clamped, so the total is one constant. P(noise = k) is
    proportional to exp(−ε|k|) down to e^−60 of its peak and flat from there to the width of the
    domain: flat is within the bound, all outputs stay possible, and a table needs at most 60 / ε
    integers, whatever the domain. Mean error about 1 / ε days away from the ends.
    Ghosh, Roughgarden and Sundararajan 2012; Chatzikokolakis et al. 2013.

    Args:
        epsilon_per_day: > 0, exact.
        lower, upper: the domain in days, lower < upper, at most 1,000,000 apart.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_day: Fraction
    lower: int
    upper: int

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon_per_day, "epsilon_per_day")
        object.__setattr__(self, "epsilon_per_day", epsilon)
        checked_upper(self.upper - self.lower, "upper - lower")

    def __str__(self) -> str:
        rate = text(self.epsilon_per_day)
        return f"clamped-geometric(epsilon_per_day={rate}, lower={self.lower}, upper={self.upper})"

    @property
    def domain(self) -> range:
        return range(self.lower, self.upper + 1)

    def randomise(self, value: int, source: Source) -> int:
        noise = _noise(self.epsilon_per_day, self.upper - self.lower).draw(source)
        return clamped(clamped(value, self.domain) + noise, self.domain)

    def pmf(self, value: int) -> tuple[int, ...]:
        value = clamped(value, self.domain)
        noise = _noise(self.epsilon_per_day, self.upper - self.lower)
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
        noise = _noise(self.epsilon_per_day, width)
        sides = [noise.beyond(d) for d in range(1, min(width, len(noise.sums) + 2) + 1)]
        sums = [noise.centre + sides[0], *sides]
        weights = [a - b for a, b in pairwise(sums)]
        pairs = [*pairwise(sums), *pairwise(weights)]
        if width > 1:
            pairs.append((noise.beyond(width - 1), noise.beyond(width)))
        return EpsilonPerDay(log_above(*_largest_ratio(pairs)))
