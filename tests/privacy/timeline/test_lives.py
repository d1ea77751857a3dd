"""Ages of the past: a chain from the birth to the present age, in every mode."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role, chain
from dpdeid.privacy.timeline.modes import Kind, Metric, Past, Point, Shift, Strict, Told
from dpdeid.privacy.timeline.points import LARGEST, UNITS
from tests.privacy.making import E0
from tests.privacy.timeline.test_chain import METRIC, every_mode

KEY = bytes(range(32))
NOTE = Point("note", E0 - 400, Kind.NOTE, 0)


def life(now: int, *ages: int, unit: str = "years") -> list[Point]:
    """A note, a birth so many units before it, and days on which the patient had these ages."""
    size = UNITS[unit]
    born = NOTE.day - int(now * size + size // 2)
    days = [(f"at {age}", born + int(age * size + size // 2)) for age in ages]
    aged = [Point(name, day, Kind.AGED, 0, start="born", unit=unit) for name, day in days]
    return [NOTE, Point("born", born, Kind.BIRTH, 0, first=True), *aged]


def ages(mode: Metric | Strict | Shift, points: list[Point], key: int) -> list[int]:
    """The ages that come out, in the order of the points, the present one last."""
    unit = UNITS[points[2].unit]
    note, born, *aged = mode.release(points, e0=E0, streams=Streams(KEY, f"u{key}"))
    return [int(((one.day or 0) - (born.day or 0)) // unit) for one in (*aged, note)]


@every_mode
@given(st.lists(st.integers(0, 69), min_size=1, max_size=6, unique=True), st.integers(0, 99))
def test_they_keep_their_order_and_differ(mode: Metric | Strict, told: list[int], key: int) -> None:
    *out, now = ages(mode, life(70, *sorted(told)), key)
    assert all(one <= other for one, other in pairwise((*out, now)))
    if now > len(out):
        assert all(one < other for one, other in pairwise((*out, now)))


@every_mode
@pytest.mark.parametrize("unit", ["days", "weeks", "months"])
def test_those_of_a_child_stay_in_their_unit(mode: Metric | Strict, unit: str) -> None:
    for key in range(40):
        *out, now = ages(mode, life(30, 1, 14, unit=unit), key)
        assert min(now, unit != "days") <= out[0] <= out[1] <= min(now, LARGEST[unit])


def test_they_are_as_near_as_their_noise_says() -> None:
    """Of 13, 51 and 60 years under the noise of `dp` few are a quarter off, some two years."""
    found = [ages(METRIC, life(62, 13, 51, 60), key)[:3] for key in range(200)]
    pairs = [(out, age) for row in found for out, age in zip(row, (13, 51, 60), strict=True)]
    assert sum(abs(out - age) > age / 4 for out, age in pairs) < len(pairs) / 10
    assert sum(abs(out - age) > 2 for out, age in pairs) > len(pairs) / 10
    months = [ages(METRIC, life(30, 14, unit="months"), key)[0] for key in range(200)]
    assert sum(abs(out - 14) > 7 for out in months) < 20


@given(st.lists(st.integers(1, 68), min_size=2, max_size=5, unique=True), st.data())
def test_their_skeleton_knows_their_order_alone(told: list[int], data: st.DataObject) -> None:
    others = data.draw(
        st.lists(st.integers(1, 68), min_size=len(told), max_size=len(told), unique=True)
    )
    order = sorted(range(len(told)), key=told.__getitem__)
    moved = dict(zip(order, sorted(others), strict=True))
    again = [moved[at] for at in range(len(told))]
    one, other = (chain(life(70, *row), Past(), E0).skeleton for row in (told, again))
    assert one == other


@every_mode
def test_each_costs_its_own_draw_as_the_gap_to_the_one_before(mode: Metric | Strict) -> None:
    points = life(62, 51, 13)
    made = chain(points, Past(), E0)
    links = made.skeleton.links
    assert [links[at].base for at in (3, 2)] == [1, 3]
    assert links[2].role is links[3].role is Role.AGED
    released = mode.release(points, e0=E0, streams=Streams(KEY, "u"))
    assert len({charge.event for one in released for charge in one.charges}) == 4


@every_mode
def test_what_was_released_stays_and_a_later_one_comes_between(mode: Metric | Strict) -> None:
    note, born, young, old = life(62, 13, 51)
    between = life(62, 30)[2]
    for key in range(20):
        streams = Streams(KEY, f"u{key}")
        first = mode.release([note, born, young, old], e0=E0, streams=streams)
        past = Past().after([note, born, young, old], first)
        *again, new = mode.release([note, young, old, between], e0=E0, streams=streams, past=past)
        assert [one.day for one in again] == [first[at].day for at in (0, 2, 3)]
        assert (first[2].day or 0) <= (new.day or 0) <= (first[3].day or 0)


@every_mode
def test_a_date_beside_an_age_is_of_that_year_of_life_and_costs_nothing(
    mode: Metric | Strict,
) -> None:
    note, born, aged = life(62, 13)
    half = int(UNITS["years"] // 2)
    year = (aged.day - 40, aged.day + 324)
    for printed in (None, year):
        told = Told("at 13", -half, half)
        date = Point("then", aged.day, Kind.EVENT, 0, printed=printed, told=(told,))
        for key in range(40):
            streams = Streams(KEY, f"u{key}")
            released = mode.release([note, born, aged, date], e0=E0, streams=streams)
            _, birth, age, then = (one.day or 0 for one in released)
            assert (age - birth) // UNITS["years"] == (then - birth) // UNITS["years"]
            assert not released[3].charges


def test_an_age_over_the_cap_is_left_out_or_costs_nothing() -> None:
    few = replace(METRIC, cap=1, over_cap="redact")
    *_, aged = few.release(life(62, 13), e0=E0, streams=Streams(KEY, "u"))
    assert aged.day is None
    free = replace(METRIC, cap=1)
    *_, aged = free.release(life(62, 13), e0=E0, streams=Streams(KEY, "u"))
    assert aged.day is not None
    assert not aged.charges


def test_a_shift_keeps_them_and_moves_a_birth_by_a_tenth_of_an_age_that_a_date_tells() -> None:
    moved = set()
    for key in range(200):
        assert ages(Shift(days=730, birth_days=730), life(34, 12, 20), key)[:2] == [12, 20]
        note, born, aged = life(34, 12)
        year = Point("1999", aged.day, Kind.EVENT, 0, told=(Told("at 12", -182, 182),))
        mode = Shift(days=730, birth_days=730)
        streams = Streams(KEY, f"u{key}")
        _, birth, _, then = mode.release([note, born, aged, year], e0=E0, streams=streams)
        moved.add((then.day or 0) - (birth.day or 0) - (year.day - born.day))
    assert all(0 <= by <= (aged.day - born.day) // 10 for by in moved)
    assert len(moved) > 20
