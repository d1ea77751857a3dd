"""How many timelines nobody else has: HNFC's count of date sets and of interval sequences.

Per record, the distinct days are sorted back from the latest; the intervals are the days between
neighbours. HNFC counts them from a current date and drops that first interval; what is left are
these. A uniform shift changes the days and no interval. Tchouka et al. 2022, section 4.6: all 375
date sets are distinct, 367 of 375 interval sequences are unique.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any


def date_set(days: Iterable[int]) -> tuple[int, ...]:
    """The distinct days, the latest first."""
    return tuple(sorted(set(days), reverse=True))


def intervals(days: Iterable[int]) -> tuple[int, ...]:
    """Days between neighbouring dates, from the latest backwards; nothing for fewer than two."""
    return tuple(later - earlier for later, earlier in pairwise(date_set(days)))


@dataclass(frozen=True, slots=True)
class Uniqueness:
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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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
    """How many records have the very same intervals, at least one, before and after.

    All of them after a uniform shift: exactly, not about.
    """
    pairs = zip(before, after, strict=True)
    return sum(bool(old := intervals(a)) and old == intervals(b) for a, b in pairs)
