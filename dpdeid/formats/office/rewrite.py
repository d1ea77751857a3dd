"""XML of documents made anew by a table of what is harmless, and its text read and replaced.

What stands in the table is kept where it may stand, with attributes that it knows; what else is
known to hold text leaves that behind. In what is made every stretch of text is an element of its
own, a leaf: reading, a paragraph is a line and the cells of a row stand apart by tabs, and what
hangs on a paragraph (a note, a box) comes behind it. Each format says what its elements are.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import ClassVar, Final, NamedTuple
from xml.etree import ElementTree as Xml

from dpdeid.document import Deidentified, Document, Surrogate
from dpdeid.errors import InputError
from dpdeid.formats.kinds import Origin
from dpdeid.formats.markup.allowed import Allowed
from dpdeid.formats.office.package import packed
from dpdeid.formats.rows import Row

_APART: Final = re.compile("[\t\n]")
HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what is allowed, and how elements and words are written.

    Args:
        own: what the table calls an element, "" if it is of another format.
        full: the element that the table calls so.
        sign: the text that a leaf of that name stands for.
        leaves: what stands for a text.
    """

    allowed: Allowed
    own: Callable[[Xml.Element], str]
    full: Callable[[str], str]
    sign: Callable[[Xml.Element, str], str]
    leaves: Callable[[str], Iterable[Xml.Element]]


class Rewriter:
    """Makes the released tree of one part, in the order of its text."""

    format: ClassVar[Format]

    def __init__(self) -> None:
        self._boxes: list[list[Xml.Element]] = []
        """Of each open paragraph what stands in its text boxes: it comes behind it."""

    def opens(self, name: str, parent: str) -> bool:
        """Whether an element that is not kept leaves its content behind."""
        return parent in self.format.allowed.kinds["content"]

    def attributes(self, node: Xml.Element, name: str) -> dict[str, str] | None:
        """The released attributes, None if the element is nothing without one that is not."""
        raise NotImplementedError

    def made(self, node: Xml.Element, parent: str) -> Iterator[Xml.Element]:
        """What is released of an element inside a released one."""
        name = self.format.own(node)
        if name in self.format.allowed.kinds["boxes"]:
            found = self.inside(node, "box")
            if not self._boxes:
                yield from found
            else:
                self._boxes[-1].extend([*found])
        elif name in self.format.allowed.inside[parent]:
            yield from self.kept(node, name)
        elif self.opens(name, parent):
            yield from self.inside(node, parent)

    def inside(self, node: Xml.Element, parent: str) -> Iterator[Xml.Element]:
        """What is released of the content of an element."""
        yield from self.text(node.text, parent)
        for child in node:
            yield from self.made(child, parent)
            yield from self.text(child.tail, parent)

    def text(self, text: str | None, parent: str) -> Iterator[Xml.Element]:
        """What stands for a text that is written between elements."""
        yield from ()

    def kept(self, node: Xml.Element, name: str) -> Iterator[Xml.Element]:
        """An element that may stand where it does, with its content."""
        given = self.attributes(node, name)
        if given is None:
            return
        is_paragraph = name in self.format.allowed.kinds["paragraphs"]
        if is_paragraph:
            self._boxes.append([])
        new = Xml.Element(self.format.full(name), given)
        new.extend([*self.inside(node, name)])
        yield new
        if is_paragraph:
            yield from self._boxes.pop()


class Piece(NamedTuple):
    """A leaf that stands for a stretch of the text, and the element that it stands in."""

    start: int
    end: int
    text: str
    node: Xml.Element
    parent: Xml.Element


class Text:
    """The text of parts, and which leaf each stretch of it is."""

    def __init__(self, trees: Iterable[Xml.Element], format: Format) -> None:  # noqa: A002
        self.pieces: list[Piece] = []
        self._kinds, self._form = format.allowed.kinds, format
        self._texts: list[str] = []
        self._at = 0
        self._apart("\n", [one for tree in trees for one in self._blocks(tree)])

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def _blocks(self, node: Xml.Element) -> Iterator[Xml.Element]:
        """The outermost elements in one that have a line of their own."""
        for child in node:
            if self._form.own(child) in self._kinds["blocks"]:
                yield child
            else:
                yield from self._blocks(child)

    def _add(self, text: str) -> None:
        self._texts.append(text)
        self._at += len(text)

    def _apart(self, sign: str, nodes: Sequence[Xml.Element]) -> None:
        """Adds what each of the elements holds, apart by a sign."""
        for number, node in enumerate(nodes):
            self._add(sign if number else "")
            name = self._form.own(node)
            if name in self._kinds["paragraphs"]:
                self._paragraph(node)
            else:
                self._apart("\t" if name in self._kinds["rows"] else "\n", [*self._blocks(node)])

    def _paragraph(self, paragraph: Xml.Element) -> None:
        hanging: list[Xml.Element] = []
        self._line(paragraph, hanging)
        for one in hanging:
            if blocks := [*self._blocks(one)]:
                self._add("\n")
                self._apart("\n", blocks)

    def _line(self, parent: Xml.Element, hanging: list[Xml.Element]) -> None:
        for node in parent:
            name = self._form.own(node)
            if name in self._kinds["hanging"]:
                hanging.append(node)
            elif len(node) and name in self._kinds["inline"]:
                self._line(node, hanging)
            elif name in self._kinds["leaves"] and (text := self._form.sign(node, name)):
                start = self._at
                self._add(text)
                self.pieces.append(Piece(start, self._at, text, node, parent))


@dataclass(frozen=True, slots=True)
class Office:
    """The form of a note that came in a package of XML. Each format says how it writes words.

    Args:
        parts: of the package to release, with the text of the original.
        texts: those of them that have text, in its order.
    """

    parts: dict[str, bytes] = field(repr=False)
    texts: tuple[str, ...]
    ending: str
    format: ClassVar[Format]

    def read(self) -> tuple[dict[str, Xml.Element], Text]:
        """The parts that have text, and it."""
        trees = {name: Xml.fromstring(self.parts[name]) for name in self.texts}
        return trees, Text(self.flow(trees), self.format)

    def flow(self, trees: Mapping[str, Xml.Element]) -> Iterable[Xml.Element]:
        """What has text, in its order."""
        return trees.values()

    def row(self, origin: Origin) -> Row:
        """The row of a file."""
        note = Document(origin.note, self.read()[1].text)
        return Row(origin.file, origin.note, note, place="file 1", form=self)

    def written(self, result: Deidentified, released_id: str) -> bytes:
        """The package with the surrogates: where one crosses leaves it stands in the first."""
        trees, text = self.read()
        pieces = text.pieces
        news = replaced([(one.start, one.end, one.text) for one in pieces], result.surrogates)
        for piece, new in zip(pieces, news, strict=True):
            if new != piece.text:
                index = [*piece.parent].index(piece.node)
                piece.parent[index : index + 1] = [*self.format.leaves(new)]
        return packed({**self.parts, **{name: as_bytes(tree) for name, tree in trees.items()}})


def as_bytes(tree: Xml.Element) -> bytes:
    """A part as it is written."""
    return (HEAD + Xml.tostring(tree, "unicode")).encode()


def replaced(pieces: Sequence[tuple[int, int, str]], surrogates: Sequence[Surrogate]) -> list[str]:
    """The new text of each piece: a surrogate stands in the first that its span reaches, each cell
    and line of it in its own, and is taken from the others.

    Raises:
        InputError: a span reaches none.
    """
    found = (one for one in surrogates if one.mention.where == "text")
    waiting, placed = deque(part for one in found for part in _parts(one)), False
    news = []
    for start, end, text in pieces:
        at, new = start, ""
        while waiting and waiting[0][0] < end:
            first, last, given = waiting[0]
            new += text[at - start : max(0, first - start)]
            new += "" if placed else given
            at, placed = max(at, min(last, end)), last > end
            if placed:
                break
            waiting.popleft()
        news.append(new + text[at - start :])
    if waiting and not placed:
        raise InputError("a surrogate has no place in the document")
    return news


def _parts(surrogate: Surrogate) -> list[tuple[int, int, str]]:
    """A surrogate, parted at tabs and line breaks if its original has as many."""
    span = surrogate.mention.span
    olds, news = (_APART.split(text) for text in (surrogate.mention.text, surrogate.text))
    if len(olds) != len(news) or any(new and not old for old, new in zip(olds, news, strict=True)):
        return [(span.start, span.end, surrogate.text)]
    ends = accumulate((len(old) + 1 for old in olds), initial=span.start)
    parts = zip(ends, olds, news, strict=False)
    return [(at, at + len(old), new) for at, old, new in parts if old]
