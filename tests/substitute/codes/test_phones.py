from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.gazetteers import places_named
from dpdeid.privacy.rng import Streams
from dpdeid.substitute.codes.phones import draw, read, write


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
