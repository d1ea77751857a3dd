"""Addresses that only a field or a verb tells."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules import Patterns
from dpdeid.document import Document
from dpdeid.labels import Label


def streets(text: str) -> list[str]:
    spans = [s for s in Patterns()(Document("x", text)) if s.source == "patterns/places.field"]
    return [text[s.start : s.end] for s in spans]


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("Adresse : derrière le dispensaire, case bleue, Nîmes", "derrière le dispensaire, case"),
        ("demeurant 17, op der Tomm, L-5832 Fentange", "17, op der Tomm"),
        ("domiciliée Sur-la-Cure 4, 2942 Alle", "Sur-la-Cure 4"),
        ("Domicile : Les Grouettes, 72290 Souligné", "Les Grouettes"),
        ("adresse : porte verte, Lyon", "porte verte"),
    ],
)
def test_the_value_is_a_street_without_its_town(text: str, street: str) -> None:
    assert [s[: len(street)] for s in streets(text)] == [street]
    assert not any("Lyon" in s or "Nîmes" in s for s in streets(text))


@pytest.mark.parametrize(
    "text",
    [
        "Adresse : inconnue",
        "Adresse : Lille. Profession : maçon",
        "Adresse mail : a.b@chu.fr",
        "Domicile : seule en maison, 3 marches",
        "retour à domicile : essayé, échec",
        "demeurant à Lyon depuis 3 ans",
        "demeurant",
        "Adresse :",
        "Domicile : 1015-Lausanne",
        "Domicile : CH-1015 Lausanne",
    ],
)
def test_what_is_no_address_is_left_alone(text: str) -> None:
    assert streets(text) == []


@pytest.mark.parametrize("street", ["3 chemin des Dames", "chemin des Dames", "rue du Lac 12"])
@pytest.mark.parametrize("between", [", ", " "])
def test_a_code_glued_to_its_town_is_no_house_number(street: str, between: str) -> None:
    text = f"{street}{between}1015-Lausanne"
    found = [s for s in Patterns()(Document("x", text)) if s.label is Label.STREET]
    assert found
    assert not any("1015" in text[s.start : s.end] for s in found)
