"""Whole dates from partial ones: what a date without its year, month or day most likely means.

A missing year, month or day is taken so that the date comes nearest to a reference (the note's
date, or the date beside it); what is not printed at all is put in the middle: the 15th of a month,
1 July of a year. Printed and imputed dates of the same day stay apart by their precision
(`canonical`).
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable
from typing import Final

from dpdeid.substitute.almanac import PARTS, PARTS_OF_YEAR
from dpdeid.substitute.calendar import EARLIEST, LATEST
from dpdeid.substitute.written import PartialDate, Precision

AHEAD: Final = 5
"""A two-digit year is at most so many years after the reference: appointments, not births."""


def yearless(date: dt.date, precision: Precision) -> str:
    """The name of a day and month that no year can be told for."""
    return f"--{date:%m-%d}/{precision}"


def is_yearless(name: str) -> bool:
    """Whether a name is one of `yearless`."""
    return name.startswith("--")


def canonical(date: dt.date, precision: Precision) -> str:
    """The name of a date for its draw: equal for equal days printed to the same precision."""
    return f"{date.isoformat()}/{precision}"


def printed(date: dt.date, precision: Precision) -> tuple[dt.date, dt.date]:
    """The first and the last day that a date printed to this precision may mean.

    A season is its quarter of a year and the month before it, by which usage differs.

    >>> printed(dt.date(2023, 6, 15), Precision.MONTH)
    (datetime.date(2023, 6, 1), datetime.date(2023, 6, 30))
    """
    year, month = date.year, date.month
    match precision:
        case Precision.DAY:
            return date, date
        case Precision.PART:
            third = min((date.day - 1) // _THIRD, 2)
            last = (third + 1) * _THIRD
            first = dt.date(year, month, third * _THIRD + 1)
            return first, first.replace(day=last) if third < 2 else _last_of(year, month)
        case Precision.MONTH:
            return dt.date(year, month, 1), _last_of(year, month)
        case Precision.SEASON:
            before = dt.date(year, month, 1) - dt.timedelta(days=32)
            return before.replace(day=1), _last_of(year, month + 1)
        case Precision.PART_OF_YEAR:
            first_month = (month - 1) // 4 * 4 + 1
            return dt.date(year, first_month, 1), _last_of(year, first_month + 3)
        case Precision.YEAR:
            return dt.date(year, 1, 1), dt.date(year, 12, 31)
        case Precision.DECADE:
            start = year - year % 10
            return dt.date(start, 1, 1), dt.date(start + 9, 12, 31)


_THIRD: Final = 10


def _last_of(year: int, month: int) -> dt.date:
    return dt.date(year, month, monthrange(year, month)[1])


def complete(partial: PartialDate, near: dt.date, *, ahead: int = AHEAD) -> dt.date | None:
    """The date that `partial` means, None if there is none.

    Args:
        near: the reference; it decides where year, month or day are missing.
        ahead: how many years after the reference a two-digit year may lie; 0 for births.
    """
    if partial.whole is not None:
        return partial.whole
    year = partial.year
    if year is not None and partial.short_year:
        year = _century(partial, near, ahead)
    if partial.month is None and partial.holiday is None and partial.day is not None:
        return _nearest(_same_day(partial.day, near), near, partial.weekday)
    if year is not None:
        return _in_year(partial, year)
    if partial.day is None and partial.month is None and partial.holiday is None:
        if partial.weekday is None:
            return None
        return near + dt.timedelta(days=(partial.weekday - near.weekday() + 3) % 7 - 3)
    years = range(near.year - 1, near.year + 2)
    if (partial.day, partial.month) == (29, 2):
        years = range(near.year - 4, near.year + 5)
    found = [date for y in years if (date := _in_year(partial, y)) is not None]
    return _nearest(found, near, partial.weekday)


def _century(partial: PartialDate, near: dt.date, ahead: int) -> int:
    short = partial.year or 0
    latest = near.year + ahead
    if partial.precision is Precision.DECADE:
        latest = near.year
    return latest - (latest - short) % 100


def _in_year(partial: PartialDate, year: int) -> dt.date | None:
    if not EARLIEST <= year <= LATEST:
        return None
    if partial.holiday is not None:
        return partial.holiday.on(year)
    month, day = partial.month, partial.day
    if day is not None:
        return _date(year, month, day)
    match partial.precision:
        case Precision.YEAR:
            month, day = 7, 1
        case Precision.DECADE:
            year, month, day = min(year - year % 10 + 5, LATEST), 1, 1
        case Precision.PART_OF_YEAR:
            month, day = PARTS_OF_YEAR[partial.portion]
        case Precision.PART:
            day = PARTS[partial.portion]
        case Precision.MONTH | Precision.SEASON:
            day = 15
    return _date(year, month, day)


def _date(year: int, month: int | None, day: int | None) -> dt.date | None:
    if month is None or day is None:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _same_day(day: int, near: dt.date) -> Iterable[dt.date]:
    """This day of the months around a date."""
    first = near.year * 12 + near.month - 1
    for month in range(first - 6, first + 7):
        date = _date(month // 12, month % 12 + 1, day)
        if date is not None:
            yield date


def _nearest(dates: Iterable[dt.date], near: dt.date, weekday: int | None) -> dt.date | None:
    """The date nearest to `near`, one with the printed weekday before all others."""
    return min(
        dates,
        key=lambda date: (
            weekday is not None and date.weekday() != weekday,
            abs(date - near),
            date,
        ),
        default=None,
    )
