"""Columns that are released beside notes go through the detectors first."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from dpdeid.document import Document
from dpdeid.engine import Deidentifier
from dpdeid.formats.rows import Row
from dpdeid.formats.tables.kept import Kept, texts
from dpdeid.labels import Label
from tests.conftest import KEY

ENGINE = Deidentifier("hnfc", key=KEY)


def faults(value: Any, **known: str) -> str:
    told = {Label(label): (text,) for label, text in known.items()}
    return Kept(ENGINE, ("motif",)).fault({"motif": value}, Document("n", "x", known=told))


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("Mme Durand, vue à Lyon", "1 LAST_NAME, 1 CITY"),
        ("Durand", "1 LAST_NAME"),
        ("0612345678", "1 PHONE"),
        (["rien", {"note": "Mme Durand"}], "1 LAST_NAME"),
        (b"Mme Durand", "1 bytes"),
        ("transféré au service de cardiologie du CHU de Nantes depuis le 3 mars", "HOSPITAL"),
    ],
)
def test_what_detectors_find_is_refused_with_counts_alone(value: Any, labels: str) -> None:
    fault = faults(value)
    assert fault.startswith("--keep motif: it holds ")
    assert labels in fault
    assert not any(word in fault for word in ("Durand", "Lyon", "0612", "Nantes"))


@pytest.mark.parametrize(
    "value",
    [
        *("I50.1", "cardiologie", "72 ans", "M", "oui", "HC", "infirmière", "35000", "12,5 %", ""),
        *(None, 12, 3.5, True, "12/03/2021", dt.date(2021, 3, 12), {"text": "Mme Durand"}),
    ],
)
def test_codes_numbers_dates_and_short_lists_pass(value: Any) -> None:
    assert faults(value) == ""


def test_what_is_told_of_the_patient_is_found_in_a_column() -> None:
    assert faults("appeler blanc demain") == ""
    assert "1 LAST_NAME" in faults("appeler blanc demain", LAST_NAME="Blanc")


def test_equal_values_are_read_once() -> None:
    class Counting:
        policy = ENGINE.policy
        asked = 0

        def detect(self, doc: Document) -> Any:
            self.asked += 1
            return ENGINE.detect(doc)

    engine = Counting()
    rows = [Row(f"row {n}", str(n), Document(str(n), "x"), extra={"w": "b"}) for n in range(9)]
    assert [*Kept(engine, ("w",)).rest(rows)] == rows  # type: ignore[arg-type]
    assert engine.asked == 1


def test_a_refused_row_says_which_column_and_the_others_go_on() -> None:
    kept = Kept(ENGINE, ("motif",))
    values = ("toux", "Mme Durand", "M. Durand, 0612345678")
    rows = [
        Row(f"row {n}", str(n), Document(str(n), "x"), extra={"motif": value})
        for n, value in enumerate(values)
    ]
    first, second, third = kept.rest(rows)
    assert first == rows[0]
    assert second.document is third.document is None
    assert second.error.startswith("row 1: --keep motif: it holds 1 LAST_NAME (--keep-as-it-is")
    assert [*kept.told()] == ["--keep motif: rows refused: 2, with 2 LAST_NAME, 1 PHONE"]


def test_numbers_as_long_as_a_telephone_are_texts() -> None:
    assert [*texts([1, 12345678, "06 12", "x", True, None, 2.5])] == ["12345678", "x"]
