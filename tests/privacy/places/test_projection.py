"""The plane against geodesics: it never stretches more than it says."""

from __future__ import annotations

import math
import random

import pytest
from geopy.distance import geodesic  # type: ignore[import-untyped]

from dpdeid.privacy.places.place_list import Projection

BOXES = {
    "metropolitan France": (41.3, 51.1, -5.2, 9.6),
    "Switzerland": (45.8, 47.9, 5.9, 10.5),
    "Réunion and Mayotte": (-21.4, -12.6, 45.0, 55.8),
    "both sides of the equator": (-21.4, 16.1, -61.8, 55.8),
    "both sides of the date line": (-25.0, -8.0, 160.0, 200.0),
}


def positions(box: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    chance = random.Random(7)
    south, north, west, east = box
    drawn = [(chance.uniform(south, north), chance.uniform(west, east)) for _ in range(300)]
    return [(latitude, longitude - 360 * (longitude > 180)) for latitude, longitude in drawn]


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_plane_distance_is_within_the_stretch(box: tuple[float, float, float, float]) -> None:
    places = positions(box)
    projection = Projection.around(places)
    points = [projection.plane(*place) for place in places]
    stretch = float(projection.stretch(max(math.hypot(*point) for point in points)))
    chance = random.Random(11)
    worst = 0.0
    for _ in range(700):
        one, other = chance.sample(range(len(places)), 2)
        true = geodesic(places[one], places[other]).km
        ratio = math.dist(points[one], points[other]) / true
        assert 0.9999 <= ratio <= stretch
        worst = max(worst, ratio)
    assert stretch - 1 <= 2.5 * (worst - 1) + 2e-4  # and it is not much more than needed


def test_metropolitan_france_is_stretched_by_less_than_half_a_percent() -> None:
    places = positions(BOXES["metropolitan France"])
    assert Projection.around(places).stretch(700) < 1.004


def test_neighbours_thirty_metres_apart_keep_their_distance() -> None:
    projection = Projection(46.5, 2.3)
    one, other = (48.8566, 2.3522), (48.8568, 2.3525)
    plane = math.dist(projection.plane(*one), projection.plane(*other))
    assert plane == pytest.approx(geodesic(one, other).km, rel=0.003)


def test_more_than_a_hemisphere_is_refused() -> None:
    with pytest.raises(ValueError, match="hemisphere"):
        Projection(0.0, 0.0).stretch(40_000)
