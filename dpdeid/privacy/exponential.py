"""The exponential mechanism on whole days, as textbooks calibrate it: for comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dpdeid.privacy.domains import checked_epsilon, checked_upper, largest_ratio
from dpdeid.privacy.exact import log_above, text
from dpdeid.privacy.falling import STEEPEST, Falling, falling
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponential:
    """An output y of 0..upper with weight exp(−ε|x − y| / (2·upper)); ε-LDP.

    The utility −|x − y| changes by at most `upper`; the textbook halves ε for what the total may
    change by. Here totals change so little that the true loss is about ε / 2, which `privacy_loss`
    states: it wastes half the budget that `BoundedLaplace` uses. Unit: one interval in days.
    McSherry and Talwar 2007.

    Args:
        epsilon: > 0, exact.
        upper: the width of the domain, in days, ≥ 1.

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
        rate = min(epsilon / (2 * self.upper), Fraction(STEEPEST))
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "falling", falling(rate, self.upper))

    def __str__(self) -> str:
        return f"exponential(epsilon={text(self.epsilon)}, upper={self.upper})"

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    def randomise(self, value: int, source: Source) -> int:
        return self.falling.draw(value, source)

    def pmf(self, value: int) -> tuple[int, ...]:
        return self.falling.pmf(value)

    def privacy_loss(self) -> Epsilon:
        """The bound over all pairs, from the weights: the two ends are the worst (see laplace)."""
        ends = self.pmf(0)
        return Epsilon(log_above(*largest_ratio([(ends[0], ends[-1])])))
