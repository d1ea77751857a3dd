"""What is publicly known of gaps and ages before a note is seen: sorted, equally likely days.

A prior wins nothing for an attacker, who knows it anyway; it tells a draw without budget what to
look like, and the decoder what a draw is worth. It is a constant of the code, never fitted on
notes.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import lru_cache
from math import isqrt
from typing import Final

_CONTEXT: Final = Context(prec=50)
_ATOMS: Final = 1 << 16
_NEAR: Final = 7


@lru_cache(maxsize=16)
def log_uniform(upper: int, atoms: int = _ATOMS) -> tuple[int, ...]:
    """Quantiles of a gap x on 0..upper whose x + 7 is log-uniform: as many weeks as decades."""
    ratio = _CONTEXT.divide(Decimal(upper + 1 + _NEAR), Decimal(_NEAR))
    step = _CONTEXT.power(ratio, _CONTEXT.divide(Decimal(1), Decimal(2 * atoms)))
    value, square = _CONTEXT.multiply(Decimal(_NEAR), step), _CONTEXT.multiply(step, step)
    days = []
    for _ in range(atoms):
        days.append(min(int(value) - _NEAR, upper))
        value = _CONTEXT.multiply(value, square)
    return (*days[:-1], upper)


@lru_cache(maxsize=16)
def between_notes(upper: int) -> tuple[int, ...]:
    """Quantiles of the days between two notes of a patient in a cohort of `upper` days: half as if
    both lay anywhere in it, half log-uniform, as notes of one stay and its follow-up do.
    """
    half = _ATOMS // 2
    anywhere = (upper - isqrt(upper * upper * (2 * left + 1) // (2 * half)) for left in range(half))
    return tuple(sorted((*anywhere, *log_uniform(upper, half))))


_PYRAMID: Final = (8, 5, 7, 8, 9, 12, 17, 18, 13, 3)
"""How many of a hundred patients of a hospital are in each decade of life; the last holds all."""


@lru_cache(maxsize=16)
def ages(upper: int) -> tuple[int, ...]:
    """Quantiles of a patient's age in days on 0..upper, from a rough pyramid of hospital stays."""
    days: list[int] = []
    for decade, share in enumerate(_PYRAMID):
        atoms = _ATOMS * share // 100
        days += (min((decade * atoms + at) * 3_653 // atoms, upper) for at in range(atoms))
    return (*days[:-1], upper)
