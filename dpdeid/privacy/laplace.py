"""Bounded Laplace on whole days: the published mechanism, in integers."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Final

from dpdeid.privacy.domains import (
    LEAST_WEIGHT,
    checked_epsilon,
    checked_upper,
    clamped,
    largest_ratio,
)
from dpdeid.privacy.exact import BITS, SCALE, bounded_laplace_loss, exp_below, log_above, text
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source

_BISECTIONS: Final = 60


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
        far, near = largest_ratio(zip(totals[reach:], totals, strict=False))
        return Epsilon(reach * step + (log_above(far, near) if far > near else 0))


@lru_cache(maxsize=24)
def _falling(growth: int, upper: int) -> tuple[int, ...]:
    """Sums of 0, 1, …, upper + 1 weights that fall with the distance.

    Each weight is floor(growth / SCALE × the next one), so no ratio of neighbours exceeds
    growth / SCALE, whatever is lost in rounding.
    """
    weight = LEAST_WEIGHT
    weights = [weight]
    for _ in range(upper):
        weight = weight * growth >> BITS
        weights.append(weight)
    return tuple(accumulate(reversed(weights), initial=0))


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
