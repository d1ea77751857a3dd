"""Initials at the ends of lines that several lines show: whoever ends two lines signs them, and
beside them others sign.

    bas de contention | ok | MLD
    pansement propre - tl          avis ORL. [NW]

Where all lines of a block end so, behind one mark, what medicine abbreviates is somebody too.
Within rows, letters that fill a cell of one column again and again are somebody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from dpdeid.detect.grids import NO_SIGN
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.rules.people.placed_initials import is_free
from dpdeid.document import Document, Span
from dpdeid.french.measures import HEADS, UNITS
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_ONE: Final = (
    r"(?:[A-Z]{2,4}|[a-z]{2,3}|[A-Z][a-z]{0,2}[A-Z]|[A-Z]{2}[a-z]|[A-Z][b-df-hj-np-tv-xz]"
    r"|(?:[A-Za-z]\.[ -]?){1,2}[A-Za-z]\.?)"
)
_END: Final = re.compile(
    r"(?<=\S)(?:[ \t]{0,12}(?P<mark>[|/–—(\[]|(?<!&[lg]t)(?<!&amp);)[/ \t]{0,3}"
    r"| (?P<dash>-){1,2} ?|[.!?] |[ \t]{2,12})"
    r"(?:(?<=[(\[])[0-2]?\d ?[hH:](?:[0-5]\d)? )?"
    rf"(?P<who>{_ONE}(?: ?[/+&,] ?{_ONE}){{0,2}})[)\]]?[ \t]{{0,4}}[|;.]?[ \t\r]{{0,4}}\Z"
)
_BRACKETED: Final = re.compile(
    r"[(\[]([A-Z]{2,3}|[a-z]{2,3})[)\]](?![ \t]{0,4}[|;.]?[ \t\r]{0,4}(?:\n|\Z))"
)
"""The same in brackets within a line."""
_LETTERS: Final = re.compile(_ONE)
_ROW: Final = re.compile(r"(?m)^(?![A-Z][A-Z\d]{2}\|)[^\n|]{0,200}(?:\|[^\n|]{0,200}){3,40}$")
"""A row between bars, and no segment of a message."""
_CELL: Final = re.compile(r"(?<=\|)[ \t]*([^\n|]{0,200}?)[ \t]*(?=\||\n|\Z)")
_COLUMN: Final = re.compile(r"[A-Z]{3}|[A-Z]{2}[a-z]|[A-Z][a-z][A-Z]|[A-Z][a-z]{0,2}[A-Z]{1,2}")
_NEAR: Final = 2
"""Lines between two that are signed together."""
_LEAST: Final = 2
_WIDE: Final = 32
"""Characters at the end of a line in which they stand."""
_WHOLE: Final = 3
"""Lines of a block that all end so."""
_CELLS: Final = "|;"
"""Marks behind which a column of diagnoses may stand too."""
_NO_SIGN: Final = NO_SIGN | UNITS | HEADS | voc.words("hh ll od og odg qui par pat init")
"""What ends lines and is nobody's, whatever ends the others."""


class _Sign(NamedTuple):
    line: int
    mark: str
    letters: str
    span: tuple[int, int]


def signed_blocks(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The initials that sign lines beside each other; `spans` are not looked at."""
    signs = [sign for sign in _signs(doc.text) if sign.letters not in _NO_SIGN]
    free = [sign for sign in signs if is_free(_letters(doc.text[slice(*sign.span)]))]
    often = Counter(sign.letters for sign in free)
    sure = {sign.line for sign in free if often[sign.letters] >= _LEAST}
    near = {line + by for line in sure for by in range(-_NEAR, _NEAR + 1)}
    found = {sign.span for sign in free if sign.line in near}
    for block in _blocks(signs):
        own, count = {sign.span for sign in block}, Counter(sign.letters for sign in block)
        cells = block[0].mark in _CELLS
        known = not own.isdisjoint(found if cells else (sign.span for sign in free))
        if len(count) > 1 and (known or (not cells and min(count.values()) >= _LEAST)):
            found |= own
    for span in sorted(found.union(_columns(doc.text))):
        yield Span(*span, Label.FIRST_NAME, 0.85, "patterns/people.block", Role.STAFF)


def _columns(text: str) -> Iterator[tuple[int, int]]:
    """The letters that nothing else is called, in cells of one column between bars."""
    found: defaultdict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for row in _ROW.finditer(text):
        for column, cell in enumerate(_CELL.finditer(text, *row.span())):
            if _COLUMN.fullmatch(cell[1]) and fold(cell[1]) not in _NO_SIGN and is_free(cell[1]):
                found[column, cell[1]].append(cell.span(1))
    for cells in found.values():
        if len(cells) >= _LEAST:
            yield from cells


def _signs(text: str) -> Iterator[_Sign]:
    """What may be initials at the end of a line."""
    for found in _BRACKETED.finditer(text):
        yield _Sign(text.count("\n", 0, found.start()), found[0][0], fold(found[1]), found.span(1))
    stop = -1
    for line, own in enumerate(text.split("\n")):
        start, stop = stop + 1, stop + 1 + len(own)
        if end := _END.search(text, max(start, stop - _WIDE), stop):
            for sign in _LETTERS.finditer(text, *end.span("who")):
                letters = _letters(fold(sign[0]))
                yield _Sign(line, end["mark"] or end["dash"] or "", letters, sign.span())


def _letters(sign: str) -> str:
    return "".join(filter(str.isalpha, sign))


def _blocks(signs: Sequence[_Sign]) -> Iterator[Sequence[_Sign]]:
    """The signs of lines near each other, behind one mark."""
    block: list[_Sign] = []
    for sign in (*signs, _Sign(-1, "", "", (0, 0))):
        if block and (sign.mark != block[-1].mark or sign.line - block[-1].line > _NEAR):
            if block[0].mark and len({one.line for one in block}) >= _WHOLE:
                yield block
            block = []
        block.append(sign)
