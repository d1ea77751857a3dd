"""French dates as written: what each field says, and the form it is written in.

`parse` reads one span, whole: numeric dates in any order and with any separator, words, numbers in
letters, Latin months, weekdays, holidays, seasons, parts of months, decades, and ranges of two of
these. It never guesses: what it cannot read in full is None, and its caller redacts. It does not
complete what is not printed (`reading`) and writes nothing (`rendering`). The form (`Shape`) holds
no value, so that it can be kept while the value is replaced.

Own and exact, because a general parser reads "12.03" as a time, "mars 2019" as today's day in March
and half of a text as the whole.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, Self

from dpdeid.french.calendar import Holiday
from dpdeid.normalize import clean
from dpdeid.substitute.dates.written.scanner import SCANNED, Item, Scan, read_again, scan

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
    WEEK = "week"
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
    WEEK = "week"
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
        week: of the year, as ISO 8601 counts them.
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
    week: int | None = None

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

    @property
    def bare_day(self) -> bool:
        """A range is none, whatever its dates print."""
        return False


Written = PartialDate | DateRange
"""What `parse` reads."""

_LONGEST: Final = 80
_FIRST: Final = re.compile(r"1er de l['’]an", re.IGNORECASE)
_WINTER: Final = re.compile(r"(hiver )(\d{4}) ?[-/] ?(\d{4}|\d{2})", re.IGNORECASE)

_ORDERS: Final = {
    re.sub("[dmy]", "n", order): order
    for order in (
        *("", "d", "dm", "dmy", "dmY", "Ymd", "mY", "Ym", "Y"),
        *("dM", "dMy", "dMY", "MdY", "M", "My", "MY", "S", "Sy", "SY"),
        *("PM", "PMy", "PMY", "PY", "Ay", "AY", "H", "Hy", "HY", "KY"),
    )
}
"""Kinds of items, weekdays apart (see `date_scanner.Item`), to the field each one gives: small
letters are of one or two digits.
"""
_SPLITS: Final = {
    **dict.fromkeys(("nnM", "nnMn", "nnMY", "nnnY", "MM", "MMY", "YY"), 1),
    **dict.fromkeys(("nnnnn", "nnnnY", "nMnM", "nMnMn", "nMnMY", "nYnY", "MYMY"), 2),
    **dict.fromkeys(("nnnnnn", "nnYnnY", "nMYnMY", "YnnYnn"), 3),
}
"""Kinds of items of a range to the number of items in its first date."""


_TWO_DIGITS: Final = re.compile(r"[0-9]{2}")
_SHORT_YEAR: Final = (Piece(Part.YEAR, "2"),)
_LAST_DAY: Final = 31


@lru_cache(maxsize=1 << 12)
def parse(text: str, *, in_year: bool = False) -> PartialDate | DateRange | None:
    """The date or range that `text` is, as a whole; None if it is neither or cannot exist.

    Args:
        in_year: two digits alone are a year ("opéré en 03"); what can be no day is one anyway.
    """
    if len(text) > _LONGEST:
        return None
    if _TWO_DIGITS.fullmatch(text) is not None and (in_year or int(text) > _LAST_DAY):
        return PartialDate(Precision.YEAR, None, None, int(text), True, shape=_SHORT_YEAR)
    text = _mended(text)
    found = scan(text)
    if found is None and not text.isascii():
        found = scan(clean(text).text)
    if found is None:
        found = scan(read_again(text))
    if found is None:
        return None
    split = _split(found)
    if split is None:
        return _date(found.items, found.gaps)
    if any(joined and at != split for at, joined in enumerate(found.joined)):
        return None
    first = _date(found.items[:split], (*found.gaps[:split], ""))
    last = _date(found.items[split:], ("", *found.gaps[split + 1 :]))
    if first is None or last is None:
        return None
    if first.bare_day:
        first = first._replace(shape=padded_beside(first, last.shape))
    return DateRange(first, found.gaps[split], last)


def padded_beside(written: PartialDate, partner: Shape) -> Shape:
    """The form of a bare day beside a date: padded as its month is, "02, 09 et 16/03"."""
    style = next((p.style for p in partner if p.part is Part.MONTH and p.style in ("1", "2")), "")
    if not style or written.day == 1:
        return written.shape
    if (written.day or 0) < 10:
        style = "1"  # "3" shows that days are not padded here, "12" does not
    return tuple([p._replace(style=style) if p.style == "er" else p for p in written.shape])


def _mended(text: str) -> str:
    """The text with the first of the year in words, and a winter of two years as the later; and
    with the digits of a date like "l2/O4/2023", in which a scanner read letters.
    """
    if SCANNED.fullmatch(text) is not None:
        return read_again(text)
    if _FIRST.fullmatch(text) is not None:
        return "premier de l'an"
    winter = _WINTER.fullmatch(text)
    if winter is None or (int(winter[2]) + 1) % 100 != int(winter[3]) % 100:
        return text
    return f"{winter[1]}{int(winter[2]) + 1}"


def _kinds(items: Iterable[Item]) -> str:
    return "".join([item.kind for item in items if item.kind != "W"])


def _split(found: Scan) -> int | None:
    """How many items the first of two dates has, None if there is but one date."""
    items, kinds = found.items, _kinds(found.items)
    if True in found.joined[1:]:
        return found.joined.index(True, 1)
    if len(kinds) == len(items):
        gaps = [gap.strip() for gap in found.gaps]
        if kinds == "nnnn":
            return 2 if gaps[1] == gaps[3] != gaps[2] else 1
        if kinds == "nnn" and gaps[1] in DASHES and gaps[2] in ("/", "."):
            return 1
        if kinds == "nn" and gaps[1] in DASHES and 12 < items[1].value > items[0].value:
            return 1
    if (split := _SPLITS.get(kinds)) is None:
        return None
    return [at for at, item in enumerate(items, 1) if item.kind != "W"][split - 1]


def _date(items: tuple[Item, ...], gaps: tuple[str, ...]) -> PartialDate | None:
    kinds = _kinds(items)
    order = _ORDERS.get(kinds)
    if order is None or len(items) - len(kinds) > 1:
        return None
    if len(items) > len(kinds) and order and "d" not in order:
        return None  # a weekday of a month or a year: "Mar 12 2020" is English
    beside = zip(gaps[1:], pairwise(items), strict=False)
    if any("," in gap and a.kind == b.kind == "n" for gap, (a, b) in beside):
        return None  # a list of days, or a decimal number
    if kinds == "nn" and items[-1].value > 12 and len(items) == 2 and gaps[1].strip() in ("/", "."):
        order = "my"
    if not order:
        return PartialDate(Precision.DAY, weekday=items[0].value, shape=_shape(items, gaps, "W"))
    fields = iter(order)
    roles = ["W" if item.kind == "W" else next(fields) for item in items]
    values = {role.lower(): item.value for item, role in zip(items, roles, strict=True)}
    short = "y" in roles
    day, month, year = (values.get(field) for field in "dmy")
    precision = next((told for sign, told in _PRECISIONS if sign in order), Precision.YEAR)
    holiday = items[roles.index("H")].holiday if "H" in roles else None
    portion = items[roles.index("P")].word if "P" in roles else ""
    if "A" in roles and year is not None:
        year -= year % 10
    if not _exists(day, month, None if short else year):
        return None
    return PartialDate(
        precision,
        day,
        values.get("s", month),
        year,
        short,
        values.get("w"),
        holiday,
        portion,
        _shape(items, gaps, "".join(roles)),
        values.get("k"),
    )


_PRECISIONS: Final = (
    ("d", Precision.DAY),
    ("H", Precision.DAY),
    ("PM", Precision.PART),
    ("P", Precision.PART_OF_YEAR),
    ("m", Precision.MONTH),
    ("M", Precision.MONTH),
    ("S", Precision.SEASON),
    ("A", Precision.DECADE),
    ("K", Precision.WEEK),
)
"""The fields of an order to what they print; years apart."""


def _exists(day: int | None, month: int | None, year: int | None) -> bool:
    if year is not None and not EARLIEST <= year <= LATEST:
        return False
    given = zip((year, month, day), (2000, 1, 1), strict=True)
    return date_of(*(least if told is None else told for told, least in given)) is not None


def _shape(items: tuple[Item, ...], gaps: tuple[str, ...], roles: str) -> Shape:
    """How the fields are written. The padding of "12" is that of its neighbour, if it shows one."""
    numeric = "m" in roles
    digits = [
        i.text for i, role in zip(items, roles, strict=True) if role in "dm" and i.text.isdigit()
    ]
    padded = any(text[0] == "0" for text in digits)
    unpadded = any(len(text) == 1 for text in digits)
    cases = [i.case for i, role in zip(items, roles, strict=True) if role == "M"]
    pieces: list[Piece] = []
    following = (*gaps[1:-1], gaps[-1] or None)
    for item, gap, after, role in zip(items, gaps, following, roles, strict=False):
        if gap:
            pieces.append(Piece(Part.TEXT, gap))
        text = item.text
        if role in "dm":
            part = Part.DAY if role == "d" else Part.MONTH
            if item.style:
                style = item.style
            elif len(text) == 2:
                own = text[0] == "0" or padded or (numeric and not unpadded)
                style = "2" if own else "1" if numeric else day_style(after, padded=True)
            else:
                style = "1" if numeric or text == "1" else day_style(after, padded=False)
            case = "upper" if style == "er" and "upper" in cases else item.case
            pieces.append(Piece(part, style, case))
        elif role in "yY":
            style = item.style or ("2" if role == "y" else "4")
            if style == "word" and role == "y":
                style = "word2"
            pieces.append(Piece(Part.DECADE if "A" in roles else Part.YEAR, style, item.case))
        elif role == "H":
            pieces += [piece._replace(case=item.case) for piece in IN_WORDS]
        elif role == "P" and "M" not in roles:
            pieces.append(Piece(Part.PART_OF_YEAR, item.style, item.case))
        else:
            pieces.append(Piece(_WORD_PARTS[role], item.style, item.case, item.plain))
    if gaps[-1]:
        pieces.append(Piece(Part.TEXT, gaps[-1]))
    return tuple(pieces)


_WORD_PARTS: Final = {
    "W": Part.WEEKDAY,
    "M": Part.MONTH,
    "S": Part.SEASON,
    "P": Part.PART,
    "K": Part.WEEK,
    "A": Part.TEXT,
}
IN_WORDS: Final = (Piece(Part.DAY, "er"), Piece(Part.TEXT, " "), Piece(Part.MONTH, "full"))
"""Also of a holiday: a surrogate day is hardly ever one, it is written as a day of its month."""
