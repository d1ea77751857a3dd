"""Units of a name, how far it goes, and which part is the surname."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.first_or_last_name import label
from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.names.reader import read
from dpdeid.document import Document
from dpdeid.labels import Label, Role


def named(text: str) -> list[tuple[str, str]]:
    """The parts of the name at the start of the text, as a title would promise it."""
    view = View(Document("x", text))
    spans = label(
        view, read(view, 0, 2), alone=Label.LAST_NAME, score=1, source="", role=Role.STAFF
    )
    return [(s.label[0], text[s.start : s.end]) for s in spans]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("LE GOFF Annick née", [("L", "LE GOFF"), ("F", "Annick")]),
        ("Annick LE GOFF", [("F", "Annick"), ("L", "LE GOFF")]),
        ("Annick Le Goff", [("F", "Annick"), ("L", "Le Goff")]),
        ("Denise Le cozic.", [("F", "Denise"), ("L", "Le cozic")]),
        ("Janine Vera toro, 64", [("F", "Janine"), ("L", "Vera toro")]),
        ("Laetitia B.", [("F", "Laetitia"), ("L", "B.")]),
        ("KERVELLA B.", [("L", "KERVELLA"), ("F", "B.")]),
        ("Jean Martin", [("F", "Jean"), ("L", "Martin")]),
        ("JEAN-PIERRE KERVELLA", [("F", "JEAN-PIERRE"), ("L", "KERVELLA")]),
        ("kervella rachid", [("L", "kervella"), ("F", "rachid")]),
        ("Anne de Kersauson", [("F", "Anne"), ("L", "de Kersauson")]),
        ("Jeanne de la BATIE-ROUX", [("F", "Jeanne"), ("L", "de la BATIE-ROUX")]),
        ("Kervella au bloc", [("L", "Kervella")]),
        ("Kervella, cardiologue", [("L", "Kervella")]),
        ("KERVELLA A CHUTE", [("L", "KERVELLA")]),
        ("Kervella FAV", [("L", "Kervella")]),
        ("Kervella QXB ce matin", [("L", "Kervella")]),
        ("KERVELLA HTAP", [("L", "KERVELLA")]),
        ("Annick PIO", [("F", "Annick"), ("L", "PIO")]),
        ("de garde", []),
        ("", []),
    ],
)
def test_parts_of_a_name(text: str, parts: list[tuple[str, str]]) -> None:
    assert named(text) == parts


@pytest.mark.parametrize("text", ["J.-L.", "P.Y.", "j-f", "Ph.", "J."])
def test_initials_are_one_unit(text: str) -> None:
    view = View(Document("x", text + " Kervella"))
    unit = view.unit(0)
    assert unit is not None
    assert unit.shape == "I"
    assert view.text[view.starts[0] : view.ends[unit.stop - 1]] == text


def test_a_unit_that_runs_into_a_number_is_a_code() -> None:
    assert View(Document("x", "FF8503")).unit(0) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ker-\nlubac sort", [("L", "Ker-\nlubac")]),
        ("D'AN-\nGELO a vu", [("L", "D'AN-\nGELO")]),
        ("O'CON-\nNOR a vu", [("L", "O'CON-\nNOR")]),
        ("LEFEB-\nVRE-DUMAS", [("L", "LEFEB-\nVRE-DUMAS")]),
        ("Le Go-\nff", [("L", "Le Go-\nff")]),
        ("Schwar-\r\ntzenberg", [("L", "Schwar-\r\ntzenberg")]),
        ("Roux-\nsortie demain", [("L", "Roux")]),
        ("BERNARD-\nCardiologue", [("L", "BERNARD")]),
        ("Ker- lubac", [("L", "Ker")]),
    ],
)
def test_a_name_goes_on_behind_a_hyphen_at_the_end_of_a_line(
    text: str, parts: list[tuple[str, str]]
) -> None:
    assert named(text) == parts


@pytest.mark.parametrize("text", ["Amoxi-\ncilline", "HOSPI-\nTALISATION", "Pneumo-\npathie"])
def test_a_word_parted_at_the_end_of_a_line_is_no_name(text: str) -> None:
    unit = View(Document("x", text)).unit(0)
    assert unit is not None
    assert unit.stop == 1
