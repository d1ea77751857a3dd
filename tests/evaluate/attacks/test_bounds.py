"""The bounds on losses that are computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.assurance.audit import france
from dpdeid.evaluate.attacks.likelihood import (
    losses,
    many_releases_bound,
    one_release_bound,
    right_guess_bound,
)
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.audit import chord_km


def records(*gaps: list[int], towns: list[list[int]] | None = None) -> Alike:
    homes = towns or [[] for _ in gaps]
    return Alike(np.array(gaps), np.array(homes, dtype=np.int64).reshape(len(gaps), -1))


def of(name: str) -> Drawn:
    return Drawn.of(load_policy(name))


@given(st.floats(0, 20), st.integers(2, 50))
def test_equal_losses_give_the_known_formula(epsilon: float, records: int) -> None:
    apart = np.full(records - 1, epsilon)
    known = math.exp(epsilon) / (math.exp(epsilon) + records - 1)
    assert right_guess_bound(apart) == pytest.approx(known)
    assert one_release_bound([apart] * records) == pytest.approx(known)


def test_three_records_by_hand() -> None:
    # L(1, 2) = ln 2, L(1, 3) = ln 4, L(2, 3) = ln 8
    rows = [np.log([2, 4]), np.log([2, 8]), np.log([4, 8])]
    assert one_release_bound(rows) == pytest.approx(1 / (1 + 1 / 4 + 1 / 8))
    assert many_releases_bound(rows[0]) == pytest.approx(1 / (1 + 1 / 4 + 1 / 16))
    assert many_releases_bound(rows[2]) == pytest.approx(1 / (1 + 1 / 16 + 1 / 64))


def test_no_loss_is_a_blind_guess() -> None:
    assert many_releases_bound(np.zeros(9)) == pytest.approx(1 / 10)


def test_dp_charges_days_over_all_dates() -> None:
    found = losses(of("dp"), records([100, 5, 30], [90, 5, 50], [100, 5, 30]), 0)
    assert found is not None
    assert found == pytest.approx([0.05 * (10 + 20), 0])


def test_dp_strict_charges_each_date_that_differs_up_to_its_cap() -> None:
    same, other = list(range(10, 80, 10)), list(range(15, 85, 10))
    found = losses(of("dp-strict"), records(same, other, [10, 21, *same[2:]]), 0)
    assert found is not None
    assert found == pytest.approx([5 * 1.6, 1.6])


def test_towns_are_charged_by_kilometre_and_dp_for_the_lattice() -> None:
    both = records([10, 5], [10, 5], towns=[[0], [7]])
    apart = chord_km(france().positions[0], france().positions[7])
    (dp,), (strict,) = (losses(of(name), both, 0) for name in ("dp", "dp-strict"))
    assert dp == pytest.approx(0.1 * apart + 0.1415, rel=0.01)
    assert strict == pytest.approx(0.05 * apart, rel=0.01)
    assert strict >= 0.05 * apart


@pytest.mark.parametrize("name", ["aphp", "hnfc"])
def test_where_nothing_is_stated_there_is_no_bound(name: str) -> None:
    assert losses(of(name), records([10, 5], [20, 5]), 0) is None
    assert losses(of(name), records([10, 5], [10, 5]), 0) == pytest.approx([0])


def test_keyed_towns_take_the_bound_away() -> None:
    mixed = replace(of("dp"), places=of("aphp").places)
    assert losses(mixed, records([9, 5], [8, 5], towns=[[1], [2]]), 0) is None
    assert losses(mixed, records([9, 5], [8, 5], towns=[[1], [1]]), 0) is not None
