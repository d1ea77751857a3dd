"""People who can be: ages, sexes, relatives, homes."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.labels import Role, Sex
from dpdeid.synth import people
from dpdeid.synth.dates import years_between
from dpdeid.synth.dice import Dice

DAY = dt.date(2022, 5, 17)
seeds = st.integers(0, 5_000)

ELDERS = {"mère", "père", "grand-mère", "grand-père"}
YOUNGER = {"fils", "fille", "petit-fils", "petite-fille", "neveu"}
GROWN_UP = {"mari", "époux", "conjoint", "gendre", "ex-mari"}


@given(seeds, st.sampled_from([(0, 3), (4, 17), (18, 97), (72, 99)]))
def test_patients_are_of_the_age_that_is_asked_for(seed: int, ages: tuple[int, int]) -> None:
    who = people.patient(Dice.of(seed, "p"), "FR", DAY, ages, Sex.MALE)
    assert ages[0] <= years_between(who.born, DAY) <= ages[1]
    assert who.role is Role.PATIENT
    assert not who.maiden


@pytest.mark.parametrize("ages", [(4, 16), (18, 97)])
def test_relatives_can_be_relatives(ages: tuple[int, int]) -> None:
    seen = set()
    for seed in range(400):
        dice = Dice.of(seed, "r")
        who = people.patient(dice, "FR", DAY, ages, Sex.FEMALE)
        kin = people.relative(dice, who, DAY)
        seen.add(kin.kin)
        assert kin.role is Role.RELATIVE
        assert kin.born < DAY
        if kin.kin in ELDERS:
            assert kin.born < who.born
        if kin.kin in YOUNGER:
            assert kin.born > who.born
    assert seen >= ELDERS
    assert seen.isdisjoint(GROWN_UP | YOUNGER) if max(ages) < 17 else seen >= GROWN_UP | YOUNGER


@pytest.mark.parametrize("where", people.WHERE)
def test_homes_are_in_the_country_that_is_asked_for(where: str) -> None:
    for seed in range(20):
        dice = Dice.of(seed, "home")
        who = people.patient(dice, where, DAY, (18, 90), Sex.FEMALE)
        home = people.home(dice, who, where)
        assert home.town.country == (where if where in ("CH", "BE", "LU", "CA") else "FR")
        if where.isdigit():
            assert home.town.department[:2] in ("97", "98")
        assert home.street
        assert "@" in home.email
        assert len(home.insee) == 5


def test_newborns_are_born_that_day() -> None:
    mother = people.patient(Dice.of(1, "m"), "FR", DAY, (20, 40), Sex.FEMALE)
    child = people.newborn(Dice.of(2, "c"), mother, DAY)
    assert child.born == DAY
    assert child.role is Role.RELATIVE
