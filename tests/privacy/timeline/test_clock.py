"""Clock times: exact losses, order, bounds, and what names a draw."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from dpdeid.privacy.losses import EpsilonPerStep
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.clock import DAY, Clock, Moment, Placed, printed

CLOCK = Clock()
STREAMS = Streams(b"k" * 32, "u1")
MINUTES = lists(integers(0, 2 * DAY - 1), min_size=1, max_size=12)


def _released(minutes: list[int], streams: Streams = STREAMS) -> dict[int, int]:
    moments = [Moment("d", minute) for minute in minutes]
    placed = CLOCK.release(moments, streams=streams, past={})
    return {minute: place.minute for (_, minute), place in placed.items()}


@given(MINUTES)
def test_order_and_day_stay(minutes: list[int]) -> None:
    out = _released(minutes)
    in_order = [out[minute] for minute in sorted(out)]
    assert in_order == sorted(set(in_order))
    assert all(out[minute] // DAY == minute // DAY for minute in out)


@given(MINUTES, integers(0, 1))
def test_what_is_printed_stands_on_its_grid_in_order(minutes: list[int], rounds: int) -> None:
    moments = [
        Moment("d", minute - minute % 5, 5) if rounds and minute % 2 else Moment("d", minute)
        for minute in minutes
    ]
    placed = CLOCK.release(moments, streams=STREAMS, past={})
    shown = printed(moments, placed)
    ordered = [shown[key] for key in sorted(shown)]
    assert ordered == sorted(ordered)
    grids = {one[:2]: one.grid for one in sorted(moments, key=lambda one: -one.grid)}
    assert all(shown[key] % grids[key] == 0 for key in shown)


@pytest.mark.parametrize("noise", [CLOCK.first, CLOCK.gap])
@pytest.mark.parametrize("pair", [(0, 1), (20, 30), (60, 120), (500, 501), (1_000, 1_439)])
def test_the_loss_bounds_every_ratio(noise: object, pair: tuple[int, int]) -> None:
    one, other = (
        (CLOCK.first if noise is CLOCK.first else CLOCK.gap).pmf(pair[0]),
        (CLOCK.first if noise is CLOCK.first else CLOCK.gap).pmf(pair[1]),
    )
    bound = (CLOCK.first if noise is CLOCK.first else CLOCK.gap).loss(*pair)
    worst = max(
        abs(math.log(Fraction(a, sum(one)) / Fraction(b, sum(other))))
        for a, b in zip(one, other, strict=True)
        if a and b
    )
    assert worst <= float(bound) + 1e-12
    assert worst >= 0.7 * float(bound)


def test_every_drawn_time_is_charged_once_and_no_more_than_the_cap() -> None:
    clock = Clock(cap=3)
    moments = [Moment("d", minute) for minute in (500, 510, 500, 520, 530, 540)]
    placed = clock.release(moments, streams=STREAMS, past={})
    charges = [charge for place in placed.values() for charge in place.charges]
    assert len(charges) == len(set(charges)) == 3
    assert {type(charge.loss) for charge in charges} == {EpsilonPerStep}
    assert {charge.mechanism for charge in charges} <= {draw.mechanism for draw in clock.draws()}


def test_what_was_released_stays_and_what_is_new_lies_around_it() -> None:
    past = {("d", 500): 700, ("d", 560): 760}
    moments = [Moment("d", minute) for minute in (480, 500, 530, 560, 600)]
    out = {k[1]: p for k, p in CLOCK.release(moments, streams=STREAMS, past=past).items()}
    assert out[500] == Placed(700)
    assert out[560] == Placed(760)
    assert out[480].minute < 700 < out[530].minute < 760 < out[600].minute


def test_words_beside_a_time_bound_it() -> None:
    for unit in range(50):
        moment = Moment("d", 1_100, low=1_020)
        placed = CLOCK.release([moment], streams=Streams(b"k" * 32, f"u{unit}"), past={})
        assert 1_020 <= placed["d", 1_100].minute < DAY


def test_hours_move_by_about_one_and_gaps_in_proportion() -> None:
    hours, close = [], []
    for unit in range(400):
        out = _released([600, 620], Streams(b"k" * 32, f"u{unit}"))
        hours.append(abs(out[600] - 600))
        close.append(abs(out[620] - out[600] - 20))
    assert 30 < sorted(hours)[200] < 80
    assert 1 <= sorted(close)[200] <= 6


def test_days_are_drawn_apart() -> None:
    moments = [Moment("a", 600), Moment("b", 600)]
    moved = set()
    for unit in range(20):
        placed = CLOCK.release(moments, streams=Streams(b"k" * 32, f"u{unit}"), past={})
        moved.add(placed["a", 600].minute - placed["b", 600].minute)
    assert len(moved) > 10


@pytest.mark.parametrize(
    "options", [{"epsilon_per_hour": 0}, {"cap": 0}, {"least": 0}, {"share": Fraction(-1)}]
)
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must|>"):
        Clock(**options)  # type: ignore[arg-type]
