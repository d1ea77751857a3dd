"""Markup made anew by allow-list: what gives a text its form, and no attributes but spans of cells.

What comes out is well-formed XML, whatever goes in: comments, scripts, pictures, links, titles and
elements that are not known are gone; the text in what is not known stays.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from typing import Final

_KEPT: Final = frozenset(
    (
        *("b", "big", "blockquote", "caption", "cite", "code", "col", "colgroup", "dd", "div"),
        *("dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "i", "li", "ol", "p", "pre"),
        *("q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "table", "tbody"),
        *("td", "tfoot", "th", "thead", "tr", "tt", "u", "ul"),
    )
)
_BLOCKS: Final = frozenset(
    (
        *("address", "article", "aside", "center", "details", "fieldset", "figure", "footer"),
        *("form", "header", "label", "legend", "main", "nav", "option", "section", "summary"),
    )
)
"""Elements that part their text from what is beside them: divisions from then on."""
_EMPTY: Final = frozenset(("br", "hr", "col"))
_UNREAD: Final = frozenset(
    (
        *("applet", "audio", "canvas", "embed", "head", "iframe", "math", "noscript", "object"),
        *("script", "style", "svg", "template", "title", "video"),
    )
)
"""Elements that go with all that is in them."""
_DEEP: Final = 200
"""Elements in each other; those beyond leave their text."""
_NOT_NESTED: Final = frozenset(("p", "li", "td", "th", "tr", "dd", "dt"))
_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def scrubbed(markup: str) -> str:
    """The markup with only what is known to be harmless; the same again if it is so already."""
    reader = _Scrubber()
    reader.feed(_CDATA.sub(lambda found: escape(found[1], quote=False), markup))
    reader.close()
    return "".join((*reader.pieces, *(f"</{name}>" for name in reversed(reader.opened))))


def words(markup: str) -> str:
    """The text of markup, without its form."""
    reader = _Scrubber()
    reader.feed(markup)
    reader.close()
    return "".join(reader.texts)


class _Scrubber(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.texts: list[str] = []
        self.opened: list[str] = []
        self._unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag = "div" if tag in _BLOCKS else tag
        if tag == "body":  # of a page whose head is not closed
            self._unread.clear()
        elif tag in _UNREAD and len(self._unread) < _DEEP:
            self._unread.append(tag)
        elif tag in _EMPTY and not self._unread:
            self.pieces.append(f"<{tag}/>")
        elif tag in _KEPT and not self._unread and len(self.opened) < _DEEP:
            if tag in _NOT_NESTED and self.opened[-1:] == [tag]:
                self.handle_endtag(tag)
            spans = (
                f' {key}="{value}"'
                for key, value in dict(attrs).items()
                if key in ("colspan", "rowspan") and re.fullmatch("[1-9][0-9]?", value or "")
            )
            self.pieces.append(f"<{tag}{''.join(spans)}>")
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNREAD:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        tag = "div" if tag in _BLOCKS else tag
        if tag in self._unread:
            while self._unread.pop() != tag:
                pass
        elif tag in self.opened and not self._unread:
            closed = ""
            while closed != tag:
                closed = self.opened.pop()
                self.pieces.append(f"</{closed}>")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            text = _NOT_XML.sub(" ", data)
            self.texts.append(text)
            self.pieces.append(escape(text, quote=False))
