"""What PERSON and a table of facts tell of the persons whose notes are released."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dpdeid.errors import UsageError
from dpdeid.formats.rows import FACTS
from dpdeid.french.calendar import day_of
from dpdeid.omop.reading import Tables
from dpdeid.omop.tables import concept, whole
from dpdeid.substitute.dates.written.parser import EARLIEST

_SEXES: Final = {8507: "M", 8532: "F"}
_OF_PERSON: Final = (
    "person_id",
    "gender_concept_id",
    "year_of_birth",
    "month_of_birth",
    "day_of_birth",
    "birth_datetime",
    "person_source_value",
)
_SINGLE: Final = ("sex", "date_shift")


@dataclass(frozen=True, slots=True)
class Person:
    """One person.

    Args:
        gender: the concept, 0 where there is none; None if the person is not in PERSON.
        birth: the day, None where one of its parts is not known or it lies before `EARLIEST`.
        facts: as the key "patient" of a row has them (`dpdeid.formats.rows.facts`).
    """

    gender: int | None = None
    birth: dt.date | None = field(default=None, repr=False)
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


def people(tables: Tables, facts: str | None) -> dict[str, Person]:
    """The persons by their ids; a row without an id is none.

    Args:
        facts: the table of facts: person_id, and columns called as keys of facts; a person may
            have several rows.

    Raises:
        UsageError: a table is not there, or that of facts has a column that is no fact.
    """
    told = {} if facts is None else _facts(tables, facts)
    found = {}
    for row in tables.rows("person", _OF_PERSON):
        number = whole(row.get("person_id"))
        if number is not None:
            found[str(number)] = _person(row, told.pop(str(number), {}))
    return found | {one: Person(facts=known) for one, known in told.items()}


def _person(row: Mapping[str, Any], told: dict[str, Any]) -> Person:
    gender = concept(row.get("gender_concept_id")) or 0
    birth = _birth(row)
    known = dict(told)
    if gender in _SEXES:
        known.setdefault("sex", _SEXES[gender])
    if birth is not None:
        known["birth_date"] = [birth.isoformat(), *known.get("birth_date", ())]
    if row.get("person_source_value") is not None:
        known["ipp"] = [str(row["person_source_value"]), *known.get("ipp", ())]
    return Person(gender, birth, known)


def _birth(row: Mapping[str, Any]) -> dt.date | None:
    given = row.get("birth_datetime")
    if given is not None and (day := day_of(given)) is not None:
        return day if day.year >= EARLIEST else None
    parts = [whole(row.get(f"{part}_of_birth")) for part in ("year", "month", "day")]
    try:
        day = dt.date(*(part or 0 for part in parts))
    except ValueError:
        return None
    return day if day.year >= EARLIEST else None


def _facts(tables: Tables, name: str) -> dict[str, dict[str, Any]]:
    allowed = ("person_id", *FACTS, *_SINGLE)
    has = tables.columns(name)
    if other := sorted({*has} - {*allowed}):
        raise UsageError(
            f"--facts {name}: no fact is called {other[0]}; allowed: {', '.join(allowed)}"
        )
    if "person_id" not in has:
        raise UsageError(f"--facts {name} has no column person_id")
    told: dict[str, dict[str, Any]] = {}
    for row in tables.rows(name, allowed):
        if (number := whole(row.pop("person_id"))) is None:
            continue
        known = told.setdefault(str(number), {})
        for key, value in row.items():
            if value is None:
                continue
            if key in _SINGLE:
                known.setdefault(key, value)
            else:
                known.setdefault(key, []).append(value)
    return told
