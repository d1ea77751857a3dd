"""Towns, streets, hospitals and companies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.synth import people, places
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import rules

seeds = st.integers(0, 5_000)


@given(seeds, st.sampled_from(["FR", *filter(str.isdigit, people.WHERE)]))
def test_a_french_town_has_its_own_postal_code(seed: int, where: str) -> None:
    town = places.town(Dice.of(seed, "town"), where)
    assert town.name in {place.name for place in gazetteers.places_with_zip(town.zip)}
    assert where == "FR" or town.department[:2] in ("97", "98")


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("Rennes", "de Rennes"),
        ("Albi", "d'Albi"),
        ("Le Mans", "du Mans"),
        ("Les Abymes", "des Abymes"),
    ],
)
def test_articles(name: str, of: str) -> None:
    assert places.of_place(name) == of


def test_every_pattern_of_a_place_can_be_filled() -> None:
    kinds = [
        name for name in rules() if name.startswith(("hospital.", "org.")) and name != "org.home"
    ]
    assert len(kinds) > 8
    for name in kinds:
        for seed in range(3 * len(rules()[name].lines)):
            dice = Dice.of(seed, name)
            made = places.filled(name, dice, places.town(dice))
            assert made
            assert not set("#{}") & set(made)


@pytest.mark.parametrize("country", ["FR", "CH", "BE", "LU", "CA"])
def test_streets(country: str) -> None:
    for seed in range(200):
        street = places.street(Dice.of(seed, country), country)
        assert street == street.strip()
        assert "#" not in street


def test_slugs() -> None:
    assert places.slug("L'Haÿ-les-Roses") == "l-hay-les-roses"
