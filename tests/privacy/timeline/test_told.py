"""Dates that words tie to others: obeyed where order and neighbours allow, and free."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role, Skeleton, chain
from dpdeid.privacy.timeline.modes import Kind, Metric, Past, Point, Released, Strict, Told
from tests.privacy.making import E0, point
from tests.privacy.timeline.test_chain import METRIC, OLDEST, STRICT, by_day, dated, modes, records

KEY = bytes(range(32))


def tie(points: list[Point], at: int, base: int, least: int, most: int) -> list[Point]:
    told = Told(points[base].name, least, most)
    return [p._replace(told=(told,)) if one == at else p for one, p in enumerate(points)]


@st.composite
def tied(draw: st.DrawFn) -> list[Point]:
    """A record of which words tell some distances, whether they are true or not."""
    points = draw(records())
    names = [p.name for p in points if p.kind is not Kind.BIRTH]
    for at, one in enumerate(points):
        if one.kind is Kind.EVENT and draw(st.booleans()):
            least = draw(st.integers(-400, 400))
            most = least + draw(st.sampled_from([0, 0, 3, 180]))
            told = Told(draw(st.sampled_from(names)), least, most)
            points[at] = one._replace(told=(told,))
    return points


def room(skeleton: Skeleton, placed: dict[int, int], at: int) -> tuple[int, int]:
    """The first and the last day that neighbours, the birth and e0 leave a whole date."""
    order = {other: place for place, other in enumerate(skeleton.whole)}
    place, last = order[at], max(order[note] for note in skeleton.notes)
    born = placed.get(skeleton.birth or -1, -(10**6))
    low = [day + place - order[o] for o, day in placed.items() if order.get(o, place) < place]
    high = [day + place - order[o] for o, day in placed.items() if order.get(o, place) > place]
    if place <= last:
        high.append(min(E0, born + OLDEST if born > 0 else E0) + place - last)
    return max([*low, born + place]), min(high, default=10**7)


@given(modes, tied(), st.integers(0, 99))
def test_what_is_told_is_obeyed_unless_a_neighbour_forbids_it_and_costs_nothing(
    mode: Metric | Strict, points: list[Point], unit: int
) -> None:
    released = mode.release(points, e0=E0, streams=Streams(KEY, f"t{unit}"))
    of = {p.key: got for p, got in zip(points, released, strict=True)}
    made = chain(points, Past(), E0)
    placed: dict[int, int] = {}
    for at, link in made.skeleton.links.items():
        got = of[made.points[at].key]
        day = got.day or 0
        if link.told is not None and link.base is not None:
            assert not got.charges
            low, high = (placed[link.base] + end for end in link.told)
            if at in made.skeleton.whole:
                first, last = room(made.skeleton, placed, at)
                assert low <= day <= high or day == (first if day > high else last)
        placed[at] = day


@given(modes, tied(), st.integers(0, 99))
def test_order_is_kept_whatever_is_told(
    mode: Metric | Strict, points: list[Point], unit: int
) -> None:
    days = by_day(points, mode.release(points, e0=E0, streams=Streams(KEY, f"k{unit}")))
    assert days == sorted(set(days))


@given(tied())
def test_what_is_told_and_the_order_decide_alone_which_gaps_are_drawn(points: list[Point]) -> None:
    """Not the days: here all dates are moved apart, and what is told stays."""
    moved = [
        p._replace(
            day=E0 - 3 * (E0 - p.day),
            printed=p.printed and (E0 - 3 * (E0 - p.printed[0]), E0 - 3 * (E0 - p.printed[1])),
        )
        for p in points
    ]
    assert chain(moved, Past(), E0).skeleton == chain(points, Past(), E0).skeleton


def test_what_is_told_follows_its_base_and_the_others_come_between() -> None:
    """An operation of 15 years ago is placed before what was seen since."""
    points = tie(dated(900, 2_000, 6_379, 4_000), 2, 0, -5_661, -5_479)
    found = chain(points, Past(), E0).skeleton
    assert list(found.links) == [0, 2, 1, 3]
    assert found.links[2].told == (-5_661, -5_479)
    assert found.links[3].base == 1
    for unit in range(40):
        note, seen, operated, before = (
            got.day or 0 for got in METRIC.release(points, e0=E0, streams=Streams(KEY, f"b{unit}"))
        )
        assert 5_479 <= note - operated <= 5_661
        assert operated < before < seen < note


def test_a_note_that_comes_later_in_the_chain_follows_what_it_tells() -> None:
    """The chain comes from the first note: where it meets the date, the second note hangs on it."""
    points = tie(dated(900, 400, 421, notes=(0, 1)), 2, 1, -24, -21)
    links = chain(points, Past(), E0).skeleton.links
    assert links[2].told is None
    assert (links[1].base, links[1].side, links[1].told) == (2, 1, (21, 24))


def test_a_tie_that_contradicts_the_order_is_none() -> None:
    points = dated(900, 950)
    for least, most in ((0, 0), (1, 9), (-9, -1)):
        link = chain(tie(points, 1, 0, least, most), Past(), E0).skeleton.links[1]
        assert (link.told is not None) == (least < 0)


def test_a_date_in_part_lies_where_it_is_told() -> None:
    year = Point("2019", E0 - 2_400, Kind.EVENT, 0, printed=(E0 - 2_557, E0 - 2_193))
    points = tie([*dated(900), year], 1, 0, -1_600, -1_500)
    assert chain(points, Past(), E0).skeleton.links[1].role is Role.ROUGH
    for unit in range(20):
        note, seen = METRIC.release(points, e0=E0, streams=Streams(KEY, f"y{unit}"))
        assert 1_500 <= (note.day or 0) - (seen.day or 0) <= 1_600
        assert not seen.charges


def test_what_is_told_takes_no_budget_from_others() -> None:
    """The cap counts what is drawn, by position; what is left out has nothing tied to it."""
    points = tie(dated(900, 903, 950, 990), 1, 0, -3, -3)
    for over_cap in ("prior", "redact"):
        mode = replace(STRICT, cap=2, over_cap=over_cap)
        released = mode.release(points, e0=E0, streams=Streams(KEY, over_cap))
        assert [len(got.charges) for got in released] == [1, 0, 1, 0]
        assert (released[0].day or 0) - (released[1].day or 0) == 3
    points = tie(dated(900, 950, 990, 993), 3, 2, -3, -3)
    mode = replace(STRICT, cap=2, over_cap="redact")
    released = mode.release(points, e0=E0, streams=Streams(KEY, "cut"))
    assert [got.day is None for got in released] == [False, False, True, True]


def test_a_later_note_is_tied_to_what_was_released() -> None:
    first = dated(900, 6_000)
    past = Past().after(first, [Released(E0 - 3_000), Released(E0 - 8_000)])
    note = point(-521, Kind.NOTE, 0)
    points = [note, first[1]._replace(told=(Told(note.name, -5_480, -5_479),))]
    released = METRIC.release(points, e0=E0, streams=Streams(KEY, "p"), past=past)
    assert (released[0].day or 0) + 8_000 - E0 in (5_479, 5_480)
    assert not released[0].charges


def test_in_a_long_history_only_neighbours_are_tied() -> None:
    """Words count from who knows which date: a wrong tie would crush all that lies between."""
    for many, base, told in ((5, 4, True), (14, 5, False), (14, 3, True)):
        points = tie(dated(*range(900, 900 + 50 * many, 50)), 2, base, 1, 40)
        links = chain(points, Past(), E0).skeleton.links
        assert any(link.told for link in links.values()) == told


def test_in_a_long_history_a_date_in_part_is_next_to_none() -> None:
    """Wherever the others stand in their order."""
    dates = dated(*range(900, 1_600, 50))
    year = Point("2019", E0 - 2_400, Kind.EVENT, 0, printed=(E0 - 2_557, E0 - 2_193))
    for base in range(len(dates)):
        links = chain(tie([*dates, year], len(dates), base, -1_700, -1), Past(), E0).skeleton.links
        assert links[len(dates)].told is None
