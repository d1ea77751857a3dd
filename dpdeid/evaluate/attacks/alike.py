"""Made-up records with one skeleton, as their noised coordinates: gaps between days, and towns.

Each has one note and the same number of dates before it, in the same order, and towns that differ.
So two of them read alike but for what is noised, which is what the proved statement is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.attacks.patients import E0, KEY, Drawn, france, made, town
from dpdeid.evaluate.attacks.traces import on_globe
from dpdeid.privacy.points import Kind, Point
from dpdeid.privacy.rng import Stream, Streams

Integers = NDArray[np.int64]

_TEN_YEARS = 3_652
_NEAR = 21
_CLOSEST = 10
_MISSING = 1 << 40


@dataclass(frozen=True, slots=True)
class Alike:
    """Records, one a row.

    Args:
        gaps: days from the note to e0, then from each other date, the latest first, to the note.
            # (records, dates)
        towns: indices in `patients.france()`.  # (records, towns)
    """

    gaps: Integers = field(repr=False)
    towns: Integers = field(repr=False)

    def __len__(self) -> int:
        return len(self.gaps)

    @classmethod
    def made_up(cls, count: int, *, dates: int, towns: int, within: int | None = None) -> Self:
        """So many records.

        Args:
            dates: of each, its note's among them.
            within: if given, every gap is within so many days of those of one record, and every
                town among the ten nearest to one of its; else all are drawn apart.
        """
        stream = made(f"alike {dates} {towns} {within}")
        gaps, homes = _gaps(stream, dates), _towns(stream, towns)
        near = [_nearest(home) for home in homes]
        rows = []
        for _ in range(count):
            if within is None:
                rows.append((_gaps(stream, dates), _towns(stream, towns)))
            else:
                rows.append((_beside(gaps, within, stream), _drawn_from(near, stream)))
        return cls(
            np.array([row for row, _ in rows], dtype=np.int64),
            np.array([row for _, row in rows], dtype=np.int64).reshape(count, towns),
        )

    def points(self, at: int) -> tuple[Point, ...]:
        """The dates of a record, its note first."""
        first, *others = self.gaps[at].tolist()
        note = E0 - first
        days = [note, *(note - gap for gap in others)]
        kinds = [Kind.NOTE] + [Kind.EVENT] * len(others)
        return tuple(Point(f"{day}", day, kind, 0) for day, kind in zip(days, kinds, strict=True))

    def released(self, policy: Drawn, which: Sequence[int], name: str) -> Alike:
        """A release of each of these records, drawn apart, in the same coordinates.

        Raises:
            ValueError: the policy leaves out a date of its own note.
        """
        rows, homes = [], []
        for number, at in enumerate(which):
            streams = Streams(KEY, f"{name} {number}")
            note, *others = policy.days(self.points(at), streams)
            if note is None:
                raise ValueError("the first date of a record is always released")
            gaps = (_MISSING if day is None else note - day for day in others)
            rows.append([E0 - note, *gaps])
            homes.append(policy.towns(self.towns[at].tolist(), streams))
        return Alike(
            np.array(rows, dtype=np.int64),
            np.array(homes, dtype=np.int64).reshape(len(rows), -1),
        )


def _gaps(stream: Stream, dates: int) -> list[int]:
    """Days from a note in ten years to e0, and from dates before it to the note, ascending."""
    gaps: set[int] = set()
    while len(gaps) < dates - 1:
        gaps.add(1 + stream.randbelow(_NEAR if stream.randbelow(2) else _TEN_YEARS))
    return [stream.randbelow(_TEN_YEARS), *sorted(gaps)]


def _beside(gaps: Sequence[int], within: int, stream: Stream) -> list[int]:
    """The same gaps, each moved by at most `within`, in the same order and all different."""
    while True:
        moved = [gap - within + stream.randbelow(2 * within + 1) for gap in gaps]
        rising = list(accumulate(moved[1:], lambda a, b: b if b > a else a + 1))
        if moved[0] >= 0 and all(gap > 0 for gap in rising):
            near = zip(rising, gaps[1:], strict=True)
            if all(abs(gap - own) <= within for gap, own in near):
                return [moved[0], *rising]


def _towns(stream: Stream, count: int) -> list[int]:
    towns: list[int] = []
    while len(towns) < count:
        drawn = town(stream)
        if drawn not in towns:
            towns.append(drawn)
    return towns


def _nearest(home: int) -> Sequence[int]:
    """The towns nearest to one, itself the first."""
    globe = on_globe(france().positions)
    nearest: list[int] = np.linalg.norm(globe - globe[home], axis=1).argsort()[:_CLOSEST].tolist()
    return nearest


def _drawn_from(near: Sequence[Sequence[int]], stream: Stream) -> list[int]:
    """One town of each list, all different."""
    while True:
        towns = [stream.choice(options) for options in near]
        if len(set(towns)) == len(towns):
            return towns
