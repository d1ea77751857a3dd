"""Made-up lists of places and timelines."""

from __future__ import annotations

import random

from dpdeid.privacy.nearest import PlaceList


def grid(rows: int, columns: int) -> tuple[tuple[float, float], ...]:
    """Places 0.1 degrees apart."""
    return tuple((45 + i / 10, 3 + j / 10) for i in range(rows) for j in range(columns))


def _france() -> PlaceList:
    chance = random.Random(5)
    positions = ((chance.uniform(42.5, 51), chance.uniform(-4.5, 8)) for _ in range(400))
    return PlaceList("FR", tuple(positions))


FRANCE = _france()
