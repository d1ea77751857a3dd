from __future__ import annotations

import pytest

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.substitute.people.first_names import STARTS, generation, usual

EVERY = range(len(STARTS) + 1)


@pytest.mark.parametrize(
    ("year", "expected"), [(1912, 0), (1929, 0), (1930, 1), (1996, 4), (1997, 5), (2026, 5)]
)
def test_generation(year: int, expected: int) -> None:
    assert generation(year) == expected


@pytest.mark.parametrize("sex", [Sex.FEMALE, Sex.MALE])
@pytest.mark.parametrize("number", EVERY)
def test_names_are_known_and_of_their_sex(sex: Sex, number: int) -> None:
    other = {Sex.FEMALE: Sex.MALE, Sex.MALE: Sex.FEMALE}[sex]
    for name in usual(sex, number):
        assert gazetteers.first_names()[fold(name)] is not other


def test_the_old_and_the_young_share_few_names() -> None:
    for sex in (Sex.FEMALE, Sex.MALE):
        old, young = set(usual(sex, 1)), set(usual(sex, 5))
        assert len(old & young) < len(old) / 8


def test_both_sexes_where_it_is_unknown() -> None:
    assert set(usual(Sex.UNKNOWN, 3)) == {*usual(Sex.FEMALE, 3), *usual(Sex.MALE, 3)}
