"""The chain under ε-LDP: public domains, budgets by position, order, frozen releases."""

from __future__ import annotations

import datetime as dt
import statistics
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Kind, Past, Point, Released, Strict
from dpdeid.privacy.timeline.points import UNIT_SPANS
from tests.privacy.helpers import STREAMS
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))
PLAIN = Strict(mechanism="prior_window", epsilon=Fraction(8, 5), birth_epsilon=Fraction(4), cap=5)
FREE = replace(PLAIN, over_cap="prior")
EXACT = replace(PLAIN, mechanism="window", epsilon=Fraction(60), birth_epsilon=Fraction(60), cap=40)
"""So large an ε that the noise is 0: what is left is the geometry of the chain."""
modes = st.sampled_from([PLAIN, FREE, replace(FREE, mechanism="bounded_laplace")])


def epsilon(released: tuple[Released, ...]) -> Fraction:
    """What a release cost, each charge once."""
    charges = Ledger.of(charge for one in released for charge in one.charges).charges
    assert all(isinstance(charge.loss, Epsilon) for charge in charges)
    return sum((c.loss.amount for c in charges if isinstance(c.loss, Epsilon)), Fraction(0))


def ordered(points: list[Point], released: tuple[Released, ...]) -> bool:
    """Whether no surrogate passes that of a later true day, where they are whole."""
    days: dict[int, list[int]] = {}
    for one, got in zip(points, released, strict=True):
        if one.kind is not Kind.BIRTH and got.day is not None:
            days.setdefault(one.day, []).append(got.day)
    inner = [days[day] for day in sorted(days)]
    return all(max(before) <= min(after) for before, after in pairwise(inner))


@given(modes, timelines(), st.integers(0, 99))
def test_order_is_kept_and_the_worst_case_holds(
    mode: Strict, points: list[Point], unit: int
) -> None:
    released = mode.release(points, e0=E0, streams=Streams(KEY, f"u{unit}"))
    assert ordered(points, released)
    assert epsilon(released) <= mode.cap * mode.epsilon + mode.birth_epsilon


@given(timelines(latest=-30))
def test_without_noise_every_date_is_its_own_surrogate(points: list[Point]) -> None:
    """But that the first comes out on a day from Monday to Friday, and the others beside it.

    A birth after its note is moved onto it.
    """
    mode = replace(EXACT, cohort_days=20_000)
    first = next((p.day for p in points if p.kind is not Kind.BIRTH), E0)
    moved = (0, -1, 1)[max((first - 1) % 7 - 4, 0)]
    dates = [p for p in points if p.kind is not Kind.BIRTH]
    dates.sort(key=lambda p: p.kind is Kind.EVENT)
    notes = {p.note: p.day for p in reversed(dates)}  # of each note its own date, or its first
    told = {p.key: p.note for p in reversed(points)}  # in which note it first appears
    for one, got in zip(points, mode.release(points, e0=E0, streams=STREAMS), strict=True):
        if one.kind is Kind.BIRTH:
            assert got.day == min(one.day, notes.get(told[one.key], first)) + moved * bool(notes)
        else:
            assert got.day == one.day + moved


@given(timelines(), st.integers(0, 12))
def test_a_later_date_changes_no_share_and_no_earlier_budget(
    points: list[Point], kept: int
) -> None:
    """Hole 4: share / cap, never share / count."""
    notes = sum(one.kind is Kind.NOTE for one in points)
    fewer = points[: notes + kept]
    some = PLAIN.release(fewer, e0=E0, streams=STREAMS)
    every = PLAIN.release(points, e0=E0, streams=STREAMS)
    shares = [[epsilon((got,)) for got in these[: len(fewer)]] for these in (every, some)]
    assert shares[0] == shares[1]


@given(timelines(), st.integers(1, 5))
def test_budget_goes_by_position_and_the_rest_is_free_or_left_out(
    points: list[Point], cap: int
) -> None:
    free = replace(FREE, cap=cap).release(points, e0=E0, streams=STREAMS)
    left_out = replace(PLAIN, cap=cap).release(points, e0=E0, streams=STREAMS)
    assert [epsilon((got,)) for got in free] == [epsilon((got,)) for got in left_out]
    assert [bool(got.charges) for got in left_out] == [got.day is not None for got in left_out]
    assert all(got.day is not None for got in free)
    drawn = {p.key: bool(got.charges) for p, got in zip(points, free, strict=True)}
    births = [key for key in drawn if key[0] == "birth"]
    assert sum(drawn.values()) == min(len(drawn) - bool(births), cap) + bool(births)
    assert all(drawn[key] for key in births[:1])


def test_the_price_of_a_birth_depends_on_its_position() -> None:
    births = [point(-20_000 - n, Kind.BIRTH, 0) for n in range(3)]
    points = [point(-900, Kind.NOTE, 0), *births]
    released = replace(PLAIN, cap=2).release(points, e0=E0, streams=STREAMS)
    assert [epsilon((got,)) for got in released] == [Fraction(8, 5), 4, Fraction(8, 5), 0]


# --- several notes --------------------------------------------------------------------------------


@given(modes, timelines(), st.integers(0, 99))
def test_the_first_date_lies_in_the_cohort(mode: Strict, points: list[Point], unit: int) -> None:
    released = mode.release(points, e0=E0, streams=Streams(KEY, f"u{unit}"))
    found = zip(points, released, strict=True)
    first = next((got.day for one, got in found if one.kind is not Kind.BIRTH), None)
    assert first is None or E0 - mode.cohort_days <= first <= E0


def test_the_domain_of_a_gap_follows_from_its_role() -> None:
    start, end = point(-950, Kind.EVENT, 0), point(-940, Kind.EVENT, 0)
    points = [
        *(point(-900, Kind.NOTE, 0), point(-100, Kind.NOTE, 1), start),
        *(end._replace(start=start.name), point(-50, Kind.EVENT, 1)),
    ]
    released = replace(PLAIN, horizon=9_999).release(points, e0=E0, streams=STREAMS)
    uppers = ["upper=3652,", "upper=9999,", "upper=365,", "upper=365,", "upper=9999,"]
    for got, upper in zip(released, uppers, strict=True):
        assert upper in got.charges[0].mechanism


def test_without_a_draw_notes_are_as_far_apart_as_nearly_always() -> None:
    points = [point(-back, Kind.NOTE, note) for note, back in enumerate((2_000, 1_500, 500))]
    alone, second, third = (E0 - (got.day or 0) for got in FREE.baseline(points, e0=E0))
    assert alone == pytest.approx(FREE.cohort_days / 2, rel=0.02)
    for gap in (alone - second, second - third):
        assert gap == pytest.approx(FREE.arm(Role.BEFORE).prior[1 << 15], rel=0.1)


@pytest.mark.parametrize("notes", [1, 3])
def test_on_records_like_its_priors_a_budget_is_never_wasted(notes: int) -> None:
    """Gaps drawn from the public priors, five of ten dates drawn at 1.6."""
    made = STREAMS.stream("records", str(notes))
    drawn: list[float] = []
    free: list[float] = []
    while len(drawn) < 60:
        gaps = [made.choice(FREE.arm(Role.BEFORE).prior) + 1 for _ in range(9)]
        days = [*accumulate(gaps, initial=0)]
        latest = made.randbelow(FREE.cohort_days)
        backs = [latest + day for day in days]
        if backs[-1] > FREE.cohort_days:
            continue
        points = [point(-back, Kind.NOTE, note) for note, back in enumerate(backs[:notes])]
        points += [point(-back, Kind.EVENT, at % notes) for at, back in enumerate(backs[notes:])]
        streams = Streams(KEY, f"m{len(drawn)}")
        drawn.append(_error(points, FREE.release(points, e0=E0, streams=streams)))
        free.append(_error(points, FREE.baseline(points, e0=E0)))
    assert statistics.mean(drawn) < statistics.mean(free)


def _error(points: list[Point], released: tuple[Released, ...]) -> float:
    return statistics.mean(
        abs((got.day or 0) - one.day) for got, one in zip(released, points, strict=True)
    )


# --- dates that are not fully printed -------------------------------------------------------------


def june(day: int) -> list[Point]:
    """ "Bilan en juin 2023. Vu le 13/06/2023.", note of the 30th: June stands for its 15th."""
    first = dt.date(2023, 6, 1).toordinal()
    whole = (first, first + 29)
    return [
        Point("note", first + 29, Kind.NOTE, 0),
        Point("month", first + 14, Kind.EVENT, 0, printed=whole),
        Point("day", first + day - 1, Kind.EVENT, 0),
    ]


@pytest.mark.parametrize("mode", [FREE, replace(FREE, mechanism="bounded_laplace"), PLAIN])
def test_without_any_draw_a_day_of_a_month_changes_nothing(mode: Strict) -> None:
    """FINDINGS A2: only the draws may tell on which side of the middle of a month a day lies."""
    given = {mode.baseline(june(day), e0=E0) for day in range(1, 30)}
    assert len(given) == 1


def test_on_which_side_of_its_note_the_month_of_it_lies_tells_no_day() -> None:
    sides = set()
    first = dt.date(2023, 6, 1).toordinal()
    for note in range(30):
        points = [
            Point("note", first + note, Kind.NOTE, 0),
            Point("month", first + 14, Kind.EVENT, 0, printed=(first, first + 29)),
        ]
        for key in range(20):
            anchor, month = EXACT.release(points, e0=E0, streams=Streams(KEY, f"m{key}"))
            sides.add((month.day or 0) > (anchor.day or 0))
    assert sides == {False}


# --- frozen releases (hole 6) ---------------------------------------------------------------------


@given(modes, timelines(), timelines(), st.integers(0, 99))
def test_later_notes_are_drawn_beside_what_is_frozen(
    mode: Strict, first: list[Point], second: list[Point], unit: int
) -> None:
    streams = Streams(KEY, f"p{unit}")
    before = mode.release(first, e0=E0, streams=streams)
    past = Past().after(first, before)
    after = mode.release(second, e0=E0, streams=streams, past=past)
    frozen = {one.key: got for one, got in zip(first, before, strict=True)}
    for one, got in zip(second, after, strict=True):
        assert got == frozen.get(one.key, got)
    if all((got.day or 0) <= E0 for got in before):  # else no note fits between it and e0
        assert ordered([*first, *second], (*before, *after))
    assert epsilon((*before, *after)) <= mode.cap * mode.epsilon + mode.birth_epsilon


def test_a_later_note_is_counted_from_its_released_neighbour() -> None:
    first, later = point(-900, Kind.NOTE, 0), point(-100, Kind.NOTE, 0)
    event = point(-140, Kind.EVENT, 0)
    past = Past(((first, Released(E0 - 2_000)),))
    released = EXACT.release([later, event], e0=E0, streams=STREAMS, past=past)
    assert [got.day for got in released] == [E0 - 1_200, E0 - 1_240]


def test_a_past_shows_no_day_and_counts_notes_on() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-400, Kind.NOTE, 1)]
    past = Past().after(points, PLAIN.release(points, e0=E0, streams=STREAMS))
    assert past.notes == 2
    assert "2023" not in repr(past)
    again = past.after([point(-100, Kind.NOTE, 0)], [Released(E0)])
    assert [one.note for one, _ in again.entries] == [0, 1, 2]


# --- ranges, births -------------------------------------------------------------------------------


def test_a_range_is_a_start_and_a_length() -> None:
    """Hole 2: the end never comes before its start, nor further than the longest stay."""
    points = [
        point(-900, Kind.NOTE, 0),
        Point("start", E0 - 1_000, Kind.EVENT, 0),
        Point("end", E0 - 996, Kind.EVENT, 0, start="start"),
    ]
    drawn = replace(PLAIN, epsilon=Fraction(4))
    for mode in (drawn, replace(drawn, mechanism="window"), replace(drawn, over_cap="prior")):
        lengths = []
        for unit in range(100):
            streams = Streams(KEY, f"r{unit}")
            _, start, end = mode.release(points, e0=E0, streams=streams)
            assert len(end.charges) == 1
            lengths.append((end.day or 0) - (start.day or 0))
        assert min(lengths) >= 1
        assert max(lengths) <= 366
        assert len(set(lengths)) > 5


def test_the_end_of_a_range_that_is_a_known_date_is_that_date() -> None:
    note = point(-900, Kind.NOTE, 0)
    start = Point("start", E0 - 910, Kind.EVENT, 0)
    end = note._replace(kind=Kind.EVENT, start="start")
    released = PLAIN.release([note, start, end], e0=E0, streams=STREAMS)
    assert released[2] == released[0]
    assert "upper=365," in released[1].charges[0].mechanism


@pytest.mark.parametrize("unit", UNIT_SPANS)
def test_the_domain_of_an_age_follows_its_unit(unit: str) -> None:
    """Hole 8: an age in months is drawn on months, from its note, and never on a century."""
    span = UNIT_SPANS[unit]
    note = point(-900, Kind.NOTE, 0)
    for mode in (PLAIN, FREE):
        for case in range(60):
            born = Point("baby", E0 - 900 - span // 2, Kind.BIRTH, 0, span=span)
            streams = Streams(KEY, f"b{case}")
            seen, birth = mode.release([note, born], e0=E0, streams=streams)
            assert 0 <= (seen.day or 0) - (birth.day or 0) <= span
            assert f"upper={span}," in birth.charges[0].mechanism


def test_every_charge_was_announced() -> None:
    points = [
        point(-900, Kind.NOTE, 0),
        Point("a", E0 - 950, Kind.BIRTH, 0, span=90),
        Point("b", E0 - 950, Kind.BIRTH, 0, span=1_096),
        Point("start", E0 - 1_000, Kind.EVENT, 0),
        Point("end", E0 - 996, Kind.EVENT, 0, start="start"),
        point(-10, Kind.EVENT, 0),
    ]
    for mechanism in ("prior_window", "window", "bounded_laplace", "clamped_geometric"):
        mode = replace(PLAIN, mechanism=mechanism)
        announced = {draw.mechanism for draw in mode.draws()}
        released = mode.release(points, e0=E0, streams=STREAMS)
        assert {c.mechanism for got in released for c in got.charges} <= announced
        assert sum(draw.loss.amount * (draw.cap or 0) for draw in mode.draws()) == 12  # type: ignore[union-attr]


# --- what the budget buys -------------------------------------------------------------------------


def test_the_baseline_knows_the_order_and_nothing_else() -> None:
    points = [point(-900, Kind.NOTE, 0), *(point(-950 - n, Kind.EVENT, 0) for n in range(4))]
    others = [point(-30, Kind.NOTE, 0), *(point(-600 - 99 * n, Kind.EVENT, 0) for n in range(4))]
    here, there = FREE.baseline(points, e0=E0), FREE.baseline(others, e0=E0)
    assert here == there
    assert not any(got.charges for got in here)


def test_draws_are_nearer_than_no_draw() -> None:
    backs = [900, 903, 930, 1_300, 4_000]
    points = [point(-b, Kind.NOTE if b == 900 else Kind.EVENT, 0) for b in backs]
    mode = replace(FREE, epsilon=Fraction(3))
    found = [
        _error(points, mode.release(points, e0=E0, streams=Streams(KEY, f"e{unit}")))
        for unit in range(60)
    ]
    assert statistics.mean(found) < 0.8 * _error(points, mode.baseline(points, e0=E0))


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon": 0},
        {"epsilon": "nan"},
        {"epsilon": 1.6},
        {"birth_epsilon": "inf"},
        {"cap": 0},
        {"horizon": 0},
        {"cohort_days": -1},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        replace(PLAIN, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("mechanism", ["prior_window", "bounded_laplace"])
def test_every_arm_loses_at_most_what_it_is_charged_for(mechanism: str) -> None:
    """Exact, over all pairs, of the tables that the built-in policies draw from."""
    for arm in replace(PLAIN, mechanism=mechanism).arms():
        loss = arm.mechanism.privacy_loss()
        assert isinstance(loss, Epsilon)
        assert loss.amount <= arm.loss.amount
