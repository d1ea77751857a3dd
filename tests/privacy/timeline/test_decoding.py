"""Posterior medians in a known order: exact against enumeration, and better than the draws."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.decoding import (
    Belief,
    Decodable,
    belief,
    likelihood,
    medians,
    neighbourhood,
    within,
)
from dpdeid.privacy.timeline.priors import ages, between_notes, log_uniform
from tests.privacy.helpers import probabilities

EPSILON = Fraction(3)
MECHANISMS: list[Decodable] = [
    Window(epsilon=EPSILON, upper=40),
    PriorWindow(epsilon=EPSILON, table=log_uniform(40)[::256]),
    BoundedLaplace(epsilon=EPSILON, upper=40),
    ClampedGeometric(epsilon_per_day=Fraction(1, 10), lower=0, upper=40),
]
every_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: type(m).__name__)


@st.composite
def chains(draw: st.DrawFn) -> list[Belief]:
    """Up to four beliefs over a few days each, that can hold in their order."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        days = sorted(draw(st.sets(st.integers(0, 9), min_size=1, max_size=5)) | {4})
        found.append(Belief(tuple(days), tuple(float(draw(st.integers(1, 9))) for _ in days)))
    return found


@given(chains())
def test_medians_are_those_of_all_orders_enumerated(chain: list[Belief]) -> None:
    tables: list[dict[int, float]] = [{} for _ in chain]
    for path in itertools.product(*(zip(b.days, b.weights, strict=True) for b in chain)):
        days = [day for day, _ in path]
        if days == sorted(days):
            weight = math.prod(weight for _, weight in path)
            for table, day in zip(tables, days, strict=True):
                table[day] = table.get(day, 0.0) + weight
    for table, median in zip(tables, medians(chain), strict=True):
        total = sum(table.values())
        below = sum(weight for day, weight in table.items() if day < median)
        reached = below + table[median]
        assert below <= total / 2 * (1 + 1e-12)
        assert reached >= total / 2 * (1 - 1e-12)


@given(chains())
def test_the_weight_within_a_room_is_that_of_all_orders_enumerated(chain: list[Belief]) -> None:
    exact = [0.0] * 10
    for path in itertools.product(*(zip(b.days, b.weights, strict=True) for b in chain)):
        days = [day for day, _ in path]
        if days == sorted(days):
            for room in range(days[-1], 10):
                exact[room] += math.prod(weight for _, weight in path)
    found = within(chain, range(10))
    assert [one / found[-1] for one in found] == pytest.approx([one / exact[-1] for one in exact])


def test_no_chain_fits_into_any_room() -> None:
    assert within([], range(3)) == [1, 1, 1]


@given(chains(), st.integers(0, 9), st.integers(0, 9))
def test_medians_are_in_order_and_between_their_bounds(
    chain: list[Belief], one: int, other: int
) -> None:
    low, high = sorted((one, other))
    found = medians([known.between(low, high) for known in chain])
    assert list(found) == sorted(found)
    assert all(low <= day <= high for day in found)


def test_nothing_to_decode_gives_nothing() -> None:
    assert medians([]) == ()


@every_mechanism
def test_the_likelihood_is_the_pmf_read_the_other_way(mechanism: Decodable) -> None:
    domain = mechanism.domain
    rows = [probabilities(mechanism, value) for value in domain]
    for output in (mechanism.randomise(v, _Middle()) for v in domain):
        exact = [float(row[output - domain[0]]) for row in rows]
        stated = likelihood(mechanism, output, domain)
        for a, b in zip(exact, stated, strict=True):
            assert a / max(exact) == pytest.approx(b / max(stated), rel=1e-9, abs=1e-12)


class _Middle:
    def randbelow(self, n: int) -> int:
        return n // 2


@every_mechanism
def test_what_explains_an_output_best_lies_in_its_neighbourhood(mechanism: Decodable) -> None:
    for output in mechanism.domain:
        low, high = neighbourhood(mechanism, output)
        stated = likelihood(mechanism, output, mechanism.domain)
        assert low <= mechanism.domain[stated.index(max(stated))] <= high


def test_a_sharp_draw_is_believed_and_no_draw_leaves_the_prior() -> None:
    prior = log_uniform(36_000)
    sharp = PriorWindow(epsilon=Fraction(14), table=prior)
    (found,) = medians([belief(prior, sharp, 1_234)])
    assert abs(found - 1_234) <= 5
    (unknown,) = medians([belief(prior)])
    assert unknown == pytest.approx(prior[len(prior) // 2], rel=0.03)  # half a cell of the grid


def test_a_belief_moves_to_either_side() -> None:
    known = Belief((0, 3, 5), (1.0, 2.0, 4.0))
    assert known.moved(100, 1) == Belief((100, 103, 105), (1.0, 2.0, 4.0))
    assert known.moved(100, -1) == Belief((95, 97, 100), (4.0, 2.0, 1.0))


def test_where_the_prior_puts_nothing_the_ends_are_left() -> None:
    known = Belief((0, 100), (1.0, 1.0)).between(40, 60)
    assert known.days == (40, 60)


@pytest.mark.parametrize(
    "prior", [log_uniform(36_000), log_uniform(365), ages(43_830), between_notes(3_652)]
)
def test_priors_are_sorted_and_reach_both_ends(prior: tuple[int, ...]) -> None:
    assert list(prior) == sorted(prior)
    assert prior[0] == 0
    assert prior[-1] in (36_000, 365, 43_830, 3_652)


def test_a_log_uniform_gap_is_as_often_below_a_week_as_its_logarithm_says() -> None:
    prior = log_uniform(36_000)
    share = sum(day < 7 for day in prior) / len(prior)
    assert share == pytest.approx(math.log(2) / math.log(36_008 / 7), rel=0.01)


def test_two_notes_are_as_far_apart_as_half_of_each_public_guess_says() -> None:
    """Of two uniform days of ten years 19 % are within a year; of log-uniform gaps 64 %."""
    prior = between_notes(3_652)
    share = sum(day <= 365 for day in prior) / len(prior)
    uniform = 1 - (1 - 365 / 3_652) ** 2
    logarithmic = math.log(373 / 7) / math.log(3_660 / 7)
    assert share == pytest.approx((uniform + logarithmic) / 2, rel=0.01)
