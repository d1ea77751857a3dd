"""People told by what is done by them or said to them."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.rules.people.name_cues import TRIGGERS, agents
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def found(text: str, taken: tuple[Span, ...] = ()) -> list[str]:
    view = View(Document("x", text))
    triggers = [i for i in range(view.size) if view.folded[i] in TRIGGERS]
    return [text[s.start : s.end] for s in agents(view, triggers, taken)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("compte rendu traduit par Moïnati ce jour", "Moïnati"),
        ("plaie parée par Kerlubec-Bah hier", "Kerlubec-Bah"),
        ("fond d'œil du 12/12 par Delcroix normal", "Delcroix"),
        ("prévenir Kerlubac avant le staff", "Kerlubac"),
        ("la famille benzerraf est venue", "benzerraf"),
        ("Chère Fienneke,", "Fienneke"),
        ("lettre remise à Solveig le 9", "Solveig"),
        ("vu avec Hovnan au bloc", "Hovnan"),
    ],
)
def test_the_frame_names_a_person(text: str, name: str) -> None:
    assert found(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "exploré par Doppler",
        "relayé par Lovenox",
        "suivi par Infectio",
        "vu par le médecin",
        "adressé par Purpan",
        "transmis à Rouen",
        "prévenir le chirurgien",
        "famille prévenue",
        "avec Kerlubac",
        "vu par\nKerlubac",
        "vu par",
    ],
)
def test_things_places_and_specialties_are_no_persons(text: str) -> None:
    assert found(text) == []


def test_a_name_found_before_is_left_alone() -> None:
    text = "vu par Kerlubac hier"
    assert found(text, (Span(7, 15, Label.LAST_NAME, 0.9, "x"),)) == []
