"""What a release will be worth, before any note is seen: expected errors on made-up records.

Days from the shipped modes and kilometres from the shipped place mechanisms, drawn from streams
that are the same everywhere, beside what ε = 0 would give: public priors in the same order, or one
fixed place. Choosing an ε by looking at results on real notes would spend budget; this does not.
"""

from __future__ import annotations

import datetime as dt
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from statistics import mean, median
from typing import Final

import numpy as np

from dpdeid.privacy.ledger import Forecast
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.places.gravity import nearest_among
from dpdeid.privacy.places.release import Placed, Spot
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.drawing import Arm
from dpdeid.privacy.timeline.modes import Metric, Paper, Strict, Timeline
from dpdeid.privacy.timeline.points import Kind, Point, Released
from dpdeid.privacy.timeline.priors import ages

COUNTS: Final = (5, 15, 40)
LEAST_GAIN: Final = 0.95
"""A budget buys something where the error is below this share of the error without one."""

_RECORDS: Final = 48
_DRAWS: Final = 2_000
_PLACES: Final = 250
_ALONE: Final = 100
_CONSTANT: Final = 0.25
"""The mean error of the middle rank, ranks running from 0 to 1."""
_E0: Final = dt.date(2026, 12, 31).toordinal()
_FREE: Final = Strict(
    mechanism="window", epsilon=Fraction(1), birth_epsilon=Fraction(1), cap=1, over_cap="prior"
)
"""Any strict mode: its baseline holds public priors only."""
_IDLE: Final = (
    "this budget buys nothing on {}: the expected error is not 5 % below that of no budget at all"
)


@dataclass(frozen=True, slots=True)
class DateOutlook:
    """Errors in days on records with this many dates, means over records.

    Args:
        date: mean of a date.
        interval: median of the intervals from dates to those of their notes: some are decades.
        free_date, free_interval: the same at ε = 0.
        released: how many of the dates come out.
    """

    dates: int
    date: float
    interval: float
    free_date: float
    free_interval: float
    released: float

    @property
    def buys(self) -> bool:
        """Whether the budget is worth more than no budget."""
        days, gaps = self.date / self.free_date, self.interval / max(self.free_interval, 1)
        return min(days, gaps) < LEAST_GAIN


@lru_cache(maxsize=32)
def dates(mode: Timeline, *, by_patient: bool) -> tuple[DateOutlook, ...]:
    """One outlook for each of `COUNTS`; a patient's dates stand in notes of five."""
    return tuple(_dates(mode, count, max(count // 5, 1) if by_patient else 1) for count in COUNTS)


def _dates(mode: Timeline, count: int, notes: int) -> DateOutlook:
    made = Streams(bytes(32), "outlook").stream("records", str(count))
    given, free, seen = [], [], 0
    for at in range(_RECORDS):
        record = made_up(made, dates=count, notes=notes, e0=_E0)
        e0 = max(p.day for p in record if p.kind is Kind.NOTE) if isinstance(mode, Paper) else _E0
        released = mode.release(record, e0=e0, streams=Streams(bytes(32), f"record {at}"))
        out = [one.day is not None for one in released]
        seen += sum(out)
        given.append(_errors(record, released, out))
        free.append(_errors(record, _FREE.baseline(record, e0=_E0), out))
    figures = [mean(column) for pair in (given, free) for column in zip(*pair, strict=True)]
    date, interval, free_date, free_interval = figures
    return DateOutlook(count, date, interval, free_date, free_interval, seen / _RECORDS)


def made_up(stream: Stream, *, dates: int, notes: int, e0: int) -> tuple[Point, ...]:
    """A record with so many different dates, those of its notes among them.

    The notes lie within ten years before e0, half of the later ones within two months after the
    first. Of the other dates nearly half lie within three weeks before theirs, most others months
    to years, some decades, a few after it.
    """
    first = e0 - stream.randbelow(3_651)
    days = {first: (Kind.NOTE, 0)}
    while len(days) < notes:
        after, anywhere = first + 1 + stream.randbelow(60), e0 - stream.randbelow(3_651)
        day = after if stream.randbelow(2) and after <= e0 else anywhere
        days.setdefault(day, (Kind.NOTE, len(days)))
    anchors = list(days)
    while len(days) < dates:
        note, kind = stream.randbelow(notes), stream.randbelow(100)
        most = 21 if kind < 45 else 730 if kind < 82 else 18_000
        gap = 1 + stream.randbelow(180) if kind >= 95 else -1 - stream.randbelow(most)
        days.setdefault(anchors[note] + gap, (Kind.EVENT, note))
    return tuple([Point(str(day), day, kind, note) for day, (kind, note) in days.items()])


def _errors(
    record: Sequence[Point], released: Sequence[Released], out: Sequence[bool]
) -> tuple[float, float]:
    """Mean error of the dates that came out, median of their intervals to that of their note."""
    moved = [
        (point, given.day - point.day)
        for point, given, there in zip(record, released, out, strict=True)
        if there and given.day is not None
    ]
    notes = {point.note: by for point, by in moved if point.kind is Kind.NOTE}
    intervals = [
        abs(by - notes[point.note])
        for point, by in moved
        if point.kind is not Kind.NOTE and point.note in notes
    ]
    return mean(abs(by) for _, by in moved), median(intervals or [0])


@lru_cache(maxsize=32)
def birth(mode: Timeline) -> tuple[float, float]:
    """Mean error of a birth in days: as released, and at ε = 0 (the middle of the public prior)."""
    known = ages(43_830).table
    stream = Streams(bytes(32), "outlook").stream("births")
    errors, free = [], []
    for at in range(_RECORDS * 4):
        age, note = stream.choice(known), _E0 - stream.randbelow(3_651)
        points = (Point("n", note, Kind.NOTE, 0), Point("b", note - age, Kind.BIRTH, 0))
        released = mode.release(points, e0=_E0, streams=Streams(bytes(32), f"birth {at}"))[1]
        if released.day is not None:
            errors.append(abs(released.day - points[1].day))
            free.append(abs(known[len(known) // 2] - age))
    return (mean(errors), mean(free)) if errors else (math.inf, math.inf)


@lru_cache(maxsize=64)
def rank_error(arm: Arm) -> float:
    """Mean error of one draw in ranks of its public prior; the constant middle has 0.25.

    Ranks, because a day is much within a week and nothing within ten years.
    """
    prior, size = arm.prior, len(arm.prior)
    stream = Streams(bytes(32), "outlook").stream("ranks", arm.name)
    total = 0.0
    for at in range(_DRAWS):
        rank = (2 * at + 1) * size // (2 * _DRAWS)
        drawn = arm.mechanism.randomise(prior[rank], stream)
        total += abs(bisect_left(prior, drawn) + bisect_right(prior, drawn) - 2 * rank) / 2
    return total / _DRAWS / size


def of_timeline(mode: Timeline, *, by_patient: bool) -> Forecast:
    """What the dates and births of a mode will be worth."""
    rows = []
    for one in dates(mode, by_patient=by_patient):
        rows.append((f"{one.dates} dates", "a date", days(one.date), days(one.free_date)))
        interval = days(one.interval), days(one.free_interval)
        rows.append(("", "an interval to its note (median)", *interval))
        if one.released < one.dates:
            rows.append(("", f"(of {one.released:.0f}; the others are redacted)", "", ""))
    released, free = birth(mode)
    rows.append(("a birth", "the birth", days(released), days(free)))
    return Forecast(tuple(rows), wasted=tuple(_wasted(mode, by_patient)))


def _wasted(mode: Timeline, by_patient: bool) -> Iterator[str]:
    """What buys nothing: all the other way round than a leak, the stronger the noise the more."""
    for arm in mode.arms() if isinstance(mode, Metric | Strict) else ():
        if (error := rank_error(arm)) >= LEAST_GAIN * _CONSTANT:
            yield (
                f"{arm.name}: a draw, read alone, is no better than a constant (mean error "
                f"{error:.2f} of its range in ranks, the constant middle 0.25)"
            )
    losses = (draw.loss for draw in mode.draws())
    if all(isinstance(loss, NoGuarantee) for loss in losses) and not hasattr(mode, "epsilon"):
        return
    if idle := [str(one.dates) for one in dates(mode, by_patient=by_patient) if not one.buys]:
        yield _IDLE.format(f"dates, on records with {' or '.join(idle)} of them")
    released, free = birth(mode)
    if released >= LEAST_GAIN * free:
        yield _IDLE.format("births")


def days(amount: float) -> str:
    """Days as text, in years from a thousand on."""
    return f"{amount:.0f} days" if amount < 1_000 else f"{figure(Fraction(amount) / 365, 1)} years"


@dataclass(frozen=True, slots=True)
class PlaceOutlook:
    """Mean kilometres between a place and its surrogate, and at ε = 0; the share unchanged."""

    km: float
    free_km: float
    unchanged: float


def places(
    release: Callable[..., tuple[Placed, ...]], spots: Sequence[Spot], weights: Sequence[int]
) -> PlaceOutlook:
    """The outlook of a mechanism on one list, places drawn in proportion to `weights`.

    Args:
        release: that of the mechanism.
        spots: one for each place of the list, in its order.
    """
    plane = spots[0].places.projection
    points = [plane.plane(spot.latitude, spot.longitude) for spot in spots]
    sums = list(accumulate(weights, initial=0))
    stream = Streams(bytes(32), "outlook").stream("places")
    seen = [bisect_right(sums, stream.randbelow(sums[-1])) - 1 for _ in range(_PLACES)]
    moved, unchanged = [], 0
    for at, index in enumerate(seen):
        (given,) = release([spots[index]], streams=Streams(bytes(32), f"place {at}"))
        moved.append(math.dist(points[index], points[given.index]))
        unchanged += given.index == index
    fixed = min(
        mean(math.dist(points[constant], points[index]) for index in seen) for constant in set(seen)
    )
    return PlaceOutlook(mean(moved), fixed, unchanged / len(moved))


def isolated(
    release: Callable[..., tuple[Placed, ...]],
    spots: Sequence[Spot],
    offered: frozenset[int],
    count: int,
) -> list[tuple[int, float]]:
    """The places with the fewest around them, and how often each comes out as itself: of `count`
    that lie farthest from the next that may come out.

    Args:
        release: that of the mechanism.
        spots: one for each place of a list, in its order.
        offered: the places that may come out, by index; all if empty.
    """
    listed = spots[0].places
    plane = listed.projection
    among = sorted(spots[0].among or offered) or range(len(spots))
    points = np.array([plane.plane(spots[at].latitude, spots[at].longitude) for at in among])
    away = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(away, np.inf)
    found = []
    for at in np.argsort(-away.min(axis=1), kind="stable")[:count]:
        spot = spots[among[at]]
        drawn = (release([spot], streams=Streams(bytes(32), f"alone {n}")) for n in range(_ALONE))
        out = [nearest_among(listed, one.index, offered) for (one,) in drawn]
        found.append((among[at], out.count(among[at]) / _ALONE))
    return found
