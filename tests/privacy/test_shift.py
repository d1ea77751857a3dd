"""One secret offset: exact intervals, never 0, never into the future."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline import Kind, Point, Shift
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


def test_the_offset_is_uniform_without_zero() -> None:
    counts = Counter(offset(Shift(days=5), -1_000, f"u{n}") for n in range(4_000))
    sides = [*range(-5, 0), *range(1, 6)]
    assert chi_square_fits(counts, {by: Fraction(1, 10) for by in sides})


def test_near_e0_the_offset_turns_back() -> None:
    offsets = {offset(Shift(days=5), -2, f"u{n}") for n in range(300)}
    assert offsets == {-5, -4, -3, -2, -1, 1, 2}


def test_a_known_offset_is_used_as_it_is() -> None:
    assert offset(Shift(days=5, offset=40), -2, "u") == 40


def test_an_event_after_the_note_moves_with_it() -> None:
    points = [point(-400, Kind.NOTE, 0), point(30, Kind.EVENT, 0)]
    note, visit = Shift().release(points, e0=E0, streams=STREAMS)
    assert (visit.day or 0) - (note.day or 0) == 430


def test_births_move_apart_from_the_dates_and_from_each_other() -> None:
    births = [Point(f"person {n}", E0 - 20_000, Kind.BIRTH, 0) for n in range(40)]
    points = [point(-900, Kind.NOTE, 0), *births]
    released = Shift(birth_days=30).release(points, e0=E0, streams=STREAMS)
    moved = {(r.day or 0) - E0 + 20_000 for r in released[1:]}
    assert len(moved) > 10
    assert all(0 < abs(by) <= 30 for by in moved)
    assert len({charge.event for r in released for charge in r.charges}) == 41


def test_all_dates_share_one_charge() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-950, Kind.EVENT, 0)]
    released = Shift().release(points, e0=E0, streams=STREAMS)
    assert released[0].charges == released[1].charges


@pytest.mark.parametrize("options", [{"days": 0}, {"days": -3}, {"offset": 0}, {"birth_days": 0}])
def test_bad_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Shift(**options)
