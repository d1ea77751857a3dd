"""Made-up lists of places and timelines."""

from __future__ import annotations

import datetime as dt
import random

from hypothesis import strategies as st

from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.timeline.modes import Kind, Point


def grid(rows: int, columns: int) -> tuple[tuple[float, float], ...]:
    """Places 0.1 degrees apart."""
    return tuple((45 + i / 10, 3 + j / 10) for i in range(rows) for j in range(columns))


def _france() -> PlaceList:
    chance = random.Random(5)
    positions = ((chance.uniform(42.5, 51), chance.uniform(-4.5, 8)) for _ in range(400))
    return PlaceList("FR", tuple(positions))


FRANCE = _france()


E0 = dt.date(2026, 1, 1).toordinal()


@st.composite
def timelines(draw: st.DrawFn, latest: int = -1) -> list[Point]:
    """Points of up to three notes as a strategy gives them: note dates first, names by day."""
    notes = draw(st.integers(0, 3))
    before = st.integers(-20_000, latest)
    points = [point(draw(before), Kind.NOTE, note) for note in range(notes)]
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from([Kind.EVENT, Kind.EVENT, Kind.EVENT, Kind.BIRTH]))
        points.append(point(draw(before), kind, draw(st.integers(0, 2))))
    return points


def point(back: int, kind: Kind, note: int) -> Point:
    day = E0 + back
    return Point(dt.date.fromordinal(day).isoformat(), day, kind, note)
