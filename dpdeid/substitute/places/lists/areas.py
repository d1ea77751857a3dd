"""The area the size of a state in which a place lies.

By it a place is generalised, and before its name French has its own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dpdeid.french.areas import state_areas
from dpdeid.gazetteers import Place, departments, places, places_named, regions
from dpdeid.normalize import fold


def area_of(place: Place) -> str | None:
    """The state-size area in which a place lies, None if it is unknown or too small."""
    code = place.region if place.country == "FR" else place.department
    return state_areas().get((place.country, "" if place.country == "LU" else code))


def area_named(text: str) -> str | None:
    """The area of the place, department, canton or region that a text names."""
    if (region := regions().get(word := fold(text).strip())) is not None:
        return state_areas().get(("FR", region)) or state_areas().get(("BE", region))
    if (code := departments().get(word, text.strip().upper())) in _area_of_department():
        return _area_of_department()[code]
    return area_of(found[0]) if (found := places_named(word)) else None


@cache
def _area_of_department() -> Mapping[str, str]:
    """Code of a French department or Swiss canton → its area."""
    own = (place for place in reversed(places()) if place.country in ("FR", "CH"))
    return {place.department: area for place in own if (area := area_of(place)) is not None}
