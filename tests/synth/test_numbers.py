"""Numbers against python-stdnum and phonenumbers, which know the rules by their own code."""

from __future__ import annotations

import datetime as dt
import re

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import ean, luhn
from stdnum.be import nn
from stdnum.fr import nir

from dpdeid.french.check_digits import nir_key
from dpdeid.labels import Sex
from dpdeid.synth import numbers
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import laid, lines
from dpdeid.synth.places import Town

seeds = st.integers(0, 10_000)
BORN = dt.date(1971, 6, 30)


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def town(country: str, department: str) -> Town:
    return Town("Vallon", "00000", country, department, "")


@given(seeds, st.sampled_from(["35238", "2A004", "2B033", "97411", "99132"]))
def test_nir(seed: int, place: str) -> None:
    number = numbers.nir(Dice.of(seed, "nir"), Sex.FEMALE, BORN, place)
    assert nir.is_valid(number)
    assert number.startswith(f"27106{place}")


@pytest.mark.parametrize("mask", lines("social.FR"))
def test_a_nir_is_written_with_all_its_signs_or_without_its_key(mask: str) -> None:
    number = "271062A004123" + nir_key("271062A004123")
    text = laid(mask[5:-1], Dice.of(1, "mask"), number)
    assert re.sub(r"[ ./]", "", text) in (number, number[:13])


@given(seeds)
def test_foreign_numbers(seed: int) -> None:
    dice = Dice.of(seed, "ssn")
    assert ean.is_valid(numbers.with_ean(dice, "756"))
    assert nn.is_valid(numbers.niss(dice, BORN))
    assert numbers.ramq(BORN, Sex.FEMALE) == "715630"


@given(seeds)
def test_providers_and_accounts(seed: int) -> None:
    dice = Dice.of(seed, "provider")
    assert luhn.is_valid(numbers.with_luhn(dice, "10", 8))
    for country in ("FR", "CH", "BE", "LU"):
        number = numbers.iban(dice, country)
        assert int(number[4:] + "".join(str(int(c, 36)) for c in number[:4])) % 97 == 1
        for mask in lines(f"iban_id.{country}"):
            assert mask.count("#") == len(number)


@pytest.mark.parametrize(
    ("country", "department", "code"),
    [("FR", "35", "FR"), ("FR", "974", "RE"), ("FR", "976", "YT"), ("CH", "VD", "CH")],
)
def test_telephones(country: str, department: str, code: str) -> None:
    possible = 0
    for seed in range(200):
        dice = Dice.of(seed, "phone")
        text = numbers.phone(dice, town(country, department), mobile=seed % 2 == 0)
        plain = text.replace("(0)", "")
        possible += phonenumbers.is_possible_number(phonenumbers.parse(plain, code))
    assert possible == 200
