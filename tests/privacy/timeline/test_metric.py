"""The anchored star: what is drawn, from which anchor, at what cost."""

from __future__ import annotations

import statistics
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import EpsilonPerDay
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.points import BIRTH_HORIZON
from dpdeid.privacy.timeline.modes import Kind, Point, Released, Strict
from dpdeid.privacy.timeline.proved import Metric
from tests.privacy.helpers import STREAMS
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))
RATE, BIRTH_RATE = Fraction("0.05"), Fraction("0.005")
PLAIN = Metric(epsilon_per_day=RATE, birth_epsilon_per_day=BIRTH_RATE, cap=20)
EXACT = Metric(epsilon_per_day=Fraction(500), birth_epsilon_per_day=Fraction(500), cap=20)
"""So large an ε that the noise is 0: what is left is the geometry of the star."""


def ledger(released: tuple[Released, ...]) -> Ledger:
    return Ledger.of(charge for one in released for charge in one.charges)


@given(timelines(), st.integers(1, 6))
def test_the_first_dates_up_to_the_cap_are_drawn_and_charged(points: list[Point], cap: int) -> None:
    mode = Metric(epsilon_per_day=RATE, birth_epsilon_per_day=BIRTH_RATE, cap=cap, birth_cap=2)
    released = mode.release(points, e0=E0, streams=STREAMS)
    left = {"date": cap, "birth": 2}
    drawn = set()
    for one, got in zip(points, released, strict=True):
        key = (one.family, one.name)
        if key not in drawn and left[one.family]:
            left[one.family] -= 1
            drawn.add(key)
        assert (got.day is not None) == (key in drawn)
    assert len(ledger(released).charges) == len(drawn)
    amounts = {
        loss.amount for loss in ledger(released).total("unit") if isinstance(loss, EpsilonPerDay)
    }
    dates = cap - left["date"]
    assert amounts == ({dates * RATE + (2 - left["birth"]) * BIRTH_RATE} if drawn else set())


@given(timelines(), st.integers(0, 12))
def test_a_later_date_changes_nothing_before_it(points: list[Point], kept: int) -> None:
    """Over the events: shares are fixed by the policy and never by the count."""
    notes = sum(one.kind is Kind.NOTE for one in points)
    fewer = points[: notes + kept]
    some = PLAIN.release(fewer, e0=E0, streams=STREAMS)
    assert PLAIN.release(points, e0=E0, streams=STREAMS)[: len(fewer)] == some


@given(timelines())
def test_without_noise_every_date_is_rebuilt_from_its_anchor(points: list[Point]) -> None:
    released = EXACT.release(points, e0=E0, streams=STREAMS)
    latest = max((p.day for p in points if p.kind is Kind.NOTE), default=E0)
    for one, got in zip(points, released, strict=True):
        if got.day is not None:
            assert got.day == (min(one.day, latest) if one.kind is Kind.BIRTH else one.day)


def test_events_follow_the_surrogate_of_their_note() -> None:
    """With the shift and no noise all dates of a record move together, and births do not."""
    mode = Metric(
        epsilon_per_day=Fraction(500), birth_epsilon_per_day=Fraction(500), cap=20, shift_days=300
    )
    points = [
        point(-900, Kind.NOTE, 0),
        point(-500, Kind.NOTE, 1),
        point(-905, Kind.EVENT, 0),
        point(-480, Kind.EVENT, 1),
        point(-15_000, Kind.BIRTH, 0),
    ]
    moves = set()
    for unit in range(200):
        released = mode.release(points, e0=E0, streams=Streams(KEY, f"u{unit}"))
        moved = [(r.day or 0) - p.day for p, r in zip(points, released, strict=True)]
        assert len(set(moved[:4])) == 1
        assert moved[4] == 0
        moves.add(moved[0])
    assert min(moves) >= -300
    assert max(moves) <= 300
    assert len(moves) > 100


def test_the_shift_is_uniform_with_zero() -> None:
    mode = Metric(
        epsilon_per_day=Fraction(500), birth_epsilon_per_day=Fraction(500), cap=1, shift_days=1
    )
    moved = [
        (mode.release([point(-90, Kind.NOTE, 0)], e0=E0, streams=Streams(KEY, f"{n}"))[0].day or 0)
        - E0
        + 90
        for n in range(900)
    ]
    assert set(moved) == {-1, 0, 1}
    assert min(moved.count(by) for by in (-1, 0, 1)) > 250


def test_the_noise_of_an_event_does_not_grow_with_its_position() -> None:
    """A star: interval to the note errs by about 1 / ε days for the first event and the last."""
    points = [
        point(-900, Kind.NOTE, 0),
        *(point(-1_000 - 90 * n, Kind.EVENT, 0) for n in range(12)),
    ]
    first, last = [], []
    for unit in range(400):
        days = [r.day or 0 for r in PLAIN.release(points, e0=E0, streams=Streams(KEY, f"s{unit}"))]
        first.append(abs(days[0] - days[1] - 100))
        last.append(abs(days[0] - days[12] - 1_090))
    assert statistics.mean(first) == pytest.approx(20, rel=0.2)
    assert statistics.mean(last) == pytest.approx(20, rel=0.2)


def test_equal_gaps_are_drawn_apart_unless_the_dates_are_one() -> None:
    """The name of a draw holds the date as printed and its anchor, never the gap.

    "mars 2019" stands for its 15th, and a release must not show that it equals "15/03/2019".
    """
    whole = point(-1_000, Kind.EVENT, 0)
    month = Point(whole.name[:7], whole.day, Kind.EVENT, 0)
    notes = [point(-900, Kind.NOTE, 0), point(-400, Kind.NOTE, 1)]
    other_note = point(-500, Kind.EVENT, 1)
    same_anchor = two_anchors = 0
    for unit in range(200):
        streams = Streams(KEY, f"g{unit}")
        released = PLAIN.release([*notes, whole, month, other_note], e0=E0, streams=streams)
        assert len({charge.event for r in released for charge in r.charges}) == 5
        one, two, three, four, five = (r.day or 0 for r in released)
        same_anchor += three == four
        two_anchors += one - three == two - five
    assert same_anchor < 20
    assert two_anchors < 20


def test_one_value_in_two_families_is_two_draws() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-3_000, Kind.EVENT, 0), point(-3_000, Kind.BIRTH, 0)]
    _, event, birth = PLAIN.release(points, e0=E0, streams=STREAMS)
    assert event.charges[0].event != birth.charges[0].event
    assert event.day != birth.day


def test_a_note_without_a_date_is_anchored_on_its_first_date() -> None:
    points = [point(-900, Kind.EVENT, 0), point(-950, Kind.EVENT, 0), point(40, Kind.EVENT, 0)]
    released = EXACT.release(points, e0=E0, streams=STREAMS)
    assert [(r.day or 0) - E0 for r in released] == [-900, -950, 40]
    mechanisms = [r.charges[0].mechanism for r in released]
    assert "lower=0" in mechanisms[0]
    assert mechanisms[1] == mechanisms[2]
    assert "lower=-36500" in mechanisms[1]


def test_an_event_may_lie_after_e0_but_an_anchor_may_not() -> None:
    points = [point(-1, Kind.NOTE, 0), point(0, Kind.NOTE, 1), point(2_000, Kind.EVENT, 0)]
    after = 0
    for unit in range(100):
        one, two, visit = PLAIN.release(points, e0=E0, streams=Streams(KEY, f"a{unit}"))
        assert max(one.day or 0, two.day or 0) <= E0
        after += (visit.day or 0) > E0
    assert after > 90


def test_no_birth_comes_after_the_last_note() -> None:
    points = [point(-900, Kind.NOTE, 0), Point("newborn", E0 - 903, Kind.BIRTH, 0)]
    for unit in range(100):
        note, birth = PLAIN.release(points, e0=E0, streams=Streams(KEY, f"b{unit}"))
        assert (birth.day or 0) <= (note.day or 0)


def test_what_is_over_the_cap_is_likely_between_its_neighbours() -> None:
    """In the order that the text shows, and no further off than with no budget at all."""
    mode = replace(PLAIN, cap=3, over_cap="prior")
    backs = (900, 1_000, 4_000, 950, 2_000, 6_000)
    points = [point(-b, Kind.NOTE if b == 900 else Kind.EVENT, 0) for b in backs]
    free = Strict(mechanism="window", epsilon=RATE, birth_epsilon=RATE, cap=1)
    here = []
    for unit in range(60):
        released = mode.release(points, e0=E0, streams=Streams(KEY, f"o{unit}"))
        assert [bool(got.charges) for got in released] == [True] * 3 + [False] * 3
        note, thousand, four, near, two, six = (got.day or 0 for got in released)
        assert six <= four <= two <= thousand
        assert thousand <= near <= note or note < thousand == near
        here.append(_error(points, released))
    assert statistics.mean(here) < 0.8 * _error(points, free.baseline(points, e0=E0))


def _error(points: list[Point], released: tuple[Released, ...]) -> float:
    return statistics.mean(
        abs((got.day or 0) - one.day) for got, one in zip(released, points, strict=True)
    )


def test_a_very_old_birth_is_clamped() -> None:
    (birth,) = EXACT.release([Point("old", E0 - 60_000, Kind.BIRTH, 0)], e0=E0, streams=STREAMS)
    assert birth.day == E0 - BIRTH_HORIZON


def test_a_note_date_after_its_events_is_refused_without_showing_it() -> None:
    points = [
        point(-2_000, Kind.NOTE, 1),
        point(-950, Kind.EVENT, 0),
        point(-900, Kind.NOTE, 0),
    ]
    with pytest.raises(ValueError, match="must stand before") as caught:
        PLAIN.release(points, e0=E0, streams=STREAMS)
    assert "2023" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon_per_day": 0},
        {"birth_epsilon_per_day": "nan"},
        {"cap": 0},
        {"birth_cap": 0},
        {"shift_days": -1},
        {"horizon": 0},
        {"horizon": 600_000},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    whole = {"epsilon_per_day": RATE, "birth_epsilon_per_day": RATE, "cap": 5, **options}
    with pytest.raises(ValueError, match=next(iter(options))):
        Metric(**whole)  # type: ignore[arg-type]
