from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.gazetteers import place_lists, places_named
from dpdeid.labels import Label
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.codes.contacts import Contacts
from dpdeid.substitute.codes.phones import area_at, draw, read, write
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.earlier import Seat
from dpdeid.substitute.places.strategy import Places
from tests.substitute.making import surrogates, texts


@pytest.mark.parametrize(
    ("text", "country", "national"),
    [
        ("02 98 11 22 33", "FR", "0298112233"),
        ("+33 (0)6 12 34 56 78", "FR", "0612345678"),
        ("0033612345678", "FR", "0612345678"),
        ("0262 12 34 56", "OM", "0262123456"),
        ("+590 690 12 34 56", "OM", "0690123456"),
        ("027 322 71 91", "CH", "0273227191"),
        ("+32 2 345 67 89", "BE", "023456789"),
        ("+1 514 987-6543", "US", "05149876543"),
        ("(514) 987-6543", "US", "05149876543"),
        ("+44 161 496 2345", "GB", "01614962345"),
        ("00351 265 118 904", "", "0265118904"),
        ("4417", "", "4417"),
        ("0000", "", "0000"),
    ],
)
def test_numbers_are_read(text: str, country: str, national: str) -> None:
    number = read(text, None)
    assert number is not None
    assert (number.country, number.national) == (country, national)
    assert national not in repr(number)


def test_a_place_tells_plans_apart_that_look_alike() -> None:
    (lausanne,) = places_named("lausanne")[:1]
    for place, country in ((None, "FR"), (lausanne, "CH")):
        number = read("0213456789", place)
        assert number is not None
        assert number.country == country


def test_a_number_in_pairs_is_french_in_switzerland_too() -> None:
    (lausanne,) = places_named("lausanne")[:1]
    number = read("06 12 34 56 78", lausanne)
    assert number is not None
    assert number.country == "FR"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("+1 514 987-6543", r"\+1 \d{3} 555-01\d\d"),
        ("418.987.6543", r"\d{3}\.555\.01\d\d"),
        ("+44 161 496 2345", r"\+44 207 946 0\d{3}"),
        ("0044 7911 123456", r"0044 7700 900\d{3}"),
        ("06.12.34.56.78", r"06\.39\.98\.\d\d\.\d\d"),
    ],
)
def test_a_number_lies_in_a_range_that_is_kept_for_fiction(text: str, form: str) -> None:
    number = read(text, None)
    assert number is not None
    new = write(text, number, draw(number, None, Streams(b"k" * 32, "u").stream(text)))
    assert re.fullmatch(form, new)


def test_neither_digits_nor_letters_is_no_number() -> None:
    assert read(" - ", None) is None


@given(st.from_regex(r"\A(\+33|0|00 33|\+41|\+32|\+1)[ .]?[1-9]([ .-]?\d){7,9}\Z"))
def test_writing_keeps_everything_but_the_digits(text: str) -> None:
    number = read(text, None)
    assert number is not None
    new = write(text, number, draw(number, None, Streams(b"k" * 32, "u").stream(text)))
    assert "".join("9" if c.isdecimal() else c for c in text) == "".join(
        "9" if c.isdecimal() else c for c in new
    )


def near(city: str, text: str) -> str:
    """The surrogate of a number beside the surrogate town `city`."""
    place, number = places_named(city)[0], read(text, places_named(city)[0])
    assert number is not None
    return write(text, number, draw(number, place, Streams(b"k" * 32, "u").stream(text)))


@pytest.mark.parametrize(
    ("city", "number", "start"),
    [
        ("Cayenne", "0590 98 04 71", "0590"),
        ("Cayenne", "+590 690 98 04 71", "+590 690"),
        ("Brest", "0262 98 04 71", "0262"),
        ("Brest", "0508 41 04 71", "0508"),
        ("Mamoudzou", "0262 98 04 71", "0269"),
        ("Mamoudzou", "+262 692 98 04 71", "+262 639"),
    ],
)
def test_an_overseas_number_stays_overseas_and_follows_a_town_of_its_own_list(
    city: str, number: str, start: str
) -> None:
    assert near(city, number).startswith(start)


@pytest.mark.parametrize(("listed", "own"), [("971", "0590"), ("972", "0596"), ("973", "0594")])
def test_of_each_town_of_a_list_overseas_a_number_of_that_list_stays(listed: str, own: str) -> None:
    number = read(f"{own} 98 04 71", None)
    assert number is not None
    for place in place_lists()[listed]:
        there = "0508" if place.department == "975" else own  # Saint-Pierre has its own
        assert draw(number, place, Streams(b"k" * 32, "u").stream("x")).startswith(there)


@pytest.mark.parametrize(
    ("city", "number", "form"),
    [
        ("Namur", "04/367.92.55", r"081/\d\d\.\d\d\.\d\d"),
        ("Hannut", "+32 81 20 91 47", r"\+32 19 \d\d \d\d \d\d"),
        ("Ganshoren", "+32 81 20 91 47", r"\+32 2 \d{3} \d\d \d\d"),
        ("Couvin", "09/923.69.30", r"060/\d\d\.\d\d\.\d\d"),
        ("Renens", "022 909 58 10", r"021 \d{3} \d\d \d\d"),
        ("Gland", "+41 21 142 50 00", r"\+41 22 \d{3} \d\d \d\d"),
    ],
)
def test_a_landline_has_the_area_of_the_surrogate_town(city: str, number: str, form: str) -> None:
    """Its first group has as many digits as that area, whatever it had."""
    assert re.fullmatch(form, near(city, number))


def test_a_number_beside_an_institution_has_the_area_of_its_town() -> None:
    """Of one that was replaced where the surrogate is, of one that is kept where its name says."""
    note = "«CITY:Lille» «HOSPITAL:Centre hospitalier de Guéret» «PHONE:05 55 51 70 38»"
    _, moved, number = surrogates([Places(), Addresses(), Contacts()], note)
    assert isinstance(moved.value, Seat)
    assert number.text.replace(" ", "").startswith(area_at("FR", moved.value.place) or "-")
    stays = texts([Places(), Contacts()], note, kept=frozenset({Label.HOSPITAL}))
    assert stays[-1].startswith("05")
