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

from dpdeid.labels import Sex
from dpdeid.synth import numbers, phones
from dpdeid.synth.dice import Dice

seeds = st.integers(0, 10_000)
BORN = dt.date(1971, 6, 30)


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@given(seeds, st.sampled_from(["35238", "2A004", "2B033", "97411", "99132"]))
def test_nir(seed: int, place: str) -> None:
    dice = Dice.of(seed, "nir")
    number = numbers.nir(dice, Sex.FEMALE, BORN, place)
    assert nir.is_valid(number)
    assert number.startswith(f"27106{place}")
    spaced = re.sub(r"[ ./]", "", numbers.spaced_nir(dice, number))
    assert spaced in (number, number[:13])


@given(seeds)
def test_foreign_numbers(seed: int) -> None:
    dice = Dice.of(seed, "ssn")
    assert ean.is_valid(digits(numbers.foreign_ssn(dice, "CH", BORN, Sex.MALE)))
    assert nn.is_valid(digits(numbers.foreign_ssn(dice, "BE", BORN, Sex.MALE)))
    assert digits(numbers.foreign_ssn(dice, "LU", BORN, Sex.MALE)).startswith("19710630")
    assert re.fullmatch(r"[A-Z]{4} 7156 30\d\d", numbers.foreign_ssn(dice, "CA", BORN, Sex.FEMALE))


@given(seeds)
def test_providers_and_accounts(seed: int) -> None:
    dice = Dice.of(seed, "provider")
    assert luhn.is_valid(digits(numbers.rpps(dice)))
    assert luhn.is_valid(digits(numbers.finess(dice, "2A")))
    for country in ("FR", "CH", "BE", "LU"):
        number = numbers.iban(dice, country).replace(" ", "")
        assert int(number[4:] + "".join(str(int(c, 36)) for c in number[:4])) % 97 == 1


@pytest.mark.parametrize(
    ("country", "department", "region", "code"),
    [("FR", "35", "53", "FR"), ("FR", "974", "04", "RE"), ("CH", "VD", "VD", "CH")],
)
def test_telephones(country: str, department: str, region: str, code: str) -> None:
    possible = 0
    for seed in range(200):
        dice = Dice.of(seed, "phone")
        text = phones.phone(dice, country, department, region, mobile=seed % 2 == 0)
        plain = text.replace("(0)", "")
        possible += phonenumbers.is_possible_number(phonenumbers.parse(plain, code))
    assert possible == 200
