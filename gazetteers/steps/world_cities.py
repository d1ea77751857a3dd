"""Names of cities elsewhere in the world, to be found and never to be drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from dpdeid.gazetteers import place_key

from .exonyms import FRENCH_NAMES, WORLD

_SMALLEST: Final = 50_000
_SMALLEST_NEAR: Final = 10_000
_NEAR: Final = frozenset(
    [  # where patients of French hospitals, or their families, most often come from
        *("AD", "BF", "BI", "BJ", "BJ", "CD", "CF", "CG", "CI", "CM", "CV", "DJ", "DZ", "ES"),
        *("GA", "GN", "GQ", "HT", "IT", "KM", "LB", "MA", "MC", "MG", "ML", "MR", "MU", "NE"),
        *("PT", "RW", "SC", "SN", "TD", "TG", "TN", "VU"),
    ]
)
_OURS: Final = frozenset(["FR", *FRENCH_NAMES])


def world_cities(geonames: Path) -> list[str]:
    """`place_key` of cities above 50,000 inhabitants (10,000 in some countries), sorted.

    GeoNames gives no language with its alternate names, so French names are a list by hand.
    """
    (source,) = geonames.rglob("cities5000.json")
    towns = json.loads(source.read_text(encoding="utf-8")).values()
    names = {
        place_key(town["name"].partition("/")[0])
        for town in towns
        if town["countrycode"] not in _OURS
        and town["population"] >= (_SMALLEST_NEAR if town["countrycode"] in _NEAR else _SMALLEST)
    }
    return sorted(name for name in names | set(map(place_key, WORLD)) if len(name) > 2)
