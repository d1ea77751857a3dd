"""Integers on the safe side of exp and ln, so that a stated ε is a proof and not a rounding.

Weights of a mechanism are integers and their ratios are compared with exp(ε) as integers. Decimal's
exp and ln are correctly rounded; 80 digits and a margin of 1e−50 leave no doubt about the side.
Nearest rounding of scaled floats would be wrong by about 1e−15, on either side.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

BITS: Final = 200
SCALE: Final = 1 << BITS
MAX_EPSILON: Final = 1000
MIN_EPSILON: Final = Fraction(1, 10**30)

_CONTEXT: Final = Context(prec=80, rounding=ROUND_HALF_EVEN)
_BELOW_ONE: Final = 1 - Fraction(1, 10**50)
_SLACK: Final = Fraction(1, 10**60)


def _decimal(amount: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(amount.numerator), Decimal(amount.denominator))


def exp_below(exponent: Fraction) -> int:
    """The integer p with p / SCALE ≤ exp(exponent) · (1 − 1e−50), within 1e−59 of it."""
    scale = _decimal(SCALE * _BELOW_ONE)
    return int(_CONTEXT.multiply(_CONTEXT.exp(_decimal(exponent)), scale))


def log_above(numerator: int, denominator: int) -> Fraction:
    """A fraction ≥ ln(numerator / denominator), above it by at most 2e−60."""
    ratio = _CONTEXT.divide(Decimal(numerator), Decimal(denominator))
    return Fraction(_CONTEXT.ln(ratio)) + _SLACK


@lru_cache(maxsize=256)
def text(amount: Fraction) -> str:
    """`amount` as a decimal where that is exact, else as a fraction."""
    rest = amount.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return str(amount)
    return f"{_decimal(amount).normalize(_CONTEXT):f}"
