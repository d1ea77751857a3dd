"""The rule detector: rows of patterns (YAML) in one pass over the note, then rules over spans.

A new form is a row with its examples; Python here only computes what a row cannot say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from dpdeid.detect.grids import rows_of_days
from dpdeid.detect.places.overseas import overseas_addresses
from dpdeid.detect.rules.codes import unexplained_codes
from dpdeid.detect.rules.columns import table_cells
from dpdeid.detect.rules.dates import birth_dates, touched_numbers
from dpdeid.detect.rules.hl7 import hl7_fields
from dpdeid.detect.rules.people.names_after_cues import names_after_cues
from dpdeid.detect.rules.people.placed_initials import placed_initials
from dpdeid.detect.rules.people.signed_blocks import signed_blocks
from dpdeid.detect.rules.people.signed_notes import signed_notes
from dpdeid.detect.rules.places import (
    address_fields,
    joined_streets,
    people_of_towns,
    towns_by_address,
)
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document, Span
from dpdeid.spans import remembered

ExtendSpans = Callable[[Document, Sequence[Span]], Iterable[Span]]
EXTEND: Final[tuple[ExtendSpans, ...]] = (
    hl7_fields,
    touched_numbers,
    towns_by_address,
    address_fields,
    overseas_addresses,
    joined_streets,
    names_after_cues,
    signed_notes,
    placed_initials,
    signed_blocks,
    birth_dates,
    table_cells,
    rows_of_days,
    people_of_towns,
    unexplained_codes,
)
"""Rules that need what the rows found (a name beside a name, a house number after a street)."""


@cache
def _table() -> Table:
    return Table(rows())


@dataclass(frozen=True, slots=True)
class Patterns:
    """Finds what has a form: dates, numbers, contacts, addresses, names after titles."""

    name: ClassVar[str] = "patterns"

    @remembered
    def __call__(self, doc: Document) -> Iterable[Span]:
        found = _table().scan(doc)
        for extend_spans in EXTEND:
            found.extend(extend_spans(doc, tuple(found)))
        return found
