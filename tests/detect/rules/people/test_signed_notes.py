"""Initials that close or open a line or sign a row, and nicknames before a short profession."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.people.signed_notes import signed_notes
from dpdeid.document import Document


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in signed_notes(Document("1", text), ())]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("16h | change, talon D rouge (RGB) | caro as |", ["caro", "RGB"]),
        ("nursing, risperdal donné (KD)\n", ["KD"]),
        ("(ELV) senior de garde prévenu", ["ELV"]),
        ("M. Payet (JC) accompagne le patient (MTH)", ["JC", "MTH"]),
        ("pansement (BT)\nrefait (BT)", ["BT", "BT"]),
        ("08h | constantes ok, selles + | KD |", ["KD"]),
        ("12/03 | soins faits | RAS | qv", ["qv"]),
        ("vu par fab ide ce jour", ["fab"]),
        ("vu par fab ide ; nath as", ["fab", "nath"]),
        ("toilette avec steph ash.", ["steph"]),
        ("PASS le 7 (assistante sociale : Mag)", ["Mag"]),
    ],
)
def test_who_signed(text: str, who: list[str]) -> None:
    assert found(text) == who


@pytest.mark.parametrize(
    "text",
    [
        "traitée pour hypertension (HTA)",
        "infection urinaire (IU)",
        "stade III (IV)",
        "conflit avec son chef (RH)",
        "sonde QZ en place, débit noté (QZ)",
        "08h | constantes | RAS |",
        "vu par cette ide",
        "drepano as, hbs",
        "tu as",
    ],
)
def test_nobody_signed(text: str) -> None:
    assert not found(text)
