"""What of a record can be linked, its days and towns, and how many records nobody else is like.

Uniqueness counts date sets and interval sequences as HNFC does (Tchouka et al. 2022, section 4.6:
all 375 date sets distinct, 367 of 375 interval sequences unique). Per record, the distinct days are
sorted back from the latest; the intervals are the days between neighbours. HNFC counts them from a
current date and drops that first interval; what is left are these. A uniform shift changes the days
and no interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdeid.evaluate.attacks.rates import Finding
from dpdeid.privacy.rng import Stream

_EARTH_KM: Final = 6371.0

Position = tuple[float, float]
"""Latitude and longitude in degrees."""


@dataclass(frozen=True, slots=True)
class Event:
    """One dated thing that happened, and where, if that is known."""

    day: int = field(repr=False)
    town: Position | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """Days (ordinals) and towns of one record, or what somebody knows of them."""

    days: tuple[int, ...] = field(repr=False)
    towns: tuple[Position, ...] = field(default=(), repr=False)


def known_of(events: Sequence[Event], count: int, stream: Stream) -> Trace:
    """The dates and towns of so many events, drawn at random; of all, where there are fewer."""
    drawn = stream.shuffled(events)[:count]
    towns = dict.fromkeys(event.town for event in drawn if event.town is not None)
    return Trace(tuple(sorted(event.day for event in drawn)), tuple(towns))


def on_globe(towns: ArrayLike) -> NDArray[np.float64]:
    """Positions as points in km, so that short distances are those over ground.  # (towns, 3)"""
    phi, lam = np.radians(np.array(towns, dtype=np.float64).reshape(-1, 2)).T
    points = np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=1)
    return np.asarray(_EARTH_KM * points)


def date_set(days: Iterable[int]) -> tuple[int, ...]:
    """The distinct days, the latest first."""
    return tuple(sorted(set(days), reverse=True))


def intervals(days: Iterable[int]) -> tuple[int, ...]:
    """Days between neighbouring dates, from the latest backwards; nothing for fewer than two."""
    return tuple(later - earlier for later, earlier in pairwise(date_set(days)))


@dataclass(frozen=True, slots=True)
class Uniqueness(Finding):
    """Counts over one set of records.

    Args:
        records: those with at least one date.
        with_intervals: those with at least two.
        date_sets: records whose set of dates no other record has.
        interval_sequences: records whose sequence of intervals no other record has.
    """

    records: int
    with_intervals: int
    date_sets: int
    interval_sequences: int


def uniqueness(records: Iterable[Sequence[int]]) -> Uniqueness:
    """The counts for the days (ordinals) of each record; records without a date do not count."""
    dated = [days for days in records if days]
    sequences = [intervals(days) for days in dated]
    return Uniqueness(
        len(dated),
        sum(map(bool, sequences)),
        _unique(map(date_set, dated)),
        _unique(sequences),
    )


def _unique(values: Iterable[Hashable]) -> int:
    return sum(count == 1 for count in Counter(values).values())


def kept_intervals(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> int:
    """How many records have the very same intervals, at least one, before and after."""
    pairs = zip(before, after, strict=True)
    return sum(bool(old := intervals(a)) and old == intervals(b) for a, b in pairs)


def compared(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Uniqueness before and after, and how many records kept all their intervals."""
    return {
        "before": uniqueness(before).to_json(),
        "after": uniqueness(after).to_json(),
        "kept_intervals": kept_intervals(before, after),
    }
