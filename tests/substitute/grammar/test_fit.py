"""Accents in capitals: those that the note writes, or none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpdeid.document import Surrogate, rewrite
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import EpsilonPerDay, Loss, NoGuarantee
from dpdeid.substitute.fit import unaccented
from tests.substitute.making import marked


def put(note: str, *surrogates: str, strategy: str = "test") -> str:
    record, mentions = marked(note)
    (doc,) = record.documents
    drawn = [Surrogate(m, text, strategy) for m, text in zip(mentions, surrogates, strict=True)]
    return rewrite(doc.text, list(unaccented(doc.text, drawn)))


@pytest.mark.parametrize(
    ("note", "surrogate", "out"),
    [
        ("Mme «FIRST_NAME:HELENE»", "ÉTIENNETTE", "Mme ETIENNETTE"),
        ("MME «FIRST_NAME:MARIE», NEE A NICE", "ZOÉ", "MME ZOE, NEE A NICE"),
        ("NÉE, «FIRST_NAME:MARIE», À NICE", "ZOÉ", "NÉE, ZOÉ, À NICE"),
        ("NÉE : «FIRST_NAME:HELENE»", "ZOÉ", "NÉE : ZOE"),
        ("Mme «FIRST_NAME:HÉLÈNE»", "ZOÉ", "Mme ZOÉ"),
        ("Mme «FIRST_NAME:Helene»", "Zoé", "Mme Zoé"),
        ("vit à «CITY:NICE»", "ÉVREUX", "vit à EVREUX"),
        ("vit à «CITY:ALÈS»", "ÉVREUX", "vit à EVREUX"),
        ("NÉ À «CITY:NICE»", "ÉVREUX", "NÉ À ÉVREUX"),
        ("LE «DATE:12 MARS»", "3 FÉVRIER", "LE 3 FEVRIER"),
        ("AU «CITY:MANS»", "BŒUF-L’HAŸ", "AU BOEUF-L’HAY"),
        ("À l'hôpital «CITY:NICE»", "ÉVREUX", "À l'hôpital EVREUX"),
        ("chambre «ROOM:B»", "É", "chambre É"),
    ],
)
def test_capitals_have_the_accents_of_their_note(note: str, surrogate: str, out: str) -> None:
    assert put(note, surrogate) == out


@pytest.mark.parametrize(
    ("loss", "out"),
    [(NoGuarantee("shift"), "8 AOÛT 2019"), (EpsilonPerDay(Fraction(1)), "8 AOUT 2019")],
)
def test_only_a_date_without_a_guarantee_shows_its_own_accents(loss: Loss, out: str) -> None:
    record, (mention,) = marked("LE «DATE:5 FÉVRIER 2021»")
    charge = Charge("u", "e", "dates", loss)
    (shown,) = unaccented(
        record.documents[0].text, [Surrogate(mention, "8 AOÛT 2019", "dates", (charge,))]
    )
    assert shown.text == out


def test_a_long_note_without_any_accent_gets_none() -> None:
    note = "Patiente vue ce jour en consultation, etat general conserve. " * 6
    assert put(note + "«FIRST_NAME:helene»", "zoé") == note + "zoe"
    assert put("Elle va bien. «FIRST_NAME:Marie»", "Zoé") == "Elle va bien. Zoé"
    assert put(note + "À «FIRST_NAME:Marie»", "Zoé") == note + "À Zoé"


def test_the_kind_of_an_institution_is_written_as_it_was() -> None:
    assert put("«HOSPITAL:MATERNITÉ DES LILAS»", "MATERNITÉ DES ÉRABLES") == "MATERNITÉ DES ÉRABLES"
    assert put("«HOSPITAL:CHU DE BESANÇON»", "CHU DE NÎMES") == "CHU DE NIMES"


def test_what_a_policy_keeps_stays() -> None:
    assert put("A «CITY:NICE»", "ÉVREUX", strategy="keep") == "A ÉVREUX"


def test_a_place_says_nothing_of_its_own_accents() -> None:
    """Else the surrogate of a town would tell that the town has none."""
    for town in ("NICE", "ORLÉANS", "ORLEANS"):
        assert put(f"vit à «CITY:{town}»", "ÉVREUX") == "vit à EVREUX"
        assert put(f"NÉ À «CITY:{town}»", "ÉVREUX") == "NÉ À ÉVREUX"
