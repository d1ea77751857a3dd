"""What an annex consists of, before it has a form: parts of blocks of finished sentences.

A text between two backquotes is a command or the name of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from dpdeid.evaluate.report.charts import Svg


@dataclass(frozen=True, slots=True)
class Head:
    """The heading of what follows in a part."""

    kind: ClassVar[str] = "head"
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A paragraph."""

    kind: ClassVar[str] = "said"
    text: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A paragraph in the place of a figure that nobody measured."""

    kind: ClassVar[str] = "missing"
    text: str


@dataclass(frozen=True, slots=True)
class Listed:
    """Sentences in a list."""

    kind: ClassVar[str] = "listed"
    items: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Ticks:
    """Sentences with a box each, to be ticked by hand."""

    kind: ClassVar[str] = "ticks"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blanks:
    """Fields that only the site can fill."""

    kind: ClassVar[str] = "blanks"
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under columns; the first cell of a row is its heading.

    Args:
        of_figures: whether all cells but the first are figures.
        chart: a drawing of the same figures, for a page; "" if there is none.
    """

    kind: ClassVar[str] = "grid"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    of_figures: bool = False
    chart: Svg = field(default="", repr=False)


_TOGETHER: Final = re.compile(r" (?=[%;:?!»])|(?<=«) ")


Block = Head | Said | Missing | Listed | Ticks | Blanks | Grid


@dataclass(frozen=True, slots=True)
class Part:
    """One part; `key` is its name in links, the same in every language."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Annex:
    """The whole of it.

    Args:
        about: of which policy, version and day it is.
        blank: what stands where the site has to write.
    """

    lang: str
    title: str
    about: str
    contents: str
    blank: str
    parts: tuple[Part, ...]

    def texts(self) -> Iterator[str]:
        """Every sentence and cell, in order; what both writers must have."""
        yield from (self.title, self.about)
        for part in self.parts:
            yield part.title
            for block in part.blocks:
                yield from _texts(block)


def _texts(block: Block) -> Iterator[str]:
    match block:
        case Head() | Said() | Missing():
            yield block.text
        case Listed() | Ticks():
            yield from block.items
        case Blanks():
            yield from block.fields
        case Grid():
            yield from block.columns
            for row in block.rows:
                yield from row


def pieces(text: str) -> list[tuple[str, bool]]:
    """A text cut at its backquotes, each piece with whether it is a command. No line ends between a
    number and its sign, or before a mark that stands apart.

    >>> pieces("run `dpdeid check`, then")
    [('run ', False), ('dpdeid check', True), (', then', False)]
    """
    cut = [(piece, at % 2 == 1) for at, piece in enumerate(text.split("`"))]
    return [
        (piece if is_code else _TOGETHER.sub("\u00a0", piece), is_code)
        for piece, is_code in cut
        if piece
    ]
