"""Mechanisms on whole days with exact integer probabilities, under one contract.

Each draws one uniform integer of at most 64 bits and looks it up: no float, no retry that looks at
an output, and what is possible from one value is possible from every other. Values outside the
domain are clamped into it. The stated ε is proved: `privacy_loss` is computed from the integers
that are drawn from. Options are checked and ratios compared by the functions beside the contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, Protocol, runtime_checkable

from dpdeid.privacy.exact import MAX_EPSILON, MIN_EPSILON
from dpdeid.privacy.losses import Loss, positive
from dpdeid.privacy.rng import Source


@runtime_checkable
class Mechanism(Protocol):
    """Randomises an integer of a finite domain."""

    @property
    def domain(self) -> range:
        """The values it takes and gives."""

    def randomise(self, value: int, source: Source) -> int:
        """A value of the domain, drawn with the weights of `pmf(value)`."""

    def pmf(self, value: int) -> tuple[int, ...]:
        """Integer weights, one for each value of the domain; they need not sum to one."""

    def privacy_loss(self) -> Loss:
        """A bound on the log-ratio of two pmfs, computed from their weights."""


MAX_DOMAIN: Final = 1_000_000
WORD: Final = 1 << 64
"""No total of weights exceeds it, so that a draw is one 64-bit word, also of an array."""


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


def largest_ratio(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The pair with the largest quotient of its first by its second, at least 1."""
    best = (1, 1)
    for pair in pairs:
        if pair[0] * best[1] > best[0] * pair[1]:
            best = pair
    return best
