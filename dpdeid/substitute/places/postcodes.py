"""The postal codes of places, also of those that the list of places has none for."""

from __future__ import annotations

import math
from functools import cache

from dpdeid import gazetteers
from dpdeid.french.areas import postal_codes
from dpdeid.gazetteers import Place


@cache
def codes_of(place: Place) -> tuple[str, ...]:
    """The postal codes of a place or of the nearest that has any, in its own country; else none."""
    if place.zips:
        return place.zips
    known = _known().get(place.country, {})
    if (own := known.get((place.department, place.name))) is not None:
        return own[1]
    flat = math.cos(math.radians(place.latitude))

    def away(other: Place) -> float:
        east = (other.longitude - place.longitude) * flat
        return math.hypot(east, other.latitude - place.latitude)

    nearest = min(known.values(), key=lambda one: (away(one[0]), one[0].code), default=None)
    return () if nearest is None else nearest[1]


_Known = dict[tuple[str, str], tuple[Place, tuple[str, ...]]]


@cache
def _known() -> dict[str, _Known]:
    rows = postal_codes()
    found: dict[str, _Known] = {country: {} for country, _, _ in rows}
    for place in gazetteers.places():
        key = (place.department, place.name)
        codes = rows.get((place.country, *key))
        if codes is not None and key not in found[place.country]:  # the largest of that name
            found[place.country][key] = (place, codes)
    return found
