"""Words that name things where they stand."""

from __future__ import annotations

import pytest

from dpdeid.detect.decision.things import is_thing_there
from dpdeid.document import Document


def word(text: str, part: str) -> tuple[Document, int]:
    doc = Document("a", text)
    return doc, doc.tokens.over(text.index(part), text.index(part) + 1)[0]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("avis Vicryl ce jour", "Vicryl"),
        ("Dr. med", "med"),
        ("dossier visa France", "France"),
        ("arrivée en Georgia", "Georgia"),
        ("Valacyclovir, repas mixé", "Valacyclovir"),
        ("poursuite de Amitriptylin", "Amitriptylin"),
        ("Née à Katowice EN POLOGNE", "EN"),
        ("12;80 ans;D;VASSEUR", "D;V"),
        ("ROUX|Marie|F|19680930|", "F"),
        ("PICC-line en place", "line"),
        ("4 rue du Marché, CH-2900 Porrentruy", "CH"),
        ("Bonjour, suite au rendez-vous", "Bonjour"),
    ],
)
def test_a_thing_is_one_where_it_stands(text: str, part: str) -> None:
    assert is_thing_there(*word(text, part))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("avis Zorguelec ce jour", "Zorguelec"),
        ("Pochette N1303K, dépistage néonatal", "N1303K"),
        ("MME K E R V E L L A", "K"),
        ("Sexe : F, NOM F_O_X_ M_A_X_", "X"),
        ("née à Porrentruy", "Porrentruy"),
        ("infirmière : France, née à Lyon", "France"),
        ("|D|U|P|O|N|T|", "D"),
        ("vu par D; revu", "D"),
    ],
)
def test_a_name_is_no_thing(text: str, part: str) -> None:
    assert not is_thing_there(*word(text, part))
