"""The exact mechanisms on one list of places, and the tables that come with the package.

`QPWeighted` and `Exponential` draw a place with weights that fall with the distance from the true
position. The exponential mechanism halves its rate for what the sum of its weights may change by;
the weighted one has sites whose weights make that sum almost flat, so that nearly the whole ε goes
into the rate. Finding those weights takes minutes, so they are shipped (`gazetteers/weigh.py`
builds them) and only hold for the list and the ε they were made for.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final

from dpdeid.privacy.exact import text
from dpdeid.privacy.losses import EpsilonPerKm
from dpdeid.privacy.nearest import MM_PER_KM, PlaceList
from dpdeid.privacy.planar import checked_rate
from dpdeid.privacy.projection import check_position
from dpdeid.privacy.rng import Source
from dpdeid.privacy.sites import Sites

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
        return weighed_name(self.name, self.epsilon_per_km)

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


def weighed_name(name: str, epsilon_per_km: Fraction) -> str:
    """The mechanism and its parameter, for names of draws and for charges."""
    return f"{name}(epsilon_per_km={text(epsilon_per_km)})"


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
