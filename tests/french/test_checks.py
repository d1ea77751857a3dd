"""Control digits: known numbers pass, and one wrong digit or two swapped ones fail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.french import check_digits as checks

KNOWN: list[tuple[Callable[[str], bool], str]] = [
    (checks.luhn, "79927398713"),
    (checks.luhn, "732829320"),
    (checks.ean13, "4006381333931"),
    (checks.nir, "255081416802538"),
    (checks.nir, "295109912611193"),
    (checks.avs, "7569217076985"),
    (checks.niss, "85073003328"),
    (checks.niss, "17073003384"),
    (checks.verhoeff, "123451"),
    (checks.iban, "FR7630006000011234567890189"),
    (checks.iban, "CH9300762011623852957"),
    (checks.iban, "BE68539007547034"),
    (checks.iban, "LU280019400644750000"),
]


@pytest.mark.parametrize(("check", "number"), KNOWN)
def test_published_numbers_pass(check: Callable[[str], bool], number: str) -> None:
    assert check(number)


@pytest.mark.parametrize(("check", "number"), KNOWN)
def test_every_single_wrong_digit_fails(check: Callable[[str], bool], number: str) -> None:
    for i, character in enumerate(number):
        for digit in set("0123456789") - {character} if character.isdigit() else ():
            assert not check(number[:i] + digit + number[i + 1 :]), (i, digit)


@pytest.mark.parametrize(("check", "number"), KNOWN)
@pytest.mark.parametrize("change", [lambda n: n[:-1], lambda n: n + "x", lambda n: "", str.lower])
def test_other_shapes_fail_without_an_error(
    check: Callable[[str], bool], number: str, change: Callable[[str], str]
) -> None:
    if change(number) != number:
        assert not check(change(number))


def test_corsican_departments_count_as_19_and_18() -> None:
    for letters, digits in (("2A", "19"), ("2B", "18")):
        key = 97 - int(f"15502{digits}004057") % 97
        assert checks.nir(f"15502{letters}004057{key:02}")
        assert not checks.nir(f"15502{letters}004057{(key + 1) % 97:02}")


@given(st.integers(0, 99), st.integers(1, 12), st.integers(1, 95), st.integers(0, 999999))
@settings(deadline=None, max_examples=40)
def test_any_nir_has_exactly_one_key(year: int, month: int, department: int, rest: int) -> None:
    body = f"2{year:02}{month:02}{department:02}{rest:06}"
    assert [k for k in range(100) if checks.nir(f"{body}{k:02}")] == [97 - int(body) % 97]


@pytest.mark.parametrize("number", ["9850144109221", "1851344109221", "1850100109221", "18501"])
def test_a_nir_needs_a_sex_a_month_and_a_department(number: str) -> None:
    assert not checks.nir_form(number)


@given(st.dates())
@settings(deadline=None, max_examples=40)
def test_a_luxembourg_number_has_two_check_digits(born: dt.date) -> None:
    body = f"{born.year % 100 + 1900:04}{born.month:02}{born.day:02}123"
    valid = [k for k in range(100) if checks.matricule(f"{body}{k:02}")]
    assert len(valid) == 1
    assert checks.luhn(f"{body}{valid[0]:02}"[:12])


def test_compact_keeps_letters_and_digits() -> None:
    assert checks.compact(" 1-55.02 2a 004/057") == "155022A004057"
