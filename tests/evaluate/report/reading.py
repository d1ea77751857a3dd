"""Reads a page back, as a browser would."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Self
from xml.etree.ElementTree import Element, fromstring


@dataclass
class Page:
    """Start tags with their attributes, and pieces of text, in order."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, html: str) -> Self:
        page = cls()

        class Parser(HTMLParser):
            def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
                page.tags.append((name, dict(attrs)))

            def handle_data(self, data: str) -> None:
                page.texts.append(data)

        parser = Parser()
        parser.feed(html)
        parser.close()
        return page

    def all(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a name."""
        return [attributes for tag, attributes in self.tags if tag == name]


def drawn(chart: str) -> Element:
    """A chart as a tree."""
    assert chart
    return fromstring(chart)
