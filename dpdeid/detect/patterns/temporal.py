"""Everything that tells time: dates, births, clock times, ages, durations.

A front for the modules that hold the rows, one a kind; `grow` says which of the dates are births.
"""

from __future__ import annotations

from typing import Final

from dpdeid.detect.patterns import (
    ages,
    births,
    clock,
    numeric_dates,
    short_dates,
    written_dates,
)
from dpdeid.detect.patterns.births import grow
from dpdeid.detect.patterns.table import Row

__all__ = ["ROWS", "grow"]

ROWS: Final[tuple[Row, ...]] = (
    *numeric_dates.ROWS,
    *short_dates.ROWS,
    *written_dates.ROWS,
    *births.ROWS,
    *clock.ROWS,
    *ages.ROWS,
)
