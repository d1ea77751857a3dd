"""What passes of a table, and names that users give."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from dpdeid.errors import InputError, UsageError
from dpdeid.omop.tables import NOTE, Column, also, concept, day, moved, plain, whole


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7),
        ("7", 7),
        (" -12 ", -12),
        (7.0, 7),
        (Decimal("7"), 7),
        (7.5, None),
        (Decimal("7.5"), None),
        (float("nan"), None),
        (float("inf"), None),
        (True, None),
        (None, None),
        ("", None),
        ("x7", None),
        ("٧", None),
        (2**63 - 1, 2**63 - 1),
        (2**63, None),
        (str(2**63), None),
        (dt.date(2020, 1, 1), None),
    ],
)
def test_whole_numbers_of_any_database(value: object, number: int | None) -> None:
    assert whole(value) == number


def test_a_number_of_a_patient_is_no_concept() -> None:
    assert concept(9201) == 9201
    assert concept(2_000_000_001) == 2_000_000_001  # a site's own
    for other in (-1, 2**31, 8012345678, "IPP", None):
        assert concept(other) is None


def test_dates_of_notes() -> None:
    assert day("2020-02-03") == "2020-02-03"
    assert day("2020") == "2020-01-01"
    for other in (None, "2020-2021", "mars 2020", ""):
        with pytest.raises(InputError, match="no date is released"):
            day(other)


def test_values_as_columns_have_them() -> None:
    assert Column("a", "date").typed("2020-01-02") == dt.date(2020, 1, 2)
    assert Column("a", "datetime").typed("2020-01-02") == dt.datetime(2020, 1, 2)  # noqa: DTZ001
    assert Column("a", "text").typed("2020-01-02") == "2020-01-02"
    assert Column("a", "date").typed(None) is None
    with pytest.raises(ValueError, match="argument"):
        NOTE.row([1])


def test_columns_to_move_by_table() -> None:
    given = ["VISIT.a", "visit.b", "Visit.A", "death.d"]
    assert also(given) == {"visit": ("a", "b"), "death": ("d",)}


@pytest.mark.parametrize("name", ["", "1a", "a b", 'a"b', "a;b", "a.b", "é", "a" * 64, "a\n"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="letters, digits and _"):
        plain(name, "--facts")


def test_what_passes_of_another_table() -> None:
    has = ["visit_source_value", "visit_concept_id", "start", "end_datetime", "person_id",
           "provider_id", "visit_occurrence_id", "note"]  # fmt: skip
    table = moved("visit", has, ("start", "end_datetime"))
    assert {column.name: column.kind for column in table.columns} == {
        "visit_concept_id": "integer",
        "start": "date",
        "end_datetime": "datetime",
        "person_id": "integer",
        "visit_occurrence_id": "integer",
    }
    with pytest.raises(UsageError, match="has no column stop"):
        moved("visit", has, ("stop",))
    with pytest.raises(UsageError, match="has no column person_id"):
        moved("visit", ["start"], ("start",))
