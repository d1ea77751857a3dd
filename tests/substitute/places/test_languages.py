"""Streets and towns in the other languages of Belgium, Luxembourg and Switzerland."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.french.tables import rows
from dpdeid.gazetteers import Place, place_list_name, place_lists, places_named
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import surrogates, texts

DUTCH, GERMAN = (
    [
        one.name
        for one in place_lists()[name]
        if {place_list_name(p) for p in places_named(one.name)} == {name}
    ]
    for name in ("BE-NL", "CH-DE")
)
"""Towns whose names no other list has: one Forest is of Brussels, one of Flanders."""
STREETS = ["Veemarkt 3", "Oude Baan 41 bus 6", "Korte Nieuwstraat 7B", "Burgplein 12", "Am Rain 5"]


@given(
    st.sampled_from([(town, r"straat|laan") for town in DUTCH])
    | st.sampled_from([(town, r"strasse|weg") for town in GERMAN]),
    st.sampled_from(STREETS),
    st.integers(0, 99),
)
@settings(deadline=None, max_examples=60)
def test_a_street_is_in_the_language_of_its_place(
    place: tuple[str, str], street: str, unit: int
) -> None:
    town, endings = place
    name = texts([Places(), Addresses()], f"«STREET:{street}», «CITY:{town}»", unit=str(unit))[0]
    assert re.fullmatch(rf"\w+(?:{endings}) \d+(?: bus \d)?[A-Z]?", name), name


def test_names_of_another_language_are_no_listed_ones() -> None:
    for town, *names in rows("local_names"):
        assert any(place.country != "FR" for place in places_named(town))
        assert not any(map(places_named, names))


@pytest.mark.parametrize(
    ("town", "name"), [(row[0], x) for row in rows("local_names") for x in row[1:]]
)
def test_a_town_is_one_in_any_language(town: str, name: str) -> None:
    first, second = surrogates(Places(), f"«CITY:{town}», «CITY:{name}»")
    assert isinstance(first.value, Place)
    assert first.value == second.value
    assert first.value.country in ("BE", "CH", "LU")
