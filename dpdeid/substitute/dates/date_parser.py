"""French dates as written: what each field says, and the form it is written in.

`parse` reads one span, whole: numeric dates in any order and with any separator, words, numbers in
letters, Latin months, weekdays, holidays, seasons, parts of months, decades, and ranges of two of
these. It never guesses: what it cannot read in full is None, and its caller redacts. It does not
complete what is not printed (`dpdeid.substitute.dates.forms`) and writes nothing
(`dpdeid.substitute.dates.rendering`).

Own and exact, because a general parser reads "12.03" as a time, "mars 2019" as today's day in March
and half of a text as the whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from dpdeid.normalize import clean
from dpdeid.substitute.dates.date_scanner import Item, Scan, scan
from dpdeid.substitute.dates.forms import (
    DASHES,
    EARLIEST,
    LATEST,
    DateRange,
    Part,
    PartialDate,
    Piece,
    Precision,
    Shape,
    date_of,
    day_style,
)

_LONGEST: Final = 80
_MISREAD: Final = re.compile(
    r"(?=[Ool]{0,2}\d)[\dOol]{2}([/.-])[\dOol]{2}(?:\1(?:[12][\dOo]{3}|[\dOo]{2}))?"
)
"""A date in which a scanner read letters for digits: "l2/O4/2023"."""
_DIGITS: Final = str.maketrans("Ool", "001")
_FIRST: Final = re.compile(r"1er de l['’]an", re.IGNORECASE)
_WINTER: Final = re.compile(r"(hiver )(\d{4}) ?[-/] ?(\d{4}|\d{2})", re.IGNORECASE)

_ORDERS: Final = {
    "": "",
    "n": "d",
    "nn": "dm",
    "nnn": "dmy",
    "nnY": "dmY",
    "Ynn": "Ymd",
    "nY": "mY",
    "Yn": "Ym",
    "Y": "Y",
    "nM": "dM",
    "nMn": "dMy",
    "nMY": "dMY",
    "MnY": "MdY",
    "M": "M",
    "Mn": "My",
    "MY": "MY",
    "S": "S",
    "Sn": "Sy",
    "SY": "SY",
    "PM": "PM",
    "PMn": "PMy",
    "PMY": "PMY",
    "PY": "PY",
    "An": "Ay",
    "AY": "AY",
    "H": "H",
    "Hn": "Hy",
    "HY": "HY",
}
"""Kinds of items, weekdays apart (see `date_scanner.Item`), to the field each one gives."""

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
        return None
    kinds = "".join([item.kind for item in found.items if item.kind != "W"])
    split = _split(kinds, found)
    if split is None:
        return _date(found.items, found.gaps, kinds)
    if any(joined and at != split for at, joined in enumerate(found.joined)):
        return None
    return _range(found, split)


def _mended(text: str) -> str:
    """The text with the digits that a scanner misread, the first of the year in words, and a winter
    of two years as the later.
    """
    if _MISREAD.fullmatch(text) is not None:
        return text.translate(_DIGITS)
    if _FIRST.fullmatch(text) is not None:
        return "premier de l'an"
    winter = _WINTER.fullmatch(text)
    if winter is None or (int(winter[2]) + 1) % 100 != int(winter[3]) % 100:
        return text
    return f"{winter[1]}{int(winter[2]) + 1}"


def _split(kinds: str, found: Scan) -> int | None:
    """How many items the first of two dates has, None if there is but one date."""
    items = found.items
    if True in found.joined[1:]:
        return found.joined.index(True, 1)
    plain = len(kinds) == len(items)
    if plain and kinds in ("nn", "nnn", "nnnn"):
        gaps = [gap.strip() for gap in found.gaps]
        if kinds == "nnnn":
            return 2 if gaps[1] == gaps[3] != gaps[2] else 1
        if kinds == "nnn" and gaps[1] in DASHES and gaps[2] in ("/", "."):
            return 1
        if kinds == "nn" and gaps[1] in DASHES and 12 < items[1].value > items[0].value:
            return 1
    split = _SPLITS.get(kinds)
    if split is None or plain:
        return split
    seen = 0
    for at, item in enumerate(items):
        if seen == split:
            return at
        seen += item.kind != "W"
    return None


def _range(found: Scan, split: int) -> DateRange | None:
    halves = []
    for items, gaps in (
        (found.items[:split], (*found.gaps[:split], "")),
        (found.items[split:], ("", *found.gaps[split + 1 :])),
    ):
        kinds = "".join([item.kind for item in items if item.kind != "W"])
        halves.append(_date(items, gaps, kinds))
    first, last = halves
    if first is None or last is None:
        return None
    digits = [piece.style for piece in last.shape if piece.part is Part.MONTH]
    if first.bare_day and first.day != 1 and digits in (["1"], ["2"]):
        # "12" shows no padding of its own: it is padded as the month is; "3" is not.
        style = digits[0] if (first.day or 0) > 9 else "1"
        shape = tuple(p._replace(style=style) if p.style == "er" else p for p in first.shape)
        first = first._replace(shape=shape)
    return DateRange(first, found.gaps[split], last)


def _date(items: tuple[Item, ...], gaps: tuple[str, ...], kinds: str) -> PartialDate | None:
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
    values: dict[str, int] = {}
    fields = iter(order)
    roles = ["W" if item.kind == "W" else next(fields) for item in items]
    for item, role in zip(items, roles, strict=True):
        values[role.upper() if role in "yY" else role.lower()] = item.value
    short = "y" in roles
    day, month, year = values.get("d"), values.get("m"), values.get("Y")
    precision = next((told for sign, told in _PRECISIONS if sign in order), Precision.YEAR)
    holiday = items[roles.index("H")].holiday if "H" in roles else None
    portion = items[roles.index("P")].word if "P" in roles else ""
    season = values.get("s")
    if "A" in roles and year is not None:
        year -= year % 10
    if not _exists(day, month, None if short else year):
        return None
    return PartialDate(
        precision,
        day,
        season if season is not None else month,
        year,
        short,
        values.get("w"),
        holiday,
        portion,
        _shape(items, gaps, "".join(roles)),
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
            pieces += [piece._replace(case=item.case) for piece in _HOLIDAY_SHAPE]
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
    "A": Part.TEXT,
}
_HOLIDAY_SHAPE: Final = (
    Piece(Part.DAY, "er"),
    Piece(Part.TEXT, " "),
    Piece(Part.MONTH, "full"),
)
"""A surrogate day is hardly ever a holiday: it is written as a day of its month."""
