"""Names told by the age, the birth or the address beside them, and names parted or misread."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.names.whole_lines import identities
from dpdeid.detect.rules import Patterns
from dpdeid.document import Document
from dpdeid.labels import Role


def names(text: str) -> list[tuple[str, str]]:
    spans = sorted(identities(View(Document("1", text))))
    return [(span.label.value, text[span.start : span.end]) for span in spans]


@pytest.mark.parametrize(
    ("text", "surname", "given"),
    [
        ("QUERVRANNEC Yves (né le 1er avril 1939)", "QUERVRANNEC", "Yves"),
        ("QUERVRANNEC PIERRE\r\n9 rue Neuve", "QUERVRANNEC", "PIERRE"),
        ("08h30 ; Querv Mathis ; 01/10/2015 ;", "Querv", "Mathis"),
        ("vu ce jour\nN'DIAYE Fatou   née le 4 mai", "N'DIAYE", "Fatou"),
    ],
)
def test_a_line_that_opens_with_a_name_and_goes_on_with_a_clue(
    text: str, surname: str, given: str
) -> None:
    assert names(text) == [("LAST_NAME", surname), ("FIRST_NAME", given)]


@pytest.mark.parametrize(
    "text",
    [
        "Homme, 45 ans",
        "TDM TAP 23/01/2024 : stable",
        "Bilan du 12/03/2021",
        "La fièvre ne cède pas",
        "Le DCIRS ne comprend pas",
        "Durée : 3 mois",
    ],
)
def test_a_line_about_nobody_has_none(text: str) -> None:
    assert names(text) == []


def test_who_a_line_is_about_is_the_patient() -> None:
    found = identities(View(Document("1", "| LAGRANGE | 45 ans | F |")))
    assert [span.role for span in found] == [Role.PATIENT]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mr GAUTH1ER Paul", {"GAUTH1ER", "Paul"}),
        ("M. TESSIER-\nDUMOULIN va bien", {"TESSIER-\nDUMOULIN"}),
        ("Pr Hervé LE BRAS", {"Hervé", "LE BRAS"}),
        ("Pieter 't Hooft consulte", {"Pieter", "'t Hooft"}),
        ("Mme Garrigou/Tanneur", {"Garrigou", "Tanneur"}),
        ("Nom ........ : CARRIERE", {"CARRIERE"}),
        ("Christelle IDE : pansement", {"Christelle"}),
        ("cousin germain épileptique", set()),
        ("PICC line 4 Fr, Joyce One en place", set()),
    ],
)
def test_names_are_read_whole_and_no_further(text: str, found: set[str]) -> None:
    doc = Document("1", text)
    spans = {*Lookup()(doc), *Patterns()(doc)}
    assert {text[s.start : s.end] for s in spans if "NAME" in s.label} == found
