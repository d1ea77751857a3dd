"""The chain under metric noise: what is drawn and charged, and how near it comes."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.ledger import Ledger
from dpdeid.privacy.losses import EpsilonPerStep
from dpdeid.privacy.mechanisms.proportional import PER_STEP
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.modes import Kind, Led, Metric, Point, Released, Strict
from dpdeid.privacy.timeline.points import BIRTH_HORIZON
from tests.privacy.helpers import STREAMS
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))
RATE = Fraction("0.05")
PLAIN = Metric(epsilon_per_day=RATE, cap=20)
FAINT = (Fraction(0), Fraction(1, 25), 0)
EXACT = Metric(
    epsilon_per_day=Fraction(25),
    cap=20,
    before=FAINT,
    ahead=FAINT,
    birth=(Fraction(1, 4_000), Fraction(1, 25), 200),
    horizon=600,
)
"""So little noise that it is 0, at an age of up to 160 days: the geometry of the chain is left."""


def ledger(released: tuple[Released, ...]) -> Ledger:
    return Ledger.of(charge for one in released for charge in one.charges)


@given(timelines(), st.integers(1, 6), st.sampled_from(["redact", "prior"]))
def test_the_first_dates_up_to_the_cap_are_drawn_and_charged(
    points: list[Point], cap: int, over: str
) -> None:
    mode = replace(PLAIN, cap=cap, birth_cap=2, over_cap=over)  # type: ignore[arg-type]
    released = mode.release(points, e0=E0, streams=STREAMS)
    left = {"date": cap, "birth": 2}
    drawn = set()
    for one, got in zip(points, released, strict=True):
        if one.key not in drawn and left[one.family]:
            left[one.family] -= 1
            drawn.add(one.key)
        assert bool(got.charges) == (one.key in drawn)
        assert (got.day is not None) == (one.key in drawn or over == "prior")
    dates, births = cap - left["date"], 2 - left["birth"]
    assert len(ledger(released).charges) == dates + births
    paid = [EpsilonPerStep((dates + births) * PER_STEP)] if dates + births else []
    assert [*ledger(released).total("unit")] == paid


@given(timelines(), st.integers(0, 12))
def test_a_later_date_changes_no_budget_before_it(points: list[Point], kept: int) -> None:
    """Budgets go by position; a draw is of another gap where a later date comes between."""
    mode = replace(PLAIN, cap=4)
    notes = sum(one.kind is Kind.NOTE for one in points)
    fewer = points[: notes + kept]
    some = mode.release(fewer, e0=E0, streams=STREAMS)
    every = mode.release(points, e0=E0, streams=STREAMS)
    assert [bool(got.charges) for got in every[: len(fewer)]] == [bool(g.charges) for g in some]


@given(st.lists(st.integers(1, 590), min_size=1, max_size=12, unique=True), st.data())
def test_without_noise_every_date_is_itself(backs: list[int], data: st.DataObject) -> None:
    """But that the first is moved to a day from Monday to Friday, and all others with it."""
    backs[0] = 7 * (backs[0] // 7) + 3  # a Monday
    kinds = data.draw(st.lists(st.sampled_from([Kind.NOTE, Kind.EVENT]), min_size=len(backs)))
    days = dict.fromkeys(zip(backs, kinds, strict=False))
    points = [point(-back, kind, at) for at, (back, kind) in enumerate(days)]
    if max(backs) - backs[0] <= 150:  # at a greater age there is noise
        points.append(Point("born", E0 - max(backs) - 10, Kind.BIRTH, 0))
    for one, got in zip(points, EXACT.release(points, e0=E0, streams=STREAMS), strict=True):
        assert got.day == one.day


def test_with_the_shift_and_no_noise_all_dates_and_births_move_together() -> None:
    """The first date may leave a weekend, and all others follow it."""
    mode = replace(EXACT, shift_days=200)
    points = [
        point(-390, Kind.NOTE, 0),
        point(-250, Kind.NOTE, 1),
        point(-395, Kind.EVENT, 0),
        point(-230, Kind.EVENT, 1),
        point(-500, Kind.BIRTH, 0),
    ]
    moves = Counter[int]()
    for unit in range(200):
        released = mode.release(points, e0=E0, streams=Streams(KEY, f"u{unit}"))
        moved = [(r.day or 0) - p.day for p, r in zip(points, released, strict=True)]
        assert len(set(moved)) == 1
        moves[moved[0]] += 1
    assert -201 <= min(moves) <= max(moves) <= 1
    assert len(moves) > 80


def test_the_shift_is_uniform_with_zero() -> None:
    mode = replace(EXACT, cap=1, shift_days=2)
    moved = Counter[int]()
    for unit in range(900):
        note = point(-140, Kind.NOTE, 0)  # on a Thursday
        (got,) = mode.release([note], e0=E0, streams=Streams(KEY, f"{unit}"))
        moved[(got.day or 0) - note.day] += 1
    assert set(moved) == {-2, -1, 0}
    assert min(moved.values()) > 250


def test_a_birth_without_a_whole_date_is_counted_from_e0_and_not_shifted() -> None:
    mode = replace(EXACT, shift_days=200)
    born = point(-150, Kind.BIRTH, 0)
    for unit in range(20):
        (got,) = mode.release([born], e0=E0, streams=Streams(KEY, f"{unit}"))
        assert got.day == born.day


def test_a_birth_follows_the_earliest_note_also_where_a_later_one_is_first() -> None:
    """Noise between the notes moves the birth, which stays as far before the earlier one."""
    mode = replace(EXACT, before=PLAIN.before)
    notes = [point(-100, Kind.NOTE, 0), point(-500, Kind.NOTE, 1)]
    born = point(-620, Kind.BIRTH, 0)._replace(first=True)
    apart = set()
    for unit in range(40):
        released = mode.release([*notes, born], e0=E0, streams=Streams(KEY, f"f{unit}"))
        later, early, birth = (got.day or 0 for got in released)
        assert early - birth == 120
        apart.add(later - early)
    assert max(apart) - min(apart) > 100


@pytest.mark.parametrize(("age", "span", "noise"), [(5, 90, (1, 4)), (18_000, 0, (90, 300))])
def test_a_newborns_birth_moves_by_days_and_that_of_an_adult_by_months(
    age: int, span: int, noise: tuple[int, int]
) -> None:
    points = [point(-900, Kind.NOTE, 0), Point("b", E0 - 900 - age, Kind.BIRTH, 0, span=span)]
    errors = []
    for unit in range(300):
        released = PLAIN.release(points, e0=E0, streams=Streams(KEY, f"b{unit}"))
        note, birth = (got.day or 0 for got in released)
        errors.append(abs(note - birth - age))
    assert noise[0] < statistics.mean(errors) < noise[1]
    assert statistics.median(errors) < noise[1]


def test_the_error_of_a_gap_is_in_proportion_to_it_and_not_to_its_position() -> None:
    """Twelve gaps of a month and one of five years: each errs by its own noise."""
    backs = [*(900 + 30 * n for n in range(12)), 3_030]
    points = [point(-back, Kind.EVENT if back > 900 else Kind.NOTE, 0) for back in backs]
    errors: list[list[int]] = [[], [], []]
    for unit in range(160):
        days = [r.day or 0 for r in PLAIN.release(points, e0=E0, streams=Streams(KEY, f"s{unit}"))]
        for found, at, gap in zip(errors, (0, 10, 11), (30, 30, 1_800), strict=True):
            found.append(abs(days[at] - days[at + 1] - gap))
    first, last, years = (statistics.median(found) for found in errors)
    assert first == pytest.approx(last, rel=0.3)
    assert 4 < first < 12
    assert 0.2 * 1_800 < years < 0.8 * 1_800


def test_a_stay_is_told_more_exactly_than_the_same_days_elsewhere() -> None:
    note, start, end = (point(-back, Kind.EVENT, 0) for back in (900, 906, 902))
    note = note._replace(kind=Kind.NOTE)
    errors = []
    for told in (end._replace(start=start.name), end):
        found = []
        for unit in range(200):
            streams = Streams(KEY, f"t{unit}")
            _, first, last = PLAIN.release([note, start, told], e0=E0, streams=streams)
            found.append(abs((last.day or 0) - (first.day or 0) - 4))
        errors.append(statistics.mean(found))
    assert errors[0] < min(2, 0.7 * errors[1])


def test_equal_gaps_are_drawn_apart_unless_the_dates_are_one() -> None:
    """The name of a draw holds the date as printed and its base, never the gap.

    "mars 2019" stands for its 15th, and a release must not show that it equals "15/03/2019".
    """
    points = [point(-900 - 200 * n, Kind.EVENT if n else Kind.NOTE, 0) for n in range(4)]
    first = points[3].day - points[3].day % 30
    month = Point("month", points[3].day, Kind.EVENT, 0, printed=(first, first + 29))
    same_gap = same_day = 0
    for unit in range(200):
        streams = Streams(KEY, f"g{unit}")
        released = PLAIN.release([*points, month, points[2]], e0=E0, streams=streams)
        assert len({charge.event for r in released for charge in r.charges}) == 5
        assert released[5] == released[2]
        note, one, two, three, rough, _ = (r.day or 0 for r in released)
        same_gap += note - one == one - two
        same_day += three == rough
    assert same_gap < 20
    assert same_day < 20


def test_one_value_in_two_families_is_two_draws() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-3_000, Kind.EVENT, 0), point(-3_000, Kind.BIRTH, 0)]
    _, event, birth = PLAIN.release(points, e0=E0, streams=STREAMS)
    assert event.charges[0].event != birth.charges[0].event
    assert event.day != birth.day


def test_an_appointment_may_lie_after_e0_but_a_note_may_not() -> None:
    points = [point(-2, Kind.NOTE, 0), point(-1, Kind.NOTE, 1), point(2_000, Kind.EVENT, 0)]
    after = 0
    for unit in range(100):
        one, two, visit = PLAIN.release(points, e0=E0, streams=Streams(KEY, f"a{unit}"))
        assert (one.day or 0) < (two.day or 0) <= E0
        after += (visit.day or 0) > E0
    assert after > 90


def test_what_is_over_the_cap_is_nearer_than_with_no_budget_at_all() -> None:
    mode = replace(PLAIN, cap=3, over_cap="prior")
    backs = (900, 1_000, 4_000, 950, 2_000, 6_000)
    points = [point(-b, Kind.NOTE if b == 900 else Kind.EVENT, 0) for b in backs]
    free = Strict(mechanism="window", epsilon=RATE, birth_epsilon=RATE, cap=1)
    here = []
    for unit in range(60):
        released = mode.release(points, e0=E0, streams=Streams(KEY, f"o{unit}"))
        assert [bool(got.charges) for got in released] == [True] * 3 + [False] * 3
        here.append(_error(points, released))
    assert statistics.mean(here) < 0.8 * _error(points, free.baseline(points, e0=E0))


@pytest.mark.parametrize(("side", "within"), [(-1, 60), (1, 30)])
def test_what_is_over_the_cap_is_as_far_off_as_most_gaps_are(side: int, within: int) -> None:
    """Between the quantiles .3 and .7 of weeks, not of decades; a weekend may move it a little."""
    mode = replace(PLAIN, cap=1, over_cap="prior")
    points = [point(-900, Kind.NOTE, 0), point(-900 + side * 800, Kind.EVENT, 0)]
    for unit in range(60):
        note, other = mode.release(points, e0=E0, streams=Streams(KEY, f"w{unit}"))
        assert not other.charges
        more = side * ((other.day or 0) - (note.day or 0)) - 1  # dates are different days
        assert (within + 1) * 3 / 7 - 3 <= more <= (within + 1) * 7 / 3 + 3


def _error(points: list[Point], released: tuple[Released, ...]) -> float:
    return statistics.mean(
        abs((got.day or 0) - one.day) for got, one in zip(released, points, strict=True)
    )


def test_a_very_old_birth_is_clamped() -> None:
    """To the oldest age, which is drawn like any other."""
    (birth,), (oldest,) = (
        PLAIN.release([Point("old", E0 - age, Kind.BIRTH, 0)], e0=E0, streams=STREAMS)
        for age in (60_000, BIRTH_HORIZON)
    )
    assert birth == oldest
    assert E0 - BIRTH_HORIZON <= (birth.day or 0) < E0 - BIRTH_HORIZON + 2_000


def test_every_charge_was_announced_with_the_loss_of_its_arm() -> None:
    start, end = point(-960, Kind.EVENT, 0), point(-950, Kind.EVENT, 0)
    on = point(-940, Kind.EVENT, 0)._replace(led=Led(end.name, 364))
    points = [
        *(point(-900, Kind.NOTE, 0), start, end._replace(start=start.name), on),
        *(point(-1_200, Kind.EVENT, 0), point(-800, Kind.EVENT, 0)),
        Point("June", E0 - 985, Kind.EVENT, 0, printed=(E0 - 1_000, E0 - 971)),
        point(-20_000, Kind.BIRTH, 0),
        *(Point(f"b{span}", E0 - 950, Kind.BIRTH, 0, span=span) for span in (90, 728, 1_096)),
    ]
    born = points[-4].name
    points.append(Point("at 12", E0 - 15_400, Kind.AGED, 0, start=born, unit="years"))
    announced = {(draw.mechanism, draw.loss) for draw in PLAIN.draws()}
    charges = ledger(PLAIN.release(points, e0=E0, streams=STREAMS)).charges
    assert {(charge.mechanism, charge.loss) for charge in charges} == announced
    for arm in PLAIN.arms():
        own = arm.mechanism.privacy_loss()
        assert own.within(arm.loss)


def test_the_noise_of_a_role_is_what_the_policy_says() -> None:
    noise = replace(PLAIN, ahead=(Fraction(1, 3), Fraction(5), 7)).noise(Role.AHEAD)
    assert (noise.share, noise.least, noise.after) == (Fraction(1, 3), Fraction(5), 7)
    for role in (Role.BIRTH, Role.AGED, Role.ROUGH):
        ending = replace(PLAIN, **{role.value: (Fraction(1, 3), Fraction(5), 90)}).noise(role)
        assert (ending.share, ending.least, ending.most) == (Fraction(1, 3), Fraction(5), 90)
        assert ending.loss(20_000, 20_090) == pytest.approx(1, abs=float(PER_STEP))
    first = PLAIN.noise(Role.FIRST)
    assert first.loss(900, 930) == first.loss(90, 120) == pytest.approx(30 * RATE, rel=0.03)


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon_per_day": 0},
        {"birth": (Fraction(-1), Fraction(1), 200)},
        {"birth": (Fraction(1), Fraction(0), 200)},
        {"birth": (Fraction(1), Fraction(9), 8)},
        {"birth": (Fraction(1), Fraction(1, 100), 1)},
        {"birth": Fraction(1)},
        {"cap": 0},
        {"birth_cap": 0},
        {"shift_days": -1},
        {"horizon": 0},
        {"horizon": 6_000_000},
        {"stay": (Fraction(-1), Fraction(1), 0)},
        {"before": (Fraction(1), Fraction(0), 0)},
        {"ahead": (Fraction(1), Fraction(1), -1)},
        {"rough": (0.5, Fraction(1), 0)},
        {"rough": Fraction(1)},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    whole = {"epsilon_per_day": RATE, "cap": 5, **options}
    with pytest.raises(ValueError, match=next(iter(options))):
        Metric(**whole)  # type: ignore[arg-type]
