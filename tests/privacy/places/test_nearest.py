"""Lists of places, and the nearest of them, against a search through all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.places.place_list import MARGIN_KM, MM_PER_KM, PlaceList
from tests.privacy.making import FRANCE, grid

POINTS = [FRANCE.locate(*position) for position in FRANCE.positions]
FAR = 3_000 * MM_PER_KM


@given(st.integers(-FAR, FAR), st.integers(-FAR, FAR))
def test_nearest_is_the_first_of_the_nearest(x: int, y: int) -> None:
    distances = [(px - x) ** 2 + (py - y) ** 2 for px, py in POINTS]
    assert FRANCE.nearest(x, y) == distances.index(min(distances))


def test_every_place_is_nearest_to_itself() -> None:
    assert [FRANCE.nearest(*point) for point in POINTS] == list(range(len(POINTS)))


def test_places_on_one_point_count_once_and_the_first_comes_out() -> None:
    positions = (*grid(5, 5), *grid(5, 5))
    places = PlaceList("twice", positions)
    assert {places.nearest(*places.locate(*p)) for p in positions} == set(range(25))


def test_clusters_and_gaps_are_searched_in_full() -> None:
    chance = random.Random(3)
    dense = tuple((48 + chance.random() / 1000, 2 + chance.random() / 1000) for _ in range(60))
    places = PlaceList("cluster", (*dense, (43.3, 5.4)))
    points = [places.locate(*position) for position in places.positions]
    for _ in range(40):
        x, y = (chance.randrange(-FAR // 4, FAR // 4) for _ in range(2))
        distances = [(px - x) ** 2 + (py - y) ** 2 for px, py in points]
        assert places.nearest(x, y) == distances.index(min(distances))


def test_positions_far_away_are_clamped_to_the_disc_around_the_list() -> None:
    x, y = FRANCE.locate(-21.1, 55.5)
    assert abs((x * x + y * y) ** 0.5 - FRANCE.radius_mm) < 10
    inside = max((px * px + py * py) ** 0.5 for px, py in POINTS)
    assert FRANCE.radius_mm == pytest.approx(inside + MARGIN_KM * MM_PER_KM, abs=10)


@pytest.mark.parametrize("positions", [(), ((48.0, 2.0),), ((48.0, 2.0),) * 30, grid(3, 6)])
def test_a_list_that_hides_nothing_is_refused(positions: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="at least 20"):
        PlaceList("small", positions)


@pytest.mark.parametrize(
    "position", [(95.0, 2.0), (-91.0, 0.0), (48.0, 181.0), (float("nan"), 2.0), (1.0, float("inf"))]
)
def test_a_bad_coordinate_is_refused(position: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="must lie between"):
        PlaceList("bad", (*grid(5, 5), position))
    with pytest.raises(ValueError, match="must lie between"):
        FRANCE.locate(*position)


def test_a_list_shows_no_coordinates() -> None:
    assert "48." not in repr(FRANCE).replace(repr(FRANCE.projection), "")
