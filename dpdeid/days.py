"""One reader of the days that hospital systems give, for notes and for births alike."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

DAY_FORMS: Final = "2023-11-06 or 06/11/2023 (day first), with or without a time"
"""For messages: how a day may be written."""

_DAY_FIRST: Final = re.compile(
    r"(?P<day>\d{1,2})(?P<sign>[/.-])(?P<month>\d{1,2})(?P=sign)(?P<year>\d{4})"
    r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?"
)


def is_missing(value: object) -> bool:
    """Whether a value is pandas' NaT or a NaN: neither equals itself."""
    return isinstance(value, float | dt.datetime) and value != value


def day_of(value: object) -> dt.date | None:
    """The day of a date, a datetime, or a text in ISO form or day first; None if it is none.

    A number of eight digits is a day in ISO form (20231106). The month is never first: 11/06/2023
    is the 11th of June. Of a moment the day is taken as it stands there, in its own time zone.
    """
    if is_missing(value):
        return None
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    text = str(value).strip()
    first = _DAY_FIRST.fullmatch(text)
    try:
        if first is not None:
            return dt.date(*(int(first[part]) for part in ("year", "month", "day")))
        return dt.datetime.fromisoformat(text).date()
    except ValueError:
        return None
