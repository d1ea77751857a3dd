"""What scores are made of: integers that add up, and their ratios. A ratio over nothing is nan.

Shares as per cent with one decimal that never says more than was measured: a low end is rounded
down, a high end up, and what is not quite all or nothing is not written as 100.0 or 0.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
from operator import add
from typing import Final


def ratio(part: int, whole: int) -> float:
    """A share in [0, 1]; nan of nothing."""
    return part / whole if whole else math.nan


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; they add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, slots=True)
class Leak:
    """Gold tokens covered and left, and notes without a leaked token; they add up."""

    covered: int = 0
    leaked: int = 0
    notes: int = 0
    clean_notes: int = 0

    def __add__(self, other: Leak) -> Leak:
        return Leak(*map(add, astuple(self), astuple(other)))

    @property
    def redacted(self) -> float:
        return ratio(self.covered, self.covered + self.leaked)

    @property
    def fully_redacted(self) -> float:
        return ratio(self.clean_notes, self.notes)


_EXACT: Final = 9
"""Digits within which a float is the number it was computed from: .95 is 95.0 and not 95.000…1."""


def down(value: float, digits: int) -> float:
    """The next number below with so many digits; nan of nan."""
    return value if math.isnan(value) else _steps(value, digits, math.floor)


def up(value: float, digits: int) -> float:
    """The next number above with so many digits; nan of nan."""
    return value if math.isnan(value) else _steps(value, digits, math.ceil)


def _steps(value: float, digits: int, way: Callable[[float], int]) -> float:
    return way(round(value * 10.0**digits, _EXACT)) / 10.0**digits


def percent(share: float) -> str:
    """98.4 for .984; "> 99.9" and "< 0.1" where the nearest would say all or nothing."""
    nearest = f"{100 * share:.1f}"
    if nearest == "100.0" and share < 1:
        return "> 99.9"
    return "< 0.1" if nearest == "0.0" and share > 0 else nearest


def low_percent(share: float) -> str:
    """The low end of an interval."""
    return f"{down(100 * share, 1):.1f}"


def high_percent(share: float) -> str:
    """The high end of an interval, or a bound."""
    return f"{up(100 * share, 1):.1f}"
