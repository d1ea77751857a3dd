"""Posterior medians of days in a known order, given noisy draws and public priors.

Post-processing: what comes in are released draws, public constants and the order, which the text
shows anyway; it costs nothing. Each day has its own support, a coarse grid of its prior that is
fine where its draw points to; the days are a chain, each not before the one before, so forward and
backward sums over the supports give every marginal exactly. Only + − × ÷ on floats in a fixed
order: the same medians on every machine.

Sorting the draws would also keep the order, and is worse than no draw at all at a small ε: it takes
every draw for the truth.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from dpdeid.privacy.likelihood import Decodable, likelihood, neighbourhood

_COARSE: Final = 129
"""Odd, so that a prior without a draw has its own median."""
_FINE: Final = 64
_FLOOR: Final = 1e-9
"""The weight, as a share of the prior, by which a day may be at an end of its interval even where
its prior puts nothing between them."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of one day: days in ascending order, and weights, up to one factor."""

    days: tuple[int, ...]
    weights: tuple[float, ...]

    def moved(self, base: int, side: int) -> Belief:
        """The belief about base + side × day."""
        if side > 0:
            return Belief(tuple([base + day for day in self.days]), self.weights)
        return Belief(tuple([base - day for day in reversed(self.days)]), self.weights[::-1])

    def between(self, low: int | None, high: int | None) -> Belief:
        """The belief given that the day lies in low..high, both of which stay possible."""
        start = 0 if low is None else bisect_left(self.days, low)
        stop = len(self.days) if high is None else bisect_right(self.days, high)
        days, weights = self.days[start:stop], self.weights[start:stop]
        floor = _FLOOR * max(self.weights)
        if low is not None and (not days or days[0] != low):
            days, weights = (low, *days), (floor, *weights)
        if high is not None and (not days or days[-1] != high):
            days, weights = (*days, high), (*weights, floor)
        return Belief(days, weights)


@lru_cache(maxsize=4096)
def _coarse(size: int) -> tuple[int, ...]:
    cells = min(_COARSE, size)
    return tuple([size * cell // cells for cell in range(cells)])


def belief(prior: Sequence[int], mechanism: Decodable | None = None, noisy: int = 0) -> Belief:
    """The posterior of a gap whose prior is uniform over `prior`, sorted; without a mechanism no
    draw was made and the prior stands.
    """
    size = len(prior)
    cuts: Sequence[int] = _coarse(size)
    if mechanism is not None:
        low, high = neighbourhood(mechanism, noisy)
        start, stop = bisect_left(prior, low), bisect_right(prior, high)
        fine = range(start, stop, max((stop - start) // _FINE, 1))
        cuts = sorted({*cuts, *fine, start, stop} - {size})
    ends = (*cuts[1:], size)
    days: list[int] = []
    masses: list[int] = []
    for first, last in zip(cuts, ends, strict=True):
        day = prior[(first + last) // 2]
        if days and days[-1] == day:
            masses[-1] += last - first
        else:
            days.append(day)
            masses.append(last - first)
    if mechanism is None:
        return Belief(tuple(days), tuple(map(float, masses)))
    explained = likelihood(mechanism, noisy, days)
    return Belief(tuple(days), tuple([m * p for m, p in zip(masses, explained, strict=True)]))


def within(chain: Sequence[Belief], rooms: Sequence[int]) -> list[float]:
    """The weight, up to one factor, with which a chain whose days do not descend ends by each of
    `rooms`; an empty chain fits everywhere.
    """
    if not chain:
        return [1.0] * len(rooms)
    sums = (0.0, *accumulate(_ahead(chain)[-1]))
    return [sums[bisect_right(chain[-1].days, room)] for room in rooms]


def _ahead(chain: Sequence[Belief]) -> list[list[float]]:
    """For each day of a chain its weights given its own draw and those before it."""
    ahead: list[list[float]] = []
    for at, one in enumerate(chain):
        if at:
            before = (0.0, *accumulate(ahead[-1]))
            known = chain[at - 1].days
            mass = [
                w * before[bisect_right(known, d)]
                for d, w in zip(one.days, one.weights, strict=True)
            ]
        else:
            mass = list(one.weights)
        ahead.append(_scaled(mass))
    return ahead


def medians(chain: Sequence[Belief]) -> tuple[int, ...]:
    """The posterior median of each day of a chain whose days do not descend, in its order."""
    ahead = _ahead(chain)
    found: list[int] = []
    behind: list[float] = [1.0] * len(chain[-1].days) if chain else []
    for at in range(len(chain) - 1, -1, -1):
        one = chain[at]
        found.append(_median(one.days, [f * b for f, b in zip(ahead[at], behind, strict=True)]))
        if at:
            after = [w * b for w, b in zip(one.weights, behind, strict=True)]
            sums = (*reversed(list(accumulate(reversed(after)))), 0.0)
            behind = _scaled([sums[bisect_left(one.days, d)] for d in chain[at - 1].days])
    found.reverse()
    return tuple(accumulate(found, max))


def _scaled(weights: list[float]) -> list[float]:
    """The same weights with 1 for the largest, so that long chains neither vanish nor overflow."""
    largest = max(weights)
    return [weight / largest for weight in weights] if largest else weights


def _median(days: Sequence[int], weights: Sequence[float]) -> int:
    """The first day by which half of the weight is reached."""
    sums = list(accumulate(weights))
    return days[bisect_left(sums, sums[-1] / 2)]
