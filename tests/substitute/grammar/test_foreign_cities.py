"""Towns before a released country lie in it; nothing but what is released decides."""

from __future__ import annotations

import re

import pytest

from dpdeid.document import Surrogate, rewrite
from dpdeid.engine import Deidentifier
from dpdeid.gazetteers import countries, places_named
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.fit import abroad
from dpdeid.substitute.places.rendering import BY_COUNTRY
from tests.conftest import KEY
from tests.substitute.making import marked


def put(note: str, *drawn: str) -> str:
    """A marked note: towns by their surrogates, countries as they stand."""
    record, mentions = marked(note)
    texts = iter(drawn)
    given = []
    for mention in mentions:
        if mention.label is Label.COUNTRY:
            given.append(Surrogate(mention, mention.text, "keep"))
            continue
        text = next(texts)
        given.append(Surrogate(mention, text, "places", value=places_named(text)[0]))
    return rewrite(record.documents[0].text, list(abroad(record.documents[0].text, given)))


@pytest.mark.parametrize(
    "note",
    [
        "née à «CITY:Thiès» («COUNTRY:Sénégal»)",
        "née à «CITY:Thiès», «COUNTRY:Sénégal»",
        "née à «CITY:Thiès» au «COUNTRY:Sénégal»",
        "NÉE À «CITY:THIÈS» («COUNTRY:SÉNÉGAL»)",
    ],
)
def test_a_town_before_a_country_is_one_of_it(note: str) -> None:
    loud = note.isupper()
    out = put(note, "VINEUIL" if loud else "Vineuil")
    named = [town.upper() if loud else town for town in BY_COUNTRY["senegal"]]
    assert any(f" {town}" in out for town in named)
    assert "ineuil" not in out.lower()


def test_so_is_one_of_a_belgian_note() -> None:
    out = put("séjour à «CITY:Cork» («COUNTRY:Irlande»)", "Lausanne")
    assert any(f" {town} (Irlande)" in out for town in BY_COUNTRY["irlande"])


def test_the_town_is_one_in_the_whole_text() -> None:
    out = put("né à «CITY:Thiès» («COUNTRY:Sénégal»), retour de «CITY:Thiès»", "Vineuil", "Vineuil")
    first, second = out.removeprefix("né à ").split(" (Sénégal), retour de ")
    assert first == second


@pytest.mark.parametrize(
    ("note", "drawn"),
    [
        ("vit à «CITY:Dijon» («COUNTRY:France»)", "Brest"),
        ("vit à «CITY:Sion» («COUNTRY:Suisse»)", "Lausanne"),
        ("vit à «CITY:Dijon», a quitté le «COUNTRY:Sénégal»", "Brest"),
        ("vit à «CITY:Dijon». «COUNTRY:Sénégal» quitté", "Brest"),
        ("né en «COUNTRY:Algérie», vit à «CITY:Dijon»", "Brest"),
    ],
)
def test_other_towns_stay(note: str, drawn: str) -> None:
    assert drawn in put(note, drawn)


def test_the_original_says_nothing() -> None:
    one, other = (
        put(f"né à «CITY:{t}» («COUNTRY:Mali»)", "Vineuil") for t in ("Kayes", "Tombouctou")
    )
    assert one == other


def test_every_country_is_known_and_has_towns() -> None:
    assert BY_COUNTRY.keys() - countries().keys() == {"quebec"}
    assert all(len({*towns}) == len(towns) >= 3 for towns in BY_COUNTRY.values())
    assert not any(fold(town) in BY_COUNTRY for towns in BY_COUNTRY.values() for town in towns)


@pytest.mark.parametrize(
    ("note", "land"),
    [
        ("Née à Katowice EN POLOGNE en 1950.", "POLOGNE"),
        ("Vit à Sherbrooke au Québec.", "Québec"),
        ("Opérée à Ljubljana en Slovénie.", "Slovénie"),
    ],
)
def test_a_town_stays_in_its_land(note: str, land: str) -> None:
    text = Deidentifier("dp", key=KEY)(note).text
    named = re.search(rf"à ([\w-]+) (?:en|au) {land}", text, re.IGNORECASE)
    assert named, text
    assert fold(named[1]) in map(fold, BY_COUNTRY[fold(land)])
