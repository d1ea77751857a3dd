"""The window over what is publicly likely: wide where days are rare, narrow where they are common.

A plain window over a century cannot place a gap of ten days; a category chosen by the gap's size
would leak it. Here a public table of equally likely days (`priors`) is the scale: the window holds
a share of the *table*, so a gap of ten days is moved by days and one of ten years by years, and
nothing about the mechanism depends on the value but which entries are likely.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from itertools import pairwise
from typing import Final

from dpdeid.privacy.domains import (
    checked_epsilon,
    checked_upper,
    largest_ratio,
)
from dpdeid.privacy.exact import log_above, text
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source
from dpdeid.privacy.two_weights import TwoWeights, two_weights
from dpdeid.privacy.window import best_width

MAX_ATOMS: Final = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorWindow:
    """One of w neighbours in a public table with weight e^ε each, else any entry; ε-LDP.

    Every entry of the table has weight 1, and the w entries around the middle entry of the value
    e^ε; the window is shifted at the ends and never cut, so the total is the same for every value.
    What comes out is the day of the entry that was drawn: days that fill more of the table are more
    likely, days that it does not hold never come out, whatever the value. Unit: one interval in
    days, or one age. Duchi et al. 2013, Kairouz et al. 2014, over quantiles.

    Args:
        epsilon: > 0, exact.
        table: days in ascending order, at least two different ones; public, never from notes.
        width: how many entries the window holds; by default the best for values that are
            distributed like the table, error measured in ranks.

    `size` is the width that is used, `weights` the two weights, `mark` names the table in the names
    of draws.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    table: tuple[int, ...] = field(repr=False, hash=False)
    width: int | None = None
    weights: TwoWeights = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)
    mark: str = field(init=False)

    def __post_init__(self) -> None:
        epsilon, table = checked_epsilon(self.epsilon, "epsilon"), tuple(self.table)
        _check_table(table)
        if self.width is not None and not (
            type(self.width) is int and 1 <= self.width < len(table)
        ):
            raise ValueError("width must be a whole number between 1 and the length of the table")
        size = best_width(epsilon, len(table)) if self.width is None else self.width
        digest = blake2b(",".join(map(str, table)).encode(), digest_size=8)
        for name, value in (
            ("epsilon", epsilon),
            ("table", table),
            ("weights", two_weights(epsilon, len(table), size)),
            ("size", size),
            ("mark", digest.hexdigest()),
        ):
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        return (
            f"prior-window(epsilon={text(self.epsilon)}, upper={self.table[-1]}, "
            f"table={self.mark}, width={self.size})"
        )

    @property
    def domain(self) -> range:
        return range(self.table[0], self.table[-1] + 1)

    def start(self, value: int) -> int:
        """The first entry of the window around `value`; it never falls as the value grows."""
        value = min(max(value, self.table[0]), self.table[-1])
        middle = (bisect_left(self.table, value) + bisect_right(self.table, value)) // 2
        return min(max(middle - self.size // 2, 0), len(self.table) - self.size)

    def randomise(self, value: int, source: Source) -> int:
        return self.table[self.weights.draw(self.start(value), source)]

    def pmf(self, value: int) -> tuple[int, ...]:
        """Integer weights, one for each value of the domain; 0 for a day not in the table."""
        start, outside, more = self.start(value), self.weights.outside, self.weights.more
        everywhere = Counter(self.table)
        here = Counter(self.table[start : start + self.size])
        return tuple(outside * everywhere[day] + more * here[day] for day in self.domain)

    def privacy_loss(self) -> Epsilon:
        """The exact worst case over all pairs of values and all outputs.

        A day owns a block of entries, and its weight grows with how many of them lie in the window.
        As the window moves up that number rises to a maximum and falls again, so for each day its
        least is at one end of the domain and its most at the two windows nearest to the centred
        one. All totals are equal.
        """
        days = set(self.table)
        starts = sorted({self.start(value) for value in days | {day + 1 for day in days}})
        blocks = pairwise([0, *self._ends()])
        return Epsilon(
            log_above(*largest_ratio(self._extremes(*block, starts) for block in blocks))
        )

    def _ends(self) -> list[int]:
        changes = (at for at, (a, b) in enumerate(pairwise(self.table), 1) if a != b)
        return [*changes, len(self.table)]

    def _extremes(self, first: int, end: int, starts: list[int]) -> tuple[int, int]:
        """The largest and the least weight of the day whose entries are first..end − 1."""

        def weight(start: int) -> int:
            within = max(min(start + self.size, end) - max(start, first), 0)
            return self.weights.outside * (end - first) + self.weights.more * within

        centred = bisect_left(starts, (first + end - self.size) / 2)
        near = starts[max(centred - 1, 0) : centred + 1]
        return max(map(weight, near)), min(weight(starts[0]), weight(starts[-1]))


def _check_table(table: tuple[int, ...]) -> None:
    if not all(type(day) is int for day in table) or any(a > b for a, b in pairwise(table)):
        raise ValueError("table must hold whole days in ascending order")
    if not table or table[0] == table[-1]:
        raise ValueError("table must hold at least two different days")
    if len(table) > MAX_ATOMS:
        raise ValueError(f"table must have at most {MAX_ATOMS} entries")
    checked_upper(table[-1] - table[0], "the span of the table")
