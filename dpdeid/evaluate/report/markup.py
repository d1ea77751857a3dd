"""HTML and SVG elements from the standard library: text is escaped, never pasted."""

from __future__ import annotations

import re
from typing import Final
from xml.etree.ElementTree import Element, tostring

_CONTROLS: Final = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no page may hold, although a note may."""


def tag(name: str, /, *children: Element | str | None, **attributes: object) -> Element:
    """An element. A keyword `class_` or `aria_label` stands for `class` or `aria-label`.

    >>> text_of(tag("p", "a < b", tag("b", "!"), class_="note"))
    '<p class="note">a &lt; b<b>!</b></p>'
    """
    element = Element(
        name,
        {key.rstrip("_").replace("_", "-"): _shown(value) for key, value in attributes.items()},
    )
    for child in children:
        if isinstance(child, Element):
            element.append(child)
        elif child is not None and len(element):
            element[-1].tail = (element[-1].tail or "") + child
        elif child is not None:
            element.text = (element.text or "") + child
    return element


def identifier(*parts: str) -> str:
    """A name for an element of the page: no space and nothing else that an id may not hold.

    >>> identifier("found", "my notes (2)")
    'found-my-notes-2'
    """
    return re.sub(r"[^\w-]+", "-", "-".join(parts)).strip("-")


def text_of(element: Element) -> str:
    """The element as HTML5; SVG inside of it keeps its own spelling, a control character is "�"."""
    return _CONTROLS.sub("\ufffd", tostring(element, encoding="unicode", method="html"))


def _shown(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)
