"""Companies, accounts and plates: valid, and of the same country."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.fr import siren, siret

from dpdeid.french import check_digits
from dpdeid.gazetteers import places_named
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.substitute.codes import identifiers
from dpdeid.substitute.codes import number_kinds as registered


def stream(name: str) -> Stream:
    return Streams(b"k" * 32, "u").stream(name)


@given(st.text())
def test_what_is_drawn_passes_its_checks(name: str) -> None:
    assert luhn.is_valid(registered.with_luhn("1" * 12, stream(name)))
    company = registered.siret("7" * 14, stream(name))
    assert siret.is_valid(company)
    assert siren.is_valid(company[:9])
    account = registered.iban("FR1420041010050500013M02606", stream(name))
    assert iban.is_valid(account)
    assert registered.is_rib(account[4:])
    assert check_digits.iban(account)
    assert iban.is_valid(registered.iban("BE68539007547034", stream(name)))
    assert registered.is_rib(registered.rib("20041010050500013M02606", stream(name)))


@pytest.mark.parametrize(
    ("code", "plate"), [("VD482915", True), ("ZH1", False), ("XX123456", False), ("AB123CD", False)]
)
def test_a_swiss_plate_is_a_canton_and_digits(code: str, plate: bool) -> None:
    assert registered.is_swiss_plate(code) is plate


def test_a_plate_is_of_the_canton_of_the_place_if_that_is_swiss() -> None:
    (sion,), (brest,) = places_named("sion")[:1], places_named("brest")[:1]
    of_sion = identifiers._area(sion, "CH")
    assert registered.swiss_plate("XX999999", stream("a"), of_sion).startswith("VS")
    for place in (brest, None):
        drawn = registered.swiss_plate("XX999999", stream("a"), identifiers._area(place, "CH"))
        assert registered.is_swiss_plate(drawn)
