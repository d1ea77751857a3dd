"""The released tables and their columns, in the order of the OMOP common data model 5.4.

A column that is not named here is not read; one that is here and has no released value is null,
or 0 where it is a concept. Names that a user gives are plain words, so that none can be more.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from dpdeid.errors import InputError, UsageError

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_CONCEPT: Final = "_concept_id"
_NUMBER: Final = re.compile(r"\s{0,9}-?[0-9]{1,19}\s{0,9}")
_LARGEST_ID: Final = 2**63
_LARGEST: Final = 2**31
"""Concept ids are below it; a number of a patient may not be."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a released table: "integer" (64 bits), "date", "datetime" or "text"."""

    name: str
    kind: str

    def typed(self, value: object) -> object:
        """A value of JSON as the column has it: a date is a text in ISO form there."""
        if value is None or self.kind in ("integer", "text"):
            return value
        day = dt.date.fromisoformat(str(value))
        return day if self.kind == "date" else dt.datetime.combine(day, dt.time.min)


@dataclass(frozen=True, slots=True)
class Table:
    """A released table."""

    name: str
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, name: str, columns: str) -> Table:
        """The table with these columns, each with its kind behind it."""
        words = columns.split()
        pairs = zip(words[::2], words[1::2], strict=True)
        return cls(name, tuple(Column(column, kind) for column, kind in pairs))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in self.columns)

    def row(self, values: Sequence[object]) -> tuple[object, ...]:
        """Values of JSON as its columns have them."""
        return tuple(c.typed(value) for c, value in zip(self.columns, values, strict=True))


NOTE: Final = Table.of(
    "note",
    "note_id integer person_id integer note_date date note_datetime datetime "
    "note_type_concept_id integer note_class_concept_id integer note_title text note_text text "
    "encoding_concept_id integer language_concept_id integer provider_id integer "
    "visit_occurrence_id integer visit_detail_id integer note_source_value text "
    "note_event_id integer note_event_field_concept_id integer",
)
NOTE_CONCEPTS: Final = tuple(name for name in NOTE.names if name.endswith(_CONCEPT))
VISITS: Final = ("visit_occurrence_id", "visit_detail_id")
"""Ids that are released as keyed numbers, beside that of the person, in whatever table."""
NOTE_ERRORS: Final = Table.of("note_errors", "note_id integer error text")
NOTE_NLP: Final = Table.of(
    "note_nlp",
    "note_nlp_id integer note_id integer section_concept_id integer snippet text offset text "
    "lexical_variant text note_nlp_concept_id integer note_nlp_source_concept_id integer "
    "nlp_system text nlp_date date nlp_datetime datetime term_exists text term_temporal text "
    "term_modifiers text",
)
PERSON: Final = Table.of(
    "person",
    "person_id integer gender_concept_id integer year_of_birth integer month_of_birth integer "
    "day_of_birth integer birth_datetime datetime race_concept_id integer "
    "ethnicity_concept_id integer location_id integer provider_id integer care_site_id integer "
    "person_source_value text gender_source_value text gender_source_concept_id integer "
    "race_source_value text race_source_concept_id integer ethnicity_source_value text "
    "ethnicity_source_concept_id integer",
)
RELEASED: Final = (NOTE, NOTE_ERRORS, NOTE_NLP, PERSON)


def plain(name: str, what: str) -> str:
    """A name of a table, column or schema that a user gave, in small letters.

    Raises:
        UsageError: it is more than letters, digits and "_".
    """
    if not _PLAIN.fullmatch(name):
        raise UsageError(f"{what}: a name has letters, digits and _, and no digit first")
    return name.lower()


def also(given: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The columns of dates of each table, of `TABLE.column` each.

    Raises:
        UsageError: it has another form, or the table is one that is released anyway.
    """
    asked: dict[str, tuple[str, ...]] = {}
    for name in given:
        table, _, column = name.partition(".")
        table, column = plain(table, "--also TABLE.column"), plain(column, "--also TABLE.column")
        if table in (one.name for one in RELEASED):
            raise UsageError(f"--also {table}.{column}: this table is released by its own rules")
        asked[table] = tuple(dict.fromkeys((*asked.get(table, ()), column)))
    return asked


def moved(name: str, has: Sequence[str], dates: Sequence[str]) -> Table:
    """What is released of a table of which dates are moved: these, the keyed ids of person and
    visit, and its concepts.

    Args:
        has: its columns.

    Raises:
        UsageError: it has no column of that name, or no person_id.
    """
    if absent := [one for one in ("person_id", *dates) if one not in has]:
        raise UsageError(f"--also: {name} has no column {absent[0]}; it has {', '.join(has)}")
    kinds = {
        "person_id": "integer",
        **{visit: "integer" for visit in VISITS if visit in has},
        **{one: "datetime" if one.endswith("datetime") else "date" for one in dates},
        **{one: "integer" for one in has if one.endswith(_CONCEPT)},
    }
    return Table(name, tuple(Column(one, kinds[one]) for one in has if one in kinds))


def whole(value: object) -> int | None:
    """An id as a number, None if it is none of 64 bits; databases have several types for one."""
    if isinstance(value, str):
        found = int(value) if _NUMBER.fullmatch(value) else None
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        found = int(value) if value % 1 == 0 else None
    else:
        return None
    return found if found is not None and -_LARGEST_ID <= found < _LARGEST_ID else None


def concept(value: object) -> int | None:
    """A concept id, None if it is none: larger numbers are somebody's."""
    number = whole(value)
    return number if number is not None and 0 <= number < _LARGEST else None


def day(released: str | None) -> str:
    """The released date of a note in ISO form; the first of January where a year is all there is.

    Raises:
        InputError: there is none.
    """
    if released is not None:
        if re.fullmatch("[0-9]{4}", released):
            return f"{released}-01-01"
        if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", released):
            return released
    raise InputError("no date is released of it, and NOTE needs one")
