"""What the mechanisms on whole days share: checked options, clamping, the worst of many ratios."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from dpdeid.privacy.exact import MAX_EPSILON, MIN_EPSILON
from dpdeid.privacy.losses import positive

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
