"""Addresses of overseas France in small letters: where each part begins and ends."""

from __future__ import annotations

import pytest

from dpdeid.detect.places.overseas import before_medicine, overseas_addresses
from dpdeid.document import Document, Span
from dpdeid.labels import Label

FOUND = {
    "62 ans saint leu les hauts chemin dubuisson n 41 ulcere jbe d": [
        "saint leu les hauts",
        "chemin dubuisson n 41",
    ],
    "etang salé les hauts ligne des 400 n 88": ["etang salé les hauts", "ligne des 400 n 88"],
    "vit a 97414 l'entre deux avec sa fille": ["97414", "l'entre deux"],
    "fille a 97421 la riviere, tel le soir": ["97421", "la riviere"],
    "ligne 300 n 14 saint pierre 97410": ["ligne 300 n 14", "saint pierre", "97410"],
    "97240 le françois morne pitault n 9 bpco o2 2l": [
        "97240", "le françois", "morne pitault n 9"
    ],
    "98718 punaauia pk 12,5 cote montagne, irc": ["98718", "punaauia", "pk 12,5 cote montagne"],
    "97160 le moule section letaye plaie talon": ["97160", "le moule", "section letaye"],
    "97435 saint gilles les hauts chemin des combavas n°8 bis res vanille bat b porte 4": [
        "97435",
        "saint gilles les hauts",
        "chemin des combavas n°8 bis res vanille bat b porte 4",
    ],
    "mamoudzou mtsapere rue du stade 14 fièvre": ["mamoudzou", "mtsapere", "rue du stade 14"],
    "case au PK 12,500 côté montagne": ["PK 12,500 côté montagne"],
    "97460 st paul ; fille au tampon 14e km": ["97460", "st paul", "tampon"],
    "medecin payet à la saline les bains": ["la saline les bains"],
    "nouakchott quartier ksar îlot 12 villa 40": ["quartier ksar îlot 12 villa 40"],
    "jean marc lot. bellevue n°7 chemin st roch": ["lot. bellevue n°7 chemin st roch"],
    "dakar quartier ouakam villa 219": ["quartier ouakam villa 219"],
}  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_an_address_ends_before_medicine(text: str) -> None:
    spans = overseas_addresses(Document("x", text), ())
    assert [text[span.start : span.end] for span in spans] == FOUND[text]


@pytest.mark.parametrize(
    "text",
    [
        "ligne picc n 2 posée, anse diathermique n 3",
        "lot vaccin n 4521, section frontale n 2",
        "chirurgie du bras gauche, ravine",
        "permission de we, sans souci",
        "la plaine abdominale, le port du collier, la possession",
        "Apatou Wilner, né en 2019",
        "plaquettes 97400 ce jour",
        "réunion à la réunion de synthèse, ligne 3 posée",
        "PK 12,5 heures",
        "tumeur ferme, section nette, plateau tibial interne",
    ],
)
def test_what_is_none_stays(text: str) -> None:
    assert not [*overseas_addresses(Document("x", text), ())]


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("chemin dubuisson n 41 ulcere jbe", "chemin dubuisson n 41"),
        ("12 rue de l hopital civil", "12 rue de l hopital civil"),
        ("quinze avenue jean jaures troisieme", "quinze avenue jean jaures troisieme"),
    ],
)
def test_a_street_ends_at_its_number(text: str, street: str) -> None:
    span = before_medicine(Document("x", text), Span(0, len(text), Label.STREET, 0.5, "crf"))
    assert text[span.start : span.end] == street
