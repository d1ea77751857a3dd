"""Grids whose rows open with a day or an hour: the days, and who signs the rows in the last column.

    7/5     4 x 3 cm     +++    aquacel    Nadège
    9/5     4 x 2,5 cm   ++     aquacel    MC

What opens two rows or more with a column behind it is a day in all of them or in none: it is in the
calendar and goes up, or down, from row to row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from dpdeid.detect.month_lists import listed
from dpdeid.detect.names.vocabulary import EVIDENCE, LISTS, SHORT_ROLES, words
from dpdeid.document import Document, Span
from dpdeid.french.measures import HEADS
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_WEEKDAY: Final = r"(?:lun|mar|mer|jeu|ven|sam|dim)[a-z]{0,5}\.?[ \t]{1,2}"
_COURSE: Final = r"[JjDd] ?[+-]?\d{1,3}[ \t|;:]{1,4}"
_MONTH: Final = (
    r"(?i:janv|f[ée]v|mars|avr|mai|juin|juil|ao[ûu]t|sept|oct|nov|d[ée]c)(?i:[a-zé]{0,6})\.?"
)
_GAP: Final = r"[ \t]*(?:[|;]|\t| {2})"
_ROW: Final = re.compile(
    r"(?m)^[ \t]{0,40}+[|;]?[ \t]{0,40}"
    rf"(?:(?:{_COURSE})?(?P<day>(?i:{_WEEKDAY}"
    rf"|le )?(?P<d>\d{{1,2}})(?P<mark>[/.-])(?P<m>\d{{1,2}}))"
    r"|(?P<whole>(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2]))(?=[ \t|;:])"
    r"|(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2} )?[ T]?"
    r"(?:[01]?\d|2[0-3]) ?[hH:](?:[0-5]\d)?"
    rf"|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}|(?:1er|\d{{1,2}}) {_MONTH})"
    rf"(?P<gap>{_GAP}|[ \t]*[:,)>=](?!\d) ?|[ \t]+(?:[-–—>→]|->)[ \t]|[ \t])"
)
"""A row that opens with a day, or with a date or an hour."""
_CELLS: Final = re.compile(r"[ \t]*[|;\t][ \t]*| {2,}")
_INITIALS: Final = re.compile(r"(?:[A-Z]{2,3}|(?:[A-Z]\.){2,3})")
_NAME: Final = re.compile(r"[^\W\d_]{3,12}")
_DAY_CELL: Final = re.compile(r"(?<![\w/.])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?![\w/.])")
_HEADS: Final = re.compile(
    r"(?m)^[ \t|]*+(?:[^\W\d_][^\n\d|;/]{0,24}[ \t|;]*+)?\d{1,2}/\d{1,2}"
    r"(?:(?=[ \t]{0,40}[|;]|\t| {2})[ \t|;]++\d{1,2}/\d{1,2}){2,24}[ \t|;]*+$"
    r"(?=\s{1,40}[^\W\d_][^\n\d]{0,24}\d)"
)
"""A row of three days or more, over one that begins with a word and goes on with numbers."""
_WEEKS: Final = 24
_LENGTHS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS, _YEAR = 12, 372
_USUAL: Final = 3
"""How usual a surname must be for a word beside names to be one, in the levels of the lists."""
_FEW: Final = 3
"""Rows of days with a single space behind them; cells of a row that somebody may sign."""
NO_SIGN: Final = SHORT_ROLES | words(
    "ok oui non ras nc na nr nd ne vu fait faite idem dr pr mme mr med chir x xx xxx jour nuit mat "
    "soir neg pos abs bon bien stop rien per os iv sc im po ivd ivl ta fc hb vac"
)
"""What stands in the last cell of a row and signs nothing."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Where a row lies, its day (offsets, 31 times its month and its day), how it is written,
    whether a column begins behind it, and how many gaps between columns there are.
    """

    start: int
    end: int
    day: tuple[int, int] | None
    order: int
    mark: str
    padded: bool
    apart: bool
    cells: int


@lru_cache(maxsize=8)  # the rules ask, the merge, and the net
def grids(text: str) -> tuple[Sequence[_Row], ...]:
    """The blocks of two rows or more that open with a day or an hour."""
    found: list[list[_Row]] = []
    for match in _ROW.finditer(text):
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        whole = match["whole"] or ""
        told = match.span("day" if match["day"] else "whole")
        day, month = int(match["d"] or whole[:2] or 0), int(match["m"] or whole[2:] or 0)
        valid = 1 <= month <= _MONTHS and 1 <= day <= _LENGTHS[month]
        padded = len(match["m"] or whole[2:]) > 1
        apart = match["gap"] not in (" ", "\t") or match["gap"] == "\t"
        row = _Row(
            match.start(), end, told if match["day"] or whole else None,
            31 * month + day if valid else 0, match["mark"] or "", padded, apart,
            len(_CELLS.findall(text, match.start(), end)),
        )  # fmt: skip
        if found and not text[found[-1][-1].end : row.start].strip():
            found[-1].append(row)
        else:
            found.append([row])
    return tuple(block for block in found if len(block) > 1)


@lru_cache(maxsize=8)
def days(text: str) -> tuple[tuple[int, int], ...]:
    """Where the days stand that open the rows of grids."""
    told = [
        row.day for block in grids(text) if _is_dated(block) for row in block if row.day is not None
    ]
    return (*told, *_across(text), *listed(text))


def _is_dated(block: Sequence[_Row]) -> bool:
    """Whether what opens the rows are days: all in the calendar, and in order."""
    told = [row for row in block if row.day is not None]
    if len(told) < 2 or not all(row.order for row in told):
        return False
    steps = [b.order - a.order for a, b in pairwise(told)]
    if any(row.mark != "/" and not row.padded for row in told) and not _is_of_month(told):
        return False
    if not all(row.mark for row in told) and (len(told) < _FEW or not _goes_on(steps)):
        return False
    turns = sum(step < -_YEAR / 2 for step in steps)  # behind a new year
    rising = all(step >= 0 or step < -_YEAR / 2 for step in steps) and turns <= 1
    falling = all(step <= 0 for step in steps)
    if not any(steps):
        return all(row.apart and row.padded for row in told)
    beyond = any(row.order % 31 > row.order // 31 for row in told)  # and no "3/5", "4/5"
    wide = beyond or all(row.padded or row.cells >= _FEW - 1 for row in told)
    apart = all(row.apart for row in told) or (len(told) >= _FEW and all(steps))
    return (rising or falling) and apart and wide


def _is_of_month(told: Sequence[_Row]) -> bool:
    """Whether the days are of one month, and rise: "3.6 - …", "6.6 - …", which number nothing."""
    months = {(row.order - 1) // 31 for row in told}
    rising = all(b.order > a.order for a, b in pairwise(told))
    return len(told) >= _FEW and len(months) == 1 and rising and all(row.apart for row in told)


def _goes_on(steps: Sequence[int]) -> bool:
    """Whether days without a mark, "0408", follow each other within weeks."""
    return all(0 < step <= _WEEKS for step in steps)


def _across(text: str) -> Iterator[tuple[int, int]]:
    """The days that head the columns of a grid: in order, of several months, over a named row."""
    for head in _HEADS.finditer(text):
        told = [*_DAY_CELL.finditer(text, *head.span())]
        orders = [31 * int(day["m"]) + int(day["d"]) for day in told]
        valid = all(
            1 <= int(day["m"]) <= _MONTHS and 1 <= int(day["d"]) <= _LENGTHS[int(day["m"])]
            for day in told
        )
        steps = [b - a for a, b in pairwise(orders)]
        turns = sum(step < -_YEAR / 2 for step in steps)
        rising = all(step > 0 or step < -_YEAR / 2 for step in steps) and turns <= 1
        if valid and rising and len({day["m"] for day in told}) > 1:
            yield from (day.span() for day in told)


def rows_of_days(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The days that open the rows of grids, and who signs these; `spans` are not looked at."""
    for start, end in days(doc.text):
        yield Span(start, end, Label.DATE, 0.9, "patterns/date.row")
    for block in grids(doc.text):
        yield from _signed(doc.text, block)


def _signed(text: str, block: Sequence[_Row]) -> Iterator[Span]:
    """The last cells of the rows, where all of them may be initials or names and two are."""
    ends = []
    for row in block:
        stop = row.start + len(text[row.start : row.end].rstrip(" \t|;\r"))
        gaps = [gap.end() for gap in _CELLS.finditer(text, row.start, stop)]
        if len(gaps) < _FEW - 1:
            return
        ends.append((gaps[-1], stop))
    cells = [text[start:stop] for start, stop in ends]
    named = [_is_name(cell) for cell in cells]
    signs = [_INITIALS.fullmatch(c) is not None and fold(c) not in NO_SIGN for c in cells]
    short = any(s and len(c) == len("AB") for s, c in zip(signs, cells, strict=True))
    sure = any(named) or short or any("." in c for s, c in zip(signs, cells, strict=True) if s)
    if not sure:
        return
    for (start, stop), cell, name, sign in zip(ends, cells, named, signs, strict=True):
        if name or (sign and not _is_word(cell)) or (any(named) and _may_be_name(cell)):
            yield Span(start, stop, Label.FIRST_NAME, 0.9, "patterns/column.row", Role.STAFF)


def _is_name(cell: str) -> bool:
    """Whether a cell is a given name and no word: "zora"."""
    known = EVIDENCE[fold(cell)] if _NAME.fullmatch(cell) else None
    return known is not None and known.first_name and not (known.word or known.drug)


def _may_be_name(cell: str) -> bool:
    """Whether a cell may be a name beside others: "lise", "béné"."""
    known = EVIDENCE[fold(cell)] if _NAME.fullmatch(cell) else None
    if known is None or known.medical or known.drug or fold(cell) in NO_SIGN | LISTS["veto_things"]:
        return False
    return known.first_name or known.surname >= _USUAL or not known.known


def _is_word(cell: str) -> bool:
    """Whether three letters are those of a word or of medicine: "TXT", "FEC"."""
    known = EVIDENCE[fold(cell)]
    return len(cell) > len("AB") and (known.known or fold(cell) in HEADS)
