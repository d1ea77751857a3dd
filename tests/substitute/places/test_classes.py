"""Public classes of places: computed from the lists alone, a step there at most a step here."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from dpdeid import gazetteers
from dpdeid.engine import Deidentifier
from dpdeid.gazetteers import Place
from dpdeid.policy.policy import policy_text
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import DENSITY, ORDERED, POPULATION, REGION
from dpdeid.substitute.places.lists.classes import classes_of, classes_of_list, density, level
from tests.conftest import KEY

KINDS = (POPULATION, DENSITY, REGION)
LISTS = sorted(gazetteers.place_lists())


def largest(name: str) -> Place:
    return gazetteers.places_named(name)[0]


def test_people_around_a_place_count_whether_they_live_in_it_or_not() -> None:
    """Bourg-la-Reine has fewer people than Aurillac, and Paris around it."""
    suburb, town, village = map(largest, ("Bourg-la-Reine", "Aurillac", "Saint-Flour"))
    assert suburb.population < town.population
    assert density(suburb) > 5_000 > 1_500 > density(town) > 300
    assert density(village) < 300
    found = [classes_of(place, KINDS)[DENSITY] for place in (village, town, suburb)]
    assert found == [0, 1, 2]


def test_density_is_people_over_the_disc_and_counts_nobody_twice() -> None:
    paris = largest("Paris")
    assert paris.population / 78.6 < density(paris) < 35_000


def test_most_people_are_not_in_one_class() -> None:
    people = Counter[int]()
    for place in gazetteers.place_lists()["FR"]:
        people[classes_of(place, (DENSITY,))[DENSITY]] += place.population
    assert min(people.values()) > 0.1 * sum(people.values())


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_classes_is_one_that_the_mechanisms_take(name: str) -> None:
    listed = gazetteers.place_lists()[name]
    found = classes_of_list(name, KINDS)
    PlaceList(name, tuple((place.latitude, place.longitude) for place in listed), found)
    for index in (0, len(listed) // 2, len(listed) - 1):
        own = classes_of(listed[index], KINDS)
        assert own == {kind: found[kind][index] for kind in KINDS}


@pytest.mark.parametrize("name", LISTS)
def test_a_step_on_the_scale_of_a_list_is_at_most_a_step_of_the_classes(name: str) -> None:
    """So what the charge says of two inputs is never less than what the mechanism loses."""
    listed = [p for p in gazetteers.places() if gazetteers.place_list_name(p) == name]
    steps = list(pairwise(listed[:: len(listed) // 40 + 1]))
    assert steps
    for one, other in steps:
        here, there = classes_of(one, KINDS), classes_of(other, KINDS)
        for kind in ORDERED:
            assert abs(here[kind] - there[kind]) <= abs(level(kind, one) - level(kind, other))
        assert here[REGION] == there[REGION] or one.region != other.region


def test_a_policy_asks_for_all_three(tmp_path: Path) -> None:
    text = policy_text("dp").replace(
        "epsilon_per_km: 0.05,", "epsilon_per_km: 0.1, class_km: 20, density_km: 10, region_km: 30,"
    )
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    result = Deidentifier(str(path), key=KEY)("Vue à Rennes.")
    bounded = [charge.mechanism for charge in result.ledger.charges]
    assert any("class_km=20, density_km=10, region_km=30" in name for name in bounded)
    assert Fraction(1, 10) in {getattr(c.loss, "amount", None) for c in result.ledger.charges}
