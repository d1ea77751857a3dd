"""Annotated notes with other identities."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import InputError
from dpdeid.french.check_digits import nir_key
from dpdeid.labels import Label, Sex
from dpdeid.synth.refill import refilled
from dpdeid.testing import marked, notes

LINE = (
    "Mme «LAST_NAME:BRUNEAU» «FIRST_NAME:Odette», née le «BIRTH_DATE:04/11/1950», vue par le Dr "
    "«LAST_NAME:Kerbiel» à «CITY:Angers» («ZIP:49000» «CITY:ANGERS»), «PHONE:06 39 98 41 27», NIR "
    "«SSN:2 50 11 49 007 123 12», IPP «PATIENT_ID:8001234567». Mme «LAST_NAME:Bruneau» "
    "(«FIRST_NAME:O.» «LAST_NAME:bruneau-Kerbiel») : «UNIT:cardiologie», «DATE:12/03», "
    "«AGE:70 ans»."
)


def annotated(line: str = LINE, **more: object) -> dict[str, Any]:
    text, spans = marked(line)
    entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
    return {"id": "n", "text": text, "entities": entities, **more}


def values(row: dict[str, Any], label: Label) -> list[str]:
    spans = [e for e in row["entities"] if e["label"] == label.value]
    return [row["text"][e["start"] : e["end"]] for e in spans]


def outside(row: dict[str, Any]) -> list[str]:
    parts, at = [], 0
    for entity in row["entities"]:
        parts.append(row["text"][at : entity["start"]])
        at = entity["end"]
    return [*parts, row["text"][at:]]


@given(st.integers(0, 10_000))
def test_the_text_between_spans_is_untouched(seed: int) -> None:
    row = annotated()
    other = refilled(row, seed)
    assert outside(other) == outside(row)
    assert [e["label"] for e in other["entities"]] == [e["label"] for e in row["entities"]]


@given(st.integers(0, 10_000))
def test_equal_values_stay_equal_in_any_case(seed: int) -> None:
    capital, doctor, small, both = values(refilled(annotated(), seed), Label.LAST_NAME)
    assert capital == small.upper()
    assert both.lower() == f"{small.lower()}-{doctor.lower()}"
    town, again = values(refilled(annotated(), seed), Label.CITY)
    assert town.upper() == again


def test_identities_are_other_ones_and_the_rest_stays() -> None:
    other = refilled(annotated(), 3)
    for gone in ("BRUNEAU", "Odette", "Kerbiel", "Angers", "49000", "8001234567", "98 41 27"):
        assert gone not in other["text"]
    for kept in ("cardiologie", "12/03", "70 ans"):
        assert kept in other["text"]
    assert other["id"] == "n-refill-3"
    assert refilled(annotated(), 3) == other != refilled(annotated(), 4)


@given(st.integers(0, 10_000))
def test_numbers_keep_their_form_and_their_checks(seed: int) -> None:
    other = refilled(annotated(), seed)
    (ssn,) = values(other, Label.SSN)
    assert re.fullmatch(r"2 50 11 \d\d \d{3} \d{3} \d\d", ssn)
    digits = ssn.replace(" ", "")
    assert digits[13:] == nir_key(digits[:13])
    (phone,) = values(other, Label.PHONE)
    assert re.fullmatch(r"06 3\d( \d\d){3}", phone)
    (born,) = values(other, Label.BIRTH_DATE)
    assert re.fullmatch(r"[12]\d/11/1950", born)
    (initial,) = [v for v in values(other, Label.FIRST_NAME) if "." in v]
    assert re.fullmatch(r"[^\W\d_]\.", initial)


def test_a_hyphen_without_a_name_behind_it_gets_none() -> None:
    (name,) = values(refilled(annotated("Mme «LAST_NAME:BRUNEAU-» ⏎ vue"), 1), Label.LAST_NAME)
    assert name.endswith("-")
    assert name.removesuffix("-")


def test_a_first_name_keeps_its_sex() -> None:
    from dpdeid import gazetteers
    from dpdeid.normalize import fold

    for seed in range(60):
        first = values(refilled(annotated(), seed), Label.FIRST_NAME)[0]
        assert gazetteers.first_names().get(fold(first)) is not Sex.MALE or fold(first) in (
            "camille", "dominique", "claude", "charlie", "alix", "sacha"
        )  # fmt: skip


def test_whole_names_are_parted() -> None:
    text = "Dr Yvonne Lartigue et Mme LARTIGUE Anna, Roux"
    spans = [(3, 18, "NAME_DOCTOR"), (26, 39, "NAME_PATIENT"), (41, 45, "NAME_PATIENT")]
    row = {
        "id": 1,
        "text": text,
        "silver": [{"start": a, "end": b, "label": label} for a, b, label in spans],
    }
    other = refilled(row, 1, key="silver")
    labels = [(e["label"], e["role"]) for e in other["entities"]]
    assert labels == [
        ("FIRST_NAME", "staff"),
        ("LAST_NAME", "staff"),
        ("LAST_NAME", "patient"),
        ("FIRST_NAME", "patient"),
        ("LAST_NAME", "patient"),
    ]
    assert "silver" not in other


def test_the_shipped_notes_can_be_refilled() -> None:
    for doc, spans in notes():
        entities = [{"start": s.start, "end": s.end, "label": s.label.value} for s in spans]
        row = {"id": doc.id, "text": doc.text, "entities": entities}
        assert outside(refilled(row, 5)) == outside(row)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": 1}, "row 4: no text"),
        ({"id": 1, "text": "a"}, "row 4: no list of spans under entities"),
        ({"text": "a", "entities": [7]}, "row 4: a span is not an object"),
        ({"text": "a", "entities": [{"start": 0, "end": 9, "label": "DATE"}]}, "outside the text"),
        ({"text": "a", "entities": [{"start": 0, "end": 1, "label": "X"}]}, "unknown label"),
        (
            {"text": "abc", "entities": [{"start": 0, "end": 2, "label": "DATE"}] * 2},
            "row 4: span 0-2 overlaps another",
        ),
    ],
)
def test_bad_rows_are_refused(row: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        refilled(row, 1, number=4)
