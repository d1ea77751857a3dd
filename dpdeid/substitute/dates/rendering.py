"""Surrogate dates written in the form of the original.

A form (`date_parser.Shape`) holds no value; what depends on the value, the weekday, "er", the dot
of an abbreviated month, the part of a month, is written anew from the surrogate. Where a holiday
stood, "à Noël" becomes "à la mi-janvier" or "à la fin mars".

Under differential privacy the form itself must not show the value: then padding, abbreviations and
missing accents, which only some days and months can show, are fixed (`keep_padding=False`). Which
month a reader takes a bare day for is read from forms, places in the text and released days, never
a true one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dpdeid.french.calendar import (
    BRIEF_MONTHS,
    LATIN_MONTHS,
    MONTHS,
    MONTHS_ABROAD,
    SEASON_NAMES,
    SHORT_MONTHS,
    SHORT_MONTHS_ABROAD,
    SHORT_WEEKDAYS_ABROAD,
    WEEKDAYS,
    WEEKDAYS_ABROAD,
)
from dpdeid.french.numerals import spell
from dpdeid.normalize import fold
from dpdeid.substitute.dates.reading import LONGEST_LIST, Read
from dpdeid.substitute.dates.written.parser import (
    IN_WORDS,
    DateRange,
    Part,
    PartialDate,
    Piece,
    Precision,
    Shape,
    day_style,
    padded_beside,
)


def render(date: dt.date, shape: Shape, *, keep_padding: bool) -> str:
    """`date` written like `shape`, or like its `fixed` form where padding is not to be kept."""
    if not keep_padding:
        shape = fixed(shape)
    return "".join([_written(date, piece) for piece in shape])


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
        return _first_word(first) + right  # "de mai à juin" came to lie in one month
    return render(start, first, keep_padding=True) + joiner + right


def _first_word(shape: Shape) -> str:
    """What one date begins with where a range began like this."""
    text = shape[0].style if shape[0].part is Part.TEXT else ""
    word = _FIRST_WORDS.get(fold(text).strip())
    if word is None:
        return text
    return f"{word.upper() if text.strip().isupper() else word} "


_FIRST_WORDS: Final = {"du": "le", "de": "en", "les": "le", "des": "du"}


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
    """The form of a bare day beside a date."""
    if not keep_padding:
        return fixed(written.shape, numeric=_is_numeric(partner))
    return padded_beside(written, partner)


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
    if part in (Part.MONTH, Part.WEEKDAY) and ":" in style:  # of another language
        return Piece(part, f"full:{style.partition(':')[2]}", case)
    if part is Part.DAY and style in _ABROAD:
        return piece
    if part is Part.DAY and style != "word":
        return Piece(part, "2" if padded else day_style(after, padded=True), case)
    if part is Part.MONTH:
        if style in ("1", "2"):
            return Piece(part, "2")
        return Piece(part, style if style in ("latin", "word") else "full", case)
    if part in (Part.PART, Part.PART_OF_YEAR):
        return Piece(part, "-", case)
    if part is Part.WEEK:
        return Piece(part, "1")
    return Piece(part, style, case) if piece.plain else piece


def _cased(word: str, piece: Piece) -> str:
    if piece.plain:
        word = fold(word)
    if piece.case == "upper":
        return word.upper()
    return word[0].upper() + word[1:] if piece.case == "title" else word


_ABROAD: Final = frozenset(("n", "02", "th"))
"""Styles of a day in another language: as a number, padded, and "3rd"."""
_TEENS: Final = range(11, 14)
_NTH: Final = {1: "st", 2: "nd", 3: "rd"}


def _abroad(date: dt.date, piece: Piece) -> str:
    """The day, weekday or month of a date in another language."""
    style, _, language = piece.style.partition(":")
    if piece.part is Part.DAY:
        nth = "th" if date.day in _TEENS else _NTH.get(date.day % 10, "th")
        return f"{date.day:02d}" if style == "02" else f"{date.day}{nth if style == 'th' else ''}"
    if piece.part is Part.WEEKDAY:
        names = WEEKDAYS_ABROAD if style == "full" else SHORT_WEEKDAYS_ABROAD
        word = names[language][date.weekday()]
    else:
        names = MONTHS_ABROAD if style == "full" else SHORT_MONTHS_ABROAD
        word = names[language][date.month - 1]
    return word.lower() if piece.case == "lower" else _cased(word, piece)


_MONTH_NAMES: Final = {"full": MONTHS, "short": SHORT_MONTHS, "brief": BRIEF_MONTHS}


def _number(number: int, style: str, piece: Piece) -> str:
    return _cased(spell(number), piece) if "word" in style else f"{number:0{style}d}"


def _week(date: dt.date) -> int:
    """The week of a date, the nearest of its own year where ISO 8601 counts it to another."""
    year, week, _ = date.isocalendar()
    return week if year == date.year else 1 if year < date.year else 52


def _written(date: dt.date, piece: Piece) -> str:
    """One piece of a form, filled in."""
    part, style = piece.part, piece.style
    named = part in (Part.MONTH, Part.WEEKDAY) and ":" in style
    if named or (part is Part.DAY and style in _ABROAD):
        return _abroad(date, piece)
    match part:
        case Part.TEXT:
            return style
        case Part.WEEKDAY:
            name = WEEKDAYS[date.weekday()]
            forms = {"full": name, "plural": f"{name}s"}
            return _cased(forms.get(style) or name[: int(style)], piece)
        case Part.DAY if date.day == 1 and style in ("er", "word"):
            return _cased("1er" if style == "er" else "premier", piece)
        case Part.DAY:
            return _number(date.day, "1" if style == "er" else style, piece)
        case Part.MONTH if style in ("1", "2", "word"):
            return _number(date.month, style, piece)
        case Part.MONTH if style == "latin":
            return LATIN_MONTHS[date.month - 1]
        case Part.MONTH:
            name = _MONTH_NAMES[style.rstrip(".")][date.month - 1]
            return _cased(name, piece) + "." * (style[-1] == "." and name not in MONTHS)
        case Part.YEAR:
            return _number(date.year if style in ("4", "word") else date.year % 100, style, piece)
        case Part.DECADE:
            decade = date.year - date.year % 10
            return str(decade) if style == "4" else f"{decade % 100:02d}"
        case Part.WEEK:
            return _number(_week(date), style, piece)
        case Part.SEASON:
            return _cased(SEASON_NAMES[(date.month - 1) // 3 * 3 + 2], piece)
    third = (date.day - 1) // 10 if part is Part.PART else (date.month - 1) // 4
    word = ("début", "mi", "fin")[min(third, 2)]
    return _cased(word, piece) + (style if word == "mi" else " ")


def month_beside(
    at: int, reads: Sequence[Read], released: Sequence[Sequence[dt.date]]
) -> tuple[Shape, dt.date] | None:
    """For a bare day, how its month is written where it must be, and the day whose month a reader
    takes it for: that of the next day of its list, of the date that leads it, or of the first day.

    None where there is none of these, for a date that has a month of its own, and where the next
    day of its number behind the day before is meant.
    """
    read = reads[at]
    if not read.written.bare_day:
        return None
    bearer, ahead, leader = _month_bearer(at, reads), read.partner, read.leader
    weekday = any(piece.part is Part.WEEKDAY for piece in read.written.dates[0].shape)
    by_day = leader is not None and reads[leader].written.dates[-1].precision is Precision.DAY
    if bearer is None and (weekday or by_day):
        opens = leader is None and not _goes_on(at, reads, released)
        if _goes_on(at if not opens or ahead is None else ahead, reads, released):
            return None
    listed = ahead is not None and (bearer is not None or reads[ahead].written.bare_day)
    first = at
    for before in range(at - 1, max(at - LONGEST_LIST, 0) - 1, -1):
        if reads[before].partner != first or not reads[before].written.bare_day:
            break
        first = before
    form = _form(bearer if bearer is not None else leader, reads)
    for other in (ahead if listed else None, leader, first if first < at else None):
        if other is not None and released[other]:
            return form, released[other][-1]
    return None


def _goes_on(at: int, reads: Sequence[Read], released: Sequence[Sequence[dt.date]]) -> bool:
    """Whether a bare day came out as the next one of its number behind the day before it in its
    list, or behind the date that leads it: "lundi 28, mercredi 2", where a reader needs no month.
    """
    read, before = reads[at], at - 1
    listed = before >= 0 and reads[before].partner == at
    led = read.leader is not None and read.leader <= before
    if not (listed or led) or not (released[at] and released[before]):
        return False
    last, own = released[before][-1], released[at][0]
    months = (own.year - last.year) * 12 + own.month - last.month
    return own >= last and (months == 0 or (months == 1 and own.day < last.day))


def _form(at: int | None, reads: Sequence[Read]) -> Shape:
    """How a date writes its day and month; in words where it does not."""
    if at is not None:
        shape = reads[at].written.dates[-1].shape
        if {Part.DAY, Part.MONTH} <= {piece.part for piece in shape}:
            return shape
    return IN_WORDS


def _month_bearer(at: int, reads: Sequence[Read]) -> int | None:
    """The date further on whose month a bare day shares: "16 mars" for the 12 of "12, 14, 16 mars";
    None where there is none.
    """
    for _ in range(LONGEST_LIST):
        after = reads[at].partner
        if after is None:
            return None
        if not reads[after].written.bare_day:
            return after
        at = after
    return None


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


def weekday_alone(original: str) -> Shape:
    """The form of a weekday, as loud as what stood there."""
    return (Piece(Part.WEEKDAY, "full", "upper" if original.isupper() else "lower"),)


def worded(day: dt.date, shape: Shape, before: str) -> tuple[dt.date, Shape]:
    """The day to write, and the form that fits behind `before`.

    Args:
        shape: of a holiday: a day and a month with or without a year.
    """
    month = next(piece for piece in shape if piece.part is Part.MONTH)
    last = _LAST.search(before)
    word = fold(last[1]) if last else ""
    lead = "le " if word and word not in _DAY else ""
    if _DAY_OF.search(before) is not None:
        lead = "le "
    elif word in _PART or word in _BARE_PART:
        lead = "la " if word in _PART else ""
        day, shape = (
            _rounded(day),
            (Piece(Part.PART, "-", month.case), *shape[shape.index(month) :]),
        )
    elif word in _ROUGHLY:
        lead = "environs du "
    text = Piece(Part.TEXT, lead.upper() if month.case == "upper" else lead)
    return day, (text, *shape)


def _rounded(day: dt.date) -> dt.date:
    """The same or a day nearby that is in the middle or at the end of a month: "la début" is not
    French.
    """
    if day.day <= 5:
        return day - dt.timedelta(days=day.day)
    return day.replace(day=max(day.day, 11))
