"""Bits of towns against the sum of largest probabilities, on lists that are small enough for it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdeid.privacy.leakage import bits
from dpdeid.privacy.mechanisms.falling import ClampedGeometric
from dpdeid.privacy.places.leakage import of_planar, of_town, of_weighed
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import RADIUS, PlanarLaplace, weight
from dpdeid.privacy.places.release import PlanarNearest, QPWeighted
from dpdeid.privacy.places.weighted import exponential, qp_weighted
from dpdeid.substitute.places.earlier import known_positions, surrogate_places

COARSE = Fraction(1, 100)
Positions = list[tuple[float, float]]

TOWNS = st.lists(
    st.tuples(st.integers(4400, 4900), st.integers(0, 500)), min_size=20, max_size=24, unique=True
).map(lambda towns: [(north / 100, east / 100) for north, east in towns])


def by_definition(mechanism: PlanarLaplace, inputs: Positions) -> float:
    """Every lattice point of the square, the nearest place of each and its weight."""
    axis = np.arange(-mechanism.reach, mechanism.reach + 1)
    x, y = (one.ravel() for one in np.meshgrid(axis, axis, indexing="ij"))
    step = float(mechanism.cell_mm)
    away = [
        (x * step - east) ** 2 + (y * step - north) ** 2
        for _, east, north in mechanism.places.distinct()
    ]
    nearest = np.argmin(away, axis=0)
    table = np.array([math.sqrt(one) for one in range(RADIUS**2)])
    fall = -math.log(weight(RADIUS**2 // 4) / weight(0)) / (RADIUS / 2)
    likeliest = np.zeros(len(away))
    for one in inputs:
        i, j = mechanism.cell(*one)
        squared = np.minimum((x - i) ** 2 + (y - j) ** 2, RADIUS**2 - 1)
        found = np.bincount(nearest, np.exp(-fall * table[squared]), len(away))
        likeliest = np.maximum(likeliest, found / found.sum())
    return math.log2(likeliest.sum())


@settings(max_examples=4, deadline=None)
@given(towns=TOWNS, epsilon=st.sampled_from([COARSE, Fraction(1, 30)]))
def test_the_bound_of_the_lattice_is_above_the_exact_bits(
    towns: Positions, epsilon: Fraction
) -> None:
    mechanism = PlanarLaplace(epsilon_per_km=epsilon, places=PlaceList("t", tuple(towns)))
    assert by_definition(mechanism, towns) <= of_planar(mechanism, towns) + 1e-6
    assert of_town(mechanism, towns) <= math.log2(len(towns))


@pytest.mark.parametrize("apart", [1, 10, 40])
def test_it_is_not_far_above_them(apart: int) -> None:
    towns = [(44 + at % 5 * apart / 100, 1 + at // 5 * apart / 100) for at in range(25)]
    mechanism = PlanarLaplace(epsilon_per_km=Fraction(1, 20), places=PlaceList("t", tuple(towns)))
    exact = by_definition(mechanism, towns)
    assert exact <= of_planar(mechanism, towns) <= 1.5 * exact + 0.5


def test_fewer_places_that_may_be_true_tell_less() -> None:
    towns = [(44 + at / 10, 1.0 + at % 5) for at in range(24)]
    mechanism = PlanarLaplace(epsilon_per_km=Fraction(1, 10), places=PlaceList("t", tuple(towns)))
    assert of_town(mechanism, towns[:1]) == 0
    assert of_town(mechanism, towns[:3]) <= math.log2(3)
    assert of_planar(mechanism, towns[:12]) < of_planar(mechanism, towns)


@pytest.mark.parametrize("name", ["972", "973", "988"])
@pytest.mark.parametrize("mechanism", [qp_weighted, exponential])
def test_weighted_sites_are_exact(name: str, mechanism: object) -> None:
    """By the integers themselves."""
    drawing = mechanism(Fraction(1, 10), surrogate_places(name, ()))  # type: ignore[operator]
    inputs = known_positions()[name]
    likeliest: dict[int, Fraction] = {}
    for one in inputs:
        weights = drawing.pmf(*one)
        total = sum(weights.values())
        for place, amount in weights.items():
            likeliest[place] = max(likeliest.get(place, Fraction(0)), Fraction(amount, total))
    exact = math.log2(sum(likeliest.values()))
    found = of_weighed(drawing, [drawing.locate(*one) for one in inputs])
    assert exact <= found <= exact + 1e-4


def test_classes_add_their_own_bits() -> None:
    kinds = ("population",)
    places, inputs = surrogate_places("BE", kinds), known_positions()["BE"]
    plain = PlanarNearest(epsilon_per_km=Fraction(1, 20))
    classed = PlanarNearest(epsilon_per_km=Fraction(1, 20), class_km=Fraction(5))
    most = max(places.classes["population"])
    step = ClampedGeometric(epsilon_per_day=Fraction(1, 4), lower=0, upper=most)
    more = classed.leakage(places, inputs) - plain.leakage(places, inputs)
    assert more == pytest.approx(bits(step))


def test_a_smaller_rate_tells_less() -> None:
    places, inputs = surrogate_places("FR", ()), known_positions()["FR"]
    told = [
        QPWeighted(epsilon_per_km=rate).leakage(places, inputs)
        for rate in (Fraction(1, 20), Fraction(1, 10))
    ]
    assert 7 < told[0] < told[1] < 8.5
