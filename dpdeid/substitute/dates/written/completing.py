"""The date that is meant by the fields that are printed: year, month or day completed from a day
near by.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Final

from dpdeid.french.calendar import PARTS, PARTS_OF_YEAR
from dpdeid.substitute.dates.written.parser import (
    EARLIEST,
    LATEST,
    PartialDate,
    Precision,
    date_of,
)

AHEAD: Final = 5
"""A two-digit year is at most so many years after the reference: appointments, not births."""


def complete(partial: PartialDate, near: dt.date, *, ahead: int = AHEAD) -> dt.date | None:
    """The date that `partial` means, None if there is none.

    Args:
        near: the reference; it decides where year, month or day are missing.
        ahead: how many years after the reference a two-digit year may lie; 0 for births.
    """
    year = partial.year
    if year is not None and partial.short_year:
        year = _century(partial, near, ahead)
    if partial.month is None and partial.holiday is None and partial.day is not None:
        return _nearest(_same_day(partial.day, near), near, partial.weekday)
    if year is not None:
        return in_year(partial, year)
    if partial.day is None and partial.month is None and partial.holiday is None:
        if partial.weekday is None:
            return None
        return near + dt.timedelta(days=(partial.weekday - near.weekday() + 3) % 7 - 3)
    years = range(near.year - 1, near.year + 2)
    if (partial.day, partial.month) == (29, 2):
        years = range(near.year - 4, near.year + 5)
    return _nearest(filter(None, (in_year(partial, y) for y in years)), near, partial.weekday)


def _century(partial: PartialDate, near: dt.date, ahead: int) -> int:
    short = partial.year or 0
    latest = near.year + ahead
    if partial.precision is Precision.DECADE:
        latest = near.year
    return latest - (latest - short) % 100


def in_year(partial: PartialDate, year: int) -> dt.date | None:
    if not EARLIEST <= year <= LATEST:
        return None
    if partial.holiday is not None:
        return partial.holiday.on(year)
    month, day = partial.month, partial.day
    if partial.week is not None:
        return _of_week(year, partial.week)
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
    return None if month is None or day is None else date_of(year, month, day)


def _of_week(year: int, week: int) -> dt.date | None:
    """The Thursday of a week, which lies in its year; None if the year has no such week."""
    try:
        return dt.date.fromisocalendar(year, week, 4)
    except ValueError:
        return None


def _same_day(day: int, near: dt.date) -> Iterable[dt.date]:
    """This day of the months around a date."""
    first = near.year * 12 + near.month - 1
    for month in range(first - 6, first + 7):
        if date := date_of(month // 12, month % 12 + 1, day):
            yield date


def _nearest(dates: Iterable[dt.date], near: dt.date, weekday: int | None) -> dt.date | None:
    """The date nearest to `near`, one with the printed weekday before all others."""

    def rank(date: dt.date) -> tuple[bool, dt.timedelta, dt.date]:
        return weekday is not None and date.weekday() != weekday, abs(date - near), date

    return min(dates, key=rank, default=None)
