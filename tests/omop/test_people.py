"""What is known of persons."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from dpdeid.errors import UsageError
from dpdeid.omop.people import Person, people
from dpdeid.omop.places import Place
from dpdeid.omop.reading import Tables


class Held:
    """Tables in memory."""

    def __init__(self, **tables: list[dict[str, Any]]) -> None:
        self.held = tables

    def tables(self) -> list[str]:
        return [*self.held]

    def columns(self, table: str) -> list[str]:
        return [*dict.fromkeys(key for row in self.held[table] for key in row)]

    def rows(self, table: str, columns: list[str]) -> Any:
        return ([row.get(column) for column in columns] for row in self.held[table])


def known(person: list[dict[str, Any]], facts: list[dict[str, Any]] | None = None) -> Any:
    tables = Tables(Place.of("held"), Held(PERSON=person, sides=facts or []))
    return people(tables, "sides" if facts is not None else None)


def test_birth_sex_and_number() -> None:
    row = {"PERSON_ID": 1, "gender_concept_id": 8532, "year_of_birth": 1950, "month_of_birth": 3,
           "day_of_birth": 12, "person_source_value": 801}  # fmt: skip
    assert known([row]) == {
        "1": Person(
            8532,
            dt.date(1950, 3, 12),
            {"sex": "F", "birth_date": ["1950-03-12"], "ipp": ["801"]},
        )
    }


@pytest.mark.parametrize(
    ("row", "birth"),
    [
        ({"birth_datetime": "1950-03-12 00:00:00"}, dt.date(1950, 3, 12)),
        ({"birth_datetime": None, "year_of_birth": 1950}, None),
        ({"year_of_birth": 1950, "month_of_birth": 2, "day_of_birth": 30}, None),
        ({"year_of_birth": None, "month_of_birth": 2, "day_of_birth": 3}, None),
    ],
)
def test_a_birth_is_a_whole_day_or_none(row: dict[str, Any], birth: dt.date | None) -> None:
    assert known([{"person_id": 1, **row}])["1"].birth == birth


@pytest.mark.parametrize("year", [1800, 1])
def test_a_day_that_stands_for_none_is_none(year: int) -> None:
    row = {"year_of_birth": year, "month_of_birth": 1, "day_of_birth": 1}
    for given in (row, {"birth_datetime": f"{year:04}-01-01 00:00:00"}):
        assert known([{"person_id": 1, **given}])["1"] == Person(0)


def test_facts_of_several_rows_are_one_person() -> None:
    facts = [
        {"person_id": 1, "last_name": "A", "phone": None, "sex": "F", "date_shift": 5},
        {"person_id": 1, "last_name": "B", "phone": 12, "sex": None, "date_shift": None},
        {"person_id": None, "last_name": "C"},
        {"person_id": 9, "last_name": "D"},
    ]
    found = known([{"person_id": 1, "gender_concept_id": 8507}], facts)
    assert found["1"].facts == {
        "last_name": ["A", "B"], "phone": [12], "sex": "F", "date_shift": 5
    }  # fmt: skip
    assert found["9"] == Person(None, None, {"last_name": ["D"]})
    assert {*found} == {"1", "9"}


def test_a_column_that_is_no_fact_is_refused() -> None:
    with pytest.raises(UsageError, match="no fact is called last_nmae"):
        known([{"person_id": 1}], [{"person_id": 1, "last_nmae": "A"}])
    with pytest.raises(UsageError, match="no column person_id"):
        known([{"person_id": 1}], [{"last_name": "A"}])
