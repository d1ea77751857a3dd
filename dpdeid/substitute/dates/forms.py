"""Dates as they are written: the fields that are printed, and the form they are printed in.

The form (`Shape`) holds no value, so that it can be kept while the value is replaced.
A date without its year, month or day is completed to the whole one it most likely means.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple, Self

from dpdeid.french.calendar import PARTS, PARTS_OF_YEAR, Holiday

EARLIEST: Final = 1850
LATEST: Final = 2100
"""Years outside are typing errors in a clinical note, or another calendar: not read."""


def date_of(year: int, month: int, day: int) -> dt.date | None:
    """The date of these numbers, None if there is none."""
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


class Precision(StrEnum):
    """How much of a date is printed: which dates a reader cannot tell apart."""

    DAY = "day"
    PART = "part"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    PART_OF_YEAR = "part of year"
    DECADE = "decade"


class Part(StrEnum):
    """What a piece of a written date shows."""

    TEXT = "text"
    WEEKDAY = "weekday"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    SEASON = "season"
    PART = "part"
    PART_OF_YEAR = "part of year"
    DECADE = "decade"


class Piece(NamedTuple):
    """One piece of a written date, in the order of the text.

    Args:
        part: what it shows; TEXT pieces are written as they stand.
        style: the text itself; else "2" or "1" (digits, padded or not), "er" (unpadded, "1er" for
            one), "word" (spelt), "4", "2" or "word2" (a year, the last two without its century),
            "full", "short", "short.", "brief", "brief.", "latin" (months), "full", "plural" or a
            number of letters (weekdays), the separator after "mi" (parts).
        case: of a word: "lower", "title" or "upper".
        plain: written without accents.
    """

    part: Part
    style: str
    case: str = "lower"
    plain: bool = False


Shape = tuple[Piece, ...]


DASHES: Final = frozenset("-–—‑‐")


def day_style(after: str | None, *, padded: bool) -> str:
    """The style of a day before a month in letters: "1er mars", but "01-mars" and "1mars".

    Args:
        after: what stands between day and month, None where the day stands alone.
        padded: whether a first day may get a zero.
    """
    if after is None or after[:1].isspace() or after.startswith("&"):
        return "er"
    return "2" if padded and after[:1] in DASHES else "1"


class PartialDate(NamedTuple):
    """The printed fields of one date, None where a field is not printed.

    Args:
        year: four digits, or 0–99 if `short_year`; the first year of a decade.
        weekday: 0 is Monday.
        holiday: a day that moves with the year, or a named one.
        portion: "debut", "mi" or "fin" of the month or year.
        shape: how it is written; holds no value.
    """

    precision: Precision
    day: int | None = None
    month: int | None = None
    year: int | None = None
    short_year: bool = False
    weekday: int | None = None
    holiday: Holiday | None = None
    portion: str = ""
    shape: Shape = ()

    def __repr__(self) -> str:
        return f"PartialDate({self.precision!r})"

    @property
    def dates(self) -> tuple[Self]:
        """This date, as a range has two."""
        return (self,)

    @property
    def bare_day(self) -> bool:
        """Only a day is printed, with or without its weekday: the rest is a neighbour's."""
        return self.day is not None and self.month is None

    @property
    def bare_weekday(self) -> bool:
        """Only a weekday is printed."""
        return self.weekday is not None and self[1:4] == (None, None, None)


class DateRange(NamedTuple):
    """Two dates in one span, "12-16/01/2021", and what stands between them."""

    first: PartialDate
    joiner: str
    last: PartialDate

    @property
    def dates(self) -> tuple[PartialDate, PartialDate]:
        """Its two dates."""
        return self.first, self.last


Written = PartialDate | DateRange
"""What `dpdeid.substitute.dates.date_parser.parse` reads."""


def is_bare_day(date: Written) -> bool:
    """Whether a date is one that prints its day only."""
    return isinstance(date, PartialDate) and date.bare_day


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


def _same_day(day: int, near: dt.date) -> Iterable[dt.date]:
    """This day of the months around a date."""
    first = near.year * 12 + near.month - 1
    for month in range(first - 6, first + 7):
        date = date_of(month // 12, month % 12 + 1, day)
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
