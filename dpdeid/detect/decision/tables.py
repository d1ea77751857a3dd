"""Where a word stands in a table: how many cells its row has, what heads its column, and what the
other cells of the column hold.

A table is two lines or more, one below the other, whose cells the same mark parts, or wide blanks
or dots. Where blanks do, a cell belongs to the column of the longest row that it lies under.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, compress, groupby
from typing import Any, Final, NamedTuple

import numpy as np

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.rules.columns import LABELS, OTHERS, STAFF
from dpdeid.document import Document
from dpdeid.french.measures import HEADS
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

COLUMNS: Final = (
    "cells of row", "rows of table", "words of cell", "column of initials", "column of numbers",
    "column of decimals", "column of names", "same in column", "head of column", "is head",
)  # fmt: skip
_LINE: Final = re.compile(r"[^\r\n]+")
_DRAWN: Final = re.compile(r"[\s|;+=_.:*-]*")
_MARK: Final = re.compile(r"[|;\t]")
_WIDE: Final = re.compile(r"[ \t]*\.{3,}[ \t]*|[ \t]{2,}")
_LEAST: Final = 3
"""Cells that a row has at least."""
_INITIALS: Final = re.compile(
    r"[^\W\d_]{2,4}\.?(?: ?[/,+] ?[^\W\d_]{2,4}\.?){0,2}|[A-Z]\.?[A-Z]\.?"
)
_NUMBER: Final = re.compile(r"[<>~+-]?\d[\d.,/ +-]*(?: ?[^\W\d_%]{0,4}%?)")
_DECIMAL: Final = re.compile(r"\d[.,]\d")
_WORD: Final = re.compile(r"[^\W\d_]+")
_EMPTY: Final = frozenset(("", "-", "/", "x", "0", "--", "?", "–", "id", "idem", '"'))
_WHO, _WHAT, _MEASURE, _SOME = 1, 2, 3, 4
"""Heads of columns: of who acted, of a label, of a measure or another known one, any other."""
Array = np.ndarray[Any, np.dtype[np.float32]]


_NONE: Final = [0] * 4


class _Cell(NamedTuple):
    start: int
    end: int
    column: int
    text: str


_Table = list[list[_Cell]]
"""Rows of cells."""


def _holds(text: str) -> tuple[bool, bool, bool, bool]:
    """Whether a cell holds initials, a number, a decimal, a name."""
    words = _WORD.findall(text)
    initials = _INITIALS.fullmatch(text) is not None and fold(text) not in HEADS
    known = [voc.EVIDENCE[fold(word)] for word in words[:2]]
    named = any(one.first_name or one.surname > 1 for one in known) and len(words[0]) > 2
    number = _NUMBER.fullmatch(text) is not None
    return initials, number, number and _DECIMAL.search(text) is not None, named


_HOLDS: Final = Memo(_holds)


def _heading(text: str) -> int:
    """What a cell of the first row says of its column."""
    name = fold(text).strip(" :.")
    if not name or any(map(str.isdigit, name)):
        return 0
    first = name.split(" ")[0]
    if name in STAFF or first in STAFF:
        return _WHO
    if name in LABELS:
        return _WHAT
    return _MEASURE if first in HEADS or name in OTHERS else _SOME


def in_tables(doc: Document) -> Array:
    """Of each token what `COLUMNS` say, zeros outside tables, (N, 10)."""
    found = np.zeros((len(doc.tokens), len(COLUMNS)), np.float32)
    for table in _tables(doc.text):
        for cell, row, told in _told(table):
            own = doc.tokens.over(cell.start, cell.end)
            found[own.start : own.stop] = (len(row), len(table), len(own), *told)
    return found


def _told(table: _Table) -> Iterator[tuple[_Cell, list[_Cell], tuple[float, ...]]]:
    """Each cell with its row, and what the other cells of its column hold and what heads it."""
    heads = {cell.column: _heading(cell.text) for cell in table[0]}
    known = any(0 < head < _SOME for head in heads.values())
    headed = known and sum(map(bool, heads.values())) * 2 > len(heads)
    columns: dict[int, Counter[str]] = {}
    for cell in chain.from_iterable(table[headed:]):
        if cell.text.lower() not in _EMPTY:
            columns.setdefault(cell.column, Counter())[cell.text] += 1
    held: dict[int, list[int]] = {}
    for column, texts in columns.items():
        kinds = zip(*(_HOLDS[text] for text in texts), strict=True)
        held[column] = [sum(compress(texts.values(), kind)) for kind in kinds]
    for number, row in enumerate(table):
        is_head = headed and not number
        for cell in row:
            texts = columns.get(cell.column, Counter[str]())
            itself = not is_head and cell.text.lower() not in _EMPTY
            count = max(texts.total() - itself, 1)
            own = _HOLDS[cell.text]
            in_all = held.get(cell.column, _NONE)
            shares = [(n - (k and itself)) / count for n, k in zip(in_all, own, strict=True)]
            head = heads.get(cell.column, 0) if headed else 0
            yield cell, row, (*shares, texts[cell.text] - itself, head, is_head)


def _tables(text: str) -> Iterator[_Table]:
    """The tables of a text."""
    lines = [_cells(line) for line in _LINE.finditer(text) if not _DRAWN.fullmatch(line[0])]
    for mark, rows in groupby(lines, key=lambda line: line[0]):
        table = [row for _, row in rows]
        if mark and len(table) > 1:
            yield table if mark != " " else _aligned(table)


def _cells(line: re.Match[str]) -> tuple[str, list[_Cell]]:
    """What parts the cells of a line, "" if nothing does, and the cells."""
    body, begins = line[0], line.start()
    marks = Counter(_MARK.findall(body))
    mark = max(marks, key=marks.__getitem__, default="")
    if mark and marks[mark] >= _LEAST - 1:
        cells, at = [], 0
        for column, part in enumerate(body.split(mark)):
            bare = part.strip(' "')
            start = begins + at + (part.index(bare) if bare else 0)
            cells.append(_Cell(start, start + len(bare), column, bare))
            at += len(part) + 1
        return mark, cells
    at, cells = len(body) - len(body.lstrip()), []
    for gap in (*_WIDE.finditer(body, at), None):
        end = gap.start() if gap else len(body)
        if body[at:end].strip():
            cells.append(_Cell(begins + at, begins + end, len(cells), body[at:end].strip()))
        at = gap.end() if gap else end
    return (" ", cells) if len(cells) >= _LEAST else ("", cells)


def _aligned(table: _Table) -> _Table:
    """The cells with the column of the longest row that each lies nearest to, by its middle."""
    longest = max(table, key=len)
    middle = np.array([_middle(cell, longest) for cell in longest])
    return [
        [cell._replace(column=int(np.abs(middle - _middle(cell, row)).argmin())) for cell in row]
        for row in table
    ]


def _middle(cell: _Cell, row: Sequence[_Cell]) -> float:
    return (cell.start + cell.end) / 2 - row[0].start
