"""The rule detector: a table of rows a family, one pass over the note, then rules over spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from dpdeid.detect.patterns import (
    addresses,
    bodies,
    care,
    columns,
    contacts,
    fields,
    glued,
    hl7,
    identifiers,
    misread,
    people,
    places,
    social,
    streets,
    temporal,
    units,
)
from dpdeid.detect.patterns.table import Row, Table
from dpdeid.detect.remember import remembered
from dpdeid.document import Document, Span

ROWS: Final[tuple[Row, ...]] = (
    *temporal.ROWS,
    *contacts.ROWS,
    *identifiers.ROWS,
    *places.ROWS,
    *care.ROWS,
    *bodies.ROWS,
    *units.ROWS,
    *people.ROWS,
    *social.ROWS,
    *fields.ROWS,
    *misread.ROWS,
)

Grow = Callable[[Document, Sequence[Span]], Iterable[Span]]
GROW: Final[tuple[Grow, ...]] = (
    hl7.grow,
    glued.grow,
    places.grow,
    addresses.grow,
    streets.grow,
    people.grow,
    temporal.grow,
    columns.grow,
    identifiers.grow,
)
"""Rules that need what the rows found (a name beside a name, a house number after a street)."""


@cache
def _table() -> Table:
    return Table(ROWS)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Finds what has a form: dates, numbers, contacts, addresses, names after titles."""

    name: ClassVar[str] = "patterns"

    @remembered
    def __call__(self, doc: Document) -> Iterable[Span]:
        found = _table().scan(doc)
        for grow in GROW:
            found.extend(grow(doc, tuple(found)))
        return found
