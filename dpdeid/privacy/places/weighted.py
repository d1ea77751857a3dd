"""Weighted sites in a plane, and the exact mechanisms on places that draw by them.

A site has an integer weight w and prints one place of the list. Its weight for a position at
distance d is w × k(d), k(d) = exp(−rate · (√(d² + tip²) − tip)) down to e^−16 and flat beyond, in
integers. √(d² + tip²) moves by no more than d does, so the logarithm of a weight moves by at most
`rate` for each millimetre that the position moves, and by `SLACK` millimetres' worth for what is
rounded. The flat part has one constant total, so only the sites near a position are looked at, and
where the total of a position is known, only those up to the one that is drawn, nearest cells first.

`WeighedPlaces` draws a place of one list so: `exponential` weighs all its places alike,
`qp_weighted` has the weights of a table that comes with the package.
"""

from __future__ import annotations

import gzip
import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import accumulate, chain
from typing import Any, Final

from dpdeid.privacy.exact import BITS, exp_below, text
from dpdeid.privacy.losses import EpsilonPerKm
from dpdeid.privacy.places.place_list import (
    MM_PER_KM,
    PlaceList,
    check_position,
    ring,
    side_of_cells,
)
from dpdeid.privacy.places.planar import checked_rate, with_rate
from dpdeid.privacy.rng import Source, wide_rank

SLACK: Final = 20  # mm: 16 of a step of the table, and what square roots are rounded by
DEPTH: Final = 16
_PEAK: Final = 60  # bits of k(0)
_COARSE: Final = 16  # 65.536 m
_FINE: Final = 4  # 16 mm


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
        side = side_of_cells(self.points)
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


def _powers(fall: int, count: int) -> tuple[int, ...]:
    """1, fall, fall², … in fixed point."""
    power, powers = 1 << BITS, []
    for _ in range(count):
        powers.append(power >> (BITS - _PEAK))
        power = power * fall >> BITS
    return tuple(powers)


FOLDER: Final = "tables"
DEGREE: Final = 1000  # positions are whole thousandths of a degree
_SUFFIX: Final = ".json.gz"
_CLOSE: Final = 1 - Fraction(1, 1000)

Position = tuple[int, int]
"""Latitude and longitude in thousandths of a degree."""


def rounded(latitude: float, longitude: float) -> Position:
    """A position in thousandths of a degree.

    Raises:
        ValueError: not a position in degrees.
    """
    check_position(latitude, longitude)
    return round(latitude * DEGREE), round(longitude * DEGREE)


@dataclass(frozen=True, slots=True, eq=False)
class WeighedPlaces:
    """Draws a place of a list by weighted sites; metric privacy, ε per true kilometre.

    For two inputs that are d geodesic kilometres apart and any set of places,
    P(· | x) ≤ exp(ε·d) P(· | x'). Inputs are positions in thousandths of a degree, others are
    rounded to them; where `inputs` is given, those and no others: what lies elsewhere is moved to
    the nearest input, and d is then the distance between the moved ones.
    Chatzikokolakis et al. 2013.

    Args:
        name: the mechanism, for names of draws.
        epsilon_per_km: > 0, exact.
        places: the list.
        sites: where the weights are.
        inputs: the positions the bound was checked for, each with the total of its weights; none
            where it holds for all.
    """

    name: str
    epsilon_per_km: Fraction
    places: PlaceList
    sites: Sites
    inputs: Mapping[Position, int] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return with_rate(self.name, self.epsilon_per_km)

    def known(self, latitude: float, longitude: float) -> Position:
        """The input that a position counts as.

        Raises:
            ValueError: not a position in degrees.
        """
        position = rounded(latitude, longitude)
        if self.inputs and position not in self.inputs:
            position = _nearest(self, position)
        return position

    def locate(self, latitude: float, longitude: float) -> tuple[int, int]:
        """The point of an input, in mm of the plane of the list.

        Raises:
            ValueError: not a position in degrees.
        """
        return self.point(self.known(latitude, longitude))

    def point(self, position: Position) -> tuple[int, int]:
        """The same for an input as `known` gives it."""
        return self.places.locate(position[0] / DEGREE, position[1] / DEGREE)

    def randomise(self, latitude: float, longitude: float, source: Source) -> int:
        """The index of a place of the list.

        Raises:
            ValueError: not a position in degrees.
        """
        position = self.known(latitude, longitude)
        return self.sites.draw(*self.point(position), source, self.inputs.get(position))

    def pmf(self, latitude: float, longitude: float) -> dict[int, int]:
        """Index of a place → integer weight; the same indices for every input."""
        return self.sites.pmf(*self.locate(latitude, longitude))

    def privacy_loss(self) -> EpsilonPerKm:
        """The bound for a kilometre, certified when the weights were made."""
        return EpsilonPerKm(self.epsilon_per_km)


@lru_cache(maxsize=1024)
def _nearest(weighed: WeighedPlaces, position: Position) -> Position:
    """The input nearest to a position that is none, by degrees; the first of equals."""

    def away(other: Position) -> tuple[int, Position]:
        turn = abs(other[1] - position[1])
        turn = min(turn, 360 * DEGREE - turn)
        return (other[0] - position[0]) ** 2 + turn**2, other

    return min(weighed.inputs, key=away)


@lru_cache(maxsize=64)
def exponential(epsilon_per_km: Fraction, places: PlaceList) -> WeighedPlaces:
    """Weight exp(−ε/2 · d) for each place of the list: the baseline, for any input.

    A position that moves by d changes every weight, and so their sum, by at most e^(ε/2·d). The
    rate is a thousandth lower, which pays for rounding: inputs that differ are 30 m apart or more
    (up to 70° north and south).
    """
    distinct: dict[tuple[int, int], int] = {}
    for index, position in enumerate(places.positions):
        distinct.setdefault(places.locate(*position), index)
    points = sorted(distinct)
    rate = checked_rate(epsilon_per_km) * _CLOSE / (2 * places.stretch * MM_PER_KM)
    outputs = tuple(distinct[point] for point in points)
    sites = Sites(rate, 0, tuple(points), (1 << 20,) * len(points), outputs)
    return WeighedPlaces("exponential", epsilon_per_km, places, sites)


@lru_cache(maxsize=64)
def qp_weighted(epsilon_per_km: Fraction, places: PlaceList) -> WeighedPlaces:
    """The shipped table for this ε and list.

    Raises:
        ValueError: there is none, or it was made for other places of that name.
    """
    source = files("dpdeid.privacy") / FOLDER / f"{places.name}-{text(epsilon_per_km)}{_SUFFIX}"
    if not source.is_file():
        raise ValueError(
            f"no table of weights for the places {places.name} at epsilon_per_km = "
            f"{text(epsilon_per_km)}; build it with: python gazetteers/weigh.py"
        )
    return decoded(json.loads(gzip.decompress(source.read_bytes())), places)


@cache
def shipped_rates() -> frozenset[Fraction]:
    """The ε per km for which there are tables."""
    tables = (files("dpdeid.privacy") / FOLDER).iterdir()
    ends = (table.name.removesuffix(_SUFFIX) for table in tables if table.name.endswith(_SUFFIX))
    return frozenset(Fraction(end.rpartition("-")[2]) for end in ends)


def mark(places: PlaceList) -> str:
    """Which positions, in which order: a table holds for these only."""
    listed = ";".join(f"{north},{east}" for north, east in places.positions)
    return blake2b(listed.encode(), digest_size=8).hexdigest()


def encoded(weighed: WeighedPlaces) -> dict[str, Any]:
    """The table as JSON; totals are those of what exceeds the flat part, in hex."""
    sites, inputs = weighed.sites, sorted(weighed.inputs)
    return {
        "places": mark(weighed.places),
        "epsilon_per_km": str(weighed.epsilon_per_km),
        "rate": str(sites.rate),
        "tip": sites.tip,
        "points": [list(axis) for axis in zip(*sites.points, strict=True)],
        "weights": sites.weights,
        "outputs": sites.outputs,
        "inputs": [list(axis) for axis in zip(*inputs, strict=True)],
        "totals": [f"{weighed.inputs[position] - sites.flat:x}" for position in inputs],
    }


def decoded(table: dict[str, Any], places: PlaceList) -> WeighedPlaces:
    """The mechanism of a table.

    Raises:
        ValueError: the table was made for other places.
    """
    if table["places"] != mark(places):
        raise ValueError(
            f"the table of weights was made for other places {places.name}; "
            "build it with: python gazetteers/weigh.py"
        )
    sites = Sites(
        Fraction(table["rate"]),
        table["tip"],
        tuple(zip(*table["points"], strict=True)),
        tuple(table["weights"]),
        tuple(table["outputs"]),
    )
    positions = zip(*table["inputs"], strict=True)
    totals = (sites.flat + int(excess, 16) for excess in table["totals"])
    inputs = dict(zip(positions, totals, strict=True))
    return WeighedPlaces("qp-weighted", Fraction(table["epsilon_per_km"]), places, sites, inputs)
