"""French dates: words of months, weekdays and seasons, feasts by name and the day each is on, and
the days that hospital systems give.

Keys are folded words (see `dpdeid.normalize.fold`); a Latin month number counts as a month word.
Weekdays are numbered from Monday = 0, months from 1.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

_MONTHS: Final = rows("months")
_WEEKDAYS: Final = rows("weekdays")

MONTHS: Final = tuple(row[0] for row in _MONTHS)
SHORT_MONTHS: Final = tuple(row[1] for row in _MONTHS)
BRIEF_MONTHS: Final = tuple(row[2] for row in _MONTHS)
LATIN_MONTHS: Final = tuple(row[3] for row in _MONTHS)
CUT_MONTHS: Final = tuple(word for row in _MONTHS for word in row[4].split())
"""Abbreviations that are a month wherever they stand."""
WEEKDAYS: Final = tuple(row[0] for row in _WEEKDAYS)
TINY_WEEKDAYS: Final = tuple(row[1] for row in _WEEKDAYS)
SHORT_WEEKDAYS: Final = tuple(word for row in _WEEKDAYS for word in row[2].split())
SEASONS: Final = {"hiver": 2, "printemps": 5, "ete": 8, "automne": 11}
"""Season to the middle month of the quarter of a year it is taken for, so that it has one year."""
SEASON_NAMES: Final = {2: "hiver", 5: "printemps", 8: "été", 11: "automne"}
PARTS: Final = {"debut": 5, "mi": 15, "fin": 25}
"""Part of a month to the day that stands for it."""
PARTS_OF_YEAR: Final = {"debut": (2, 15), "mi": (7, 1), "fin": (11, 15)}
"""Part of a year to the month and day that stand for it."""

MONTH_OF: Final = {
    fold(word): number
    for number, (name, short, brief, _, cut, more) in enumerate(_MONTHS, 1)
    for word in (name, short, brief, *cut.split(), *more.split())
}
LATIN_OF: Final = {word: number for number, word in enumerate(LATIN_MONTHS, 1)}
WEEKDAY_OF: Final = {
    word: number
    for number, (name, _, short) in enumerate(_WEEKDAYS)
    for word in (name, f"{name}s", name[:2], name[:3], name[:4], name[:5], *short.split())
}

ABROAD: Final = ("de", "nl", "it", "en")
"""Languages whose paragraphs are read: German, Dutch, Italian, English."""
_MONTHS_ABROAD: Final = {
    x: [row[1:] for row in rows("abroad_months") if row[0] == x] for x in ABROAD
}
_WEEKDAYS_ABROAD: Final = {
    x: [row[1:] for row in rows("abroad_weekdays") if row[0] == x] for x in ABROAD
}
MONTHS_ABROAD: Final = {x: [row[0] for row in found] for x, found in _MONTHS_ABROAD.items()}
"""Language → the names of its months as it writes them."""
SHORT_MONTHS_ABROAD: Final = {x: [row[1] for row in found] for x, found in _MONTHS_ABROAD.items()}
WEEKDAYS_ABROAD: Final = {x: [row[0] for row in found] for x, found in _WEEKDAYS_ABROAD.items()}
SHORT_WEEKDAYS_ABROAD: Final = {x: [row[1] for row in f] for x, f in _WEEKDAYS_ABROAD.items()}
MONTH_OF_ABROAD: Final = {
    language: {
        fold(word): number
        for number, (name, short, more) in enumerate(found, 1)
        for word in (name, short, *more.split())
    }
    for language, found in _MONTHS_ABROAD.items()
}
"""Language → folded name or abbreviation → number of the month."""
WEEKDAY_OF_ABROAD: Final = {
    language: {fold(word): number for number, row in enumerate(found) for word in row}
    for language, found in _WEEKDAYS_ABROAD.items()
}


def either(words: Iterable[str]) -> str:
    """An expression for any of the words, with or without their accents."""
    return rf"(?:{'|'.join(words)})".replace("é", "[ée]").replace("û", "[uû]")


def spellings(month: int) -> tuple[str, ...]:
    """The folded name of a month and its abbreviations ("fevrier", "fevr", "fev")."""
    name, short, brief, *_ = _MONTHS[month - 1]
    return tuple(dict.fromkeys(map(fold, (name, short, brief))))


_ENGLISH: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_COLUMNS: Final = ("ramadan", "fitr", "adha", "hachana", "kippour", "hanouka", "pessah")
"""Of `movable_feasts.tsv`, behind the year."""
_MOVED: Final = re.compile(r"([a-z]+)([+-]\d+)")


@dataclass(frozen=True, slots=True)
class Holiday:
    """A yearly day: its rule in `feasts.tsv`, and the weekday nearest to it if one is meant."""

    rule: str
    weekday: int | None = None

    def on(self, year: int) -> dt.date:
        """Its date in a year from 1850 to 2100."""
        day = _placed(self.rule, year)
        if self.weekday is None:
            return day
        return day + dt.timedelta((self.weekday - day.weekday() + 3) % 7 - 3)


def holiday(words: str) -> Holiday | None:
    """The holiday of folded words without articles, "saint" for "st"; None if they name none.

    >>> holiday("lundi paques").on(2020), holiday("ramadan").on(2020)
    (datetime.date(2020, 4, 13), datetime.date(2020, 4, 24))
    """
    rules = _rules()
    first, _, rest = words.partition(" ")
    if first in WEEKDAYS:
        rule = rules.get(rest) or rules.get(f"week {rest}")
        return None if rule is None else Holiday(rule, WEEKDAYS.index(first))
    rule = rules.get(words) or rules.get(words.removeprefix("jour "))
    if rule is None and words.startswith("aid el "):
        rule = rules["aid"]
    return None if rule is None else Holiday(rule)


@cache
def feast_names() -> tuple[str, ...]:
    """Every name that stands without a weekday."""
    return tuple(name for name in _rules() if not name.startswith("week "))


@cache
def _rules() -> dict[str, str]:
    """Name → rule; those that need a weekday under "week NAME"."""
    found = {}
    for rule, names in rows("feasts"):
        week, bare = rule.startswith("week "), rule.removeprefix("week ")
        for name in names.split("|"):
            found[f"week {name}" if week else name] = bare
    return found


@lru_cache(maxsize=512)
def _placed(rule: str, year: int) -> dt.date:
    if moved := _MOVED.fullmatch(rule):
        base = easter(year) if moved[1] == "easter" else _movable()[year][_COLUMNS.index(moved[1])]
        return base + dt.timedelta(int(moved[2]))
    if rule == "mothers":
        sunday = _placed("05 sun -1 +0", year)
        return sunday + dt.timedelta(7 * (sunday == easter(year) + dt.timedelta(49)))
    if " " not in rule:
        return dt.date.fromisoformat(f"{year}-{rule}")
    month, weekday, nth, more = rule.split()
    # The last one of a month is the one before the first of the next.
    start = dt.date(year, int(month) + (nth == "-1"), 1)
    ahead = (_ENGLISH.index(weekday) - start.weekday()) % 7
    weeks = int(nth) - (nth != "-1")
    return start + dt.timedelta(ahead + 7 * weeks + int(more))


@cache
def _movable() -> dict[int, tuple[dt.date, ...]]:
    """Year → the days of `_COLUMNS`."""
    return {
        int(year): tuple(dt.date.fromisoformat(f"{year}-{day}") for day in days)
        for year, *days in rows("movable_feasts")
    }


@lru_cache(maxsize=512)
def easter(year: int) -> dt.date:
    """Easter Sunday of a Gregorian year (Meeus, Jones and Butcher)."""
    century, rest = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)


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
