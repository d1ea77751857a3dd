"""Addresses and places by form: beyond the row examples, forms nobody wrote a row for."""

from __future__ import annotations

import pytest

from dpdeid.detect.rules.places import towns_by_address
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Table
from dpdeid.document import Document, Span
from dpdeid.spans import disjoint
from tests.detect.anywhere import plain, spans_lie_in_any_text

TABLE = Table(rows("places"))


def spans(text: str) -> list[Span]:
    doc = Document("note", text)
    found = TABLE.scan(doc)
    return [*found, *towns_by_address(doc, tuple(found))]


def found(text: str, label: str) -> list[str]:
    return [text[s.start : s.end] for s in disjoint(spans(text)) if s.label == label]


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("Demeurant 14 avenue du Général-Leclerc, 69003 Lyon", "14 avenue du Général-Leclerc"),
        ("12 BIS RUE DES LILAS 59000 LILLE", "12 BIS RUE DES LILAS"),
        ("12 bis, rue des Lilas\n59000 Lille", "12 bis, rue des Lilas"),
        ("habite 3 rue pierre dole", "3 rue pierre dole"),
        ("14-16 bd Victor Hugo - 35000 Rennes", "14-16 bd Victor Hugo"),
        ("Av. du 14-Avril 7, 1020 Renens", "Av. du 14-Avril 7"),
        ("Domicile : rue de Lausanne 44", "rue de Lausanne 44"),
        ("Quai Mativa 9 bte 3, 4020 Liège", "Quai Mativa 9 bte 3"),
        (
            "5 allée des Tilleuls, bât. C, appt 12, 44000 Nantes",
            "5 allée des Tilleuls, bât. C, appt 12",
        ),
        ("2 place du 8 mai 1945, 13001 Marseille", "2 place du 8 mai 1945"),
        ("41 rue du Fau-\nbourg-Royal, 37000 Tours", "41 rue du Fau-\nbourg-Royal"),
        ("lieu-dit Kerbiquet, 35380", "lieu-dit Kerbiquet"),
        ("wohnhaft Bahnhofstrasse 12, Zürich", "Bahnhofstrasse 12"),
        ("adresse Korte Nieuwstraat 14 bus 5, Gent", "Korte Nieuwstraat 14 bus 5"),
        ("vit Veemarkt 3, 2800 Mechelen", "Veemarkt 3"),
        ("woont Steenweg naar Halle 210 bus 2, 1652 Alsemberg", "Steenweg naar Halle 210 bus 2"),
        ("habite Oude Beestenmarkt 8, Leuven", "Oude Beestenmarkt 8"),
        ("CHU, BP 40217, 38043 Grenoble", "BP 40217"),
        ("M. Durand\n9, en Fournirue\n57000 Metz", "9, en Fournirue"),
        ("12 R. DES LILAS, 59000 LILLE", "12 R. DES LILAS"),
        ("rue Haute n° 12, Namur", "rue Haute n° 12"),
        ("Château du Plessis – 37190 Azay", "Château du Plessis"),
        ("Gouttes-d'Or 78, CH-2008 Neuchâtel", "Gouttes-d'Or 78"),
        ("residence les capitouls bat c", "residence les capitouls bat c"),
    ],
)
def test_streets(text: str, street: str) -> None:
    assert found(text, "STREET") == [street]


@pytest.mark.parametrize(
    "text",
    [
        "2 cours de yoga par semaine",
        "place du traitement dans la prise en charge",
        "16/11 : passage en USC",
        "tombé dans la rue hier soir",
        "lit 4 place assise",
        "il reste 3 cours",
    ],
)
def test_no_street(text: str) -> None:
    assert found(text, "STREET") == []


@pytest.mark.parametrize(
    ("text", "code", "city"),
    [
        ("44550 Montoir-de-Bretagne", "44550", "Montoir-de-Bretagne"),
        ("97200 FORT-DE-FRANCE", "97200", "FORT-DE-FRANCE"),
        ("31059 Toulouse cedex 9", "31059", "Toulouse"),
        ("CH-1950 Sion", "1950", "Sion"),
        ("née à Saint-Aubin-du-Vieil-Évreux (27930)", "27930", "Saint-Aubin-du-Vieil-Évreux"),
        ("8 rue Haute, 1175 Lavigny", "1175", "Lavigny"),
        ("8 rue Haute\n   1663 Gruyères", "1663", "Gruyères"),
        ("12 rue Basse / CH-1011 Lausanne", "1011", "Lausanne"),
    ],
)
def test_postal_code_and_city(text: str, code: str, city: str) -> None:
    assert found(text, "ZIP") == [code]
    assert city in found(text, "CITY")


def test_a_postal_code_may_stand_alone_behind_a_street() -> None:
    assert found("vit 129 boulevard de la Madeleine 06200 avec", "ZIP") == ["06200"]


@pytest.mark.parametrize(
    "text", ["plaquettes 24350 UI", "12500 leucocytes", "99999 Test", "T3N2M0"]
)
def test_no_postal_code(text: str) -> None:
    assert found(text, "ZIP") == []


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("né le 3 mai 1950 à Xertigny-sous-Bois", "Xertigny-sous-Bois"),
        ("domiciliée à Trouville", "Trouville"),
        ("tribu de Hnapalu", "Hnapalu"),
        ("dans le 6e arrondissement", "6e arrondissement"),
        ("enfants en région parisienne", "région parisienne"),
    ],
)
def test_unlisted_places_by_their_cue(text: str, city: str) -> None:
    assert found(text, "CITY") == [city]


def test_spans_lie_inside_any_text() -> None:
    spans_lie_in_any_text(spans, plain(rows("places")), "12 rueavdlsCÉ'-,\n().BP05")
