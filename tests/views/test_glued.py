"""Words stuck to a name are read apart; names and abbreviations are not torn."""

from __future__ import annotations

import pytest

from dpdeid.views.plain import reading_of

APART = {
    "MmeDURANDvue ce jour": "Mme DURAND vue ce jour",
    "ProfMARTINcardio": "Prof MARTIN cardio",
    "DrMARTINhépato": "Dr MARTIN hépato",
    "DrSantucciURGENCES": "Dr Santucci URGENCES",
    "DrVuVISC": "Dr Vu VISC",
    "MrLEROYse plaint": "Mr LEROY se plaint",
    "MBONNETpancréas": "M BONNET pancréas",
    "interneROSSIortho": "interne ROSSI ortho",
    "enfantLucasBERNARDfièvre39": "enfant Lucas BERNARD fièvre39",
    "MmeGIRARD-ROYlevée": "Mme GIRARD-ROY levée",
    "M.BLANCHARDchute": "M.BLANCHARD chute",
    "MmeLefebvreaccompagnée": "Mme Lefebvre accompagnée",
    "SS 178113512607345Nom": "SS 178113512607345 Nom",
}


@pytest.mark.parametrize("text", APART)
def test_words_stuck_to_a_titled_name_are_read_apart(text: str) -> None:
    assert reading_of(text).text == APART[text]


@pytest.mark.parametrize(
    "text",
    [
        "MBAYE vu",
        "NTproBNP",
        "PrEP",
        "McDONALD",
        "mmHg",
        "EHPADs",
        "DrMcDonald",
        "lot 12345678A",
        "A12Bis",
    ],
)
def test_a_name_is_not_torn(text: str) -> None:
    assert reading_of(text).text.replace("Dr ", "Dr") == text
