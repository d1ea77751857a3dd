"""Where noisy gaps end up: surrogate days from spokes.

Post-processing of released draws by public facts and by what was released before, which is frozen:
an anchor lies in the cohort and not after e0, no birth lies after the last note, no date before the
patient's birth; and by the order of the dates that what is printed decides, as far as the mode uses
it (`Order`). Anchors come first, then births, then what is counted from either.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import groupby
from operator import itemgetter
from typing import Final

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.anchored import (
    LEAP,
    AnchoredArms,
    AnchoredDraw,
    Kind,
    Past,
    Point,
    Rank,
    Released,
    ranks,
)
from dpdeid.privacy.timeline.decoding import Belief, belief, medians, within

_Key = tuple[str, str]
_OLDEST: Final = 38_351  # days: nobody is over 105 on the last note


class Order(Enum):
    """What is made of the order of the dates, which the skeleton holds."""

    UNDRAWN = "days that no budget was left for are decoded between their neighbours, others stay"
    CLAMPED = "no surrogate passes another: each day is clamped between its neighbours"
    DECODED = "no surrogate passes another: each is its posterior median given draws and order"


def release(
    star: AnchoredArms,
    order: Order,
    cohort_days: int,
    points: Sequence[Point],
    *,
    e0: int,
    streams: Streams,
    past: Past | None = None,
    shift: int = 0,
) -> tuple[Released, ...]:
    """Draws the arms of a star and places them: the surrogate of each point, in their order.

    Args:
        cohort_days: how long before e0 an anchor may lie.
    """
    past = Past() if past is None else past
    if past.notes:
        points = [point._replace(note=point.note + past.notes) for point in points]
    ranked = ranks([*(point for point, _ in past.entries), *points])
    spokes = star.draw(points, past, ranked, e0=e0, streams=streams, shift=shift)
    placed = _Line(order, past, ranked, e0=e0, since=e0 - cohort_days).filled(spokes)
    return tuple([placed[point.key] for point in points])


def _later(day: int, bound: int | None) -> int:
    return day if bound is None else max(day, bound)


class _Line:
    """Days that are placed, by their place in the order. Not frozen: it fills up."""

    def __init__(
        self, order: Order, past: Past, ranks: Mapping[_Key, Rank], *, e0: int, since: int
    ) -> None:
        self.order, self.ranks, self.e0, self.since = order, ranks, e0, since
        self.released: dict[_Key, Released] = {}
        self.placed: list[tuple[Rank, int]] = []
        """Place in the order and surrogate, sorted."""
        self.loose: set[_Key] = set()
        """Days without a year, and ends of ranges that start on one: they have no place in it."""
        self.unknown: dict[int, Belief] = {}
        """What is believed where nothing was drawn, by the identity of a prior."""
        self.waiting: list[AnchoredDraw] = []
        self.notes: list[int] = []
        self.born: int | None = None
        """The surrogate of the patient's birth."""
        for point, given in past.entries:
            self._put(point, given)

    def filled(self, spokes: Sequence[AnchoredDraw]) -> dict[_Key, Released]:
        for spoke in spokes:
            if spoke.noisy is None:
                self.released[spoke.point.key] = Released(None)
            elif spoke.point.kind is Kind.YEARLESS:
                self._finish(spoke, LEAP + spoke.noisy)
            else:
                self.waiting.append(spoke)
        while stage := self._ready():
            self._place(stage)
            self.waiting = [s for s in self.waiting if s.point.key not in self.released]
        for spoke in self.waiting:
            self.released[spoke.point.key] = Released(None)
        return self.released

    def _ready(self) -> Sequence[AnchoredDraw]:
        """What may be placed now, all at once: its bases are."""
        ready = [s for s in self.waiting if s.base is None or self._day(s.base) is not None]
        for stage in (
            [s for s in ready if s.anchor],
            [s for s in ready if s.point.kind is Kind.BIRTH],
            [s for s in ready if s.point.kind is not Kind.END],
        ):
            if stage:
                return stage
        return ready

    def _day(self, key: _Key) -> int | None:
        given = self.released.get(key)
        return None if given is None else given.day

    def _place(self, stage: Sequence[AnchoredDraw]) -> None:
        chained = []
        for spoke in stage:
            if spoke.point.kind in (Kind.BIRTH, Kind.END) or not self._is_decoded(spoke):
                self._finish(spoke, self._alone(spoke))
            else:
                chained.append(spoke)
        for _, group in groupby(sorted(chained, key=self._rank), key=self._stretch):
            run = list(group)
            chain = [self._belief(spoke).between(*self._bounds(spoke)) for spoke in run]
            for spoke, day in zip(run, medians(chain), strict=True):
                self._finish(spoke, day)

    def _is_decoded(self, spoke: AnchoredDraw) -> bool:
        if self.order is Order.UNDRAWN:
            return not spoke.charges
        return self.order is Order.DECODED

    def _alone(self, spoke: AnchoredDraw) -> int:
        low, high = self._bounds(spoke)
        if self._is_decoded(spoke):
            return medians([self._belief(spoke).between(low, high)])[0]
        day = _later(self._base(spoke) + spoke.side * (spoke.noisy or 0), low)
        return day if high is None else min(day, high)

    def _base(self, spoke: AnchoredDraw) -> int:
        day = None if spoke.base is None else self._day(spoke.base)
        return self.e0 if day is None else day

    def _belief(self, spoke: AnchoredDraw) -> Belief:
        """What is believed of a day whose base is placed."""
        known = self._gap(spoke).moved(self._base(spoke), spoke.side)
        if spoke.base is None and spoke.anchor:
            return self._with_room(known, spoke)
        return known

    def _gap(self, spoke: AnchoredDraw) -> Belief:
        """What is believed of a gap."""
        prior = spoke.arm.prior
        if spoke.charges:
            return belief(prior, spoke.arm.mechanism, spoke.noisy or 0)
        if (held := self.unknown.get(id(prior))) is None:
            held = self.unknown[id(prior)] = belief(prior)
        return held

    def _with_room(self, known: Belief, first: AnchoredDraw) -> Belief:
        """The belief about the first anchor, given that the gaps of all others, which are counted
        from it, end in the cohort: before a later note there is less room up to e0.
        """
        others = [s for s in self.waiting if s.anchor and s.base == first.point.key]
        others.sort(key=self._rank)
        after = [self._gap(s) for s in others if s.side > 0]
        before = [self._gap(s) for s in reversed(others) if s.side < 0]
        ahead = within(after, [self.e0 - day for day in known.days])
        back = within(before, [day - self.since for day in known.days])
        weighed = zip(known.weights, ahead, back, strict=True)
        return Belief(known.days, tuple([weight * a * b for weight, a, b in weighed]))

    def _rank(self, spoke: AnchoredDraw) -> Rank:
        return self.ranks[spoke.point.key]

    def _stretch(self, spoke: AnchoredDraw) -> int:
        """Which stretch between placed days it lies in."""
        return bisect_left(self.placed, self._rank(spoke), key=itemgetter(0))

    def _bounds(self, spoke: AnchoredDraw) -> tuple[int | None, int | None]:
        """The first and last day that it may be placed on."""
        if spoke.point.kind is Kind.BIRTH:
            if spoke.point.first:
                latest = min((day for _, day in self.placed), default=self.e0)
                return min(max(self.notes, default=self.e0) - _OLDEST, latest), latest
            return None, max(self.notes, default=self.e0)
        low, high = self.born, None
        if spoke.base in self.loose:
            low = None
        elif self._is_decoded(spoke) or self.order is Order.CLAMPED:
            at = self._stretch(spoke)
            low = _later(self.placed[at - 1][1], low) if at else low
            high = self.placed[at][1] if at < len(self.placed) else None
        if spoke.point.kind is Kind.END:
            low = _later(self._base(spoke), low)
        if spoke.anchor:
            high = self.e0 if high is None else min(high, self.e0)
            low = min(_later(self.since, low), high)
        return low, high if low is None or high is None else max(low, high)

    def _finish(self, spoke: AnchoredDraw, day: int) -> None:
        self._put(spoke.point, Released(day, spoke.charges))

    def _put(self, point: Point, given: Released) -> None:
        self.released[point.key] = given
        if point.kind is Kind.YEARLESS or ("date", point.start) in self.loose:
            self.loose.add(point.key)
        if given.day is None or point.key in self.loose:
            return
        if point.kind is Kind.BIRTH:
            if point.first:
                self.born = given.day
            return
        insort(self.placed, (self.ranks[point.key], given.day))
        if point.kind is Kind.NOTE:
            self.notes.append(given.day)
