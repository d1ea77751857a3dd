"""One secret offset towards the past: exact intervals, never 0, the same for every part."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import Kind, Past, Point, Shift
from tests.privacy.helpers import STREAMS, chi_square_fits
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))


def offset(mode: Shift, back: int, unit: str) -> int:
    """By how much a note so many days before e0 moves."""
    released = mode.release([point(back, Kind.NOTE, 0)], e0=E0, streams=Streams(KEY, unit))
    return (released[0].day or 0) - E0 - back


@given(timelines(), st.integers(1, 400))
def test_intervals_are_exact_and_no_date_stays(points: list[Point], width: int) -> None:
    released = Shift(days=width).release(points, e0=E0, streams=STREAMS)
    moved = {
        (r.day or 0) - p.day
        for p, r in zip(points, released, strict=True)
        if p.kind is not Kind.BIRTH
    }
    assert len(moved) <= 1
    assert all(0 < abs(by) <= width for by in moved)


def test_the_offset_is_uniform_and_towards_the_past() -> None:
    counts = Counter(offset(Shift(days=5), -1_000, f"u{n}") for n in range(4_000))
    assert chi_square_fits(counts, {by: Fraction(1, 5) for by in range(-5, 0)})


@given(timelines(), st.integers(1, 400), st.data())
def test_notes_released_in_any_parts_move_together(
    points: list[Point], width: int, data: st.DataObject
) -> None:
    """Nothing but the key and the unit decides: no sign that turns near e0."""
    dates = [p for p in points if p.kind is not Kind.BIRTH]
    some = data.draw(st.lists(st.sampled_from(dates), unique=True) if dates else st.just([]))
    shift = Shift(days=width)
    whole = dict(zip(dates, shift.release(dates, e0=E0, streams=STREAMS), strict=True))
    part = dict(zip(some, shift.release(some, e0=E0, streams=STREAMS), strict=True))
    assert part.items() <= whole.items()


def test_bounds_are_kept() -> None:
    offsets = {offset(Shift(days=9, least=7), 0, f"u{n}") for n in range(100)}
    assert offsets == {-9, -8, -7}


def test_a_weekday_may_be_kept() -> None:
    offsets = {offset(Shift(days=365, keep=("weekday",)), -2, f"u{n}") for n in range(600)}
    assert offsets == {-7 * weeks for weeks in range(1, 53)}


def test_a_season_may_be_kept() -> None:
    mode = Shift(days=800, least=300, keep=("season",))
    offsets = {-offset(mode, -2, f"u{n}") for n in range(3_000)}
    assert offsets == {*range(336, 396), *range(701, 761)}
    both = Shift(days=3_000, keep=("season", "weekday"))
    for n in range(50):
        by = -offset(both, -2, f"u{n}")
        assert by % 7 == 0
        assert min(by % 365.2425, -by % 365.2425) <= 30


def test_a_known_offset_is_used_as_it_is() -> None:
    assert offset(Shift(days=5, offset=40), -41, "u") == 40
    assert offset(Shift(days=5, offset=-900), -2, "u") == -900


def test_a_known_offset_that_would_date_a_note_after_e0_is_refused() -> None:
    with pytest.raises(ValueError, match="past e0"):
        offset(Shift(days=5, offset=40), -2, "u")


def test_a_past_release_fixes_the_offset_and_stays() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-950, Kind.EVENT, 0)]
    given_once = Shift(offset=-17).release(points, e0=E0, streams=STREAMS)
    past = Past().after(points, given_once)
    later = [point(-950, Kind.EVENT, 0), point(-100, Kind.EVENT, 0)]
    again = Shift().release(later, e0=E0, streams=STREAMS, past=past)
    assert [r.day for r in again] == [E0 - 967, E0 - 117]


def test_an_event_after_the_note_moves_with_it() -> None:
    points = [point(-400, Kind.NOTE, 0), point(30, Kind.EVENT, 0)]
    note, visit = Shift().release(points, e0=E0, streams=STREAMS)
    assert (visit.day or 0) - (note.day or 0) == 430


def births(mode: Shift, age: int, unit: str) -> tuple[int, int]:
    """By how much a note, and a birth so many days before it, move."""
    points = [point(-900, Kind.NOTE, 0), Point("p", E0 - 900 - age, Kind.BIRTH, 0)]
    note, birth = mode.release(points, e0=E0, streams=Streams(KEY, unit))
    return (note.day or 0) - E0 + 900, (birth.day or 0) - E0 + 900 + age


def test_births_move_apart_from_the_dates_and_from_each_other() -> None:
    persons = [Point(f"person {n}", E0 - 20_000, Kind.BIRTH, 0) for n in range(40)]
    points = [point(-900, Kind.NOTE, 0), *persons]
    released = Shift(birth_days=30).release(points, e0=E0, streams=STREAMS)
    moved = {(r.day or 0) - E0 + 20_000 for r in released[1:]}
    assert len(moved) > 10
    assert all(-30 <= by < 0 for by in moved)
    assert len({charge.event for r in released for charge in r.charges}) == 41


def test_who_knows_the_offset_of_an_adults_birth_knows_nothing_of_the_dates() -> None:
    mode = Shift(days=3, birth_days=3)
    counts = Counter(births(mode, 9_000, str(n)) for n in range(9_000))
    pairs = product((-3, -2, -1), repeat=2)
    assert chi_square_fits(counts, dict.fromkeys(pairs, Fraction(1, 9)))


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[Point], list[Point]]:
    """Dates, a note's first, and births; many dates lie soon after a birth or just before it."""
    born = draw(st.lists(st.integers(-20_000, -1), min_size=1, max_size=3, unique=True))
    near = st.one_of(st.integers(-5, 40), st.integers(-300, 1_500), st.integers(0, 20_000))
    soon = st.builds(lambda back, gap: min(back + gap, -1), st.sampled_from(born), near)
    backs = draw(st.lists(soon, min_size=1, max_size=8, unique=True))
    notes = draw(st.integers(0, len(backs)))
    kinds = [Kind.NOTE] * notes + [Kind.EVENT] * (len(backs) - notes)
    dates = [point(back, kind, 0) for back, kind in zip(backs, kinds, strict=True)]
    return dates, [point(back, Kind.BIRTH, 0) for back in born]


SHIFTS = st.builds(Shift, days=st.integers(1, 800), birth_days=st.integers(1, 800))
UNITS = st.integers(0, 300).map(lambda unit: Streams(KEY, f"{unit}"))


def moved(
    mode: Shift, dates: list[Point], births: list[Point], streams: Streams
) -> tuple[list[int], list[int]]:
    """The released days of dates and births."""
    released = [r.day or 0 for r in mode.release([*dates, *births], e0=E0, streams=streams)]
    return released[: len(dates)], released[len(dates) :]


@given(lives(), SHIFTS, UNITS)
def test_no_date_from_the_birth_on_comes_out_before_it(
    life: tuple[list[Point], list[Point]], mode: Shift, streams: Streams
) -> None:
    dates, births = life
    days, born = moved(mode, dates, births, streams)
    for (date, day), (birth, start) in product(
        zip(dates, days, strict=True), zip(births, born, strict=True)
    ):
        assert start != birth.day
        assert date.day < birth.day or start <= day


@given(lives(), SHIFTS, UNITS)
def test_ages_grow_by_at_most_what_is_stated(
    life: tuple[list[Point], list[Point]], mode: Shift, streams: Streams
) -> None:
    """Nothing for a newborn, a quarter of a child's age; the first 27 days of life stay so."""
    dates, births = life
    days, born = moved(mode, dates, births, streams)
    first = min((p.day for p in dates if p.kind is Kind.NOTE), default=dates[0].day)
    for birth, start in zip(births, born, strict=True):
        age = max(first - birth.day, 0)
        older = days[0] - start - (dates[0].day - birth.day)
        if age >= 4 * mode.birth_days:
            assert abs(older) < max(mode.days, mode.birth_days)
            continue
        assert 0 <= older <= (age // 4 if age > 27 else 0)
        for date in dates:
            assert not 0 <= date.day - birth.day <= 27 or date.day - birth.day + older <= 27


@given(st.lists(st.integers(0, 27), min_size=1, unique=True), st.data(), UNITS)
def test_notes_of_a_newborn_released_apart_print_the_same_birth(
    ages: list[int], data: st.DataObject, streams: Streams
) -> None:
    birth = [point(-500, Kind.BIRTH, 0)]
    notes = [point(age - 500, Kind.NOTE, 0) for age in ages]
    part = data.draw(st.lists(st.sampled_from(notes), min_size=1, unique=True))
    assert moved(Shift(), notes, birth, streams)[1] == moved(Shift(), part, birth, streams)[1]


def test_a_childs_birth_moves_further_than_the_dates() -> None:
    older = {birth - note for note, birth in (births(Shift(), 200, str(n)) for n in range(600))}
    assert older == set(range(-20, 1))


def test_a_birth_in_a_record_without_dates_keeps_its_age() -> None:
    child = Point("p", E0 - 100, Kind.BIRTH, 0)
    for n in range(40):
        (given_here,) = Shift().release([child], e0=E0, streams=Streams(KEY, str(n)))
        assert 0 < abs((given_here.day or 0) - child.day) <= 25


def test_a_newborn_in_a_record_without_dates_stays_one() -> None:
    for age, expected in ((0, 1), (1, 0), (27, 26)):
        child = Point("p", E0 - age, Kind.BIRTH, 0)
        (given_here,) = Shift().release([child], e0=E0, streams=STREAMS)
        assert E0 - (given_here.day or 0) == expected


def test_all_dates_share_one_charge() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-950, Kind.EVENT, 0)]
    released = Shift().release(points, e0=E0, streams=STREAMS)
    assert released[0].charges == released[1].charges


@pytest.mark.parametrize(
    "options",
    [
        {"days": 0},
        {"days": -3},
        {"offset": 0},
        {"birth_days": 0},
        {"least": 0},
        {"least": 366},
        {"keep": ("month",)},
        {"keep": ("weekday",), "days": 100},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Shift(**options)
