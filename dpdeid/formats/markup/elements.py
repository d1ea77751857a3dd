"""XML as a tree whose elements know where they stand in the text, to be edited in place.

`check` has a parser say first that it is XML, without a document type: no entity can be defined,
and none is looked for outside.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers.expat import ExpatError, ParserCreate

from dpdeid.views.reading import Edit

_DEEPEST: Final = 200
_TOKEN: Final = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?.*?\?>"""
    r"""|<(?P<end>/?)(?P<tag>[^\s/<>!?]+)(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*+)>""",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute: [start, end) with the space before it, [first, last) its value."""

    name: str
    value: str = field(repr=False)
    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Element:
    """An element: [start, end), its content [inside, outside).

    Args:
        name: without its prefix.
        tag: as it is written.
        stretches: of its own texts; True for sections of data, without their marks.
    """

    name: str
    tag: str
    start: int
    inside: int
    outside: int
    end: int
    attributes: tuple[Attribute, ...]
    children: tuple[Element, ...]
    stretches: tuple[tuple[int, int, bool], ...]

    def get(self, name: str) -> str:
        """The value of an attribute, "" without it."""
        return next((a.value for a in self.attributes if a.name == name), "")

    def text(self, whole: str) -> str:
        """Its own text in the whole, as it is meant."""
        texts = (
            whole[start:end] if data else html.unescape(whole[start:end])
            for start, end, data in self.stretches
        )
        return "".join(texts).strip()

    def at(self, *names: str) -> Iterator[Element]:
        """The elements under it by their names, a step each."""
        if not names:
            yield self
            return
        for child in self.children:
            if child.name == names[0]:
                yield from child.at(*names[1:])

    def every(self) -> Iterator[Element]:
        """It and all elements in it."""
        yield self
        for child in self.children:
            yield from child.every()


def check(text: str) -> None:
    """Nothing, if a text is well-formed XML with no document type.

    Raises:
        ValueError: it is not; says where.
    """
    if "\0" in text:  # the parser would take it for UTF-16, and see other tags than are here
        raise ValueError("no well-formed XML (a null character)")
    parser = ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(text, True)
    except ExpatError as error:
        place = f"line {error.lineno}, column {error.offset}"
        raise ValueError(f"no well-formed XML ({place})") from None


def _refuse(*_: object) -> None:
    raise ValueError("a document type (<!DOCTYPE) is not read: it could define entities")


@dataclass(slots=True)
class _Open:
    """An element whose end tag has not come."""

    start: re.Match[str] | None = None
    children: list[Element] = field(default_factory=list)
    stretches: list[tuple[int, int, bool]] = field(default_factory=list)

    def closed(self, end: re.Match[str]) -> Element:
        """The element, by its end tag, or its own if it is empty."""
        start = self.start or end
        tag, bare = start["tag"], end is start
        return Element(
            tag.rpartition(":")[2],
            tag,
            start.start(),
            start.end(),
            start.end() if bare else end.start(),
            end.end(),
            tuple(_attributes(start)),
            tuple(self.children),
            tuple(self.stretches),
        )


def tree(text: str) -> tuple[Element, tuple[Edit, ...]]:
    """The outermost element, and edits that take out comments and processing instructions.

    Raises:
        ValueError: the text is not well-formed XML, or has a document type, or its elements lie too
            deep in one another.
    """
    check(text)
    stack, told, done = [_Open()], list[Edit](), 0
    for token in _TOKEN.finditer(text):
        if done < token.start():
            stack[-1].stretches.append((done, token.start(), False))
        done = token.end()
        if token["tag"] is None:
            if token["data"] is not None:
                stack[-1].stretches.append((*token.span("data"), True))
            elif not token[0].startswith("<?xml "):
                told.append(Edit(token.start(), token.end(), ""))
            continue
        if not token["end"]:
            stack.append(_Open(token))
            if len(stack) > _DEEPEST:
                raise ValueError("its elements lie too deep in one another")
        if token["end"] or token["rest"].endswith("/"):
            element = stack.pop().closed(token)
            stack[-1].children.append(element)
    return stack[0].children[0], tuple(told)


def _attributes(tag: re.Match[str]) -> Iterator[Attribute]:
    at = tag.start("rest")
    for found in _ATTRIBUTE.finditer(tag["rest"]):
        value = html.unescape(found[2][1:-1])
        start, end = at + found.start(), at + found.end()
        yield Attribute(found[1], value, start, end, at + found.start(2) + 1, end - 1)
