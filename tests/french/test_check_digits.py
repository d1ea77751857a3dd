"""Check digits against python-stdnum, which computes them by its own code."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from stdnum import ean, iban
from stdnum import luhn as stdnum_luhn
from stdnum.be import nn
from stdnum.fr import nir

from dpdeid.french.check_digits import (
    ean_digit,
    iban_digits,
    luhn,
    luhn_digit,
    nir_key,
    niss_key,
    rib_key,
)


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=count, max_size=count)


@given(st.text("0123456789", min_size=1, max_size=20))
def test_luhn(number: str) -> None:
    assert luhn_digit(number) == stdnum_luhn.calc_check_digit(number)
    assert luhn(number + luhn_digit(number))


@given(digits(12))
def test_ean(number: str) -> None:
    assert ean_digit(number) == ean.calc_check_digit(number)


@given(st.sampled_from("12"), digits(4), st.sampled_from(["35", "2A", "2B", "99"]), digits(6))
def test_nir(sex: str, month: str, department: str, rest: str) -> None:
    number = sex + month + department + rest
    assert nir_key(number) == nir.calc_check_digits(number)


def test_niss_of_both_centuries() -> None:
    assert nn.is_valid("850730033" + niss_key("850730033", born_after_1999=False))
    assert nn.is_valid("170730033" + niss_key("170730033", born_after_1999=True))


@given(digits(12))
def test_iban(account: str) -> None:
    assert iban_digits("BE", account) == iban.calc_check_digits(f"BE00{account}")


def test_rib_of_a_published_account() -> None:
    assert rib_key("20041010050500013M026") == "06"
