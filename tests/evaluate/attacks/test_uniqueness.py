"""HNFC's counts, and that a uniform shift changes none of the intervals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.attacks.patients import KEY, Drawn, patients, released
from dpdeid.evaluate.attacks.traces import (
    Uniqueness,
    date_set,
    intervals,
    kept_intervals,
    uniqueness,
)
from dpdeid.policy.policy import load_policy
from dpdeid.privacy.rng import Streams

records = st.lists(st.lists(st.integers(700_000, 740_000), max_size=8), max_size=20)


def test_intervals_run_back_from_the_latest_date() -> None:
    assert date_set([10, 30, 10, 15]) == (30, 15, 10)
    assert intervals([10, 30, 10, 15]) == (15, 5)
    assert intervals([10, 10]) == ()


def test_what_nobody_else_has_is_counted() -> None:
    found = uniqueness([[1, 5], [11, 15], [1, 5, 9], [1, 5], [], [7]])
    # dates: {1, 5} twice; intervals: (4,) three times; (4, 4) and () once
    assert found == Uniqueness(records=5, with_intervals=4, date_sets=3, interval_sequences=2)


@given(records, st.lists(st.integers(-365, 365), min_size=20, max_size=20))
def test_a_uniform_shift_keeps_every_interval(days: list[list[int]], shifts: list[int]) -> None:
    moved = [[day + by for day in own] for own, by in zip(days, shifts[: len(days)], strict=True)]
    before, after = uniqueness(days), uniqueness(moved)
    assert before.interval_sequences == after.interval_sequences
    assert kept_intervals(days, moved) == before.with_intervals


def test_the_shift_of_aphp_is_one() -> None:
    policy, people = Drawn.of(load_policy("aphp")), patients(50)
    days = [[point.day for point in one.points] for one in people]
    after = [released(policy, one, f"{at}").days for at, one in enumerate(people)]
    assert kept_intervals(days, after) == len(people)
    assert all(set(a) != set(b) for a, b in zip(after, days, strict=True))


def test_noise_keeps_hardly_any() -> None:
    policy, people = Drawn.of(load_policy("dp")), patients(50)
    days = [[point.day for point in one.points] for one in people]
    after = [policy.days(one.points, Streams(KEY, f"{at}")) for at, one in enumerate(people)]
    assert kept_intervals(days, [[d for d in own if d is not None] for own in after]) < 5
