"""Weighted sites in a plane: the draw of every mechanism on places that is not planar noise.

A site has an integer weight w and prints one place of the list. Its weight for a position at
distance d is w × k(d), k(d) = exp(−rate · (√(d² + tip²) − tip)) down to e^−16 and flat beyond, in
integers. √(d² + tip²) moves by no more than d does, so the logarithm of a weight moves by at most
`rate` for each millimetre that the position moves, and by `SLACK` millimetres' worth for what is
rounded. The flat part has one constant total, so only the sites near a position are looked at, and
where the total of a position is known, only those up to the one that is drawn, nearest cells first.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, chain
from typing import Final

from dpdeid.privacy.exact import BITS, exp_below
from dpdeid.privacy.nearest import ring
from dpdeid.privacy.rng import Source, wide_rank

SLACK: Final = 20  # mm: 16 of a step of the table, and what square roots are rounded by
DEPTH: Final = 16
_PEAK: Final = 60  # bits of k(0)
_COARSE: Final = 16  # 65.536 m
_FINE: Final = 4  # 16 mm
_SITES_PER_CELL: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Sites:
    """Public sites and what each of them prints.

    Args:
        rate: per mm of the plane.
        tip: how far the tip of the kernel is rounded off, in mm; 0 for the plain exponential.
        points: east and north in mm, in ascending order.
        weights: integers > 0.
        outputs: the index of the place that each site prints.

    `floor` is k of everything beyond `reach` mm.

    Raises:
        ValueError: no or unsorted sites, a weight ≤ 0, or a rate outside 1e−9 to 1e−3 per mm.
    """

    rate: Fraction
    tip: int
    points: tuple[tuple[int, int], ...] = field(repr=False)
    weights: tuple[int, ...] = field(repr=False)
    outputs: tuple[int, ...] = field(repr=False)
    reach: int = field(init=False, repr=False)
    floor: int = field(init=False, repr=False)
    _sums: tuple[int, ...] = field(init=False, repr=False)
    _coarse: tuple[int, ...] = field(init=False, repr=False)
    _fine: tuple[int, ...] = field(init=False, repr=False)
    _side: int = field(init=False, repr=False)
    _cells: dict[tuple[int, int], list[int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.points or min(self.weights) <= 0 or list(self.points) != sorted(self.points):
            raise ValueError("sites must be in ascending order and have weights > 0")
        if not Fraction(1, 10**9) <= self.rate <= Fraction(1, 1000) or self.tip < 0:
            raise ValueError("rate must lie between 1e-9 and 1e-3 per mm, tip must be >= 0")
        length = math.ceil(DEPTH / self.rate)
        coarse = _powers(exp_below(-self.rate * (1 << _COARSE)), (length >> _COARSE) + 2)
        fine = _powers(exp_below(-self.rate * (1 << _FINE)), 1 << (_COARSE - _FINE))
        side = _side(self.points)
        cells: dict[tuple[int, int], list[int]] = {}
        for site, (east, north) in enumerate(self.points):
            cells.setdefault((east // side, north // side), []).append(site)
        for name, value in (
            ("reach", math.isqrt((length + self.tip) ** 2 - self.tip**2)),
            ("floor", exp_below(Fraction(-DEPTH)) >> (BITS - _PEAK)),
            ("_sums", tuple(accumulate(self.weights))),
            ("_coarse", coarse),
            ("_fine", fine),
            ("_side", side),
            ("_cells", cells),
        ):
            object.__setattr__(self, name, value)

    def kernel(self, squared: int) -> int:
        """k at a squared distance in mm²."""
        if squared >= self.reach**2:
            return self.floor
        away = math.isqrt(squared + self.tip**2) - self.tip
        rest = (away & ((1 << _COARSE) - 1)) >> _FINE
        return max(self._coarse[away >> _COARSE] * self._fine[rest] >> _PEAK, self.floor)

    def pmf(self, x: int, y: int) -> dict[int, int]:
        """Index of a place → its weight for a position; the same indices for every position."""
        found = dict.fromkeys(self.outputs, 0)
        for (east, north), weight, output in zip(
            self.points, self.weights, self.outputs, strict=True
        ):
            found[output] += weight * self.kernel((east - x) ** 2 + (north - y) ** 2)
        return found

    def total(self, x: int, y: int) -> int:
        """The sum of `pmf`."""
        first = bisect_left(self.points, (x - self.reach, 0))
        last = bisect_right(self.points, (x + self.reach, 0))
        near = self._excess(x, y, range(first, last))
        return self.flat + sum(more for _, more in near)

    @property
    def flat(self) -> int:
        """The part of every total that is the same for each position."""
        return self.floor * self._sums[-1]

    def draw(self, x: int, y: int, source: Source, total: int | None = None) -> int:
        """The index of a place, drawn with the weights of `pmf`.

        Args:
            total: that of `pmf`, where it is known: then few sites are looked at.

        Raises:
            ValueError: another total.
        """
        rank = wide_rank(self.total(x, y) if total is None else total, source)
        if rank < self.flat:
            return self.spread(rank)
        rank -= self.flat
        for site, more in self.around(x, y):
            rank -= more
            if rank < 0:
                return self.outputs[site]
        raise ValueError("the total of a position is not that of its weights")

    def spread(self, rank: int) -> int:
        """The place at a rank below `flat`."""
        return self.outputs[bisect_right(self._sums, rank // self.floor)]

    def around(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """The sites within reach and what their weights exceed the flat part by, from rings of
        cells around the position, inner ones first.
        """
        column, row, cells = x // self._side, y // self._side, self._cells
        for away in range(self.reach // self._side + 2):
            found = [cells[cell] for cell in ring(column, row, away) if cell in cells]
            yield from self._excess(x, y, chain.from_iterable(found))

    def _excess(self, x: int, y: int, sites: Iterable[int]) -> Iterator[tuple[int, int]]:
        points, weights, coarse, fine = self.points, self.weights, self._coarse, self._fine
        floor, limit, tip = self.floor, self.reach**2, self.tip
        root, low = math.isqrt, (1 << _COARSE) - 1
        for site in sites:
            east, north = points[site]
            squared = (east - x) * (east - x) + (north - y) * (north - y)
            if squared < limit:
                away = root(squared + tip * tip) - tip
                kernel = coarse[away >> _COARSE] * fine[(away & low) >> _FINE] >> _PEAK
                if kernel > floor:
                    yield site, weights[site] * (kernel - floor)


def _side(points: tuple[tuple[int, int], ...]) -> int:
    """The side of a cell, in mm, for about a site in each."""
    xs, ys = zip(*points, strict=True)
    area = (max(xs) - min(xs) + 1) * (max(ys) - min(ys) + 1)
    return max(math.isqrt(area * _SITES_PER_CELL // len(points)), 1)


def _powers(fall: int, count: int) -> tuple[int, ...]:
    """1, fall, fall², … in fixed point."""
    power, powers = 1 << BITS, []
    for _ in range(count):
        powers.append(power >> (BITS - _PEAK))
        power = power * fall >> BITS
    return tuple(powers)
