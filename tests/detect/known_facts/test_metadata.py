"""Known facts in every writing, and known names that are also words."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.detect.known_facts.metadata import Metadata
from dpdeid.document import Document
from dpdeid.labels import Label, Role
from dpdeid.spans import disjoint
from tests.detect.anywhere import spans_lie_in_any_text


def found(text: str, **known: str) -> list[tuple[str, str]]:
    doc = Document("x", text, known={Label(k): (v,) for k, v in known.items()})
    return [(str(s.label), text[s.start : s.end]) for s in disjoint(Metadata()(doc))]


@pytest.mark.parametrize(
    "writing",
    ["Kervella", "KERVELLA", "kervella", "Kervellà", "Kerv-\nella"],
)
def test_surname_in_any_case_and_accent(writing: str) -> None:
    assert found(f"on revoit {writing} demain", LAST_NAME="Kervella") == [("LAST_NAME", writing)]


@pytest.mark.parametrize(
    "writing", ["LE GOFF", "Le Goff", "Le-Goff", "legoff", "LEGOFF", "Le\nGoff"]
)
def test_double_surname_however_it_is_joined(writing: str) -> None:
    assert found(f"on revoit {writing} demain", LAST_NAME="Le Goff") == [("LAST_NAME", writing)]


def test_parts_of_a_double_surname() -> None:
    assert found("M. Quentric revient", LAST_NAME="Kervella-Quentric") == [
        ("LAST_NAME", "Quentric")
    ]


def test_initials_beside_the_surname() -> None:
    names = found("J.-M. KERVELLA, Kervella J.", LAST_NAME="Kervella", FIRST_NAME="Jean-Marie")
    assert names == [
        ("FIRST_NAME", "J.-M."),
        ("LAST_NAME", "KERVELLA"),
        ("LAST_NAME", "Kervella"),
        ("FIRST_NAME", "J."),
    ]


@pytest.mark.parametrize("slip", ["KERVELA", "Kervelle", "Kerevlla", "Kervellla"])
def test_one_slip_near_a_title(slip: str) -> None:
    assert found(f"vu Mme {slip} ce jour", LAST_NAME="Kervella") == [("LAST_NAME", slip)]


def test_a_slip_that_is_a_word_far_from_a_title_is_a_word() -> None:
    assert found("le marchand passe", LAST_NAME="Marchant") == []


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("un petit ulcère", []),
        ("Petit ulcère", []),
        ("vu M. petit", [("LAST_NAME", "petit")]),
        ("on revoit Petit demain", [("LAST_NAME", "Petit")]),
        ("lit 3 PETIT", [("LAST_NAME", "PETIT")]),
    ],
)
def test_a_surname_that_is_a_word(text: str, hits: list[tuple[str, str]]) -> None:
    assert found(text, LAST_NAME="Petit") == hits


def test_an_eponym_is_not_the_patient() -> None:
    assert found("maladie de Berger chez M. Berger", LAST_NAME="Berger") == [
        ("LAST_NAME", "Berger")
    ]
    assert found("à la Saint-Blaise", FIRST_NAME="Blaise") == []


@pytest.mark.parametrize(
    "writing",
    [
        "01/12/1955",
        "1/12/55",
        "01.12.1955",
        "01-12-55",
        "1er décembre 1955",
        "1 DÉC 1955",
        "01 12 1955",
        "1955-12-01",
        "01121955",
        "1.XII.1955",
    ],
)
def test_birth_date_in_any_format(writing: str) -> None:
    assert found(f"né le {writing} à", BIRTH_DATE="1955-12-01") == [("BIRTH_DATE", writing)]


def test_another_date_is_not_the_birth_date() -> None:
    assert found("le 11/12/1955, le 01/12/19551, 1155", BIRTH_DATE="1955-12-01") == []


@pytest.mark.parametrize(
    "writing",
    ["06 12 34 56 78", "0612345678", "06.12.34.56.78", "+33 6 12 34 56 78", "0033612345678"],
)
def test_phone_with_any_separator_and_prefix(writing: str) -> None:
    assert found(f"tel {writing}.", PHONE="06-12-34-56-78") == [("PHONE", writing)]


def test_numbers() -> None:
    assert found("IPP 800 441 7263", PATIENT_ID="8004417263") == [("PATIENT_ID", "800 441 7263")]
    assert found("2 47 03 35 238 114 19", SSN="247033523811419") == [
        ("SSN", "2 47 03 35 238 114 19")
    ]
    assert found("247033523811", SSN="247033523811419") == []
    assert found("98004417263", PATIENT_ID="8004417263") == []


def test_address_over_two_lines() -> None:
    text = "27 rue de la\nMotte Brulon, 35510 CESSON SEVIGNE"
    hits = found(text, STREET="27 rue de la Motte-Brûlon", CITY="Cesson-Sévigné", ZIP="35510")
    assert hits == [
        ("STREET", "27 rue de la\nMotte Brulon"),
        ("ZIP", "35510"),
        ("CITY", "CESSON SEVIGNE"),
    ]


@pytest.mark.parametrize("value", ["", " ", "-", "?", "0", "null\x00", "a", "'", "1900"])
@pytest.mark.parametrize("label", list(Label))
def test_junk_facts_find_little_and_never_fail(label: Label, value: str) -> None:
    text = "M. Kervella a 3 ans et va bien. - ? 0 '"
    assert found(text, **{label: value}) == []


def test_score_and_role() -> None:
    doc = Document("x", "Kervella", known={Label.LAST_NAME: ("Kervella",)})
    (span,) = Metadata()(doc)
    assert (span.score, span.role, span.source) == (1.0, Role.PATIENT, "metadata")


@settings(deadline=None, max_examples=80)
@given(st.dates(dt.date(1900, 1, 1), dt.date(2024, 12, 31)), st.sampled_from("/.- "))
def test_every_birth_date_is_found(day: dt.date, mark: str) -> None:
    writing = f"{day:%d}{mark}{day:%m}{mark}{day:%Y}"
    assert found(f"né le {writing}", BIRTH_DATE=day.isoformat()) == [("BIRTH_DATE", writing)]


@given(st.text(max_size=20), st.text(max_size=12), st.text(max_size=20))
def test_any_text_and_fact_give_spans_inside(before: str, fact: str, after: str) -> None:
    text = before + fact + after
    doc = Document("x", text, known={Label.LAST_NAME: (fact,), Label.PATIENT_ID: (fact,)})
    for span in Metadata()(doc):
        assert 0 <= span.start < span.end <= len(text)


def test_known_facts_are_found_inside_any_text() -> None:
    known = {Label.LAST_NAME: ("Le Goff",), Label.PATIENT_ID: ("A-77120",)}
    spans_lie_in_any_text(
        lambda text: Metadata()(Document("x", text, known=known)),
        ["revu M. Le Goff au calme", "dossier no A-77120 du jour"],
        "LEGOFlegof A7120-'\n\u0301",
    )


@pytest.mark.parametrize(
    "writing",
    [
        "27 traverse du Vieux-Moulin bât. C",
        "27 traverse du Vieux Moulin",
        "traverse du Vieux Moulin",
        "27, TRAVERSE DU VIEUX MOULIN",
    ],
)
def test_parts_of_an_address(writing: str) -> None:
    street = "27 traverse du Vieux Moulin bât. C"
    assert found(f"vit {writing} ;", STREET=street) == [("STREET", writing)]


def test_an_address_with_another_street_type_and_no_bare_number() -> None:
    assert found("12 av. Foch", STREET="12 avenue Foch, Brest") == [("STREET", "12 av. Foch")]
    assert found("le 2145 et", STREET="2145, rue Fullum") == []


@pytest.mark.parametrize("writing", ["St Konan", "saint-konan", "St-Konan"])
def test_a_saint_written_out_or_not(writing: str) -> None:
    assert found(f"vit à {writing} ;", CITY="Saint-Konan") == [("CITY", writing)]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("à Tours, puis deux tours", ["Tours"]),
        ("3 rue haute, à voix haute", ["3 rue haute"]),
        ("vu par petit, un petit ulcère", ["petit"]),
        ("au rebberg", ["rebberg"]),
    ],
)
def test_places_of_others_are_found_where_they_are_written_as_names(
    text: str, hits: list[str]
) -> None:
    others = {
        Label.CITY: ("TOURS", "Rebberg"),
        Label.STREET: ("3 RUE HAUTE",),
        Label.LAST_NAME: ("PETIT",),
    }
    spans = Metadata()(Document("a", text, others=others))
    assert sorted(text[span.start : span.end] for span in spans) == sorted(hits)
