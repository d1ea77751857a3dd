"""A plane for one list of places, with a bound on how much longer the plane can make a distance.

Oblique stereographic projection of the conformal sphere (EPSG method 9809) around the middle of the
list, on WGS 84: distances in any direction grow alike with the distance from the centre, by 0.2 %
at the edge of France, and no meridian or hemisphere is special, so one code serves every list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
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
