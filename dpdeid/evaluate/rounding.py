"""Shares as per cent with one decimal that never says more than was measured.

A low end is rounded down and a high end up; and a share that is not quite all, or not quite
nothing, is not written as 100.0 or 0.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

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
