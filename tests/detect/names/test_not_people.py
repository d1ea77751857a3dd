"""Lone names that a measure, a sign or a device bears."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import Unit, View
from dpdeid.detect.names.not_people import is_measure, is_of_medicine
from dpdeid.document import Document


def read(text: str, name: str) -> tuple[View, Unit]:
    view = View(Document("x", text))
    unit = view.unit(view.texts.index(name))
    assert unit is not None
    return view, unit


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Torvald 31/100 à droite", "Torvald"),
        ("discopathie, Morlund 4, sans hernie", "Morlund"),
        ("Morlund III stable", "Morlund"),
        ("Seydoux négatif des deux côtés", "Seydoux"),
        ("Seydoux droit +, abdomen souple", "Seydoux"),
        ("angle : Morlund 8° ce jour", "Morlund"),
    ],
)
def test_a_grade_or_a_result_makes_a_measure(text: str, name: str) -> None:
    assert is_measure(*read(text, name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Morlund 12/03/1950 entrant", "Morlund"),
        ("Morlund 0612345678 à prévenir", "Morlund"),
        ("Morlund 78 ans", "Morlund"),
        ("Martine positive au Covid", "Martine"),
        ("Morlund va bien", "Morlund"),
        ("vu par Morlund\n4 gouttes", "Morlund"),
        ("Morlund", "Morlund"),
    ],
)
def test_a_person_is_no_measure(text: str, name: str) -> None:
    assert not is_measure(*read(text, name))


@pytest.mark.parametrize("text", ["bloc de Morlund", "lésions de Morlund", "angle d'Avenell"])
def test_a_noun_of_medicine_and_de_make_an_eponym(text: str) -> None:
    assert is_of_medicine(*read(text, text.split()[-1].removeprefix("d'")))


@pytest.mark.parametrize(
    "text", ["famille de Morlund", "fille de Morlund", "bloc de Martin", "Morlund", "de Morlund"]
)
def test_what_belongs_to_somebody_is_no_eponym(text: str) -> None:
    assert not is_of_medicine(*read(text, text.split()[-1]))
