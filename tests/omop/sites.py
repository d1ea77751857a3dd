"""A small hospital in OMOP tables, laid into any place, and tables read back from any."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdeid.omop.tables import NOTE, PERSON, Table

VISIT = Table.of(
    "visit_occurrence",
    "visit_occurrence_id integer person_id integer visit_concept_id integer visit_start_date date "
    "visit_end_datetime datetime visit_source_value text provider_id integer",
)
FACTS = Table.of("names", "person_id integer last_name text first_name text phone text")
D, T = dt.date, dt.datetime
Rows = Mapping[Table, Sequence[Mapping[str, Any]]]

SECRETS = ("Zorguelec", "Quembreval", "0612345678", "8012345678", "12/03/1950", "05/02/2021",
           "CR-4411", "secret title", "visit-src-9", "gender-src", "1950-03-12")  # fmt: skip


def note(number: int, person: int | None, day: D | None, text: str | None, **more: Any) -> dict:
    given = {
        "note_id": number,
        "person_id": person,
        "note_date": day,
        "note_datetime": None if day is None else T(day.year, day.month, day.day, 10, 11, 12),
        "note_type_concept_id": 44814637,
        "note_class_concept_id": 3030023,
        "note_title": "secret title",
        "note_text": text,
        "encoding_concept_id": 32678,
        "language_concept_id": 4180186,
        "provider_id": 77,
        "note_source_value": "CR-4411",
        "note_event_id": 4411,
    }
    return given | more


NOTES = [
    note(10, 1, D(2021, 2, 6), "Mme Zorguelec, née le 12/03/1950, tél 0612345678, "
         "entrée le 05/02/2021. IPP 8012345678.", visit_occurrence_id=900),
    note(11, 1, D(2021, 3, 1), "Mme Zorguelec va bien.", visit_occurrence_id=901),
    note(12, 2, D(2020, 1, 2), "M. Quembreval, vu ce jour."),
]  # fmt: skip
SITE: Rows = {
    NOTE: NOTES,
    PERSON: [
        {"person_id": 1, "gender_concept_id": 8532, "year_of_birth": 1950, "month_of_birth": 3,
         "day_of_birth": 12, "race_concept_id": 8527, "person_source_value": "8012345678",
         "gender_source_value": "gender-src", "location_id": 4411},
        {"person_id": 2, "gender_concept_id": 8507, "year_of_birth": 1961},
        {"person_id": 3, "gender_concept_id": 8507, "birth_datetime": T(1970, 5, 6)},
    ],
    VISIT: [
        {"visit_occurrence_id": 900, "person_id": 1, "visit_concept_id": 9201,
         "visit_start_date": D(2021, 2, 5), "visit_end_datetime": T(2021, 2, 8, 9),
         "visit_source_value": "visit-src-9", "provider_id": 4411},
        {"visit_occurrence_id": 901, "person_id": 1, "visit_concept_id": 9202,
         "visit_start_date": D(2021, 3, 1)},
        {"visit_occurrence_id": 902, "person_id": 3, "visit_concept_id": 9202,
         "visit_start_date": D(2019, 7, 1), "visit_end_datetime": T(2999, 1, 1)},
    ],
    FACTS: [
        {"person_id": 1, "last_name": "Zorguelec", "first_name": "Anne", "phone": "0612345678"},
        {"person_id": 2, "last_name": "Quembreval"},
    ],
}  # fmt: skip


@dataclass(frozen=True)
class Site:
    """Where tables may be: `name(one)` is a place called `one`, as a user types it."""

    kind: str
    folder: Path
    server: Any = None

    def name(self, one: str) -> str:
        if self.kind == "parquet":
            return str(self.folder / one)
        if self.kind == "duckdb":
            return str(self.folder / f"{one}.duckdb")
        return f"{self.server.url()}?schema={one}"

    def fill(self, one: str, rows: Rows) -> str:
        """Lays tables into a place, and returns its name."""
        from dpdeid.omop import writing
        from dpdeid.omop.places import Place

        self.make(one)
        with writing.opened(Place.of(self.name(one)), rows) as store:
            for table, given in rows.items():
                store.write(table, [table.row([iso(row.get(n)) for n in table.names])
                                    for row in given])  # fmt: skip
        return self.name(one)

    def make(self, one: str) -> str:
        """An empty place, where one is needed before it is written."""
        if self.kind == "postgres":
            self.server.execute(f'DROP SCHEMA IF EXISTS "{one}" CASCADE', f'CREATE SCHEMA "{one}"')
        return self.name(one)

    def read(self, one: str) -> dict[str, list[dict[str, Any]]]:
        """All tables of a place, in small letters, rows in their order."""
        from dpdeid.omop import reading
        from dpdeid.omop.places import Place

        with reading.opened(Place.of(self.name(one))) as tables:
            names = [name.lower() for name in tables.store.tables()]
            return {name: [*tables.rows(name, [*tables.columns(name)])] for name in names}

    def exists(self, one: str) -> bool:
        """Whether anything was written there, half or whole."""
        if self.kind == "postgres":
            return bool(self.read(one))
        return any(path.name.startswith(one) for path in self.folder.iterdir())


def iso(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, T):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, D) else value


def cells(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """All cells of a release as one text."""
    return "\n".join(str(v) for rows in tables.values() for row in rows for v in row.values())
