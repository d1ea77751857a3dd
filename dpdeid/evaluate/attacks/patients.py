"""Made-up patients and records, and what a policy's own mechanisms release of them: no text.

A patient has one note, three to nine dates with it, and two towns of metropolitan France, drawn by
population; each date happened in one of them. In the setting "stays" all dates lie in ten years,
seven in ten of them within three weeks of another. In the setting "life" they are those of
`dpdeid.privacy.expected_error.made_up`, some of them decades back. Births are left out. Nothing of
a real patient is used: choosing an ε by results on real notes spends budget.

Records that read `Alike` have one note and the same number of dates before it, in the same order:
they differ in what is noised alone, which is what the proved statement is about.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain, repeat
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dpdeid import gazetteers
from dpdeid.assurance.audit import france
from dpdeid.errors import UsageError
from dpdeid.evaluate.attacks.traces import Event, Position, Trace, on_globe
from dpdeid.policy.policy import Policy
from dpdeid.privacy.expected_error import made_up
from dpdeid.privacy.places.release import Exponential, PlanarNearest, QPWeighted, Spot
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.modes import Paper, Timeline
from dpdeid.privacy.timeline.points import Kind, Point
from dpdeid.substitute.dates.strategy import Dates
from dpdeid.substitute.places.strategy import Keyed, Places

E0: Final = dt.date(2026, 12, 31).toordinal()
KEY: Final = bytes(32)
_FEWEST: Final = 3
_MOST: Final = 9
_TOWNS: Final = 2
_TEN_YEARS: Final = 3_652
_NEAR: Final = 21
_IN_STAYS: Final = 70
"""Percent of the dates that lie near another. So many that a shift alone is linked about as often
as in the simulation from which the rate of `dp` was chosen (64 %)."""

Setting = Literal["stays", "life"]

PlaceMechanism = PlanarNearest | QPWeighted | Exponential | Keyed


@cache
def _people() -> tuple[int, ...]:
    return tuple(accumulate(place.population for place in gazetteers.place_lists()[france().name]))


def town(stream: Stream) -> int:
    """The index of a town of `france()`, in proportion to its people."""
    return bisect_right(_people(), stream.randbelow(_people()[-1]))


def made(name: str) -> Stream:
    """The stream of made-up values of that name: equal names give equal values."""
    return Streams(KEY, "made up").stream(name)


@dataclass(frozen=True, slots=True)
class Patient:
    """A made-up patient.

    Args:
        points: the dates, as a timeline takes them.
        towns: indices in `france()`.
        places: for each date, the position of its town in `towns`.
    """

    points: tuple[Point, ...] = field(repr=False)
    towns: tuple[int, ...] = field(repr=False)
    places: tuple[int, ...] = field(repr=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """The true dates with their true towns."""
        positions = france().positions
        pairs = zip(self.points, self.places, strict=True)
        return tuple(Event(point.day, positions[self.towns[at]]) for point, at in pairs)


def patients(count: int, setting: Setting = "stays", name: str = "patients") -> list[Patient]:
    """So many patients, the same for the same name."""
    stream = made(name)
    return [_patient(stream, setting) for _ in range(count)]


def _patient(stream: Stream, setting: Setting) -> Patient:
    dates = _FEWEST + stream.randbelow(_MOST - _FEWEST + 1)
    if setting == "stays":
        points = _stays(stream, dates)
    else:
        points = made_up(stream, dates=dates, notes=1, e0=E0)
    towns = tuple(town(stream) for _ in range(_TOWNS))
    return Patient(points, towns, tuple(stream.randbelow(_TOWNS) for _ in points))


def _stays(stream: Stream, dates: int) -> tuple[Point, ...]:
    days = [E0 - stream.randbelow(_TEN_YEARS)]
    while len(days) < dates:
        day = E0 - stream.randbelow(_TEN_YEARS)
        if stream.randbelow(100) < _IN_STAYS:
            day = stream.choice(days) - _NEAR + stream.randbelow(2 * _NEAR + 1)
        if E0 - _TEN_YEARS < day <= E0 and day not in days:
            days.append(day)
    return _points(days)


def _points(days: Sequence[int]) -> tuple[Point, ...]:
    kinds = chain([Kind.NOTE], repeat(Kind.EVENT))
    return tuple(Point(f"{day}", day, kind, 0) for day, kind in zip(days, kinds, strict=False))


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a policy draws days and towns with."""

    name: str
    timeline: Timeline
    places: PlaceMechanism | None

    @classmethod
    def of(cls, policy: Policy) -> Drawn:
        """The mechanisms of a policy.

        Raises:
            UsageError: it does not replace dates by dates.
        """
        dates = next((s for s in policy.strategies if isinstance(s, Dates)), None)
        if dates is None:
            raise UsageError(
                f"policy {policy.name} replaces no date by another: there is nothing to simulate; "
                "attack a release of it, with the originals: dpdeid evaluate attack BEFORE AFTER"
            )
        places = next((s for s in policy.strategies if isinstance(s, Places)), None)
        return cls(policy.name, dates.timeline, None if places is None else places.mechanism)

    def days(self, points: Sequence[Point], streams: Streams) -> list[int | None]:
        """The surrogate of each date; the published design counts from the latest note."""
        e0 = E0
        if isinstance(self.timeline, Paper):
            e0 = max((p.day for p in points if p.kind is Kind.NOTE), default=E0)
        return [one.day for one in self.timeline.release(points, e0=e0, streams=streams)]

    def towns(self, towns: Sequence[int], streams: Streams) -> list[int]:
        """The surrogate of each town: an index."""
        if self.places is None:
            return []
        lists = france()
        spots = [Spot(f"{at}", *lists.positions[at], lists) for at in towns]
        return [one.index for one in self.places.release(spots, streams=streams)]

    @property
    def per_km(self) -> float:
        """ε per km of a town, 0 where a surrogate tells nothing of it."""
        return float(getattr(self.places, "epsilon_per_km", 0))


def released(policy: Drawn, patient: Patient, unit: str, key: bytes = KEY) -> Trace:
    """What is released of one patient."""
    streams = Streams(key, unit)
    days = policy.days(patient.points, streams)
    towns = policy.towns(patient.towns, streams)
    positions: tuple[Position, ...] = france().positions
    return Trace(
        tuple(day for day in days if day is not None), tuple(positions[at] for at in towns)
    )


Integers = NDArray[np.int64]

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
        gaps, homes = _gaps(stream, dates), _different_towns(stream, towns)
        near = [_nearest(home) for home in homes]
        rows = []
        for _ in range(count):
            if within is None:
                rows.append((_gaps(stream, dates), _different_towns(stream, towns)))
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
        return _points([note, *(note - gap for gap in others)])

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
            rows.append([E0 - note, *(_MISSING if day is None else note - day for day in others)])
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


def _different_towns(stream: Stream, count: int) -> list[int]:
    towns: list[int] = []
    while len(towns) < count:
        drawn = town(stream)
        if drawn not in towns:
            towns.append(drawn)
    return towns


def _nearest(home: int) -> Sequence[int]:
    globe = on_globe(france().positions)
    nearest: list[int] = np.linalg.norm(globe - globe[home], axis=1).argsort()[:_CLOSEST].tolist()
    return nearest


def _drawn_from(near: Sequence[Sequence[int]], stream: Stream) -> list[int]:
    while True:
        towns = [stream.choice(options) for options in near]
        if len(set(towns)) == len(towns):
            return towns
