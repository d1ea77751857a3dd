"""Places over the cap: near the first released one, by people, blind to their originals."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.assurance.audit import france
from dpdeid.privacy.audit import chord_km
from dpdeid.privacy.places.gravity import SCALE_KM, further
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import PlanarNearest, QPWeighted, Spot
from dpdeid.privacy.rng import Streams
from tests.privacy.helpers import STREAMS
from tests.privacy.making import grid

MODES = (
    PlanarNearest(epsilon_per_km=Fraction("0.1"), cap=1),
    QPWeighted(epsilon_per_km=Fraction("0.1"), cap=1),
)
FRANCE = france()
SIZE = len(FRANCE.positions)


def spots(*indices: int) -> list[Spot]:
    return [
        Spot(f"town {at}", *FRANCE.positions[index], FRANCE) for at, index in enumerate(indices)
    ]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@given(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
def test_a_place_over_the_cap_does_not_depend_on_its_original(
    mode: PlanarNearest | QPWeighted, first: int, one: int, other: int
) -> None:
    assert mode.release(spots(first, one), streams=STREAMS) == mode.release(
        spots(first, other), streams=STREAMS
    )


def test_it_lies_near_the_first_released_place_and_costs_nothing() -> None:
    away = []
    for unit in range(200):
        first, second = MODES[0].release(spots(10, 500), streams=Streams(STREAMS.key, f"u{unit}"))
        assert second.charges == ()
        assert second.index != first.index
        away.append(chord_km(FRANCE.positions[first.index], FRANCE.positions[second.index]))
    assert sorted(away)[100] < 60


def test_weights_are_people_times_the_pull() -> None:
    """On a line of equal towns a town 25 km further is drawn e times less often."""
    step = SCALE_KM / 111.2
    line = tuple((46.0 + step * (at - 10), 2.0) for at in range(21))
    listed = PlaceList("line", line, people=(1_000,) * 21)
    source = STREAMS.stream("gravity")
    drawn = Counter(further(listed, (10,), source) for _ in range(20_000))
    for at in range(11, 13):
        assert drawn[at] / drawn[at + 1] == pytest.approx(math.e, rel=0.15)
    twice = PlaceList("line", line, people=(*[1_000] * 11, *[2_000] * 10))
    more = Counter(further(twice, (10,), source) for _ in range(20_000))
    assert more[11] / more[9] == pytest.approx(2, rel=0.1)


def test_without_a_centre_people_alone_decide() -> None:
    listed = PlaceList("grid", grid(5, 5), people=(24, *[1] * 24))
    source = STREAMS.stream("alone")
    drawn = Counter(further(listed, (), source) for _ in range(8_000))
    assert drawn[0] / 8_000 == pytest.approx(0.5, abs=0.03)
    assert len(drawn) == 25


def test_different_places_stay_different_while_half_of_a_list_is_free() -> None:
    many = MODES[0].release(spots(*range(0, SIZE, SIZE // 40)), streams=STREAMS)
    assert len({one.index for one in many}) == len(many)
    listed = PlaceList("small", grid(5, 5))
    taken = list(range(25))
    assert further(listed, taken, STREAMS.stream("full")) in taken


def test_a_place_whose_neighbours_are_all_taken_has_a_further_one() -> None:
    """At 3,000 km the pull is 1e−52: nothing may be drawn again and again until it is met."""
    islands = ((0.0, 0.0), (0.1, 0.1), (0.2, 0.0), *((25.0 + at / 10, 20.0) for at in range(20)))
    listed = PlaceList("islands", islands, people=(1_000_000,) * 23)
    drawn = {further(listed, (0, 1, 2), STREAMS.stream(f"far {at}")) for at in range(200)}
    assert drawn <= set(range(3, 23))
    assert len(drawn) > 10


def test_people_are_given_for_each_place() -> None:
    with pytest.raises(ValueError, match="people"):
        PlaceList("grid", grid(5, 5), people=(1, 2))
