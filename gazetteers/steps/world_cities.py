"""Cities elsewhere in the world: names to be found and never to be drawn, and their countries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

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
_QUEBEC: Final = "10"
_OURS: Final = frozenset(["FR", *FRENCH_NAMES])


def world_cities(geonames: Path) -> list[str]:
    """`place_key` of cities above 50,000 inhabitants (10,000 in some countries), sorted.

    GeoNames gives no language with its alternate names, so French names are a list by hand.
    """
    names = {
        _key(town)
        for town in _abroad(geonames)
        if town["population"] >= (_SMALLEST_NEAR if town["countrycode"] in _NEAR else _SMALLEST)
    }
    return sorted(name for name in names | set(map(place_key, WORLD)) if len(name) > 2)


def city_countries(geonames: Path, shown: Mapping[str, str]) -> list[tuple[str, str]]:
    """(`place_key` of a town of 10,000 inhabitants, the country of the largest of that name),
    sorted; Québec counts as a country.

    Args:
        shown: code of a country → its French name.
    """
    found: dict[str, str] = {}
    for town in sorted(_abroad(geonames), key=lambda town: town["population"]):
        code = town["countrycode"]
        if town["population"] >= _SMALLEST_NEAR and len(_key(town)) > 2 and code in shown:
            in_quebec = code == "CA" and town["admin1code"] == _QUEBEC
            found[_key(town)] = "Québec" if in_quebec else shown[code]
    return sorted(found.items())


def _abroad(geonames: Path) -> list[dict[str, Any]]:
    (source,) = geonames.rglob("cities5000.json")
    towns = json.loads(source.read_text(encoding="utf-8")).values()
    return [town for town in towns if town["countrycode"] not in _OURS]


def _key(town: dict[str, Any]) -> str:
    return place_key(town["name"].partition("/")[0])
