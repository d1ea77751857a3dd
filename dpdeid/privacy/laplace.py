"""Bounded Laplace on whole days: the published mechanism, in integers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

from dpdeid.privacy.domains import checked_epsilon, checked_upper, largest_ratio
from dpdeid.privacy.exact import SCALE, bounded_laplace_loss, exp_below, log_above, text
from dpdeid.privacy.falling import STEEPEST, Falling, falling
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source

_BISECTIONS: Final = 60
_ROUNDED: Final = 1 - Fraction(1, 10**8)
"""Room for what rounding the weights may change the totals by."""


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

    `falling` holds the weights by distance.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    upper: int
    sensitivity: int | None = None
    falling: Falling = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon, "epsilon")
        checked_upper(self.upper)
        if self.sensitivity is not None:
            checked_upper(self.sensitivity, "sensitivity")
            if self.sensitivity > self.upper:
                raise ValueError("sensitivity must lie between 1 and upper")
        object.__setattr__(self, "epsilon", epsilon)
        rate = _rate(epsilon, self.upper, self.sensitivity)
        object.__setattr__(self, "falling", falling(rate, self.upper))

    def __str__(self) -> str:
        sensitivity = "" if self.sensitivity is None else f", sensitivity={self.sensitivity}"
        return f"bounded-laplace(epsilon={text(self.epsilon)}, upper={self.upper}{sensitivity})"

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    def randomise(self, value: int, source: Source) -> int:
        return self.falling.draw(value, source)

    def pmf(self, value: int) -> tuple[int, ...]:
        return self.falling.pmf(value)

    def privacy_loss(self) -> Epsilon:
        """The bound over all pairs at most `sensitivity` apart, from the weights themselves."""
        reach = self.upper if self.sensitivity is None else self.sensitivity
        step = log_above(exp_below(self.falling.rate), SCALE)
        totals = [self.falling.total(value) for value in self.domain]
        far, near = largest_ratio(zip(totals[reach:], totals, strict=False))
        return Epsilon(reach * step + (log_above(far, near) if far > near else 0))


@lru_cache(maxsize=256)
def _rate(epsilon: Fraction, upper: int, sensitivity: int | None) -> Fraction:
    """The largest λ that keeps ε."""
    if sensitivity is None or sensitivity == upper:
        return min(epsilon / upper, Fraction(STEEPEST))
    low, high = Fraction(0), epsilon / sensitivity
    for _ in range(_BISECTIONS):
        rate = (low + high) / 2
        if bounded_laplace_loss(rate, upper, sensitivity) <= epsilon:
            low = rate
        else:
            high = rate
    return min(low * _ROUNDED, Fraction(STEEPEST))
