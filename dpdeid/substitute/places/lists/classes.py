"""The public classes of a place: by its population, the people around it, and its region."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.gazetteers import Place
from dpdeid.privacy.places.release import DENSITY, ORDERED, POPULATION

_SIZES: Final = (10_000, 50_000)
"""Fewest inhabitants of a town and of a city."""
_DENSITIES: Final = (300, 1_500)
"""Fewest inhabitants a km² of what is no longer rural and of what is urban: the thresholds of the
degree of urbanisation of Eurostat, on a disc and not on its grid."""
_RADIUS_KM: Final = 5
_KM_PER_DEGREE: Final = 111.2
_CELL: Final = 0.1  # degrees


def classes_of(place: Place, kinds: Sequence[str]) -> dict[str, int]:
    """The classes of a place on the scale of its list, by kind."""
    listed = gazetteers.place_list_name(place)
    return {kind: _ranked(kind, level(kind, place), _scale(kind, listed)) for kind in kinds}


def classes_of_list(name: str, kinds: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """The same for each place of a list."""
    places = [classes_of(place, kinds) for place in gazetteers.place_lists()[name]]
    return {kind: tuple(place[kind] for place in places) for kind in kinds}


def density(place: Place) -> float:
    """Inhabitants a km² within 5 km, each place's people being where its point is."""
    flat = math.cos(math.radians(place.latitude)) * _KM_PER_DEGREE
    column, row = _cell(place.latitude, place.longitude)
    wide = math.ceil(_RADIUS_KM / flat / _CELL)
    people = 0
    for i in range(column - wide, column + wide + 1):
        for j in (row - 1, row, row + 1):
            for north, east, living in _people().get((i, j), ()):
                across, up = (east - place.longitude) * flat, (north - place.latitude)
                if math.hypot(across, up * _KM_PER_DEGREE) <= _RADIUS_KM:
                    people += living
    return people / (math.pi * _RADIUS_KM**2)


def level(kind: str, place: Place) -> int | str:
    """The class of a place by one kind, whatever its list: a number if ordered, else a code."""
    if kind == POPULATION:
        return bisect_right(_SIZES, place.population)
    return bisect_right(_DENSITIES, density(place)) if kind == DENSITY else place.region


@cache
def _scale(kind: str, listed: str) -> list[int | str]:
    found = {level(kind, place) for place in gazetteers.place_lists()[listed]}
    return sorted(found, key=lambda one: (str(type(one)), one))


def _ranked(kind: str, found: int | str, scale: Sequence[int | str]) -> int:
    """Its place in the scale: the next one for a size or density not there, else the first."""
    if kind in ORDERED:
        return min(bisect_left(scale, found), len(scale) - 1)
    return scale.index(found) if found in scale else 0


def _cell(latitude: float, longitude: float) -> tuple[int, int]:
    return math.floor(longitude / _CELL), math.floor(latitude / _CELL)


@cache
def _people() -> Mapping[tuple[int, int], list[tuple[float, float, int]]]:
    cells: dict[tuple[int, int], list[tuple[float, float, int]]] = {}
    for place in gazetteers.places():
        if gazetteers.is_whole(place.name, place.precision):
            north, east = place.latitude, place.longitude
            cells.setdefault(_cell(north, east), []).append((north, east, place.population))
    return cells
