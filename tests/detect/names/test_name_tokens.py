"""A noun protects the name after it; nothing else does."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import eponym_tokens, without_eponyms
from dpdeid.document import Document
from dpdeid.testing import marked


def guarded(text: str) -> list[str]:
    doc = Document("x", text)
    return [doc.tokens.texts[i] for i in sorted(eponym_tokens(doc))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("maladie de Charcot", ["Charcot"]),
        ("maladie de parkinson", ["parkinson"]),
        ("score de Hoehn et Yahr à 2", ["Hoehn", "Yahr"]),
        ("syndrome de Guillain-Barré", ["Guillain", "Barré"]),
        ("syndrome myasthénique de Lambert-Eaton", ["Lambert", "Eaton"]),
        ("névralgie d'Arnold", ["Arnold"]),
        ("prothèse Corail posée", ["Corail"]),
        ("type Moore", ["Moore"]),
        ("anse en Y de ROUX", ["ROUX"]),
        ("un Gilles de la Tourette connu", ["Gilles", "de", "la", "Tourette"]),
        ("M. Gilles de la Tourette", []),
        ("croix de Kerboul", ["Kerboul"]),
        ("angle de Fowler et Philip", ["Fowler", "Philip"]),
        ("loge graisseuse de Kerboul", ["Kerboul"]),
        ("critères de Norris et O'Brien", ["Norris", "Brien"]),
        ("score de Merle d'Aubigné-Postel", ["Merle", "Aubigné", "Postel"]),
        ("cadre de santé Kervella", []),
        ("maladie de Mme Kervella", []),
        ("intervention de Nolwenn", []),
        ("cas index Élodie, sa sœur", []),
        ("index de Delphine", ["Delphine"]),
        ("signe de gravité", []),
        ("fracture\nKERVELLA Nolwenn", []),
        ("maladie", []),
    ],
)
def test_the_name_part_of_a_phrase(text: str, names: list[str]) -> None:
    assert guarded(text) == names


def test_a_tagger_may_not_name_an_eponym_but_whoever_has_a_title() -> None:
    text, spans = marked(
        "Maladie de «LAST_NAME:Kervadec» chez M. «LAST_NAME:Kervadec», score de «CITY:Brest», "
        "signe de «LAST_NAME:Kervadec chez» lui"
    )
    kept = without_eponyms(Document("n", text), spans)
    assert kept == spans[1:], "the first is an eponym; labels of no person and longer spans stay"
    assert without_eponyms(Document("n", "vu par Morvan"), ()) == ()
