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
    month or year where no more is printed.

    The last day moves, unless it is the anchor of a note, from which gaps are counted and which e0
    bounds: then the first one does, not before the patient's birth. Two anchors stay.

    Args:
        released: by the key of their points.
        points: in release order, as they were released.
        ranges: the names of the first and last day of each range.
    """
    anchors: dict[int, str] = {}
    for point in points:
        if point.kind in (Kind.NOTE, Kind.EVENT):
            anchors.setdefault(point.note, point.name)
    fixed = frozenset(anchors.values())
    days = {key: given.day for key, given in released.items() if given.day is not None}
    births = [days[p.key] for p in points if p.kind is Kind.BIRTH and p.first and p.key in days]
    pairs = [
        (("date", first), ("date", last))
        for first, last in ranges
        if {("date", first), ("date", last)} <= days.keys()
        and is_yearless(first) == is_yearless(last)
    ]
    for _ in pairs:  # as often as a chain of ranges is long
        before = dict(days)
        for first, last in pairs:
            step = _step(first[1], last[1])
            if _shown(days[first], step) < _shown(days[last], step):
                continue
            if last[1] not in fixed:
                days[last] = days[first] + step
            elif first[1] not in fixed:
                days[first] = max([days[last] - step, *births])
        if days == before:
            break
    return {
        key: given._replace(day=days[key]) if key in days else given
        for key, given in released.items()
    }


_STEPS: Final = {"month": 31, "year": 366}
"""How far apart two days must at least lie to show another month or year."""


def _step(first: str, last: str) -> int:
    """By how much two ends differ at least where they show the same: from their precision."""
    precision = last.rpartition("/")[2]
    return _STEPS.get(precision, 1) if precision == first.rpartition("/")[2] else 1


def _shown(day: int, step: int) -> int:
    """What is printed of a day, as a number that grows with it."""
    if step == 1:
        return day
    date = dt.date.fromordinal(day)
    return date.year if step == _STEPS["year"] else date.year * 12 + date.month
