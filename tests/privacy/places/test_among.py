"""What kept text leaves of a list: the drawn place settles among these, which costs nothing."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.audit import chord_km
from dpdeid.privacy.places.gravity import FEW, _sums, further, nearest_among, settled
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import (
    Exponential,
    PlanarNearest,
    QPWeighted,
    Spot,
)
from dpdeid.privacy.places.weighted import exponential
from dpdeid.privacy.rng import Streams
from tests.privacy.helpers import HAIR, STREAMS, at_most_exp
from tests.privacy.making import FRANCE, grid

SMALL = PlaceList("grid", grid(7, 7))
RATE = Fraction("0.1")
SOME = frozenset(range(0, len(FRANCE.positions), 9))
LITTLE = frozenset(range(0, len(FRANCE.positions), len(FRANCE.positions) // 30))
MODES = [kind(epsilon_per_km=RATE, cap=2) for kind in (PlanarNearest, Exponential)]
within = st.integers(0, len(SMALL.positions) - 1)


def moved(at: int, among: frozenset[int]) -> dict[int, Fraction]:
    """The exact probability of each place that may come out."""
    weights = exponential(RATE, SMALL).pmf(*SMALL.positions[at])
    found: dict[int, Fraction] = defaultdict(Fraction)
    for index, weight in weights.items():
        sums = _sums(SMALL, index, among)
        for other in among:
            found[other] += weight * Fraction(sums[other + 1] - sums[other], sums[-1])
    return {index: Fraction(weight, sum(weights.values())) for index, weight in found.items()}


@given(within, within, st.frozensets(within, min_size=1))
def test_the_exact_loss_of_what_is_printed_is_that_of_the_draw(
    one: int, other: int, among: frozenset[int]
) -> None:
    here, there = moved(one, among), moved(other, among)
    apart = Fraction(chord_km(SMALL.positions[one], SMALL.positions[other]))
    assert here.keys() == there.keys() <= among
    for index, chance in here.items():
        assert at_most_exp(chance / there[index], RATE * apart + HAIR)


@given(within, st.frozensets(within, min_size=1), st.integers(0, 99))
def test_a_place_settles_where_few_may_come_out_as_its_pull_says(
    at: int, among: frozenset[int], number: int
) -> None:
    sums = _sums(SMALL, at, among)
    rank = STREAMS.stream(f"{number}").randbelow(sums[-1])
    index = settled(SMALL, at, STREAMS.stream(f"{number}"), among)
    assert index in among
    assert sums[index] <= rank < sums[index + 1]


def test_of_few_the_true_one_is_often_another() -> None:
    """As of university hospitals, of which the nearest to a drawn place is the true one."""
    mode = PlanarNearest(epsilon_per_km=RATE)
    same = 0
    for at in LITTLE:
        for unit in range(20):
            spot = Spot("n", *FRANCE.positions[at], FRANCE, among=LITTLE)
            same += mode.draw(spot, Streams(STREAMS.key, f"{unit}")).index == at
    assert len(LITTLE) < FEW
    assert same < 0.75 * 20 * len(LITTLE)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@given(st.integers(0, len(FRANCE.positions) - 1), st.integers(0, 10_000))
def test_what_settles_costs_what_the_draw_costs(
    mode: PlanarNearest | Exponential, at: int, unit: int
) -> None:
    streams, where = Streams(STREAMS.key, f"{unit}"), FRANCE.positions[at]
    free, steered = (
        mode.release([Spot("n", *where, FRANCE, among=among)], streams=streams)[0]
        for among in (frozenset[int](), SOME)
    )
    assert steered.index in SOME
    assert steered.charges == free.charges


@given(st.integers(0, len(FRANCE.positions) - 1))
def test_no_place_that_may_come_out_is_nearer(at: int) -> None:
    x, y = FRANCE.locate(*FRANCE.positions[at])
    away = {i: math.dist((x, y), FRANCE.locate(*FRANCE.positions[i])) for i in SOME}
    assert away[nearest_among(FRANCE, at, SOME)] == min(away.values())


@given(st.integers(0, len(FRANCE.positions) - 1), st.integers(0, len(FRANCE.positions) - 1))
def test_a_further_place_is_one_of_them_whatever_the_true_ones(one: int, other: int) -> None:
    mode = PlanarNearest(epsilon_per_km=RATE, cap=1)
    home = Spot("home", *FRANCE.positions[7], FRANCE)
    found = {
        mode.release(
            [home, Spot("further", *FRANCE.positions[at], FRANCE, among=SOME)], streams=STREAMS
        )[1].index
        for at in (one, other)
    }
    assert len(found) == 1
    assert found <= SOME


def test_different_towns_stay_different_though_few_may_come_out() -> None:
    few = frozenset(range(20, 40))
    taken: list[int] = [100]
    for number in range(10):
        taken.append(further(FRANCE, taken, STREAMS.stream(f"few {number}"), few))
    assert len(set(taken)) == 11
    assert few.issuperset(taken[1:])
    all_taken = sorted(few)
    assert further(FRANCE, all_taken, STREAMS.stream("all"), few) in few


def test_a_table_of_weights_is_steered_as_well() -> None:
    from dpdeid.assurance.audit import france

    own = france()
    some = frozenset(range(0, len(own.positions), 50))
    mode = QPWeighted(epsilon_per_km=RATE, cap=1)
    assert mode.draw(Spot("n", 48.1, -1.7, own, among=some), STREAMS).index in some
