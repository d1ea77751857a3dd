"""One likely block of entries among equally unlikely ones, of a domain or of a public table.

`Window` has the block around a value of 0..upper; `PriorWindow` has it in a table of what is
publicly likely: wide where days are rare, narrow where they are common.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

from dpdeid.privacy.exact import SCALE, exp_below, log_above, text
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.mechanisms.contract import WORD, checked_epsilon, checked_upper, largest_ratio
from dpdeid.privacy.rng import Source


@dataclass(frozen=True, slots=True)
class TwoWeights:
    """Integer weights `outside` and `outside + more` with a ratio ≤ exp(ε).

    A draw takes a flat rank with a total of `flat` (all entries at `outside`), else one of the
    block's `more`; `total`, at most a word, is the same wherever the block starts.
    """

    outside: int
    more: int
    flat: int
    total: int

    def draw(self, start: int, source: Source) -> int:
        """An entry, the block starting at `start`."""
        rank = source.randbelow(self.total)
        if rank < self.flat:
            return rank // self.outside
        return start + (rank - self.flat) // self.more

    @property
    def inside(self) -> int:
        """The weight of an entry of the block."""
        return self.outside + self.more

    def loss(self) -> Epsilon:
        """ln of the two weights."""
        return Epsilon(log_above(self.inside, self.outside))


@lru_cache(maxsize=256)
def two_weights(epsilon: Fraction, entries: int, block: int) -> TwoWeights:
    """The weights for `entries` of which `block` are likely, as large as a word allows.

    Their ratio is below exp(ε) by about entries / 2^64, and by more only where exp(ε) itself leaves
    no room, which is the safe side.
    """
    gain = exp_below(epsilon) - SCALE
    outside = max(WORD * SCALE // (entries * SCALE + gain * block), 1)
    flat = outside * entries
    more = min(outside * gain // SCALE, (WORD - flat) // block)
    return TwoWeights(outside, more, flat, flat + more * block)


@lru_cache(maxsize=256)
def best_width(epsilon: Fraction, atoms: int) -> int:
    """The window with the least mean error for values uniform on the domain.

    With a share w of the domain inside and E = exp(ε), the mean error over the width of the domain
    is (1/3 + (E − 1)(w²/4 + w³/12)) / (1 + (E − 1) w), which has one minimum in w.
    """
    gain = Fraction(exp_below(epsilon) - SCALE, SCALE)

    def error(width: int) -> Fraction:
        share = Fraction(width, atoms)
        return (Fraction(1, 3) + gain * (share**2 / 4 + share**3 / 12)) / (1 + gain * share)

    low, high = 1, atoms
    while low < high:
        middle = (low + high) // 2
        if error(middle) <= error(middle + 1):
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One of w neighbours with weight e^ε each, else any of 0..upper with weight 1; ε-LDP.

    Unit: one interval in days. The total is (upper + 1) + (e^ε − 1) w for every value, so the only
    ratio is that of the two weights. Kairouz et al. 2014 (staircase shape), exact. A width of 1 is
    k-ary randomised response, for values without a distance between them.

    Args:
        epsilon: > 0, exact.
        upper: the width of the domain, in days, ≥ 1.
        width: how many values the window holds; by default the best for uniform values.

    `size` is the width that is used, `weights` the two weights.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    upper: int
    width: int | None = None
    weights: TwoWeights = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon, "epsilon")
        checked_upper(self.upper)
        if self.width is not None:
            checked_upper(self.width, "width")
            if self.width > self.upper:
                raise ValueError("width must lie between 1 and upper")
        size = best_width(epsilon, self.upper + 1) if self.width is None else self.width
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "weights", two_weights(epsilon, self.upper + 1, size))

    def __str__(self) -> str:
        return f"window(epsilon={text(self.epsilon)}, upper={self.upper}, width={self.size})"

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    table = domain

    def start(self, value: int) -> int:
        """The first value of the window around `value`."""
        return min(max(value - self.size // 2, 0), self.upper + 1 - self.size)

    def randomise(self, value: int, source: Source) -> int:
        return self.weights.draw(self.start(value), source)

    def pmf(self, value: int) -> tuple[int, ...]:
        start, outside = self.start(value), self.weights.outside
        after = self.upper + 1 - start - self.size
        return (outside,) * start + (self.weights.inside,) * self.size + (outside,) * after

    def privacy_loss(self) -> Epsilon:
        """ln of the two weights; every total is the same."""
        return self.weights.loss()


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
