"""What is publicly known of gaps and ages before a note is seen.

A prior wins nothing for an attacker, who knows it anyway; it tells a draw without budget what to
look like, and the decoder what a draw is worth. It is a constant of the code, never fitted on
notes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import cached_property, lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CONTEXT: Final = Context(prec=50)
_ATOMS: Final = 1 << 16
_NEAR: Final = 7

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Prior:
    """What is known of a gap.

    Args:
        quantiles: gives its table; worked out when first asked for, which many runs never do.
        weights: of each gap of 0, 1, … days, up to one factor; made with + × ÷ alone.
    """

    quantiles: Callable[[], Sequence[int]] = field(repr=False)
    weights: Floats = field(repr=False)

    @cached_property
    def table(self) -> Sequence[int]:
        """Its quantiles: sorted days, equally likely."""
        return self.quantiles()


@lru_cache(maxsize=16)
def log_uniform(upper: int) -> Prior:
    """A gap x on 0..upper whose x + 7 is log-uniform: as many weeks as decades."""
    return Prior(partial(_log_uniform, upper), 1 / np.arange(_NEAR + 0.5, _NEAR + upper + 1.0))


def _log_uniform(upper: int) -> Sequence[int]:
    ratio = _CONTEXT.divide(Decimal(upper + 1 + _NEAR), Decimal(_NEAR))
    step = _CONTEXT.power(ratio, _CONTEXT.divide(Decimal(1), Decimal(2 * _ATOMS)))
    value, square = _CONTEXT.multiply(Decimal(_NEAR), step), _CONTEXT.multiply(step, step)
    days = []
    for _ in range(_ATOMS):
        days.append(min(int(value) - _NEAR, upper))
        value = _CONTEXT.multiply(value, square)
    return (*days[:-1], upper)


@lru_cache(maxsize=16)
def mostly(within: int, upper: int, power: int = 1) -> Prior:
    """A gap x on 0..upper days, half of them `within` so many: P(more than x) = w / (x + w); with
    the power 2 its square, so that three in four are within and few are long.
    """
    gaps: Floats = np.arange(within, within + upper + 1.0)
    weights = ((gaps + 1) ** power - gaps**power) / (gaps * (gaps + 1)) ** power
    return Prior(partial(_mostly, within, upper, power), weights)


def _mostly(within: int, upper: int, power: int) -> Sequence[int]:
    ends = (2 * _ATOMS * within**power // (2 * (_ATOMS - at) - 1) for at in range(_ATOMS))
    table = tuple(min((math.isqrt(end) if power > 1 else end) - within, upper) for end in ends)
    return (*table[:-1], upper)


_PYRAMID: Final = (8, 5, 7, 8, 9, 12, 17, 18, 13, 3)
"""How many of a hundred patients of a hospital are in each decade of life; the last holds all."""


@lru_cache(maxsize=16)
def ages(upper: int) -> Prior:
    """A patient's age in days on 0..upper, from a rough pyramid of hospital stays."""
    decades = np.minimum(np.arange(upper + 1) // 3_653, len(_PYRAMID) - 1)
    shares = np.array(_PYRAMID) / np.bincount(decades, minlength=len(_PYRAMID))
    return Prior(partial(_ages, upper), shares[decades])


def _ages(upper: int) -> Sequence[int]:
    days: list[int] = []
    for decade, share in enumerate(_PYRAMID):
        atoms = _ATOMS * share // 100
        days += (min((decade * atoms + at) * 3_653 // atoms, upper) for at in range(atoms))
    return (*days[:-1], upper)


@lru_cache(maxsize=16)
def evenly(upper: int) -> Prior:
    """Any day of 0..upper."""
    return Prior(partial(range, upper + 1), np.ones(upper + 1))
