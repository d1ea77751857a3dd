"""Posterior medians of days in a known order, given noisy draws and public priors.

How well each true value explains a noisy one (`likelihood`), times its prior, is what is believed
of a day (`Belief`); `medians` puts beliefs in a chain whose days do not descend.

Floats, because nothing here is a draw: what is computed from outputs and public constants costs no
privacy, however it is rounded. It must be the same on every machine, though, or one date would be
released in two ways; so only + − × ÷ are used, which IEEE 754 fixes to the last bit, and no exp.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import Final

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.window import PriorWindow, Window

_FALLS: Final = 4
"""Within so many times the mean noise the likelihood of a falling noise is looked at closely."""

Decodable = PriorWindow | Window | BoundedLaplace | ClampedGeometric


def likelihood(mechanism: Decodable, output: int, values: Sequence[int]) -> list[float]:
    """P(output | value) for each of these values of the domain, ascending, up to one factor."""
    if isinstance(mechanism, PriorWindow | Window):
        table = mechanism.table
        first, last = bisect_left(table, output), bisect_right(table, output)
        size, more = mechanism.size, mechanism.weights.inside / mechanism.weights.outside - 1.0
        low, high = neighbourhood(mechanism, output)  # further away no window holds the output
        low, high = bisect_left(values, low), bisect_right(values, high)
        starts = map(mechanism.start, values[low:high])
        shared = [max(min(last, start + size) - max(first, start), 0) for start in starts]
        least = float(last - first)
        near = [least + more * entries for entries in shared]
        return [least] * low + near + [least] * (len(values) - high)
    if isinstance(mechanism, BoundedLaplace):
        upper = mechanism.upper
        powers, sums = _falling(mechanism.epsilon / upper, upper)
        return [powers[abs(v - output)] / (sums[v] + sums[upper - v] - 1.0) for v in values]
    powers, _ = _falling(mechanism.epsilon_per_day, mechanism.upper - mechanism.lower)
    return [powers[abs(value - output)] for value in values]


def neighbourhood(mechanism: Decodable, output: int) -> tuple[int, int]:
    """The first and the last value that explain an output well."""
    domain = mechanism.domain
    if isinstance(mechanism, PriorWindow | Window):
        table, size = mechanism.table, mechanism.size
        first, last = bisect_left(table, output), bisect_right(table, output) - 1
        low = 0 if first < size else first - size + 1 + size // 2
        high = len(table) - 1 if last >= len(table) - size else last + size // 2
        return table[low], table[high]
    rate = (
        mechanism.epsilon / mechanism.upper
        if isinstance(mechanism, BoundedLaplace)
        else mechanism.epsilon_per_day
    )
    reach = int(_FALLS / rate) + 1
    return max(output - reach, domain[0]), min(output + reach, domain[-1])


@lru_cache(maxsize=32)
def _falling(rate: Fraction, width: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """exp(−rate · d) for d = 0 … width, and the sums of these as far as each."""
    step = SCALE / exp_below(rate)
    powers = tuple(accumulate(repeat(step, width), mul, initial=1.0))
    return powers, tuple(accumulate(powers))


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
        mass = list(one.weights)
        if at:
            before = (0.0, *accumulate(ahead[-1]))
            known = chain[at - 1].days
            reached = [before[bisect_right(known, day)] for day in one.days]
            mass = list(map(mul, one.weights, reached))
        ahead.append(_scaled(mass))
    return ahead


def medians(chain: Sequence[Belief]) -> tuple[int, ...]:
    """The posterior median of each day of a chain whose days do not descend, in its order."""
    ahead = _ahead(chain)
    found: list[int] = []
    behind: list[float] = [1.0] * len(chain[-1].days) if chain else []
    for at in range(len(chain) - 1, -1, -1):
        one = chain[at]
        sums = list(accumulate(map(mul, ahead[at], behind)))
        found.append(one.days[bisect_left(sums, sums[-1] / 2)])
        if at:
            after = list(map(mul, one.weights, behind))
            rest = (*reversed(list(accumulate(reversed(after)))), 0.0)
            behind = _scaled([rest[bisect_left(one.days, day)] for day in chain[at - 1].days])
    found.reverse()
    return tuple(accumulate(found, max))


def _scaled(weights: list[float]) -> list[float]:
    """The same weights with 1 for the largest, so that long chains neither vanish nor overflow."""
    largest = max(weights)
    return [weight / largest for weight in weights] if largest else weights
