"""Where noisy gaps end up: surrogate days from spokes, in the order of the true days if it is kept.

Post-processing of released draws by public facts, by what was released before (which is frozen)
and by the order, where the skeleton keeps it: an anchor is never after e0, no birth after the last
note, and in the order of the true days no surrogate passes another (but for an anchor that would
have to follow a released day after e0). With `decode` each date becomes
its posterior median given all draws of its stretch (`dpdeid.privacy.decode`); without, it is
clamped between its neighbours.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from dpdeid.privacy.decode import Belief, belief, medians
from dpdeid.privacy.points import Kind, Past, Point, Released
from dpdeid.privacy.star import LEAP, Spoke

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Placing:
    """How surrogate days are made of noisy gaps.

    Args:
        ordered: whether the order of the dates is in the skeleton and is to be kept.
        decode: whether days are decoded; needs `ordered`.
    """

    ordered: bool
    decode: bool = False

    def place(self, spokes: Sequence[Spoke], past: Past, *, e0: int) -> dict[_Key, Released]:
        """The surrogate of every date of the past and of the spokes."""
        return _Line(self, past, e0).filled(spokes)


class _Line:
    """Days that are placed, by their place in the order. Not frozen: it fills up."""

    def __init__(self, how: Placing, past: Past, e0: int) -> None:
        self.how, self.e0 = how, e0
        self.released: dict[_Key, Released] = {}
        self.order: list[tuple[int, int, int]] = []
        """True day, position in release order, surrogate: sorted, never released."""
        self.loose: set[_Key] = set()
        """Days without a year, and ends of ranges that start on one: they have no place in it."""
        self.unknown: dict[int, Belief] = {}
        """What is believed where nothing was drawn, by the identity of a prior."""
        self.notes: list[int] = []
        self.position: dict[_Key, int] = {}
        for point, given in past.entries:
            self._put(point, given)

    def filled(self, spokes: Sequence[Spoke]) -> dict[_Key, Released]:
        for spoke in spokes:
            self.position.setdefault(spoke.point.key, len(self.position))
        waiting = []
        for spoke in spokes:
            if spoke.noisy is None:
                self.released[spoke.point.key] = Released(None)
            elif spoke.point.kind is Kind.YEARLESS:
                self._finish(spoke, LEAP + spoke.noisy)
            else:
                waiting.append(spoke)
        while stage := self._ready(waiting):
            self._place(stage)
            waiting = [s for s in waiting if s.point.key not in self.released]
        for spoke in waiting:
            self.released[spoke.point.key] = Released(None)
        return self.released

    def _ready(self, waiting: Sequence[Spoke]) -> Sequence[Spoke]:
        """What may be placed now, all at once: its bases are; anchors first, births last."""
        ready = [s for s in waiting if s.base is None or self._day(s.base) is not None]
        for stage in (
            [s for s in ready if s.anchor],
            [s for s in ready if s.point.kind in (Kind.NOTE, Kind.EVENT)],
            [s for s in ready if s.point.kind is Kind.END],
        ):
            if stage:
                return stage
        return ready

    def _day(self, key: _Key) -> int | None:
        given = self.released.get(key)
        return None if given is None else given.day

    def _place(self, stage: Sequence[Spoke]) -> None:
        if not self.how.decode or stage[0].point.kind in (Kind.BIRTH, Kind.END):
            for spoke in stage:
                self._finish(spoke, self._alone(spoke))
            return
        for _, group in groupby(sorted(stage, key=self._rank), key=self._stretch):
            run = list(group)
            chain = [self._belief(spoke).between(*self._bounds(spoke)) for spoke in run]
            for spoke, day in zip(run, medians(chain), strict=True):
                self._finish(spoke, day)

    def _alone(self, spoke: Spoke) -> int:
        low, high = self._bounds(spoke)
        if self.how.decode:
            return medians([self._belief(spoke).between(low, high)])[0]
        day = self._base(spoke) + spoke.side * (spoke.noisy or 0)
        day = day if low is None else max(day, low)
        return day if high is None else min(day, high)

    def _base(self, spoke: Spoke) -> int:
        day = None if spoke.base is None else self._day(spoke.base)
        return self.e0 if day is None else day

    def _belief(self, spoke: Spoke) -> Belief:
        prior = spoke.arm.prior
        if spoke.charges:
            known = belief(prior, spoke.arm.mechanism, spoke.noisy or 0)
        elif (held := self.unknown.get(id(prior))) is None:
            known = self.unknown[id(prior)] = belief(prior)
        else:
            known = held
        return known.moved(self._base(spoke), spoke.side)

    def _rank(self, spoke: Spoke) -> tuple[int, int]:
        return (spoke.point.day, self.position[spoke.point.key])

    def _stretch(self, spoke: Spoke) -> int:
        """Which stretch between placed days it lies in."""
        return bisect_left(self.order, self._rank(spoke))

    def _bounds(self, spoke: Spoke) -> tuple[int | None, int | None]:
        """The first and last day that it may be placed on."""
        if spoke.point.kind is Kind.BIRTH:
            return None, max(self.notes, default=self.e0)
        low = high = None
        if self.how.ordered and spoke.base not in self.loose:
            at = self._stretch(spoke)
            low = self.order[at - 1][2] if at else None
            high = self.order[at][2] if at < len(self.order) else None
        if spoke.point.kind is Kind.END:
            start = self._base(spoke)
            low = start if low is None else max(low, start)
        if spoke.anchor:
            high = self.e0 if high is None else min(high, self.e0)
            low = None if low is None else min(low, high)
        return low, high if low is None or high is None else max(low, high)

    def _finish(self, spoke: Spoke, day: int) -> None:
        self._put(spoke.point, Released(day, spoke.charges))

    def _put(self, point: Point, given: Released) -> None:
        self.released[point.key] = given
        position = self.position.setdefault(point.key, len(self.position))
        if point.kind is Kind.YEARLESS or ("date", point.start) in self.loose:
            self.loose.add(point.key)
        if given.day is None or point.kind is Kind.BIRTH or point.key in self.loose:
            return
        insort(self.order, (point.day, position, given.day))
        if point.kind is Kind.NOTE:
            self.notes.append(given.day)
