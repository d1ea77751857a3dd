"""A family named as one has the surname of its members."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.gazetteers import surname_list
from dpdeid.substitute.people.strategy import People
from tests.substitute.making import texts

FAMILIES = ["les époux {}", "la famille {}", "chez les {}", "M. et Mme {}", "les enfants {}"]


@given(st.sampled_from(surname_list()[:20_000]), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_the_surname_of_its_members(family: str, surname: str, unit: int) -> None:
    whole = family.format(f"«LAST_NAME:{surname}»")
    widow = "née «LAST_NAME:Qxbrevz», veuve «LAST_NAME:Zqtoulm»"
    note = f"{whole} ; Mme «LAST_NAME:{surname.upper()}», {widow}"
    one, member, maiden, late = texts(People(), note, unit=str(unit))
    assert one.upper() == member.upper()
    assert len({member.upper(), maiden.upper(), late.upper()}) == 3
