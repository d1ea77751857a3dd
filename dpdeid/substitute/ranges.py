"""Released days of ranges put in the order that the text tells of them.

Under noise the two ends of "du 12/03 au 18/03" may come out in the wrong order or on one day, where
they are two draws: the end may also be the date of the note, or stand further up. This is
post-processing: it reads released days, which names are a range by the words around them, and which
days anchor a note. It never reads a true day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Final

from dpdeid.privacy.timeline import Kind, Point, Released
from dpdeid.substitute.completion import is_yearless

_Key = tuple[str, str]


def in_order(
    released: Mapping[_Key, Released],
    points: Sequence[Point],
    ranges: Sequence[tuple[str, str]],
) -> dict[_Key, Released]:
    """The released days, each last day of a range at least one day after its first, or in another
    part, month, season or year where no more is printed.

    The last day moves, unless it is the anchor of a note, from which gaps are counted and which e0
    bounds, or was moved before one: then the first one does, not before the patient's birth. Two
    anchors stay.

    Args:
        released: by the key of their points.
        points: in release order, as they were released.
        ranges: the names of the first and last day of each range.
    """
    anchors: dict[int, str] = {}
    for point in points:
        if point.kind in (Kind.NOTE, Kind.EVENT):
            anchors.setdefault(point.note, point.name)
    pinned = set(anchors.values())
    days = {key: given.day for key, given in released.items() if given.day is not None}
    births = [days[p.key] for p in points if p.kind is Kind.BIRTH and p.first and p.key in days]
    pairs = [
        (("date", first), ("date", last))
        for first, last in ranges
        if {("date", first), ("date", last)} <= days.keys()
        and is_yearless(first) == is_yearless(last)
    ]
    for _ in pairs:  # as often as a chain of ranges is long
        before, held = dict(days), len(pinned)
        for first, last in pairs:
            step = _step(first[1], last[1])
            if _shown(days[first], step) < _shown(days[last], step):
                continue
            if last[1] not in pinned:
                days[last] = days[first] + step
            elif first[1] not in pinned:
                days[first] = max([days[last] - step, *births])
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
_STEPS: Final = {"part": 11, "month": 31, "season": 92, "part of year": 123, "year": 366}
"""How far apart two days must at least lie to show another part, month, season or year."""


def shows_days(pair: tuple[str, str]) -> bool:
    """Whether two names of a range are not those of two parts of years, months or years."""
    return _step(*pair) == 1


def _step(first: str, last: str) -> int:
    """By how much two ends differ at least where they show the same: from their precision."""
    precision = last.rpartition("/")[2]
    return _STEPS.get(precision, 1) if precision == first.rpartition("/")[2] else 1


def _shown(day: int, step: int) -> int:
    """What is printed of a day, as a number that grows with it."""
    if step == 1:
        return day
    date = dt.date.fromordinal(day)
    months = date.year * 12 + date.month - 1
    if step == _STEPS["part"]:
        return months * 3 + min((date.day - 1) // 10, 2)
    if step == _STEPS["month"]:
        return months
    if step == _STEPS["season"]:
        return months // 3
    return months // 4 if step == _STEPS["part of year"] else date.year
