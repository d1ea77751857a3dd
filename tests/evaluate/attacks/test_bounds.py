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
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Metric


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


def test_dp_charges_steps_over_the_gaps_between_neighbours() -> None:
    """A note ten days later, and dates 5 and 30 or 5 and 50 days before it: 25 or 45 between."""
    dp = of("dp")
    found = losses(dp, records([100, 5, 30], [90, 5, 50], [100, 5, 30]), 0)
    assert found is not None
    assert isinstance(dp.timeline, Metric)
    share, least, after = map(float, dp.timeline.before)
    steps = sum(1 / max(least, share * (gap - after)) for gap in range(25, 45))
    assert found == pytest.approx([0.05 * 10 + steps, 0], abs=2 / 32)  # two tables, rounded


def test_one_date_that_moves_changes_the_gaps_on_both_its_sides() -> None:
    dp = of("dp")
    found = losses(dp, records([100, 5, 30], [100, 9, 30]), 0)
    assert found is not None
    assert isinstance(dp.timeline, Metric)
    noise = dp.timeline.noise(Role.BEFORE)
    assert found == pytest.approx([float(noise.loss(5, 9) + noise.loss(25, 21))])
    strict = losses(of("dp-strict"), records([100, 5, 30], [100, 9, 30]), 0)
    assert strict == pytest.approx([2 * 1.6])


def test_dp_strict_charges_each_gap_that_differs_up_to_its_cap() -> None:
    same = [10, 20, 30, 40, 50, 60, 70]
    every = [15, 21, 32, 43, 54, 65, 76]
    shifted = [10, 21, 31, 41, 51, 61, 71]  # only the gap from the note to the next one
    over = [*same[:5], 62, 75]
    found = losses(of("dp-strict"), records(same, every, shifted, over), 0)
    assert found is not None
    assert found == pytest.approx([5 * 1.6, 1.6, 0])


def test_what_is_over_the_cap_of_dp_is_not_charged() -> None:
    mode = of("dp").timeline
    assert isinstance(mode, Metric)
    capped = Drawn("capped", replace(mode, cap=2), None)
    found = losses(capped, records([10, 20, 30], [10, 20, 35], [10, 24, 34]), 0)
    assert found is not None
    assert found[0] == 0
    assert found[1] == pytest.approx(float(mode.noise(Role.BEFORE).loss(20, 24)))


def test_towns_are_charged_by_kilometre_and_dp_for_the_lattice() -> None:
    both = records([10, 5], [10, 5], towns=[[0], [7]])
    apart = chord_km(france().positions[0], france().positions[7])
    (dp,), (strict,) = (losses(of(name), both, 0) for name in ("dp", "dp-strict"))
    assert dp == pytest.approx(0.05 * apart + 0.1415, rel=0.01)
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
