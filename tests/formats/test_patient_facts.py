"""Facts of a patient: read in the forms that hospitals write, refused where they are none."""

from __future__ import annotations

import pytest

from dpdeid.errors import InputError
from dpdeid.formats.rows import FACTS, date_shift, facts
from dpdeid.labels import Label, Sex


@pytest.mark.parametrize("born", ["1958-03-12", "12/03/1958", "12.3.1958", "1958-03-12T00:00:00"])
def test_a_birth_date_is_iso_however_it_was_written(born: str) -> None:
    assert facts({"birth_date": born}, "row 1")[0] == {Label.BIRTH_DATE: ("1958-03-12",)}


@pytest.mark.parametrize(
    ("sex", "read_as"),
    [
        ("F", Sex.FEMALE),
        (2, Sex.FEMALE),
        ("Féminin", Sex.FEMALE),
        ("female", Sex.FEMALE),
        ("h", Sex.MALE),
        ("1", Sex.MALE),
        ("Masculin", Sex.MALE),
        (None, Sex.UNKNOWN),
        (" ", Sex.UNKNOWN),
        ("unknown", Sex.UNKNOWN),
        ("Indéterminé", Sex.UNKNOWN),
    ],
)
def test_a_sex_is_read_in_the_codes_of_hospitals(sex: object, read_as: Sex) -> None:
    assert facts({"sex": sex}, "row 1")[1] is read_as


@pytest.mark.parametrize("key", sorted(FACTS))
def test_a_fact_without_a_value_is_none(key: str) -> None:
    for empty in (None, "", " ", [], [None, " "]):
        assert facts({key: empty}, "row 1") == ({}, Sex.UNKNOWN)


def test_a_shift_further_than_a_century_is_refused() -> None:
    assert date_shift({"date_shift": -36_525}, "row 1") == -36_525
    with pytest.raises(InputError, match=r"^row 1: date_shift"):
        date_shift({"date_shift": 36_526}, "row 1")
