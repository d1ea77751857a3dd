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
    ("name", "of", "at"),
    [
        ("Rennes", "de Rennes", "à |Rennes"),
        ("Albi", "d'Albi", "à |Albi"),
        ("Le Mans", "du Mans", "au |Mans"),
        ("Les Abymes", "des Abymes", "aux |Abymes"),
    ],
)
def test_articles(name: str, of: str, at: str) -> None:
    assert places.of_place(name) == of
    assert places.at_place(name) == at


def test_every_pattern_of_a_place_can_be_filled() -> None:
    for name, rule in rules().items():
        if not name.startswith(("hospital.", "org.")):
            continue
        for seed, pattern in enumerate(rule.lines):
            dice = Dice.of(seed, name)
            made = places.filled(pattern, dice, places.town(dice))
            assert made
            assert "#" not in made


@pytest.mark.parametrize("country", ["FR", "CH", "BE", "LU", "CA"])
def test_streets(country: str) -> None:
    for seed in range(200):
        street = places.street(Dice.of(seed, country), country)
        assert street == street.strip()
        assert "#" not in street


def test_slugs() -> None:
    assert places.slug("L'Haÿ-les-Roses") == "l-hay-les-roses"
