"""What every mode of the timeline must do."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline import Kind, Metric, Paper, Point, Shift, Timeline
from tests.privacy.helpers import STREAMS
from tests.privacy.making import E0, point, timelines

METRIC = Metric(
    epsilon_per_day=Fraction("0.05"),
    birth_epsilon_per_day=Fraction("0.005"),
    cap=20,
    shift_days=365,
)
MODES: list[Timeline] = [Paper(epsilon=Fraction(6)), Shift(), METRIC]
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


def test_only_the_metric_mode_claims_a_guarantee() -> None:
    for mode in MODES:
        claimed = not any(isinstance(draw.loss, NoGuarantee) for draw in mode.draws())
        assert claimed == isinstance(mode, Metric)
