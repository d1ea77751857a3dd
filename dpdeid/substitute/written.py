"""Dates as they are written: the fields that are printed, and the form they are printed in.

The form (`Shape`) holds no value, so that it can be kept while the value is replaced.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Final, NamedTuple

from dpdeid.substitute.almanac import Holiday


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
        whole: the day itself, where day, month and the whole year are printed in figures or words.
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
    whole: dt.date | None = None

    def __repr__(self) -> str:
        return f"PartialDate({self.precision!r})"

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
