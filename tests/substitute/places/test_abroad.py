"""Towns of further countries, of overseas departments, and towns that differ."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.french.areas import overseas_communes
from dpdeid.gazetteers import Place, place_key, places_named
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.substitute.codes.identifiers import Identifiers
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.earlier import offered
from dpdeid.substitute.places.rendering import BY_COUNTRY, land_of
from dpdeid.substitute.places.strategy import Keyed, Places
from tests.substitute.making import rewritten, surrogates, texts

PLANAR = Places(mechanism=PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=5))
KEYED = Places(mechanism=Keyed())
BOTH = pytest.mark.parametrize("strategy", [PLANAR, KEYED], ids=["planar", "keyed"])
FOREIGN = sorted(
    town
    for town in gazetteers.city_countries()
    if not places_named(town) and land_of(town) and not overseas_communes(place_key(town))
)
"""Towns whose name no place of ours has, nor a quarter overseas: Ina is in Japan, and a tribe."""


@BOTH
@given(st.lists(st.sampled_from(FOREIGN), min_size=1, max_size=3, unique=True), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_a_town_abroad_is_one_of_its_country(strategy: Places, towns: list[str], key: int) -> None:
    note = "habite «CITY:Dijon», " + ", ".join(f"née à «CITY:{town}»" for town in towns)
    drawn = texts(strategy, note, unit=str(key))[1:]
    for old, new in zip(towns, drawn, strict=True):
        assert new in map(str.lower, BY_COUNTRY[land_of(old) or ""])
        assert strategy is PLANAR or place_key(new) != old
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(("town", "land"), [("Montréal", "quebec"), ("Bologne", "italie")])
def test_a_town_that_everybody_knows_is_no_village_of_that_name(town: str, land: str) -> None:
    assert places_named(town)
    assert texts(PLANAR, f"né à «CITY:{town}»")[0] in BY_COUNTRY[land]


def test_a_village_with_its_code_is_one() -> None:
    code, town = surrogates(PLANAR, "«ZIP:52310» «CITY:Bologne»")
    assert isinstance(town.value, Place)
    assert code.text in town.value.zips


@BOTH
def test_a_hospital_goes_with_its_town_abroad(strategy: Places) -> None:
    note = "née à «CITY:Katowice», opérée à l'«HOSPITAL:hôpital de Katowice»"
    town, hospital = texts([strategy, Addresses()], note)
    assert hospital in (f"hôpital de {town}", f"hôpital d'{town}")


def test_a_province_behind_its_town_stays_and_its_code_is_one() -> None:
    for unit in map(str, range(20)):
        (note,) = rewritten(PLANAR, "«CITY:Lévis» («CITY:Québec») «ZIP:G6V 4Z6»", unit=unit)
        town, rest = note.split(" (Québec) ")
        assert town in BY_COUNTRY["quebec"]
        assert rest[0] in "GHJ"
        assert [c.isdigit() for c in rest.replace(" ", "")] == [False, True] * 3


@pytest.mark.parametrize("town", ["Goyave", "Mamoudzou", "Papeete", "Le Gosier", "Cilaos"])
@pytest.mark.parametrize("unit", range(12))
def test_a_keyed_town_stays_in_its_overseas_department(town: str, unit: int) -> None:
    (drawn,) = surrogates(KEYED, f"vit à «CITY:{town}»", unit=str(unit))
    assert isinstance(drawn.value, Place)
    assert drawn.value.department == places_named(town)[0].department


@BOTH
@pytest.mark.parametrize("town", ["Saint-Pierre", "Miquelon-Langlade", "Saint-Barthélemy"])
def test_what_has_few_communes_does_not_answer_for_itself(strategy: Places, town: str) -> None:
    code = "97500" if town != "Saint-Barthélemy" else "97133"
    drawn = surrogates(strategy, f"«ZIP:{code}» «CITY:{town}»")[1].value
    assert isinstance(drawn, Place)
    assert drawn.department == "971"


HOME = [place.name for place in gazetteers.place_lists()["973"]]


@given(st.lists(st.sampled_from(HOME), min_size=2, max_size=5, unique=True), st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_distinct_towns_come_out_distinct(towns: list[str], unit: int) -> None:
    note = ", ".join(f"«CITY:{town}»" for town in towns)
    drawn = [fold(text) for text in texts(PLANAR, note, unit=str(unit))]
    assert len(set(drawn)) == len(drawn)


def test_lists_of_europe_offer_all_they_have() -> None:
    assert not any(offered(name) for name in ("FR", "20", "BE", "BE-NL", "CH", "CH-DE", "LU"))


@BOTH
@pytest.mark.parametrize("number", ["2500199350859", "2500131350859", "2500176350859"])
def test_a_national_number_says_that_its_bearer_was_born_abroad(
    strategy: Places, number: str
) -> None:
    note = f"née le «BIRTH_DATE:20/01/1950» à «CITY:Gdynia», NIR «SSN:{number}»"
    drawn = {s.mention.label: s for s in surrogates([strategy, Identifiers()], note)}
    assert drawn[Label.SSN].text[5:7] == "99"
