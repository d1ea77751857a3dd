"""The shipped weights of places: their certificates, their lists, what they load in."""

from __future__ import annotations

import math
import random
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from geopy.distance import geodesic  # type: ignore[import-untyped]

from dpdeid import gazetteers
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.weighted import (
    DEGREE,
    Position,
    WeighedPlaces,
    decoded,
    encoded,
    exponential,
    qp_weighted,
    rounded,
)
from gazetteers import weighing
from tests.privacy.helpers import STREAMS
from tests.privacy.making import FRANCE, grid

LISTS = sorted(gazetteers.place_lists())
EPSILONS = ("0.05", "0.1")


def shipped(name: str, epsilon: str) -> WeighedPlaces:
    places = gazetteers.place_lists()[name]
    listed = PlaceList(name, tuple((place.latitude, place.longitude) for place in places))
    return qp_weighted(Fraction(epsilon), listed)


def _worst_of_some_pairs(weighed: WeighedPlaces, pairs: Iterator[tuple[Position, ...]]) -> float:
    """The largest loss per geodesic kilometre, from the integers that are drawn from."""
    worst = 0.0
    for one, other in pairs:
        places = [(north / DEGREE, east / DEGREE) for north, east in (one, other)]
        here, there = (weighed.pmf(*place) for place in places)
        assert here.keys() == there.keys()
        totals = sum(here.values()), sum(there.values())
        ratio = max(
            Fraction(max(here[i] * totals[1], there[i] * totals[0]))
            / min(here[i] * totals[1], there[i] * totals[0])
            for i in here
        )
        worst = max(worst, math.log(ratio) / geodesic(*places).km)
    return worst


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", LISTS)
def test_every_list_has_a_table_and_some_pairs_keep_epsilon(name: str, epsilon: str) -> None:
    weighed = shipped(name, epsilon)
    assert min(weighed.pmf(*weighed.places.positions[0]).values()) > 0
    chance, inputs = random.Random(name + epsilon), sorted(weighed.inputs)
    some = (tuple(chance.sample(inputs, 2)) for _ in range(6))
    assert 0.5 * float(epsilon) < _worst_of_some_pairs(weighed, some) <= float(epsilon)


@pytest.mark.parametrize(
    ("name", "epsilon"),
    [
        pytest.param(name, epsilon, marks=[pytest.mark.slow] if name == "FR" else [])
        for name in LISTS
        for epsilon in EPSILONS
    ],
)
def test_the_certificate_holds_for_all_pairs_of_inputs(name: str, epsilon: str) -> None:
    weighed = shipped(name, epsilon)
    found = weighing.certificate(weighed)
    assert 0.95 * float(epsilon) < found <= float(epsilon)


@pytest.mark.parametrize("name", LISTS)
def test_every_place_of_a_list_is_an_input(name: str) -> None:
    inputs = shipped(name, "0.1").inputs
    listed = {rounded(p.latitude, p.longitude) for p in gazetteers.place_lists()[name]}
    assert listed <= inputs.keys()


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", LISTS)
def test_shipped_totals_are_those_of_the_weights(name: str, epsilon: str) -> None:
    """A wrong total would draw from other weights than the certificate looked at."""
    weighed = shipped(name, epsilon)
    some = sorted(weighed.inputs)[:: max(len(weighed.inputs) // 40, 1)]
    for position in some:
        total = sum(weighed.sites.pmf(*weighed.point(position)).values())
        assert weighed.inputs[position] == total == weighed.sites.total(*weighed.point(position))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_all_totals_of_the_largest_table_are_those_of_the_weights(epsilon: str) -> None:
    weighed = shipped("FR", epsilon)
    totals = {at: weighed.sites.total(*weighed.point(at)) for at in weighed.inputs}
    assert totals == weighed.inputs


def test_float_totals_are_those_of_the_integers() -> None:
    weighed = shipped("LU", "0.1")
    points = np.array([weighed.places.locate(49.5, 6.1), weighed.places.locate(50.1, 6.0)])
    found = weighing.totals(weighed.sites, points.astype(float))
    for point, total in zip(points.tolist(), found, strict=True):
        assert sum(weighed.sites.pmf(*point).values()) == pytest.approx(total, rel=1e-12)


def test_a_wrong_table_does_not_pass_the_certificate() -> None:
    """The proof has power: a rate of ε itself, or one site ten times too heavy, is caught."""
    weighed = shipped("LU", "0.1")
    table = encoded(weighed)
    steep = table | {"rate": str(Fraction(table["rate"]) * Fraction(6, 5))}
    weights = list(table["weights"])
    weights[len(weights) // 2] *= 10
    for wrong in (steep, table | {"weights": weights}):
        assert weighing.certificate(decoded(wrong, weighed.places)) > 0.1
    assert weighing.certificate(decoded(table, weighed.places)) <= 0.1


def test_weights_can_be_made_again() -> None:
    chance = random.Random(9)
    positions = sorted(
        {rounded(chance.uniform(46, 47), chance.uniform(2, 3.4)) for _ in range(150)}
    )
    places = PlaceList("made", tuple((n / DEGREE, e / DEGREE) for n, e in positions[::3]))
    prior = [1 / len(positions)] * len(positions)
    made = weighing.weigh(Fraction("0.1"), places, positions, prior)
    assert weighing.certificate(made) <= 0.1
    assert float(made.sites.rate) * 1e6 > 0.085
    assert encoded(decoded(encoded(made), places)) == encoded(made)


def test_the_largest_table_is_small() -> None:
    """How long it takes to load is measured by benchmarks/privacy_places.py."""
    weighed = shipped("FR", "0.05")
    qp_weighted.cache_clear()
    tracemalloc.start()
    qp_weighted(Fraction("0.05"), weighed.places)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 1e6 < held < most < 60e6


@pytest.mark.parametrize("epsilon", ["0.02", "0.3"])
def test_the_baseline_keeps_epsilon_for_any_two_inputs(epsilon: str) -> None:
    weighed = exponential(Fraction(epsilon), FRANCE)
    chance = random.Random(4)

    def pairs() -> Iterator[tuple[Position, ...]]:
        for step in (1, 3, 40, 900, 3000):
            north, east = chance.randint(43_000, 50_000), chance.randint(-3_000, 7_000)
            yield (north, east), (north + step, east - step)
            yield (north, east), (north, east + step)

    assert _worst_of_some_pairs(weighed, pairs()) <= float(epsilon)


def test_what_is_no_input_is_moved_to_the_nearest() -> None:
    weighed = shipped("LU", "0.1")
    north, east = sorted(weighed.inputs)[7]
    beside = weighed.locate(north / DEGREE + 0.0004, east / DEGREE)
    assert beside == weighed.locate(north / DEGREE, east / DEGREE)
    assert weighed.locate(48.85, 2.35) in {
        weighed.places.locate(n / DEGREE, e / DEGREE) for n, e in weighed.inputs
    }


def test_draws_are_places_of_the_list() -> None:
    for weighed in (shipped("LU", "0.05"), exponential(Fraction("0.1"), FRANCE)):
        stream = STREAMS.stream("tables")
        home = weighed.places.positions[3]
        drawn = {weighed.randomise(*home, stream) for _ in range(300)}
        assert drawn <= weighed.pmf(*home).keys()
        assert len(drawn) > 5


def test_equal_positions_come_out_as_the_first_of_them() -> None:
    twice = PlaceList("twice", (*grid(5, 5), *grid(5, 5)))
    assert set(exponential(Fraction(1), twice).pmf(45.0, 3.0)) == set(range(25))


def test_a_missing_or_strange_table_says_how_to_build_it() -> None:
    with pytest.raises(ValueError, match=r"no table of weights for the places FR at .* 0\.07"):
        qp_weighted(Fraction("0.07"), FRANCE)
    with pytest.raises(ValueError, match="made for other places"):
        qp_weighted(Fraction("0.05"), FRANCE)


@pytest.mark.parametrize("position", [(95.0, 2.0), (math.nan, 2.0), (48.0, 181.0)])
def test_what_is_no_position_is_refused(position: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="itude must lie between"):
        exponential(Fraction(1), FRANCE).randomise(*position, STREAMS.stream("x"))


def test_the_rate_of_the_baseline_is_half_of_epsilon_at_most() -> None:
    weighed = exponential(Fraction("0.1"), FRANCE)
    assert weighed.sites.rate * weighed.places.stretch * 2_000_000 < Fraction("0.1")
