"""Names: their shares, their lists, their sex and their time."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.synth import names
from dpdeid.synth.dice import Dice

DRAWS = 4_000


@pytest.mark.parametrize("origin", ["", "maghreb", "breton"])
def test_shares_of_rare_and_unlisted_surnames(origin: str) -> None:
    """Exact binomial test at one in a million: the shares are what the module says."""
    dice = Dice.of(1, "shares", origin)
    drawn = [names.surname(dice, origin) for _ in range(DRAWS)]
    ranks, most = gazetteers.surnames(), len(gazetteers.surname_list())
    found = [ranks.get(fold(name)) for name in drawn]
    outside = sum(rank is None for rank in found)
    rare = sum(rank is not None and rank >= most for rank in found)
    assert binomtest(outside, DRAWS, names.OUTSIDE_PERCENT / 100).pvalue > 1e-6
    assert binomtest(rare, DRAWS, names.RARE_PERCENT / 100).pvalue > 1e-6


def test_names_outside_every_list_are_in_none() -> None:
    dice = Dice.of(1, "outside")
    for _ in range(300):
        name = names.outside(dice)
        assert 4 <= len(name) <= 13
        assert fold(name) not in gazetteers.surnames()
        assert fold(name) not in gazetteers.first_names()
        assert fold(name) not in gazetteers.words()


SPELLED_ALIKE = {"camille", "dominique", "claude", "charlie", "alix", "sacha", "desire"}
"""Names of both sexes once their accents are off."""


@pytest.mark.parametrize("decade", ["1920", "1945", "1965", "1985", "2005"])
@pytest.mark.parametrize(("sex", "other"), [("F", Sex.MALE), ("M", Sex.FEMALE)])
def test_no_listed_first_name_is_of_the_other_sex(sex: str, other: Sex, decade: str) -> None:
    known = gazetteers.first_names()
    wrong = {fold(name) for name in names.listed(f"first.{sex}.{decade}")} - SPELLED_ALIKE
    assert not {name for name in wrong if known.get(name) is other}


def test_first_names_are_of_their_time() -> None:
    lists = {decade: set(names.listed(f"first.F.{decade}")) for decade in (1920, 2005)}
    for born, own, other in ((1930, 1920, 2005), (2015, 2005, 1920)):
        drawn = [names.first_name(Dice.of(n, "era"), Sex.FEMALE, born) for n in range(400)]
        mine = sum(name in lists[own] for name in drawn)
        assert mine > 200
        assert mine > 3 * sum(name in lists[other] for name in drawn)


@pytest.mark.parametrize(
    ("first", "short"), [("Paul", "P."), ("Jean-Luc", "J.-L."), ("Thi Lan", "T.-L."), ("Éva", "É.")]
)
def test_initials(first: str, short: str) -> None:
    assert names.initials(first) == short


def test_every_list_of_an_origin_is_there_for_both_sexes() -> None:
    for origin in names.ORIGINS:
        assert len(names.listed(f"last.{origin}")) > 20
        for sex in "FM":
            assert len(names.listed(f"first.{sex}.{origin}")) > 10
