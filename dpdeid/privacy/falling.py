"""Integer weights that fall with the distance, each at most a given factor below the last.

Weights are built from the far end inwards: each is floor(e^rate × the next one), so no ratio of
neighbours exceeds e^rate, whatever is lost in rounding. All of them together must fit into a 64-bit
word, or a little less of it where the total depends on the value, so that words above a multiple of
it are rare. So far from the peak they stop falling and stay flat, which is within any such bound:
at e^−30 of the peak, or nearer where a day changes a weight so little that integers of that size
could not show it.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Final

from dpdeid.privacy.domains import WORD
from dpdeid.privacy.exact import BITS, exp_below
from dpdeid.privacy.rng import Source

STEEPEST: Final = 30
"""The largest rate that is used: a steeper one changes one draw in e^30."""
_FINE: Final = 1 << 128
_MARGIN: Final = 11  # bits of the least weight, in units of what a step adds to it
_CAPACITY: Final = 1 << 56


def reach(rate: Fraction, capacity: int) -> int:
    """How many steps the weights may fall before they stay flat, ≥ 1."""
    step = min(float(rate), float(STEEPEST))
    room = math.log(capacity >> _MARGIN)
    depth = min(max(room + 2 * math.log(step), 1.0), STEEPEST)
    return max(int(depth / step), 1)


def inwards(growth: int, steps: int, least: int) -> list[int]:
    """`steps` + 1 weights, largest first, the last one `least`; `growth` is over SCALE."""
    weight = least
    found = [weight]
    for _ in range(steps):
        weight = weight * growth >> BITS
        found.append(weight)
    found.reverse()
    return found


def fitting(total: Callable[[int], int], capacity: int) -> int:
    """The least weight for which `total` of it, nearly proportional to it, fills `capacity`."""
    return (capacity - (1 << 20)) * _FINE // total(_FINE)


@dataclass(frozen=True, slots=True, eq=False)
class Falling:
    """Weights of the distances 0..upper, cut at the ends of 0..upper.

    Args:
        rate: what the logarithm of a weight may change by in a day.
        upper: the largest value.
        sums: of the weights of the distances below 0, 1, …, upper + 1.
    """

    rate: Fraction
    upper: int
    sums: tuple[int, ...] = field(repr=False)

    def total(self, value: int) -> int:
        """Of all weights for a value of the domain; at most 2^56."""
        return self.sums[value + 1] + self.sums[self.upper - value + 1] - self.sums[1]

    def draw(self, value: int, source: Source) -> int:
        """A value of 0..upper. One word in 256 at most has to be drawn again."""
        value = min(max(value, 0), self.upper)
        sums = self.sums
        right = sums[self.upper - value + 1]
        total = right + sums[value + 1] - sums[1]
        share = WORD // total
        while (rank := source.randbelow(WORD) // share) >= total:
            pass
        if rank < right:
            return value + bisect_right(sums, rank) - 1
        return value - bisect_right(sums, rank - right + sums[1]) + 1

    def pmf(self, value: int) -> tuple[int, ...]:
        """The weight of each value of 0..upper."""
        value = min(max(value, 0), self.upper)
        distances = (abs(value - output) for output in range(self.upper + 1))
        return tuple(self.sums[distance + 1] - self.sums[distance] for distance in distances)


@lru_cache(maxsize=32)
def falling(rate: Fraction, upper: int) -> Falling:
    """The weights for a rate in (0, STEEPEST], as large as they may be."""
    growth, steps = exp_below(rate), min(reach(rate, _CAPACITY), upper)

    def sums(least: int) -> tuple[int, ...]:
        flat = repeat(least, upper - steps)
        return tuple(accumulate([*inwards(growth, steps, least), *flat], initial=0))

    def most(least: int) -> int:
        return Falling(rate, upper, sums(least)).total(upper // 2)

    return Falling(rate, upper, sums(fitting(most, _CAPACITY)))
