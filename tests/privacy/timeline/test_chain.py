"""The chain: what is public of it, and where its dates come to lie, whatever the noise."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Age, Link, Role, Skeleton, chain
from dpdeid.privacy.timeline.modes import Kind, Metric, Past, Point, Released, Strict
from dpdeid.privacy.timeline.points import BIRTH_HORIZON
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))
OLDEST = 38_351
METRIC = Metric(epsilon_per_day=Fraction("0.05"), cap=40, shift_days=365, over_cap="prior")
STRICT = Strict(
    mechanism="prior_window",
    epsilon=Fraction(8, 5),
    birth_epsilon=Fraction(4),
    cap=40,
    over_cap="prior",
)
modes = st.sampled_from([METRIC, STRICT, replace(STRICT, mechanism="bounded_laplace", cap=2)])
every_mode = pytest.mark.parametrize("mode", [METRIC, STRICT], ids=["metric", "strict"])


def skeleton(points: list[Point], past: Past | None = None) -> Skeleton:
    return chain(points, past or Past(), E0).skeleton


def roles(points: list[Point], past: Past | None = None) -> list[str]:
    """The role of each new date, by release order."""
    links = skeleton(points, past).links
    return [links[at].role.value for at in sorted(links)]


def dated(*backs: int, notes: tuple[int, ...] = (0,)) -> list[Point]:
    """Whole dates of as many notes, by the days before e0; which of them are dates of notes."""
    every = [
        point(-back, Kind.NOTE if at in notes else Kind.EVENT, at if at in notes else 0)
        for at, back in enumerate(backs)
    ]
    return [p._replace(name=f"date {at}") for at, p in enumerate(every)]


@st.composite
def records(draw: st.DrawFn) -> list[Point]:
    """A timeline with dates that are printed in part, told ranges, and the birth of the patient."""
    points = draw(timelines())
    for at in range(draw(st.integers(0, 3))):
        length = draw(st.sampled_from([30, 365, 3_650]))
        first = E0 - draw(st.integers(30, 15_000)) // length * length
        day = first + draw(st.integers(0, length - 1))
        points.append(
            Point(f"{first}/{length}", day, Kind.EVENT, at, printed=(first, first + length - 1))
        )
    dates = [p for p in points if p.kind is Kind.EVENT and not p.printed]
    if len(dates) > 1:
        one, other = sorted(dates[:2], key=lambda p: p.day)
        points[points.index(other)] = other._replace(start=one.name)
    if draw(st.booleans()):
        born = min((p.printed or (p.day, 0))[0] for p in points) if points else E0
        back = draw(st.integers(0, 9_000))
        points.append(Point("patient/born", born - back, Kind.BIRTH, 0, first=True))
    return points


# --- what is public -------------------------------------------------------------------------------


@given(records(), st.data())
def test_no_day_is_in_the_skeleton(points: list[Point], data: st.DataObject) -> None:
    """Whole dates further apart, births elsewhere, other days of what is printed in part."""
    whole = sorted({p.day for p in points if p.kind is not Kind.BIRTH and not p.printed})
    spans = [p.printed for p in points if p.printed]
    cuts = sorted({day for first, last in spans for day in (first, last + 1)})
    moved, low = {}, -(10**6)
    for at, day in enumerate(whole):  # order stays, and on which side of what is printed
        side = sum(cut <= day for cut in cuts)
        start = max(low + 1, cuts[side - 1] if side else day - 50)
        room = [d for d in whole[at:] if sum(cut <= d for cut in cuts) == side]
        end = (cuts[side] if side < len(cuts) else day + 90) - len(room)
        low = moved[day] = data.draw(st.integers(start, max(start, end)))
    others = [
        p._replace(day=p.day - data.draw(st.integers(0, 900)))
        if p.kind is Kind.BIRTH
        else p._replace(day=data.draw(st.integers(*p.printed)) if p.printed else moved[p.day])
        for p in points
    ]
    assert skeleton(others) == skeleton(points)


def test_the_order_of_dates_is_in_the_skeleton_and_a_gap_is_not() -> None:
    assert skeleton(dated(900, 950, 990)) == skeleton(dated(900, 901, 3_000))
    assert skeleton(dated(900, 950, 990)) != skeleton(dated(900, 990, 950))
    shown = repr(chain(dated(900, 950), Past(), E0)).replace("_", "")
    assert str(E0 - 900) not in shown
    assert "50" not in shown


def test_links_run_outwards_from_the_first_note() -> None:
    points = dated(900, 400, 1_000, 950, 700, 300, notes=(0, 1))
    links = skeleton(points).links
    assert [links[at].base for at in range(6)] == [None, 4, 3, 0, 0, 1]
    assert [links[at].side for at in range(6)] == [-1, 1, -1, -1, 1, 1]
    assert list(links) == [0, 4, 1, 5, 3, 2], "each date is placed after what it is counted from"
    assert roles(points) == ["first", "before", "before", "before", "before", "ahead"]


def test_gaps_are_those_to_the_neighbour() -> None:
    points = [*dated(900, 400, 1_000, 950), Point("born", E0 - 9_000, Kind.BIRTH, 0)]
    assert chain(points, Past(), E0, lambda _: 7).gaps == {0: 907, 1: 500, 2: 50, 3: 50, 4: 8_100}
    assert chain(points[4:], Past(), E0, lambda _: 7).gaps == {0: 9_000}


def test_a_stay_goes_from_the_start_of_a_told_range_to_the_note_after_it() -> None:
    note, before, start, inside, end, after = dated(900, 990, 920, 915, 910, 800)
    end = end._replace(start=start.name)
    told = dict(zip("nbsie", roles([note, before, start, inside, end]), strict=True))
    assert told == {"n": "first", "b": "before", "s": "stay", "i": "stay", "e": "stay"}
    links = skeleton([note, before, start, inside, end]).links
    assert links[4].base == 0, "from its end to the note"
    apart = point(-905, Kind.EVENT, 0)
    told = dict(zip("nsiea", roles([note, start, inside, end, apart]), strict=True))
    assert told == {"n": "first", "s": "stay", "i": "stay", "e": "before", "a": "before"}
    assert roles([note, start, inside, end._replace(start="")])[1:] == ["before"] * 3
    assert roles([note, after, end])[1:] == ["ahead", "before"], "a start that is no date"


def test_a_range_after_the_last_note_is_a_stay_and_the_way_to_it_is_not() -> None:
    note, start, end = dated(900, 800, 790)
    assert roles([note, start, end._replace(start=start.name)]) == ["first", "ahead", "stay"]


def test_what_is_printed_in_part_hangs_on_the_date_of_its_note() -> None:
    june = (E0 - 1_000, E0 - 971)
    months = [Point("June", E0 - 985, Kind.EVENT, note, printed=june) for note in (0, 1)]
    notes = [point(-990, Kind.NOTE, 0), point(-400, Kind.NOTE, 1), point(-2_000, Kind.EVENT, 0)]
    assert skeleton([*notes, months[0]]).links[3] == Link(
        Role.ROUGH, 0, -1, after=(2,), until=(1,)
    ), "inside its month the note tells no side"
    assert skeleton([*notes, months[1]]).links[3].base == 1
    later = skeleton([notes[2], months[0]]).links
    assert later[1] == Link(Role.ROUGH, 0, 1, after=(0,)), "a note without a date has its first"
    assert skeleton([months[0]]).links == {0: Link(Role.FIRST, None, -1)}


def in_part(name: str, first: int, last: int) -> Point:
    """A date of the first note that may mean so many days before e0, and fewer."""
    middle = E0 - (first + last) // 2
    return Point(name, middle, Kind.EVENT, 0, printed=(E0 - first, E0 - last))


def test_dates_in_part_are_counted_from_the_next_one_on_the_side_of_their_note() -> None:
    """Where no more than the order tells: "2019" and "June 2019" are as near to one another."""
    note, whole = point(-900, Kind.NOTE, 0), point(-3_000, Kind.EVENT, 0)
    old, year = in_part("old", 5_000, 4_636), in_part("2019", 2_000, 1_636)
    month, coming = in_part("June 2019", 1_860, 1_831), in_part("next", 800, 770)
    links = skeleton([note, old, year, month, coming, whole]).links
    assert {at: (links[at].base, links[at].side) for at in range(1, 5)} == {
        1: (5, -1), 2: (0, -1), 3: (0, -1), 4: (0, 1),
    }  # fmt: skip
    later = skeleton([note, old, year, in_part("after", 1_600, 1_570)]).links
    assert [later[at].base for at in (1, 2, 3)] == [2, 3, 0]


def test_of_dates_in_part_alone_the_last_begins_the_chain() -> None:
    years = [in_part("a", 7_000, 6_636), in_part("c", 2_000, 1_636), in_part("b", 5_000, 4_636)]
    links = skeleton(years).links
    assert links[1].role is Role.FIRST
    assert [links[at].base for at in (0, 2)] == [2, 1]


def test_a_birth_that_may_lie_after_a_date_is_counted_from_its_own_note() -> None:
    """A child born between two notes of its mother; beside an age in months or less by its span."""
    born = Point("baby", E0 - 940, Kind.BIRTH, 1, span=90)
    notes = [point(-990, Kind.NOTE, 0), point(-900, Kind.NOTE, 1)]
    assert skeleton([*notes, born]).links[2] == Link(Role.NEWBORN, 1, -1, span=90)
    assert skeleton([*notes, born._replace(span=0)]).links[2] == Link(Role.BIRTH, 1, -1)
    assert skeleton([born]).links == {0: Link(Role.BIRTH, None, -1)}


def test_the_patients_birth_is_counted_from_the_earliest_note_whichever_is_first() -> None:
    """It is placed behind all notes, and before what lies further back than these."""
    points = dated(400, 900, 950, 300, notes=(0, 1))
    links = skeleton([*points, Point("born", E0 - 9_000, Kind.BIRTH, 0, first=True)]).links
    assert links[4] == Link(Role.BIRTH, 1, -1)
    assert list(links) == [0, 3, 1, 4, 2]


def test_a_birth_beside_dates_in_part_alone_is_counted_from_e0() -> None:
    year = Point("2019", E0 - 2_400, Kind.EVENT, 0, printed=(E0 - 2_557, E0 - 2_193))
    found = skeleton([year, Point("born", E0 - 9_000, Kind.BIRTH, 0)])
    assert found.links[1] == Link(Role.BIRTH, None, -1)
    assert found.rough == {0}


def test_a_note_without_a_date_of_its_own_has_its_first_whole_one() -> None:
    points = [point(-900, Kind.NOTE, 0), point(-700, Kind.EVENT, 1), point(-300, Kind.EVENT, 1)]
    assert skeleton(points).notes == {0, 1}
    assert roles(points) == ["first", "before", "ahead"]
    again = skeleton(points[:1], Past().after(points[1:], [Released(E0), Released(E0)]))
    assert again.notes == {0, 2}, "of a past too"


def test_a_day_of_an_age_without_a_released_birth_is_left_out() -> None:
    note, born = point(-900, Kind.NOTE, 0), Point("born", E0 - 9_000, Kind.BIRTH, 0)
    aged = Point("aged", E0 - 2_000, Kind.AGED, 0, start="born", unit="years")
    link = Link(Role.AGED, 1, 1, until=(0,), age=Age(1, "years"))
    assert skeleton([note, born, aged]).links[2] == link
    assert set(skeleton([note, aged]).links) == {0}
    past = Past().after([note, born], [Released(E0 - 700), Released(None)])
    assert skeleton([aged], past).links == {}


def test_a_past_has_no_links_and_its_first_date_is_where_the_chain_begins() -> None:
    first = dated(900, 1_000)
    past = Past().after(first, [Released(E0 - 700), Released(E0 - 750)])
    note, between = point(-400, Kind.NOTE, 1), point(-950, Kind.EVENT, 1)
    found = skeleton([first[0], note, between], past)
    assert found.links == {2: Link(Role.BEFORE, 0, 1), 3: Link(Role.BEFORE, 0, -1)}
    assert found.whole == (1, 3, 0, 2)
    assert found.notes == {0, 2}


def test_a_past_date_without_a_surrogate_is_no_neighbour() -> None:
    """What the cap left out stays out, and nothing hangs on it."""
    first = dated(900, 950)
    past = Past().after(first, [Released(E0 - 700), Released(None)])
    again = [first[1], point(-990, Kind.EVENT, 0)]
    assert skeleton(again, past).links == {1: Link(Role.BEFORE, 0, -1)}


# --- where it ends up -----------------------------------------------------------------------------


def by_day(points: list[Point], released: tuple[Released, ...]) -> list[int]:
    """The surrogates of whole dates, in their order."""
    pairs = zip(points, released, strict=True)
    days = {p.day: got.day for p, got in pairs if p.kind is not Kind.BIRTH and not p.printed}
    return [day for _, day in sorted(days.items()) if day is not None]


@given(modes, records(), st.integers(0, 99))
def test_whole_dates_are_different_days_in_their_order(
    mode: Metric | Strict, points: list[Point], unit: int
) -> None:
    days = by_day(points, mode.release(points, e0=E0, streams=Streams(KEY, f"o{unit}")))
    assert all(one < other for one, other in pairwise(days))


@given(modes, records(), st.integers(0, 99))
def test_what_is_printed_in_part_stays_between_what_certainly_lies_around_it(
    mode: Metric | Strict, points: list[Point], unit: int
) -> None:
    released = mode.release(points, e0=E0, streams=Streams(KEY, f"r{unit}"))
    found = [(p, got.day or 0) for p, got in zip(points, released, strict=True)]
    whole = [(p.day, day) for p, day in found if not p.printed and p.kind is not Kind.BIRTH]
    for rough, there in found:
        if (spread := rough.printed) is not None:
            assert all(day <= there for true, day in whole if true < spread[0])
            assert all(there <= day for true, day in whole if true > spread[1])


@given(modes, records(), st.integers(0, 99))
def test_the_first_date_lies_in_the_cohort_and_births_before_all_that_they_must(
    mode: Metric | Strict, points: list[Point], unit: int
) -> None:
    released = mode.release(points, e0=E0, streams=Streams(KEY, f"n{unit}"))
    found = [(p, got.day or 0) for p, got in zip(points, released, strict=True)]
    made = chain(points, Past(), E0)
    own = {made.points[at].key for at in made.skeleton.notes}
    notes = [day for p, day in found if p.key in own]
    assert all(day <= E0 for day in notes)
    reach = mode.cohort_days if isinstance(mode, Strict) else mode.horizon
    begins = (at for at, link in made.skeleton.links.items() if link.role is Role.FIRST)
    root = next((made.points[at].key for at in begins), None)
    first = next((day for p, day in found if p.key == root), E0)
    assert E0 - reach <= first <= E0
    latest = max(notes, default=E0)
    births = [(p, day) for p, day in found if p.kind is Kind.BIRTH]
    assert all(day <= latest for _, day in births)
    for patient, born in births:
        if patient.first:
            assert born <= min(day for p, day in found if p.kind is not Kind.BIRTH or p == patient)
            earliest = min((day for p, day in found if p.kind is not Kind.BIRTH), default=latest)
            assert born >= min(latest - OLDEST, earliest)


@every_mode
def test_nobody_is_over_105_on_the_last_note(mode: Metric | Strict) -> None:
    notes = dated(2_000, 900, notes=(0, 1))
    born = Point("patient/born", E0 - BIRTH_HORIZON, Kind.BIRTH, 0, first=True)
    for unit in range(100):
        released = mode.release([*notes, born], e0=E0, streams=Streams(KEY, f"old{unit}"))
        _, last, birth = (got.day or 0 for got in released)
        assert last - birth <= OLDEST


@every_mode
def test_no_later_note_is_over_105_years_after_a_birth_that_was_released(
    mode: Metric | Strict,
) -> None:
    """One that was released first, long ago, and one that is told 20 years later."""
    old, born = point(-8_000, Kind.NOTE, 0), Point("born", E0 - 44_000, Kind.BIRTH, 0, first=True)
    birth = E0 - OLDEST - 300
    past = Past().after([old, born], [Released(E0 - 2_000), Released(birth)])
    later = point(-10, Kind.NOTE, 0)
    for unit in range(60):
        (got,) = mode.release([later], e0=E0, streams=Streams(KEY, f"l{unit}"), past=past)
        assert E0 - 2_000 < (got.day or 0) <= birth + OLDEST


@every_mode
@pytest.mark.parametrize("batches", [1, 2])
def test_the_patients_birth_comes_before_a_year_alone(mode: Metric | Strict, batches: int) -> None:
    """Also where no date is printed fully, and where the year was released before."""
    year = Point("2019", E0 - 2_400, Kind.EVENT, 0, printed=(E0 - 2_557, E0 - 2_193))
    born = Point("patient/born", E0 - 2_500, Kind.BIRTH, 0, first=True)
    for unit in range(100):
        streams, past = Streams(KEY, f"y{unit}"), Past()
        if batches == 2:
            past = past.after([year], mode.release([year], e0=E0, streams=streams))
        seen, birth = mode.release([year, born], e0=E0, streams=streams, past=past)
        assert (birth.day or 0) <= (seen.day or 0)


@every_mode
def test_few_appointments_are_on_a_weekend_and_no_first_note(mode: Metric | Strict) -> None:
    points = dated(900, 872, 903)
    points[0] = points[0]._replace(start=points[2].name)
    away = {"first": 0, "ahead": 0, "stay": 0}
    for unit in range(400):
        released = mode.release(points, e0=E0, streams=Streams(KEY, f"w{unit}"))
        for what, got in zip(away, released, strict=True):
            away[what] += dt.date.fromordinal(got.day or 0).isoweekday() > 5
    assert away["first"] == 0
    assert 0 < away["ahead"] < 400 * 0.15
    assert away["ahead"] < away["stay"]


@given(modes, timelines(), timelines(), st.integers(0, 99))
def test_what_was_released_stays_and_what_is_new_comes_between(
    mode: Metric | Strict, first: list[Point], second: list[Point], unit: int
) -> None:
    streams = Streams(KEY, f"p{unit}")
    before = mode.release(first, e0=E0, streams=streams)
    past = Past().after(first, before)
    after = mode.release([*first, *second], e0=E0, streams=streams, past=past)
    assert after[: len(first)] == before
    if all((got.day or 0) <= E0 for got in before):  # else no note fits between it and e0
        days = by_day([*first, *second], after)
        assert all(one <= other for one, other in pairwise(days))


@every_mode
@pytest.mark.parametrize("apart", [1, 2, 3, 9])
def test_what_has_no_room_shares_the_days_of_its_neighbours(
    mode: Metric | Strict, apart: int
) -> None:
    """Four new dates between two that came out a few days apart."""
    old = dated(1_000, 900)
    new = [point(-900 - 10 * n, Kind.EVENT, 0) for n in (3, 1, 4, 2)]
    past = Past().after(old, [Released(E0 - 500), Released(E0 - 500 + apart)])
    for unit in range(20):
        released = mode.release(new, e0=E0, streams=Streams(KEY, f"s{unit}"), past=past)
        days = by_day(new, released)
        assert days == sorted(days)
        assert {*days} <= {*range(E0 - 500, E0 - 500 + apart + 1)}
        assert len({*days}) == 4 or apart < 5


@every_mode
def test_notes_after_one_that_came_out_on_e0_stay_behind_it(mode: Metric | Strict) -> None:
    past = Past().after(dated(900), [Released(E0)])
    new = [point(-500, Kind.NOTE, 0), point(-300, Kind.NOTE, 1), point(-600, Kind.EVENT, 1)]
    released = mode.release(new, e0=E0, streams=Streams(KEY, "e0"), past=past)
    assert [got.day for got in released] == [E0] * 3
