"""Days in the order that words tell: the two ends of a range, the days of a list of weekdays.

What is moved here was released: no true day is read.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from dpdeid.privacy.timeline.modes import Kind, Point, Released

Days = Mapping[tuple[str, str], Released]
"""Released days by the key of their points."""


def in_order(
    released: Days,
    points: Sequence[Point],
    ranges: Sequence[tuple[str, str]],
    frozen: Iterable[str] = (),
) -> Days:
    """The released days, each last day of a range at least one day after its first, or in another
    part, month, season or year where no more is printed.

    The last day moves, unless it is the anchor of a note, from which gaps are counted, or was moved
    before one: then the first one does, not before the patient's birth. Two anchors stay. No true
    day is read.

    Args:
        points: in release order, as they were released.
        ranges: the names of the first and last day of each range.
        frozen: names of days that were released before: they stay.
    """
    anchors: dict[int, str] = {}
    for point in points:
        if point.kind in (Kind.NOTE, Kind.EVENT):
            anchors.setdefault(point.note, point.name)
    pinned = {*anchors.values(), *frozen}
    days = {key: given.day for key, given in released.items() if given.day is not None}
    births = [days[p.key] for p in points if p.kind is Kind.BIRTH and p.first and p.key in days]
    pairs = [
        (("date", first), ("date", last))
        for first, last in ranges
        if {("date", first), ("date", last)} <= days.keys()
    ]
    for _ in pairs:  # as often as a chain of ranges is long
        before, held = dict(days), len(pinned)
        for first, last in pairs:
            apart = step(first[1], last[1])
            if _shown(days[first], apart) < _shown(days[last], apart):
                continue
            if last[1] not in pinned:
                days[last] = days[first] + apart
            elif first[1] not in pinned:
                days[first] = max([days[last] - apart, *births])
                pinned.add(first[1])
        if days == before and len(pinned) == held:
            break
    return {
        key: given._replace(day=days[key]) if key in days else given
        for key, given in released.items()
    }


def through_the_week(days: Sequence[dt.date]) -> tuple[dt.date, ...]:
    """Days on as many different weekdays, in the order of the week; more than seven stay.

    A list of weekdays is one of habits: "lundi, lundi et jeudi" would say none.
    """
    if len(days) > _WEEK:
        return tuple(days)
    weekdays: set[int] = set()
    for day in days:
        weekday = day.weekday()
        while weekday in weekdays:
            weekday = (weekday + 1) % _WEEK
        weekdays.add(weekday)
    return tuple(
        day + dt.timedelta(days=(weekday - day.weekday()) % _WEEK)
        for day, weekday in zip(days, sorted(weekdays), strict=True)
    )


_WEEK: Final = 7
_STEPS: Final = {"week": 8, "part": 11, "month": 31, "season": 92, "part of year": 123, "year": 366}
"""How far apart two days must at least lie to show another week, part, month, season or year."""


def step(first: str, last: str) -> int:
    """By how much two ends differ at least where they show the same: from their precision."""
    precision = last.rpartition("/")[2]
    return _STEPS.get(precision, 1) if precision == first.rpartition("/")[2] else 1


def _shown(day: int, step: int) -> int:
    """What is printed of a day, as a number that grows with it."""
    if step == 1:
        return day
    if step == _STEPS["week"]:
        return (day - 1) // _WEEK
    date = dt.date.fromordinal(day)
    months = date.year * 12 + date.month - 1
    if step == _STEPS["part"]:
        return months * 3 + min((date.day - 1) // 10, 2)
    return months // (step // 30)
