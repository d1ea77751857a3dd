"""How far places lie apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from dpdeid.gazetteers import Place

FAR: Final = 60.0
"""Kilometres: what lies further off is no neighbour."""


def km(one: Place, other: Place) -> float:
    """The distance of two places, on a sphere of 6371 km."""
    north, south = math.radians(one.latitude), math.radians(other.latitude)
    east = math.radians(one.longitude - other.longitude)
    cosine = math.sin(north) * math.sin(south) + math.cos(north) * math.cos(south) * math.cos(east)
    return 6371 * math.acos(min(1.0, max(-1.0, cosine)))


def apart(one: Iterable[Place], other: Iterable[Place], reach: float = FAR) -> bool:
    """Whether no place of one name lies near one of the other."""
    return all(km(a, b) > reach for a in one for b in other)
