"""A finite list of places in a plane of its own, and the place nearest to a point.

The plane is an oblique stereographic projection of the conformal sphere (EPSG method 9809) around
the middle of the list, on WGS 84: distances in any direction grow alike with the distance from the
centre, by 0.2 % at the edge of France, and no meridian or hemisphere is special, so one code serves
every list. How much longer it can make a distance has a bound (`stretch`). Positions are integers,
in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, Self

_AXIS_KM: Final = 6378.137
_ECCENTRICITY: Final = math.sqrt(0.0066943799901413)
_WIDEST: Final = math.pi / 2
_NEAR_POLE: Final = math.radians(89.9)
_LATITUDES_APART: Final = math.radians(0.2)  # conformal and geodetic, at most
_SLACK: Final = 1e-5  # geodesics of the ellipsoid and great circles of the sphere


def check_position(latitude: float, longitude: float) -> None:
    """Refuses what is not a position in degrees.

    Raises:
        ValueError: not finite, or outside −90..90 and −180..180.
    """
    if not -90 <= latitude <= 90:
        raise ValueError("a latitude must lie between -90 and 90 degrees")
    if not -180 <= longitude <= 180:
        raise ValueError("a longitude must lie between -180 and 180 degrees")


def _conformal(latitude: float) -> float:
    """The latitude on the conformal sphere; both in radians."""
    sine = _ECCENTRICITY * math.sin(latitude)
    stretched = math.asinh(math.tan(latitude)) - _ECCENTRICITY * math.atanh(sine)
    return math.atan(math.sinh(stretched))


def _sphere_over_ellipsoid(latitude: float) -> float:
    """The radius of a parallel of the unit sphere over that of the ellipsoid, in 1/km."""
    normal = _AXIS_KM / math.sqrt(1 - (_ECCENTRICITY * math.sin(latitude)) ** 2)
    return math.cos(_conformal(latitude)) / (normal * math.cos(latitude))


@dataclass(frozen=True, slots=True)
class Projection:
    """A plane in kilometres that touches the earth at `latitude`, `longitude` (degrees)."""

    latitude: float
    longitude: float
    _sine: float = field(init=False, repr=False, compare=False)
    _cosine: float = field(init=False, repr=False, compare=False)
    _radius: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        centre = math.radians(self.latitude)
        for name, value in (
            ("_sine", math.sin(_conformal(centre))),
            ("_cosine", math.cos(_conformal(centre))),
            ("_radius", 1 / _sphere_over_ellipsoid(centre)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def around(cls, positions: Sequence[tuple[float, float]]) -> Self:
        """The plane at the middle of the smallest box that holds all (latitude, longitude)."""
        axes = list(zip(*(_unit(*position) for position in positions), strict=True))
        x, y, z = ((min(axis) + max(axis)) / 2 for axis in axes)
        latitude = math.degrees(math.atan2(z, math.hypot(x, y)))
        return cls(round(latitude, 6), round(math.degrees(math.atan2(y, x)), 6))

    def plane(self, latitude: float, longitude: float) -> tuple[float, float]:
        """East and north of the centre, in km; the antipode and its neighbours go far away."""
        here, east = _conformal(math.radians(latitude)), math.radians(longitude - self.longitude)
        sine, cosine = math.sin(here), math.cos(here)
        towards = cosine * math.cos(east)
        nearness = 1 + self._sine * sine + self._cosine * towards
        scale = 2 * self._radius / max(nearness, 1e-6)
        north = self._cosine * sine - self._sine * towards
        return scale * cosine * math.sin(east), scale * north

    def stretch(self, radius_km: float) -> Fraction:
        """κ: plane distance ≤ κ × geodesic distance within `radius_km` of the centre.

        The largest local scale on that disc, which is a convex cap of the sphere; rounded up.

        Raises:
            ValueError: the disc is larger than a hemisphere.
        """
        angle = 2 * math.atan(radius_km / (2 * self._radius))
        if angle >= _WIDEST:
            raise ValueError("the places of one list must lie within one hemisphere")
        furthest = abs(math.radians(self.latitude)) + angle + _LATITUDES_APART
        along = _sphere_over_ellipsoid(min(furthest, _NEAR_POLE)) * self._radius
        scale = 2 / (1 + math.cos(angle)) * max(along, 1.0) + _SLACK
        return Fraction(math.ceil(scale * 10**6), 10**6)


def _unit(latitude: float, longitude: float) -> tuple[float, float, float]:
    phi, lam = math.radians(latitude), math.radians(longitude)
    return math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)


MIN_PLACES: Final = 20
MARGIN_KM: Final = 50
MM_PER_KM: Final = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class PlaceList:
    """The places that may come out, by index, and the plane they are compared in.

    Places with equal coordinates count once: the first of them can come out. A list of fewer than
    20 distinct places is refused, since a list of one would return the truth.

    Args:
        name: part of the name of every draw from it.
        positions: (latitude, longitude) in degrees.
        classes: public classes of each place, 0 and up, by kind (`release`).
        people: how many live in each place; without them all places weigh the same (`gravity`).

    Raises:
        ValueError: too few places, a bad coordinate, a list wider than a hemisphere, people that
            are not given for each place, or classes that are not one for each place, from 0
            without a gap.
    """

    name: str
    positions: tuple[tuple[float, float], ...] = field(repr=False)
    classes: Mapping[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    people: tuple[int, ...] = field(default=(), repr=False)
    projection: Projection = field(init=False)
    stretch: Fraction = field(init=False)
    radius_mm: int = field(init=False)
    _cells: dict[tuple[int, int], list[tuple[int, int, int]]] = field(init=False, repr=False)
    _size: int = field(init=False, repr=False)
    _box: tuple[int, int, int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for position in self.positions:
            check_position(*position)
        if len(set(self.positions)) < MIN_PLACES:
            raise ValueError(f"a list needs at least {MIN_PLACES} places that differ")
        if self.people and len(self.people) != len(self.positions):
            raise ValueError("people must give one number for each place")
        for classes in self.classes.values():
            if len(classes) != len(self.positions):
                raise ValueError("classes must give one class for each place")
            if set(classes) != set(range(max(classes) + 1)):
                raise ValueError("classes must count from 0 without a gap")
        projection = Projection.around(self.positions)
        points = [_millimetres(projection, *position) for position in self.positions]
        radius = max(math.isqrt(x * x + y * y) for x, y in points) + MARGIN_KM * MM_PER_KM
        xs, ys = zip(*points, strict=True)
        box = (min(xs), max(xs), min(ys), max(ys))
        size = side_of_cells(points)
        cells: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        seen: set[tuple[int, int]] = set()
        for index, (x, y) in enumerate(points):
            if (x, y) not in seen:
                seen.add((x, y))
                cells.setdefault((x // size, y // size), []).append((index, x, y))
        for name, value in (
            ("projection", projection),
            ("stretch", projection.stretch(radius / MM_PER_KM)),
            ("radius_mm", radius),
            ("_cells", cells),
            ("_size", size),
            ("_box", box),
        ):
            object.__setattr__(self, name, value)

    def locate(self, latitude: float, longitude: float) -> tuple[int, int]:
        """East and north in mm, clamped to the disc that holds the list with 50 km around it.

        Raises:
            ValueError: not a position.
        """
        check_position(latitude, longitude)
        x, y = _millimetres(self.projection, latitude, longitude)
        distance = math.isqrt(x * x + y * y)
        if distance > self.radius_mm:
            x, y = x * self.radius_mm // distance, y * self.radius_mm // distance
        return x, y

    def distinct(self) -> list[tuple[int, int, int]]:
        """Index, east and north in mm of the places that can come out, in no order."""
        return [place for cell in self._cells.values() for place in cell]

    def nearest(self, x: int, y: int) -> int:
        """The index of the place nearest to a point in mm; of equals, the first in the list.

        Cells are searched in rings around the point of the box that is nearest to (x, y). A place
        is at least as far as the root of (distance to that point)² + (its distance from it)²,
        because the box is convex, which ends the search; so does having seen all cells.
        """
        west, east, south, north = self._box
        inside_x, inside_y = min(max(x, west), east), min(max(y, south), north)
        outside = (x - inside_x) ** 2 + (y - inside_y) ** 2
        size, cells = self._size, self._cells
        (column, over_x), (row, over_y) = divmod(inside_x, size), divmod(inside_y, size)
        edge = min(over_x, size - over_x, over_y, size - over_y)
        best, least = -1, 0
        away, most = 0, max(east - west, north - south) // size + 1
        while best < 0 or (away <= most and ((away - 1) * size + edge) ** 2 + outside <= least):
            for i, j in _offsets(away):
                for index, px, py in cells.get((column + i, row + j), ()):
                    apart = (px - x) ** 2 + (py - y) ** 2
                    if best < 0 or apart < least or (apart == least and index < best):
                        best, least = index, apart
            away += 1
        return best


def side_of_cells(points: Sequence[tuple[int, int]]) -> int:
    """The side of a cell, in mm, for about one point in each."""
    xs, ys = zip(*points, strict=True)
    area = (max(xs) - min(xs) + 1) * (max(ys) - min(ys) + 1)
    return max(math.isqrt(area // len(points)), 1)


def _millimetres(projection: Projection, latitude: float, longitude: float) -> tuple[int, int]:
    east, north = projection.plane(latitude, longitude)
    return round(east * MM_PER_KM), round(north * MM_PER_KM)


@lru_cache(maxsize=256)
def _offsets(away: int) -> tuple[tuple[int, int], ...]:
    sides = range(-away, away + 1)
    return tuple((i, j) for i in sides for j in (sides if abs(i) == away else (-away, away)))


def ring(column: int, row: int, away: int) -> list[tuple[int, int]]:
    """The cells whose larger coordinate distance to (column, row) is `away`, in ascending order."""
    return [(column + i, row + j) for i, j in _offsets(away)]
