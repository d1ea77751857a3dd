"""Dates as German, Dutch, Italian and English write them in words: "3. April 2021", "12 maart",
"April 3rd, 2021", "mercoledì 4 maggio". Their forms name the language, so that they are released in
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from dpdeid.french.calendar import (
    MONTH_OF_ABROAD,
    MONTHS_ABROAD,
    WEEKDAY_OF_ABROAD,
    WEEKDAYS_ABROAD,
)
from dpdeid.normalize import fold
from dpdeid.spans import language_of
from dpdeid.substitute.dates.written.parser import (
    EARLIEST,
    LATEST,
    Part,
    PartialDate,
    Piece,
    Precision,
    date_of,
)

_YEAR: Final = r"(?P<year>\d{4}|['’]?\d\d)"
_DAY: Final = r"(?P<day>\d{1,2})(?P<nth>st|nd|rd|th|[°º])?"
_LEAP: Final = 2000
_LONGEST: Final = 60
_CUT: Final = 4
"""Letters of an abbreviated month, at most: "maerz" is none."""


@cache
def _forms(language: str) -> tuple[re.Pattern[str], ...]:
    def either(words: dict[str, int]) -> str:
        return "|".join(sorted(map(_spelt, words), key=len, reverse=True))

    month = rf"(?P<month>{either(MONTH_OF_ABROAD[language])})(?P<dot>\.?)"
    weekday = (
        rf"(?:(?P<weekday>{either(WEEKDAY_OF_ABROAD[language])})(?P<after>\.?,?\s{{1,3}}"
        r"(?:(?:den|dem|the|il|de)\s{1,2})?))?"
    )
    year = rf"(?:(?P<before_year>[,\s]{{1,3}}(?:of |del |de )?|[ .-]){_YEAR})?"
    between = r"(?P<between>\.?[\s-]{0,3}(?:of\s|di\s)?)"
    forms = (
        rf"{weekday}{_DAY}{between}{month}{year}",
        rf"{weekday}{month}(?P<between>\s{{1,3}}){_DAY}(?:(?P<before_year>,?\s{{1,3}}){_YEAR})?",
        rf"{month}{year}",
        rf"{_DAY}(?P<point>\.?)",
        rf"(?P<weekday>{either(WEEKDAY_OF_ABROAD[language])})",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _spelt(word: str) -> str:
    """A folded word with the accents that it may have."""
    return re.escape(word).replace("a", "[aä]").replace("i", "[iì]")


def read(text: str, source: str) -> PartialDate | None:
    """The date that `text` is, as a whole, in the language of the paragraph where it was found;
    None if that is French, or it is none of its forms.

    Args:
        source: of its span, which tells the language.
    """
    language = language_of(source)
    return _read(text, language) if language and len(text) <= _LONGEST else None


@lru_cache(maxsize=1 << 10)
def _read(text: str, language: str) -> PartialDate | None:
    found = next((m for form in _forms(language) if (m := form.fullmatch(text))), None)
    if found is None:
        return None
    given = found.groupdict()
    day = int(given["day"]) if given.get("day") else None
    month = MONTH_OF_ABROAD[language][fold(given["month"])] if given.get("month") else None
    year_text = (given.get("year") or "").lstrip("'’")
    year = int(year_text) if year_text else None
    short = len(year_text) == len("03")
    weekday = WEEKDAY_OF_ABROAD[language][fold(given["weekday"])] if given.get("weekday") else None
    whole = year if year is not None and not short else None
    if whole is not None and not EARLIEST <= whole <= LATEST:
        return None
    if date_of(whole or _LEAP, month or 1, day or 1) is None:
        return None
    precision = Precision.MONTH if day is None and month is not None else Precision.DAY
    shape = tuple(_pieces(found, language))
    return PartialDate(precision, day, month, year, short, weekday, shape=shape)


def _pieces(found: re.Match[str], language: str) -> Iterator[Piece]:
    """The pieces of a date, in the order in which they stand."""
    given = {name: text for name, text in found.groupdict().items() if text}
    for name in sorted(given, key=found.start):
        text = given[name]
        case = "upper" if text.isupper() and len(text) > 1 else "title"
        case = case if text[0].isupper() else "lower"
        if name == "day":
            style = "th" if given.get("nth", "°") not in "°º" else "02" if text[0] == "0" else "n"
            yield Piece(Part.DAY, style)
        elif name == "month":
            whole = fold(text) in map(fold, MONTHS_ABROAD[language]) or len(text) > _CUT
            style = "full" if whole else "short"
            yield Piece(Part.MONTH, f"{style}:{language}", case)
        elif name == "year":
            if text[0] in "'’":
                yield Piece(Part.TEXT, text[0])
            yield Piece(Part.YEAR, "4" if len(text) == len("2003") else "2")
        elif name == "weekday":
            style = "full" if fold(text) in map(fold, WEEKDAYS_ABROAD[language]) else "short"
            yield Piece(Part.WEEKDAY, f"{style}:{language}", case)
        elif name != "nth":
            yield Piece(Part.TEXT, text)
