"""What is written where a holiday stood: "à Noël" becomes "à la mi-janvier" or "à la fin mars".

A surrogate day is hardly ever a holiday. Behind "le" or "au" it is written as a day of its month,
behind a verb with an article, and "le jour de Noël" becomes "le jour du 12 mars"; behind "à", any
other "de" or "la" there is no room for a day, and it becomes a part of a month. Only the text
before the mention and the surrogate decide.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from dpdeid.normalize import fold
from dpdeid.substitute.written import Part, Piece, Shape

LOOKED_AT: Final = 16
"""Characters before a mention that are looked at."""

_LAST: Final = re.compile(r"([^\W\d_]+)(['’]|\s{1,2})$")
_DAY_OF: Final = re.compile(
    r"\b(?:jour|veille|lendemain|soir[ée]e?|soir|nuit|matin|journ[ée]e)\s{1,2}de\s{1,2}$",
    re.IGNORECASE,
)
"""What a day has of its own; "de" and the article behind it are for `agreement` to contract."""
_DAY: Final = frozenset({"le", "au", "du", "ce", "un"})
_PART: Final = frozenset({"a", "de", "d"})
_BARE_PART: Final = frozenset({"la", "l"})
_ROUGHLY: Final = frozenset({"aux", "les", "des"})


def worded(day: dt.date, shape: Shape, before: str) -> tuple[dt.date, Shape]:
    """The day to write, and the form that fits behind `before`.

    Args:
        shape: of a holiday: a day and a month with or without a year.
    """
    if _DAY_OF.search(before) is not None:
        month = next(piece for piece in shape if piece.part is Part.MONTH)
        return day, (*_lead("le ", month), *shape)
    last = _LAST.search(before)
    word = fold(last[1]) if last else ""
    month = next(piece for piece in shape if piece.part is Part.MONTH)
    if word in _PART or word in _BARE_PART:
        rest = shape[shape.index(month) :]
        part = Piece(Part.PART, "-", month.case)
        return _rounded(day), (*_lead("la " * (word in _PART), month), part, *rest)
    if word in _ROUGHLY:
        return day, (*_lead("environs du ", month), *shape)
    return day, (*_lead("le " * bool(word and word not in _DAY), month), *shape)


def _lead(text: str, month: Piece) -> Shape:
    if not text:
        return ()
    return (Piece(Part.TEXT, text.upper() if month.case == "upper" else text),)


def _rounded(day: dt.date) -> dt.date:
    """The same or a day nearby that is in the middle or at the end of a month: "la début" is not
    French.
    """
    if day.day <= 5:
        return day - dt.timedelta(days=day.day)
    return day.replace(day=max(day.day, 11))
