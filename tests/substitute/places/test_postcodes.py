"""Postal codes abroad: real ones, of the town or of its neighbourhood."""

from __future__ import annotations

import pytest

from dpdeid import gazetteers
from dpdeid.gazetteers import Place
from dpdeid.policy.policy import load_policy
from dpdeid.substitute.places.localities import codes_of
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import surrogates

BOUNDS = {"CH": (1000, 9699), "BE": (1000, 9999), "LU": (1000, 9999)}


def town(name: str, country: str) -> Place:
    return next(p for p in gazetteers.places_named(name) if p.country == country)


@pytest.mark.parametrize(
    ("name", "country", "code"),
    [
        ("Lausanne", "CH", "1004"),
        ("Delémont", "CH", "2800"),
        ("La Chaux-de-Fonds", "CH", "2300"),
        ("Namur", "BE", "5000"),
        ("Ixelles", "BE", "1050"),
        ("Dudelange", "LU", "3510"),
    ],
)
def test_a_town_has_its_own_codes(name: str, country: str, code: str) -> None:
    assert code in codes_of(town(name, country))


def test_towns_of_one_name_are_told_apart_by_their_canton() -> None:
    reinach = [p for p in gazetteers.places_named("Reinach") if p.country == "CH"]
    assert {p.department: codes_of(p) for p in reinach} == {"BL": ("4153",), "AG": ("5734",)}


@pytest.mark.parametrize(
    ("name", "country", "neighbour"),
    [("Rolle", "CH", "1196"), ("Profondeville", "BE", "5100"), ("Bridel", "LU", "7220")],
)
def test_a_town_without_codes_gets_those_of_the_nearest(
    name: str, country: str, neighbour: str
) -> None:
    assert neighbour in codes_of(town(name, country))


@pytest.mark.parametrize("country", BOUNDS)
def test_every_place_that_may_be_a_surrogate_has_a_code(country: str) -> None:
    first, last = BOUNDS[country]
    for place in gazetteers.place_lists()[country]:
        codes = codes_of(place)
        assert codes
        assert all(len(code) == 4 and first <= int(code) <= last for code in codes)


def test_a_french_town_keeps_its_own() -> None:
    brest = town("Brest", "FR")
    assert codes_of(brest) == brest.zips


@pytest.mark.parametrize("policy", ["dp", "aphp"])
def test_the_code_of_a_surrogate_is_one_of_its_town(policy: str) -> None:
    (places,) = (s for s in load_policy(policy).strategies if isinstance(s, Places))
    for key in range(20):
        note = "«ZIP:CH-1950» «CITY:Sion», «ZIP:5000» «CITY:Namur»"
        given = surrogates(places, note, key=bytes([key]) * 32)
        for code, city in zip(given[::2], given[1::2], strict=True):
            assert isinstance(city.value, Place)
            assert code.text.removeprefix("CH-") in codes_of(city.value)
