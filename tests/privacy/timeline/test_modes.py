"""What every mode of the timeline must do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import (
    Kind,
    Metric,
    Paper,
    Past,
    Point,
    Released,
    Shift,
    Strict,
    Timeline,
)
from tests.privacy.helpers import STREAMS
from tests.privacy.making import E0, point, timelines

METRIC = Metric(epsilon_per_day=Fraction("0.05"), cap=20, shift_days=365)
STRICT = Strict(mechanism="prior_window", epsilon=Fraction(8, 5), birth_epsilon=Fraction(4), cap=5)
MODES: list[Timeline] = [Paper(epsilon=Fraction(6)), Shift(), METRIC, STRICT]
modes = st.sampled_from(MODES)


@given(modes, timelines())
def test_one_answer_a_point_and_the_same_again(mode: Timeline, points: list[Point]) -> None:
    released = mode.release(points, e0=E0, streams=STREAMS)
    assert len(released) == len(points)
    assert released == mode.release(points, e0=E0, streams=STREAMS)
    for one, first in zip(points, released, strict=True):
        for other, second in zip(points, released, strict=True):
            if (one.family, one.name) == (other.family, other.name):
                assert first == second


@given(modes, timelines())
def test_no_note_is_dated_after_e0_and_no_birth(mode: Timeline, points: list[Point]) -> None:
    for one, released in zip(points, mode.release(points, e0=E0, streams=STREAMS), strict=True):
        if one.kind is not Kind.EVENT and released.day is not None:
            assert released.day <= E0


@given(modes, timelines())
def test_charges_name_the_unit_and_what_draws_announced(
    mode: Timeline, points: list[Point]
) -> None:
    announced = {(draw.mechanism, draw.loss) for draw in mode.draws()}
    for released in mode.release(points, e0=E0, streams=STREAMS):
        assert bool(released.charges) == (released.day is not None)
        for charge in released.charges:
            assert charge.unit == STREAMS.unit
            assert (charge.mechanism, charge.loss) in announced


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: type(mode).__name__)
def test_another_key_and_another_unit_draw_anew(mode: Timeline) -> None:
    points = [
        point(-900, Kind.NOTE, 0),
        *(point(-1_000 - 400 * n, Kind.EVENT, 0) for n in range(8)),
    ]
    units = [Streams(STREAMS.key, f"unit {n}") for n in range(9)]
    keys = [Streams(bytes([n] * 32), STREAMS.unit) for n in range(9)]
    seen = {
        tuple(r.day for r in mode.release(points, e0=E0, streams=streams))
        for streams in (*units, *keys)
    }
    assert len(seen) >= 16  # offsets of a shift may meet by chance


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: type(mode).__name__)
def test_no_points_give_nothing(mode: Timeline) -> None:
    assert mode.release([], e0=E0, streams=STREAMS) == ()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: type(mode).__name__)
def test_nothing_shows_a_day_or_a_name(mode: Timeline) -> None:
    points = [Point("Dupont 2019-03-04", 737_122, Kind.NOTE, 0)]
    released = mode.release(points, e0=E0, streams=STREAMS)
    shown = repr(points) + repr(released) + str(released)
    assert "Dupont" not in shown
    assert "737122" not in shown.replace("_", "")
    assert str(released[0].day) not in shown


def test_only_the_chains_claim_a_guarantee() -> None:
    for mode in MODES:
        claimed = not any(isinstance(draw.loss, NoGuarantee) for draw in mode.draws())
        assert claimed == isinstance(mode, Metric | Strict)


@given(st.sampled_from([Shift(), METRIC, STRICT]), timelines(), timelines())
def test_what_was_released_stays(
    mode: Shift | Metric | Strict, first: list[Point], second: list[Point]
) -> None:
    before = mode.release(first, e0=E0, streams=STREAMS)
    past = Past().after(first, before)
    fresh = [one._replace(note=one.note + 3) for one in second]
    after = mode.release([*first, *fresh], e0=E0, streams=STREAMS, past=past)
    assert after[: len(first)] == before


def test_one_offset_holds_for_notes_that_come_later() -> None:
    points = [point(-900, Kind.NOTE, 0)]
    (before,) = Shift().release(points, e0=E0, streams=STREAMS)
    past = Past().after(points, [before])
    later = [point(-1, Kind.NOTE, 0)]
    (after,) = Shift().release(later, e0=E0, streams=STREAMS, past=past)
    assert (after.day or 0) - later[0].day == (before.day or 0) - points[0].day


def test_the_published_chain_is_drawn_at_once_whatever_was_released() -> None:
    points = [point(-900, Kind.NOTE, 0)]
    past = Past().after(points, [Released(E0)])
    paper = Paper(epsilon=Fraction(6))
    alone = paper.release(points, e0=E0, streams=STREAMS)
    assert paper.release(points, e0=E0, streams=STREAMS, past=past) == alone


@given(st.sampled_from([METRIC, STRICT, replace(STRICT, over_cap="prior")]), timelines())
def test_no_date_comes_before_the_patients_birth(mode: Timeline, points: list[Point]) -> None:
    """The birth is known as the patient's from cue words, never from its day."""
    born = Point("patient/born", E0 - 400, Kind.BIRTH, 0, first=True)
    for past in (points, []):
        streams = Streams(bytes(32), "born")
        before = mode.release(past, e0=E0, streams=streams)
        now = [born, *points]
        released = mode.release(now, e0=E0, streams=streams, past=Past().after(past, before))
        birth = released[0].day or 0
        for one, got in zip(points, released[1:], strict=True):
            if one.kind is not Kind.BIRTH and got.day is not None:
                assert got.day >= birth


@pytest.mark.parametrize("mode", [METRIC, STRICT], ids=["metric", "strict"])
def test_dates_of_a_newborns_notes_may_come_before_the_birth(mode: Timeline) -> None:
    note, scan = point(-900, Kind.NOTE, 0), point(-1_100, Kind.EVENT, 0)
    early = set()
    for first in (True, False):
        for unit in range(60):
            born = Point("patient/born", E0 - 905, Kind.BIRTH, 0, span=90, first=first)
            streams = Streams(bytes(32), f"n{unit}")
            _, birth, seen = mode.release([note, born, scan], e0=E0, streams=streams)
            early.add((first, (seen.day or 0) < (birth.day or 0)))
    assert (False, True) in early
    assert (True, True) not in early


@pytest.mark.parametrize("mode", [METRIC, STRICT], ids=["metric", "strict"])
def test_no_patient_is_older_than_105_years_on_the_last_note(mode: Timeline) -> None:
    notes = [point(-2_000, Kind.NOTE, 0), point(-900, Kind.NOTE, 1)]
    born = Point("patient/born", E0 - 900 - 38_300, Kind.BIRTH, 0, first=True)
    ages = []
    for unit in range(200):
        streams = Streams(bytes(32), f"old{unit}")
        first, last, birth = mode.release([*notes, born], e0=E0, streams=streams)
        ages.append((max(first.day or 0, last.day or 0) - (birth.day or 0)) / 365.25)
    assert max(ages) <= 105
    assert len({round(age, 1) for age in ages}) > 1
