"""XML: an envelope with a report in it, as HTML in a section of data or escaped; and CDA R2.

The markup is the note. Texts and values of attributes are read, but for those of which nothing says
that they are harmless: a value of one word passes if its field is known, or it is a measure, a
code, a date or a known word (`markup/fields.py`). Facts of the patient in fields of usual names are
looked for everywhere. A document type is refused: no entity can be defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape, unescape
from typing import BinaryIO, Final

from dpdeid.formats.documents import cda
from dpdeid.formats.documents.html import scrub, scrubbed
from dpdeid.formats.envelopes.parts import least
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.markup.elements import Attribute, Element, check, tree
from dpdeid.formats.markup.fields import (
    ABOUT_SOMEBODY,
    field_of,
    is_fact,
    is_of_another,
    known,
    may_pass,
)
from dpdeid.formats.markup.form import Marked, opened, row_of
from dpdeid.formats.rows import FACTS, Row
from dpdeid.views.markup import is_read
from dpdeid.views.reading import Edit
from dpdeid.views.reading import Reading as View

_ESCAPED: Final = re.compile(r"&(?:lt|#0{0,4}60|#[xX]0{0,4}3[cC]);[A-Za-z/!?]")
_REFERENCE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|lt|gt|amp|quot|apos);")
_LOCATIONS: Final = ("xsi:schemaLocation", "xsi:noNamespaceSchemaLocation")
_HELD: Final = ("value", "extension", "content", "valeur", "v")
"""Attributes that hold what their element is called after."""
_Place = tuple[int, int]


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of an XML file."""
    page = opened(file.read(), is_xml=True)
    root, edits = tree(page.text)
    is_cda = root.name == "ClinicalDocument"
    bodies = [*cda.bodies(root, page.text, how)] if is_cda else []
    if bodies:
        page = replace(
            page, text=View(page.text, page.text).edited([edit for edit, _ in bodies]).text
        )
        root, edits = tree(page.text)
    told = cda.told(root, page.text) if is_cda else known(_named(root, page.text))
    found = (cda.scrub if is_cda else _scrub)(root, page.text)
    text = View(page.text, page.text).edited(sorted((*edits, *found))).text
    facts = () if is_cda else tuple(_facts(tree(text)[0], text))
    check(text)
    mended = cda.mended if is_cda else str
    row = row_of(origin, told, page, Marked(".xml", text, page.codec, page.mark, facts, mended))
    return replace(row, ocr=least(sure for _, sure in bodies))


@dataclass(frozen=True, slots=True)
class _Field:
    """A value that has a name: what it holds, where it stands, and whether it is the patient's."""

    holds: str
    value: str = field(repr=False)
    places: tuple[_Place, ...]
    is_own: bool


def _fields(root: Element, text: str) -> Iterator[_Field]:
    """Every value that has a name. A name is a fact beside another fact of somebody only."""
    every = [(root, True)]
    while every:
        element, own = every.pop()
        own = own and not is_of_another(element.name)
        every += ((child, own) for child in element.children)
        values = [*_values(element, text)]
        holds = [field_of(name) for name, *_ in values]
        is_somebody = not ABOUT_SOMEBODY.isdisjoint(holds)
        for key, (_, value, places) in zip(holds, values, strict=True):
            if key != "last_name" or is_somebody:
                yield _Field(key, value, places, own)


def _values(element: Element, text: str) -> Iterator[tuple[str, str, tuple[_Place, ...]]]:
    """The values of an element by name: its attributes, and children that hold nothing but text."""
    for one in element.attributes:
        if one.name.lower() not in _HELD:
            yield one.name, one.value, ((one.first, one.last),)
    for child in element.children:
        for one in child.attributes:
            if one.name.lower() in _HELD:
                yield child.name, one.value, ((one.first, one.last),)
        if not child.children:
            places = tuple((start, end) for start, end, _ in _written(child, text))
            yield child.name, child.text(text), places


def _written(element: Element, text: str) -> Iterator[tuple[int, int, bool]]:
    """The stretches of an element that are not blank."""
    return (one for one in element.stretches if text[one[0] : one[1]].strip())


def _named(root: Element, text: str) -> Iterator[tuple[str, str]]:
    """What the patient's values hold, and the values."""
    return ((one.holds, one.value) for one in _fields(root, text) if one.is_own)


def _facts(root: Element, text: str) -> Iterator[_Place]:
    """Where facts stand, whosever they are."""
    for one in _fields(root, text):
        if one.holds in FACTS and one.value.strip() and is_fact(one.holds, one.value):
            yield from one.places


def _scrub(root: Element, text: str) -> Iterator[Edit]:
    """What goes from an envelope."""
    for element in root.every():
        for attribute in element.attributes:
            yield from _of_attribute(element, attribute)
        value = "" if element.children else scrubbed(element.text(text))
        passes = may_pass(element.name, value)
        for start, end, is_data in _written(element, text):
            raw = text[start:end]
            if not passes:
                yield Edit(start, end, "")
            elif is_data:
                yield from (Edit(start + a, start + b, new) for a, b, new, _ in scrub(raw))
            elif _ESCAPED.search(raw):
                yield from _in_escaped(raw, start)


def _of_attribute(element: Element, attribute: Attribute) -> Iterator[Edit]:
    if attribute.name in _LOCATIONS:
        yield Edit(attribute.start, attribute.end, "")
        return
    name = element.name if attribute.name.lower() in _HELD else attribute.name
    is_space = attribute.name.partition(":")[0] == "xmlns"
    read_too = is_read(element.tag, attribute.name)
    if not is_space and not may_pass(name, attribute.value, is_read=read_too):
        yield Edit(attribute.first, attribute.last, "")


def _in_escaped(raw: str, start: int) -> Iterator[Edit]:
    """What goes from a page that stands escaped in a text."""
    plain = View(raw, raw).edited(
        Edit(one.start(), one.end(), unescape(one[0])) for one in _REFERENCE.finditer(raw)
    )
    for a, b, new, _ in scrub(plain.text):
        first, last = plain.to_raw(a, b) or (0, 0)
        yield Edit(start + first, start + last, escape(new, quote=False))
