"""Values: no patient text in any repr, and one left-to-right rewrite."""

from __future__ import annotations

import datetime as dt
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import (
    LONGEST,
    Deidentified,
    Document,
    Failure,
    Mention,
    Record,
    Span,
    Surrogate,
    rewrite,
)
from dpdeid.errors import InputError
from dpdeid.labels import Label, Sex
from dpdeid.spans import disjoint
from dpdeid.testing.strategies import spans
from tests.french.test_days import NAT

SECRET = "Xylophonia"


def test_no_repr_shows_patient_text() -> None:
    doc = Document(
        "n1",
        f"Mme {SECRET}",
        SECRET,
        dt.date(2021, 3, 12),
        {Label.LAST_NAME: (SECRET,)},
        Sex.FEMALE,
    )
    mention = Mention(0, Span(4, 14, Label.LAST_NAME), SECRET)
    surrogate = Surrogate(mention, SECRET, "people", value=SECRET)
    values = (doc, doc.tokens, mention, surrogate, Record("u", (doc,)),
              Deidentified("n1", "text", surrogates=(surrogate,)))  # fmt: skip
    for value in values:
        assert SECRET not in repr(value)
        assert "2021" not in repr(value)


def test_a_document_pickles_without_its_tokens_and_comes_back_equal() -> None:
    doc = Document("n", "Mme Le Goff", known={Label.LAST_NAME: ("Le Goff",)})
    assert len(doc.tokens) == 3
    again = pickle.loads(pickle.dumps(doc))
    assert again == doc
    assert again.tokens == doc.tokens


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", True),
        ("id", 1.5),
        ("id", None),
        ("text", None),
        ("text", b"x"),
        ("patient_id", False),
        ("patient_id", 3.0),
        ("note_date", SECRET),
        ("note_date", 20240101),
        ("known", SECRET),
        ("known", {Label.LAST_NAME: SECRET}),
        ("known", {Label.LAST_NAME: (3,)}),
        ("known", {SECRET: ("x",)}),
        ("known", {3: ("x",)}),
        ("sex", SECRET),
        ("sex", 1),
        ("date_shift", "3"),
    ],
)
def test_a_field_of_another_type_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(InputError, match=field) as caught:
        Document(**{"id": "a", "text": "x", field: value})  # type: ignore[arg-type]
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("field", ["id", "patient_id", "note_date", "sex"])
@pytest.mark.parametrize("missing", [float("nan"), NAT])
def test_a_missing_value_of_pandas_is_refused_by_name(field: str, missing: object) -> None:
    with pytest.raises(InputError, match=f"the {field} of a Document is a missing value"):
        Document(**{"id": "a", "text": "x", field: missing})  # type: ignore[arg-type]


def test_known_facts_go_by_labels_or_their_names() -> None:
    told = {"LAST_NAME": ["Blanc"], "last_name": ("Roux",), Label.ZIP: ("29200",)}
    doc = Document("n", "x", known=told)  # type: ignore[arg-type]
    assert doc.known == {Label.LAST_NAME: ("Blanc", "Roux"), Label.ZIP: ("29200",)}
    assert all(type(label) is Label for label in doc.known)
    with pytest.raises(InputError, match=r"key 2 .* is no label: .* LAST_NAME, FIRST_NAME,"):
        Document("n", "x", known={Label.ZIP: (), "nom": ("Blanc",)})  # type: ignore[dict-item]


def test_sex_is_one_or_its_letter() -> None:
    assert Document("n", "x", sex="f").sex is Sex.FEMALE  # type: ignore[arg-type]
    with pytest.raises(InputError, match="F, M or U"):
        Document("n", "x", sex="Z")  # type: ignore[arg-type]


def test_a_text_beyond_any_note_is_refused_by_its_length_alone() -> None:
    Document("n", "a" * LONGEST)
    with pytest.raises(InputError, match=r"the text has 20,000,001 characters; at most 20,000,000"):
        Document("n", "a" * (LONGEST + 1))


def test_a_whole_number_is_an_id() -> None:
    doc = Document(7, "x", np.int64(12))  # type: ignore[arg-type]
    assert doc == Document("7", "x", "12")
    assert (type(doc.id), type(doc.patient_id)) == (str, str)


@pytest.mark.parametrize("written", ["27/02/2024", "2024-02-27", "2024-02-27 10:00:00"])
def test_a_note_date_and_a_birth_date_are_read_alike(written: str) -> None:
    known = {Label.BIRTH_DATE: (written,)}
    doc = Document("a", "x", note_date=written, known=known)  # type: ignore[arg-type]
    assert doc.note_date == dt.date(2024, 2, 27)
    assert doc.known == {Label.BIRTH_DATE: ("2024-02-27",)}


def test_a_note_date_with_a_time_is_its_day() -> None:
    moment = dt.datetime(2024, 2, 27, 10)  # noqa: DTZ001 - hospital systems give local times
    assert Document("a", "x", note_date=moment) == Document("a", "x", note_date=moment.date())


def test_known_facts_are_copied() -> None:
    facts = {Label.CITY: ("Brest",)}
    doc = Document("n", "", known=facts)
    facts[Label.CITY] = ("Lyon",)
    assert doc.known == {Label.CITY: ("Brest",)}


@given(st.lists(spans(20)), st.text(min_size=20, max_size=20))
def test_text_outside_spans_is_untouched(proposed: list[Span], text: str) -> None:
    placed = disjoint(proposed)
    surrogates = [Surrogate(Mention(0, s, text[s.start : s.end]), "⟨⟩", "x") for s in placed]
    parts = rewrite(text, reversed(surrogates))
    kept = [c for i, c in enumerate(text) if not any(s.start <= i < s.end for s in placed)]
    assert parts.count("⟨⟩") == len(placed)
    assert parts.replace("⟨⟩", "") == "".join(kept)


def test_overlapping_replacements_release_nothing() -> None:
    def surrogate(start: int, end: int) -> Surrogate:
        return Surrogate(Mention(0, Span(start, end, Label.CITY), "x"), "y", "x")

    with pytest.raises(InputError, match="overlap"):
        rewrite("abcdef", [surrogate(0, 3), surrogate(2, 4)])
    with pytest.raises(InputError, match="outside"):
        rewrite("abc", [surrogate(1, 9)])


def test_a_failure_says_only_our_own_messages() -> None:
    assert Failure.of("n", InputError("row 3: no text")).error == "row 3: no text"
    assert Failure.of("n", ValueError(SECRET)).error == "internal error (ValueError)"
