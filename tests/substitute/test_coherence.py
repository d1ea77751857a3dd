"""Everything that tells a place or a birth derives from one draw of it, in every form and order."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Final

import pytest
from stdnum import luhn
from stdnum.fr import nir

from dpdeid import gazetteers
from dpdeid.french.check_digits import luhn_digit, nir_key
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.privacy.places.release import PlanarNearest
from dpdeid.privacy.timeline.modes import Shift
from dpdeid.substitute.codes.contacts import Contacts
from dpdeid.substitute.codes.identifiers import Identifiers
from dpdeid.substitute.codes.phones import FICTION, draw, read
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.places.addresses import Addresses
from dpdeid.substitute.places.strategy import Keyed, Places
from dpdeid.substitute.pseudonyms import canonical
from tests.linear import LIMIT, Work, growth
from tests.substitute.making import context, marked, surrogates

NIR: Final = "1850529019084"
FINESS: Final = "29000001"
NOTE: Final = (
    "«HOSPITAL:CHU de Brest» FINESS «PROVIDER_ID:" + FINESS + luhn_digit(FINESS) + "»\n"
    "né le «BIRTH_DATE:03/05/1985» à «CITY:BREST», NIR «SSN:" + NIR + nir_key(NIR) + "»\n"
    "«STREET:12 rue Baudot», «ZIP:29200» «CITY:Brest» («CITY:29», «CITY:Finistère», "
    "«CITY:Bretagne»), tél. «PHONE:02 98 11 22 33»"
)
DATES: Final = Dates(
    labels=(Label.DATE, Label.BIRTH_DATE, Label.AGE), timeline=Shift(days=730, birth_days=730)
)
MECHANISMS: Final = [Keyed(), PlanarNearest(epsilon_per_km=Fraction(1, 10), cap=5)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=["keyed", "planar"])
@pytest.mark.parametrize("unit", [f"u{n}" for n in range(12)])
def test_an_address_and_all_that_hangs_on_it_is_one_draw(
    mechanism: Keyed | PlanarNearest, unit: str
) -> None:
    strategies = [DATES, Places(mechanism=mechanism), Addresses(), Contacts(), Identifiers()]
    given = surrogates(strategies, NOTE, unit=unit)
    hospital, finess, birth, town, ssn, street, code, _, number, department, region, phone = given
    place = town.value
    assert isinstance(place, Place)
    assert isinstance(birth.value, dt.date)
    names = gazetteers.area_names()
    assert town.text == place.name.upper()
    assert code.text in place.zips
    assert number.text == place.department
    assert department.text == names["department", place.department]
    assert region.text == names["region", place.region]
    named = place.name.removeprefix("Le ").removeprefix("Les ")
    assert hospital.text.startswith("CHU d")
    assert hospital.text.endswith((f" {named}", f"'{named}"))
    assert street.text.split()[1] == "rue"
    plain = canonical(ssn.text)
    assert nir.is_valid(plain)
    assert plain[:7] == f"1{birth.value:%y%m}{place.department}"
    assert luhn.is_valid(finess.text)
    assert finess.text[:2] == place.department.replace("2A", "20").replace("2B", "20")
    same_zone = read("02 98 11 22 33", place)
    assert same_zone is not None
    expected = draw(same_zone, place, context().streams.stream("any"))[:6]
    assert canonical(phone.text)[:6] == expected
    assert expected in FICTION.values()


def test_a_lone_postal_code_is_an_event_and_a_number_beside_it_follows_it() -> None:
    strategies = [Places(mechanism=Keyed()), Identifiers()]
    for unit in map(str, range(8)):
        code, finess = surrogates(
            strategies, f"«ZIP:29200», «PROVIDER_ID:{FINESS}{luhn_digit(FINESS)}»", unit=unit
        )
        assert isinstance(code.value, Place)
        assert code.text in code.value.zips
        assert finess.text[:2] == code.text[:2]


LONG: Final = {
    "PATIENT_ID": Identifiers(),
    "SSN": Identifiers(),
    "PHONE": Contacts(),
    "EMAIL": Contacts(),
    "URL": Contacts(),
    "STREET": Addresses(),
    "ZIP": Places(mechanism=Keyed()),
    "DATE": DATES,
}


@pytest.mark.parametrize("label", LONG)
def test_one_endless_value_takes_linear_time(label: str) -> None:
    """Megabytes of one digit that a detector took for one number."""

    def work(count: int) -> Work:
        record, mentions = marked(f"«{label}:{'9' * count}»")
        return lambda: list(LONG[label].substitute(mentions, record, context()))

    assert growth(work, 2_000) <= LIMIT
