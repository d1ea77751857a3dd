"""Markup made anew by allow-list: what gives a text its form, and no attributes but spans of cells.

What comes out is well-formed XML, whatever goes in: comments, scripts, pictures, links, titles and
elements that are not known are gone; the text in what is not known stays.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

_LINES: Final = (files(__package__) / "narrative.tsv").read_text(encoding="utf-8").splitlines()
_KEPT, _BLOCKS, _EMPTY, _UNREAD = (
    frozenset(line.split("\t")[1:]) for line in _LINES if not line.startswith("#")
)
"""Elements that stay, that part their text from what is beside them, that hold nothing, and that go
with all that is in them.
"""
_DEEP: Final = 200
"""Elements in each other; those beyond leave their text."""
_NOT_NESTED: Final = frozenset(("p", "li", "td", "th", "tr", "dd", "dt"))
NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TAG: Final = re.compile(
    r"""<(?P<end>/?)(?:[\w.-]{1,20}:)?(?P<name>[A-Za-z][\w.-]{0,20}+)(?=[\s/>])"""
    r"""(?P<attributes>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>"""
)
"""What is no tag by this is text: a try ends at the next "<", so that any text is read once."""
_SPAN: Final = re.compile(r"""\b(colspan|rowspan)\s?=\s?["']?([1-9]\d?)\b""")
_SECTIONS: Final = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", ">"))


def scrubbed(markup: str) -> str:
    """The markup with only what is known to be harmless; the same again if it is so already."""
    return "".join(_scrubbed(markup).pieces)


def words(markup: str) -> str:
    """The text of markup, without its form."""
    return "".join(_scrubbed(markup).texts)


def _scrubbed(markup: str) -> _Scrubber:
    made = _Scrubber()
    for token in _tokens(markup):
        if isinstance(token, str):
            made.text(token)
        elif token["end"]:
            made.close(token["name"].lower())
        else:
            made.open(token["name"].lower(), token["attributes"])
    for name in reversed(made.opened):
        made.pieces.append(f"</{name}>")
    return made


def _tokens(markup: str) -> Iterator[str | re.Match[str]]:
    """The tags and the texts of markup in turn, without comments, declarations and the like."""
    done = at = 0
    absent: set[str] = set()
    while (at := markup.find("<", at)) >= 0:
        behind, inside = at, ""
        tag = _TAG.match(markup, at)
        for start, end in () if tag else _SECTIONS:
            if markup.startswith(start, at) and end not in absent:
                if (stop := markup.find(end, at + len(start))) < 0:
                    absent.add(end)  # nor behind what comes
                    continue
                behind = stop + len(end)
                inside = markup[at + len(start) : stop] if end == "]]>" else ""
                break
        if tag:
            behind = tag.end()
        if behind == at:
            at += 1
            continue
        yield html.unescape(markup[done:at])
        yield tag or inside
        done = at = behind
    yield html.unescape(markup[done:])


class _Scrubber:
    """Markup that is made anew.

    Args:
        pieces: of the new markup.
        texts: of it, without its tags.
        opened: elements that are not closed yet.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.texts: list[str] = []
        self.opened: list[str] = []
        self._unread: list[str] = []

    def text(self, text: str) -> None:
        if text and not self._unread:
            text = NOT_XML.sub(" ", text)
            self.texts.append(text)
            self.pieces.append(html.escape(text, quote=False))

    def open(self, name: str, attributes: str) -> None:
        name = "div" if name in _BLOCKS else name
        if name == "body":  # of a page whose head is not closed
            self._unread.clear()
        elif name in _UNREAD:
            if len(self._unread) < _DEEP and not attributes.endswith("/"):
                self._unread.append(name)
        elif name in _EMPTY and not self._unread:
            self.pieces.append(f"<{name}/>")
        elif name in _KEPT and not self._unread and len(self.opened) < _DEEP:
            if name in _NOT_NESTED and self.opened[-1:] == [name]:
                self.close(name)
            spans = "".join(f' {k}="{v}"' for k, v in dict(_SPAN.findall(attributes)).items())
            self.pieces.append(f"<{name}{spans}>")
            self.opened.append(name)
            if attributes.endswith("/"):
                self.close(name)

    def close(self, name: str) -> None:
        name = "div" if name in _BLOCKS else name
        if name in self._unread:
            while self._unread.pop() != name:
                pass
        elif name in self.opened and not self._unread:
            closed = ""
            while closed != name:
                closed = self.opened.pop()
                self.pieces.append(f"</{closed}>")
