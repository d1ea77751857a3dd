"""Record linkage: who knows some true dates and towns of a patient searches all released records.

The attacker compares what is known with every released record: the days may all have moved
together, each may have moved a little on its own, a town may have become one nearby. Records differ
in their skeletons (number and order of dates, text), so no bound of this package applies: **no
bound**, and what is measured is a lower bound on the risk. The attacker has no key and does not use
the text, names or the policy's draws; one who does finds more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.attacks.rates import Finding, Rate
from dpdeid.evaluate.attacks.traces import Trace, on_globe
from dpdeid.privacy.rng import Stream

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PER_DAY: Final = 0.05
PER_KM: Final = 0.1
"""Costs of an attacker who does not know the policy: those of the default one."""
ANY: Final = 20_000
"""A common move of any size, in days."""
_SLACK: Final = 200
_REACH: Final = 10_000
"""No distance counts more than so many days or km."""
_TIE: Final = 1e-9
_TRIED: Final = 60
"""Targets on which attackers are compared; they are not counted."""


@dataclass(frozen=True, slots=True)
class Attacker:
    """A cost of how much a released record differs from what is known: a sum over dates and towns.

    Args:
        move: by how many days all dates may have moved together at no cost.
        slack: how many days more they may, at the cost of one date: what a date that all others
            are counted from has moved by.
        one_town: only the town that fits best counts: of several a cap may leave out all others.
        per_day, per_km: what a day and a kilometre of difference cost.
        robust: whether the cost of one date or town grows like a logarithm, for noise that now
            and then is large.
    """

    move: int
    per_day: float = PER_DAY
    per_km: float = PER_KM
    robust: bool = False
    slack: int = 0
    one_town: bool = False

    def cost(self, differences: Floats) -> Floats:
        return np.log1p(differences) if self.robust else differences

    def __str__(self) -> str:
        move = "of any size" if self.move >= ANY else f"of up to {self.move} days"
        moved = f"after a common move {move}" if self.move else "about as they stand"
        counted = "one town" if self.one_town else "towns"
        towns = f"{counted} by distance" if self.per_km else "towns left out"
        return f"dates {moved}, {towns}, costs {'logarithmic' if self.robust else 'linear'}"


def attackers(
    *, per_day: float = PER_DAY, per_km: float = PER_KM, move: int = 365
) -> tuple[Attacker, ...]:
    """Those that are tried: with and without a common move, linear and logarithmic, by one town."""
    moves = ((0, False), (0, True), (move, False), (move, True))
    kinds = [Attacker(move, per_day, per_km, robust, _SLACK) for move, robust in moves]
    kinds.append(Attacker(ANY, per_day, per_km, robust=True))
    if per_km:
        kinds += [Attacker(move, per_day, per_km, kind, _SLACK, True) for kind in (False, True)]
        kinds.append(Attacker(move, per_day, 0.0, slack=_SLACK))
    return tuple(kinds)


class Search:
    """Released records, indexed for search."""

    def __init__(self, released: Sequence[Trace]) -> None:
        self.size = len(released)
        days = [(at, day) for at, trace in enumerate(released) for day in trace.days]
        self._records, self._days = np.array(days, dtype=np.int64).reshape(-1, 2).T
        most = max((len(trace.days) for trace in released), default=0)
        self._sorted = np.full((self.size, most), np.inf)  # (records, dates)
        for at, trace in enumerate(released):
            self._sorted[at, : len(trace.days)] = sorted(trace.days)
        towns = [(at, town) for at, trace in enumerate(released) for town in trace.towns]
        self._homes = np.array([at for at, _ in towns], dtype=np.int64)
        self._points = on_globe([town for _, town in towns])

    def costs(self, known: Trace, attacker: Attacker) -> Floats:
        """The cost of each released record, the least over all common moves."""
        best = np.full(self.size, np.inf)
        for records, moves in self._moves(known, attacker):
            beyond = np.maximum(np.abs(moves) - attacker.move, 0)
            total = attacker.cost(attacker.per_day * beyond)
            total += self._matched(records, moves, sorted(known.days), attacker)
            np.minimum.at(best, records, total)
        if attacker.per_km and known.towns:
            away = np.stack([self._kilometres(point) for point in on_globe(known.towns)])
            costs = attacker.cost(attacker.per_km * away)  # (towns, records)
            best += costs.min(axis=0) if attacker.one_town else costs.sum(axis=0)
        return best

    def _moves(self, known: Trace, attacker: Attacker) -> list[tuple[Integers, Integers]]:
        """Records and the moves to try: those at the ends, and those that make one date fit.

        The least cost is among them: between them it is linear or concave in the move.
        """
        every, most = np.arange(self.size), attacker.move + attacker.slack
        ends = {0, attacker.move, -attacker.move, most, -most}
        found = [(every, np.full(self.size, move)) for move in ends]
        for day in known.days if most else ():
            moves = self._days - day
            within = np.abs(moves) <= most
            found.append((self._records[within], moves[within]))
        return found

    def _matched(
        self, records: Integers, moves: Integers, known: Sequence[int], attacker: Attacker
    ) -> Floats:
        """The least cost of giving each known date a released one of its own, in their order; what
        finds none counts like the longest distance.
        """
        released = self._sorted[records] - moves[:, None]
        alone = attacker.cost(np.array(attacker.per_day * _REACH))
        costs = [np.full(len(records), at * alone) for at in range(len(known) + 1)]
        for column in released.T:
            for at in range(len(known), 0, -1):
                apart = np.minimum(np.abs(column - known[at - 1]), _REACH)
                taken = costs[at - 1] + attacker.cost(attacker.per_day * apart)
                np.minimum(costs[at], taken, out=costs[at])
            for at in range(1, len(known) + 1):
                np.minimum(costs[at], costs[at - 1] + alone, out=costs[at])
        return costs[-1]

    def _kilometres(self, point: Floats) -> Floats:
        """From a point to the nearest town of each record."""
        best = np.full(self.size, float(_REACH))
        if len(self._homes):
            np.minimum.at(best, self._homes, np.linalg.norm(self._points - point, axis=1))
        return best


def named(costs: Floats, stream: Stream) -> int:
    """The index with the least cost; of several, one at random."""
    winners = np.flatnonzero(costs <= costs.min() + _TIE)
    return int(stream.choice(winners.tolist()))


@dataclass(frozen=True, slots=True)
class Linkage(Finding):
    """How often the record of a patient was named.

    Args:
        records: among how many.
        known: how many events of each target were known.
        towns: whether their towns were known too.
        attacker: the best of those tried, chosen on targets that are not counted here.
        bound: there is none.
    """

    records: int
    known: int
    towns: bool
    attacker: str
    found: Rate
    bound: None = None


def linkage(
    released: Sequence[Trace],
    targets: Sequence[tuple[int, Trace]],
    known: int,
    stream: Stream,
    *,
    tried: Sequence[Attacker],
) -> Linkage:
    """Names a record for each target, whose own is the one of that index.

    The attackers are compared on the first targets (a third of them, at most 60); the best is
    measured on the others.
    """
    search = Search(released)
    first = min(len(targets) // 3, _TRIED) if len(tried) > 1 else 0

    def hits(attacker: Attacker, some: Sequence[tuple[int, Trace]]) -> Rate:
        return Rate.of(named(search.costs(trace, attacker), stream) == own for own, trace in some)

    best = tried[0]
    if first:
        best = max(tried, key=lambda attacker: hits(attacker, targets[:first]).hits)
    towns = any(trace.towns for _, trace in targets)
    return Linkage(len(released), known, towns, str(best), hits(best, targets[first:]))
