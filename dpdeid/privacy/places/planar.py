"""Geo-indistinguishability on an integer lattice, snapped to the nearest place of a finite list.

The published planar Laplace draws real coordinates, whose last bits betray the input. Here the
input is rounded to a lattice of step 0.1 / ε, an integer offset is drawn from one table that serves
every ε and every list, and only the index of the nearest place comes out, which is post-processing.

The weight of a lattice point y for an input x is max(w(y − x), u), where w(d) falls as
exp(−λ|d|), λ < 1/10 a cell, and u = w(280). Its logarithm is Lipschitz by the triangle inequality.
All weights above u lie in a table; u itself is paid by a uniform draw over one public square that
holds x + d for every x of the domain and every d of the table: so the total is one constant and
every y is possible for every x. Andrés et al. 2013, made exact.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Final

from dpdeid.privacy.exact import BITS, MAX_EPSILON, exp_below, text
from dpdeid.privacy.losses import Epsilon, positive
from dpdeid.privacy.places.place_list import MM_PER_KM, PlaceList
from dpdeid.privacy.rng import Source, wide_rank

CELLS_PER_UNIT: Final = 10  # lattice cells in a distance of 1 / ε
RADIUS: Final = 280  # cells, beyond which the weight stays at the floor
FLOOR: Final = 1 << 64
_RATE: Final = Fraction(10**9 - 1, 10**9 * CELLS_PER_UNIT)  # a cell; rounding is far below the rest
_PRECISION: Final = 96
_MIN_EPSILON: Final = Fraction(1, 10**6)


@lru_cache(maxsize=1)
def _exponentials() -> tuple[list[int], list[int], list[int]]:
    """exp(λ · n), exp(λ · n / 64), exp(λ · n / 4096) in fixed point."""

    def fixed(cells: Fraction) -> int:
        return exp_below(_RATE * cells) >> (BITS - _PRECISION)

    return (
        [fixed(Fraction(n)) for n in range(RADIUS + 1)],
        [fixed(Fraction(n, 64)) for n in range(64)],
        [fixed(Fraction(n, 4096)) for n in range(64)],
    )


def weight(squared: int) -> int:
    """The integer weight of an offset with this squared length in cells.

    FLOOR × exp(λ (RADIUS − length)) within one part in 10^18, and FLOOR from RADIUS on.
    """
    if squared >= RADIUS**2:
        return FLOOR
    whole, middle, fine = _exponentials()
    left = (RADIUS << 64) - math.isqrt(squared << 128)
    cells, part = divmod(left, 1 << 64)
    product = whole[cells] * middle[part >> 58] >> _PRECISION
    product = product * fine[part >> 52 & 63] >> _PRECISION
    rest = ((part & ((1 << 52) - 1)) << (_PRECISION - 64)) * _RATE.numerator // _RATE.denominator
    square = rest * rest >> _PRECISION
    series = (1 << _PRECISION) + rest + (square >> 1) + (square * rest >> _PRECISION) // 6
    return max(product * series >> (2 * _PRECISION - 64), FLOOR)


@dataclass(frozen=True, slots=True)
class Offsets:
    """The offsets whose weight exceeds the floor, by quarter turns of the half-open quadrant."""

    centre: int
    sums: tuple[int, ...] = field(repr=False)
    rows: tuple[int, ...] = field(repr=False)

    @property
    def total(self) -> int:
        return self.centre + 4 * self.sums[-1]

    def at(self, rank: int) -> tuple[int, int]:
        """The offset at a rank below the total."""
        if rank < self.centre:
            return 0, 0
        turn, rank = divmod(rank - self.centre, self.sums[-1])
        return self.turned(bisect_right(self.sums, rank), turn)

    def turned(self, place: int, turn: int) -> tuple[int, int]:
        """The offset at a place of the quadrant, after so many quarter turns."""
        row = bisect_right(self.rows, place) - 1
        i, j = row + 1, place - self.rows[row]
        return ((i, j), (-j, i), (-i, -j), (j, -i))[turn]


@lru_cache(maxsize=1)
def offsets() -> Offsets:
    """The table that serves every ε and every list."""
    known: dict[int, int] = {}
    excess: list[int] = []
    rows: list[int] = []
    for i in range(1, RADIUS):
        rows.append(len(excess))
        for j in range(math.isqrt(RADIUS**2 - 1 - i * i) + 1):
            squared = i * i + j * j
            if squared not in known:
                known[squared] = weight(squared) - FLOOR
            excess.append(known[squared])
    return Offsets(weight(0) - FLOOR, tuple(accumulate(excess)), tuple(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarLaplace:
    """Planar Laplace noise and the nearest place of a list; metric privacy, ε per true kilometre.

    For inputs x, x' that are d geodesic kilometres apart and any set of places,
    P(· | x) ≤ exp(ε·d + r) P(· | x'), r = `rounding_loss()` ≈ 0.1415 (0 where both fall into one
    cell). The rate in the plane is ε / κ, κ being the most by which the plane of the list stretches
    a distance. Domain: the disc that holds the list with 50 km around it; positions beyond are
    clamped to its edge, and d is then the distance between the clamped ones.

    Args:
        epsilon_per_km: > 0, exact.
        places: the list.

    `cell_mm` is the step of the lattice in mm of the plane, `reach` half the side of the public
    square in cells.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_km: Fraction
    places: PlaceList
    cell_mm: Fraction = field(init=False, repr=False)
    reach: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        exact = checked_rate(self.epsilon_per_km)
        step = MM_PER_KM * self.places.stretch / (CELLS_PER_UNIT * exact)
        object.__setattr__(self, "epsilon_per_km", exact)
        object.__setattr__(self, "cell_mm", step)
        object.__setattr__(self, "reach", math.ceil(self.places.radius_mm / step) + RADIUS + 1)

    def __str__(self) -> str:
        return with_rate("planar-laplace", self.epsilon_per_km)

    def cell(self, latitude: float, longitude: float) -> tuple[int, int]:
        """The lattice point of an input."""
        x, y = self.places.locate(latitude, longitude)
        return self._rounded(x), self._rounded(y)

    def _rounded(self, position: int) -> int:
        over, under = self.cell_mm.numerator, self.cell_mm.denominator
        return (2 * position * under + over) // (2 * over)

    def pmf(self, cell: tuple[int, int], output: tuple[int, int]) -> tuple[int, int]:
        """The weight of one lattice point for an input cell, and the total of all of them."""
        if max(abs(output[0]), abs(output[1])) > self.reach:
            return 0, self.total
        squared = (output[0] - cell[0]) ** 2 + (output[1] - cell[1]) ** 2
        return weight(squared), self.total

    @property
    def total(self) -> int:
        """Of all weights, the same for every input."""
        return offsets().total + FLOOR * (2 * self.reach + 1) ** 2

    def noisy(self, cell: tuple[int, int], source: Source) -> tuple[int, int]:
        """A lattice point, drawn with the weights of `pmf`."""
        side = 2 * self.reach + 1
        flat = FLOOR * side * side
        rank = wide_rank(self.total, source)
        if rank < flat:
            row, column = divmod(rank // FLOOR, side)
            return row - self.reach, column - self.reach
        i, j = offsets().at(rank - flat)
        return cell[0] + i, cell[1] + j

    def randomise(self, latitude: float, longitude: float, source: Source) -> int:
        """The index of a place of the list.

        Raises:
            ValueError: not a position in degrees.
        """
        i, j = self.noisy(self.cell(latitude, longitude), source)
        over, under = self.cell_mm.numerator, self.cell_mm.denominator
        return self.places.nearest(i * over // under, j * over // under)

    def rounding_loss(self) -> Epsilon:
        """The part of the bound that two inputs pay for being moved onto the lattice."""
        return rounding_loss(self.epsilon_per_km)


def checked_rate(epsilon_per_km: Fraction | int | str) -> Fraction:
    """The rate as a fraction.

    Raises:
        ValueError: not finite, a float, or outside [1e−6, 1000].
    """
    exact = positive(epsilon_per_km, "epsilon_per_km")
    if not _MIN_EPSILON <= exact <= MAX_EPSILON:
        raise ValueError(f"epsilon_per_km must lie between 1e-6 and {MAX_EPSILON}")
    return exact


def with_rate(mechanism: str, epsilon_per_km: Fraction) -> str:
    """A mechanism and its parameter, for names of draws and for charges."""
    return f"{mechanism}(epsilon_per_km={text(epsilon_per_km)})"


def rounding_loss(epsilon_per_km: Fraction) -> Epsilon:
    """√2 × a tenth, rounded up, and √2 × the millimetre that coordinates are kept to."""
    return Epsilon(Fraction(14_143, 100_000) + epsilon_per_km * Fraction(15, 10**7))
