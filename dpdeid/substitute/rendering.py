"""Surrogate dates written in the form of the original.

A form (`written.Shape`) holds no value; what depends on the value, the weekday, "er", the dot of
an abbreviated month, the part of a month, is written anew from the surrogate. Under differential
privacy the form itself must not show the value: then padding, abbreviations and missing accents,
which only some days and months can show, are fixed (`keep_padding=False`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from dpdeid.normalize import fold
from dpdeid.substitute.almanac import (
    BRIEF_MONTHS,
    LATIN_MONTHS,
    MONTHS,
    SEASON_NAMES,
    SHORT_MONTHS,
    WEEKDAYS,
)
from dpdeid.substitute.numerals import spell
from dpdeid.substitute.written import DateRange, Part, PartialDate, Piece, Shape, day_style


def render(date: dt.date, shape: Shape, *, keep_padding: bool) -> str:
    """`date` written like `shape`, or like its `fixed` form where padding is not to be kept."""
    if not keep_padding:
        shape = fixed(shape)
    return "".join([p.style if p.part is Part.TEXT else _WRITERS[p.part](date, p) for p in shape])


def render_range(start: dt.date, end: dt.date, written: DateRange, *, keep_padding: bool) -> str:
    """A range in the form of the original; two whole dates where it no longer has one month."""
    first, last = written.first.shape, written.last.shape
    if not keep_padding:
        first, last = fixed(first, numeric=_is_numeric(last)), fixed(last)
    joiner = written.joiner
    wide = widen(written.first, first, last, start, end)
    if wide is not first:
        first = wide
        inner = [piece.style.strip() for piece in last if piece.part is Part.TEXT]
        if joiner.strip() in ("", *inner):
            joiner = " au "
    right = render(end, last, keep_padding=True)
    alike = written.first.precision is written.last.precision
    if alike and render(start, last, keep_padding=True) == right:
        return _lead(first) + right  # "de mai à juin" came to lie in one month
    return render(start, first, keep_padding=True) + joiner + right


def _lead(shape: Shape) -> str:
    """What one date begins with where a range began like this."""
    text = shape[0].style if shape[0].part is Part.TEXT else ""
    word = _LEADS.get(fold(text).strip())
    if word is None:
        return text
    return f"{word.upper() if text.strip().isupper() else word} "


_LEADS: Final = {"du": "le", "de": "en", "les": "le", "des": "du"}


def widen(
    written: PartialDate, shape: Shape, partner: Shape, start: dt.date, end: dt.date
) -> Shape:
    """`shape`, with the month (and year) of its partner's form if a bare day would now mislead."""
    if not written.bare_day or (start.year, start.month) == (end.year, end.month):
        return shape
    parts = [piece.part for piece in partner]
    if Part.MONTH not in parts or Part.DAY not in parts:
        return shape
    order = [parts.index(Part.DAY), parts.index(Part.MONTH)]
    if start.year != end.year and Part.YEAR in parts:
        order.append(parts.index(Part.YEAR))
    at = [piece.part for piece in shape].index(Part.DAY)
    return (*shape[:at], *partner[min(order) : max(order) + 1], *shape[at + 1 :])


def beside_form(written: PartialDate, partner: Shape, *, keep_padding: bool) -> Shape:
    """The form of a bare day beside a date: padded as its month is, "02, 09 et 16/03"."""
    if not keep_padding:
        return fixed(written.shape, numeric=_is_numeric(partner))
    style = next((p.style for p in partner if p.part is Part.MONTH and p.style in ("1", "2")), "")
    if not style or written.day == 1:
        return written.shape
    if (written.day or 0) < 10:
        style = "1"  # "3" shows that days are not padded here, "12" does not
    return tuple([p._replace(style=style) if p.style == "er" else p for p in written.shape])


@lru_cache(maxsize=256)
def fixed(shape: Shape, *, numeric: bool | None = None) -> Shape:
    """The one form of its class: numeric dates padded, others "1er mars", months in full.

    Args:
        numeric: whether the date counts as numeric; by default, if its month is in digits.
    """
    padded = _is_numeric(shape) if numeric is None else numeric
    following = (*(p.style if p.part is Part.TEXT else "" for p in shape[1:]), None)
    return tuple(
        [_fixed_piece(p, padded, after) for p, after in zip(shape, following, strict=True)]
    )


def _is_numeric(shape: Shape) -> bool:
    return any(piece.part is Part.MONTH and piece.style in ("1", "2") for piece in shape)


def _fixed_piece(piece: Piece, padded: bool, after: str | None) -> Piece:
    part, style, case, _ = piece
    if part is Part.DAY and style != "word":
        return Piece(part, "2" if padded else day_style(after, padded=True), case)
    if part is Part.MONTH:
        if style in ("1", "2"):
            return Piece(part, "2")
        return Piece(part, style if style in ("latin", "word") else "full", case)
    if part in (Part.PART, Part.PART_OF_YEAR):
        return Piece(part, "-", case)
    return Piece(part, style, case) if piece.plain else piece


def _cased(word: str, piece: Piece) -> str:
    if piece.plain:
        word = fold(word)
    if piece.case == "upper":
        return word.upper()
    return word[0].upper() + word[1:] if piece.case == "title" else word


def _weekday(date: dt.date, piece: Piece) -> str:
    name = WEEKDAYS[date.weekday()]
    if piece.style == "plural":
        name += "s"
    elif piece.style != "full":
        name = name[: int(piece.style)]
    return _cased(name, piece)


def _day(date: dt.date, piece: Piece) -> str:
    if piece.style == "2":
        return f"{date.day:02d}"
    if piece.style == "word":
        return _cased("premier" if date.day == 1 else spell(date.day), piece)
    if piece.style == "er" and date.day == 1:
        return "1ER" if piece.case == "upper" else "1er"
    return str(date.day)


def _month(date: dt.date, piece: Piece) -> str:
    at, style = date.month, piece.style
    if style == "2":
        return f"{at:02d}"
    if style == "full":
        return _cased(MONTHS[at - 1], piece)
    if style == "1":
        return str(at)
    if style == "latin":
        return LATIN_MONTHS[at - 1]
    if style == "word":
        return _cased(spell(at), piece)
    names = _MONTH_NAMES[style.rstrip(".")]
    dot = "." if style.endswith(".") and names[at - 1] != MONTHS[at - 1] else ""
    return _cased(names[at - 1], piece) + dot


_MONTH_NAMES: Final = {"short": SHORT_MONTHS, "brief": BRIEF_MONTHS}


def _year(date: dt.date, piece: Piece) -> str:
    if piece.style == "word":
        return _cased(spell(date.year), piece)
    if piece.style == "word2":
        return _cased(spell(date.year % 100), piece)
    return f"{date.year:04d}" if piece.style == "4" else f"{date.year % 100:02d}"


def _season(date: dt.date, piece: Piece) -> str:
    return _cased(SEASON_NAMES[(date.month - 1) // 3 * 3 + 2], piece)


def _portion(date: dt.date, piece: Piece) -> str:
    word = "début" if date.day <= 10 else "mi" if date.day <= 20 else "fin"
    return _cased(word, piece) + (piece.style if word == "mi" else " ")


def _portion_of_year(date: dt.date, piece: Piece) -> str:
    word = "début" if date.month <= 4 else "mi" if date.month <= 8 else "fin"
    return _cased(word, piece) + (piece.style if word == "mi" else " ")


def _decade(date: dt.date, piece: Piece) -> str:
    decade = date.year - date.year % 10
    return str(decade) if piece.style == "4" else f"{decade % 100:02d}"


_WRITERS: Final[dict[Part, Callable[[dt.date, Piece], str]]] = {
    Part.WEEKDAY: _weekday,
    Part.DAY: _day,
    Part.MONTH: _month,
    Part.YEAR: _year,
    Part.SEASON: _season,
    Part.PART: _portion,
    Part.PART_OF_YEAR: _portion_of_year,
    Part.DECADE: _decade,
}
