"""Places by name, only where the context allows it."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.places.index import longest, split
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.document import Document

DETECT = LookupPlaces()


def found(text: str) -> list[tuple[str, str]]:
    spans = sorted(DETECT(Document("note", text)))
    return [(str(s.label), text[s.start : s.end]) for s in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("M. Jean habite à Bermont 90400", [("CITY", "Bermont"), ("ZIP", "90400")]),
        ("jean habite bermont 3 rue pierre dole", [("CITY", "bermont")]),
        ("né à St-Étienne", [("CITY", "St-Étienne")]),
        ("domiciliée à SAINT ETIENNE", [("CITY", "SAINT ETIENNE")]),
        ("originaire de Fort-de-France", [("CITY", "Fort-de-France")]),
        ("horloger au Locle", [("CITY", "Locle")]),
        ("Metz, le 3 mai 2022", [("CITY", "Metz")]),
        ("Renens VD", [("CITY", "Renens"), ("CITY", "VD")]),
        ("né à Quimper (29)", [("CITY", "Quimper"), ("CITY", "29")]),
        ("4000 Liège", [("ZIP", "4000"), ("CITY", "Liège")]),
        ("4000, Liège", [("ZIP", "4000"), ("CITY", "Liège")]),
        ("1950 Sion", [("ZIP", "1950"), ("CITY", "Sion")]),
        ("genou opéré (1994, Lausanne)", [("CITY", "Lausanne")]),
        ("31300 toulouse", [("ZIP", "31300"), ("CITY", "toulouse")]),
        ("vit à Paris 12e", [("CITY", "Paris 12e")]),
        ("né à Rufisque (Sénégal)", [("CITY", "Rufisque"), ("COUNTRY", "Sénégal")]),
        ("M. Quervazou Dumè (Dominique), né en 1951", []),
        ("VIT A KAYES (MALI)", [("CITY", "KAYES"), ("COUNTRY", "MALI")]),
        ("une maison de Saint-Lunaire", [("CITY", "Saint-Lunaire")]),
        ("arrivé en France en 1994", [("COUNTRY", "France")]),
        ("habite dans le Finistère", [("CITY", "Finistère")]),
        (
            "travaille à Nantes, Angers et Cholet",
            [("CITY", w) for w in ("Nantes", "Angers", "Cholet")],
        ),
    ],
)
def test_places_in_context(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr Lille",
        "M. Paris est venu",
        "Mme Limoges, 82 ans",
        "score de Lille à 0,4",
        "critères d'Amsterdam",
        "J. Angers",
        "la plan de soins au lit",
        "il va bien au total",
        "Mme France Dupont",
        "en 2019 au bloc",
        "Cures le 19/05/22 et le 19/06/22",
    ],
)
def test_people_eponyms_and_words_are_no_places(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("written", ["L'Haÿ-les-Roses", "L'HAY LES ROSES", "l'haÿ les roses"])
def test_spelling_does_not_matter(written: str) -> None:
    assert found(f"domicilié à {written}") == [("CITY", written)]


def test_the_longest_name_wins() -> None:
    view = View(Document("note", "Saint-Pierre-et-Miquelon"))
    hit = longest(view, 0)
    assert hit is not None
    assert hit.last == view.size - 1


def test_a_name_may_be_broken_over_a_line() -> None:
    assert found("né à Saint-\nDenis") == [("CITY", "Saint-\nDenis")]


def test_abbreviations_are_written_out() -> None:
    assert split("Ste-Foy-lès-Lyon") == ("sainte", "foy", "les", "lyon")


def test_pickles_and_repeats() -> None:
    text = "né à Lyon, vit à 69003 Lyon"
    again = pickle.loads(pickle.dumps(DETECT))
    doc = Document("note", text)
    assert sorted(again(doc)) == sorted(DETECT(doc))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "né",
                "à",
                "Lyon",
                "(",
                ")",
                "69003",
                "St",
                "-",
                "'",
                "\n",
                "VD",
                "Dr",
                "Paris",
                "12",
                "e",
                ",",
            ]
        ),
        max_size=25,
    )
)
def test_spans_are_whole_tokens_of_any_text(words: list[str]) -> None:
    text = " ".join(words)
    doc = Document("note", text)
    edges = set(doc.tokens)
    starts, ends = {s for s, _ in edges}, {e for _, e in edges}
    assert all(s.start in starts and s.end in ends for s in DETECT(doc))
