"""Areas the size of a state, by name: what a place is generalised to.

French regions and overseas territories, Swiss cantons, Belgian regions, Luxembourg. An area of
fewer than 20,000 people is left out: a name of it says too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from dpdeid.gazetteers import Place, departments, places, places_named, regions
from dpdeid.normalize import fold

ENOUGH: Final = 20_000
"""More people than this must live where a generalised place lies (HIPAA safe harbor)."""

_FRANCE: Final = {
    "11": "Île-de-France",
    "24": "Centre-Val de Loire",
    "27": "Bourgogne-Franche-Comté",
    "28": "Normandie",
    "32": "Hauts-de-France",
    "44": "Grand Est",
    "52": "Pays de la Loire",
    "53": "Bretagne",
    "75": "Nouvelle-Aquitaine",
    "76": "Occitanie",
    "84": "Auvergne-Rhône-Alpes",
    "93": "Provence-Alpes-Côte d'Azur",
    "94": "Corse",
    "01": "Guadeloupe",
    "02": "Martinique",
    "03": "Guyane",
    "04": "La Réunion",
    "06": "Mayotte",
    "978": "Saint-Martin",
    "987": "Polynésie française",
    "988": "Nouvelle-Calédonie",
}
_SWITZERLAND: Final = {
    "AG": "Argovie",
    "AR": "Appenzell Rhodes-Extérieures",
    "BE": "Berne",
    "BL": "Bâle-Campagne",
    "BS": "Bâle-Ville",
    "FR": "Fribourg",
    "GE": "Genève",
    "GL": "Glaris",
    "GR": "Grisons",
    "JU": "Jura",
    "LU": "Lucerne",
    "NE": "Neuchâtel",
    "NW": "Nidwald",
    "OW": "Obwald",
    "SG": "Saint-Gall",
    "SH": "Schaffhouse",
    "SO": "Soleure",
    "SZ": "Schwytz",
    "TG": "Thurgovie",
    "TI": "Tessin",
    "UR": "Uri",
    "VD": "Vaud",
    "VS": "Valais",
    "ZG": "Zoug",
    "ZH": "Zurich",
}
_BELGIUM: Final = {"WAL": "Wallonie", "BRU": "Bruxelles", "VLG": "Flandre"}


def area_of(place: Place) -> str | None:
    """The state-size area in which a place lies, None if it is unknown or too small."""
    match place.country:
        case "FR":
            return _FRANCE.get(place.region)
        case "CH":
            return _SWITZERLAND.get(place.department)
        case "BE":
            return _BELGIUM.get(place.department)
        case "LU":
            return "Luxembourg"
    return None


def area_named(text: str) -> str | None:
    """The area of the place, department, canton or region that a text names."""
    word = fold(text).strip()
    if (region := regions().get(word)) is not None:
        return _FRANCE.get(region) or _BELGIUM.get(region)
    if (code := departments().get(word, text.strip().upper())) in _area_of_department():
        return _area_of_department()[code]
    found = places_named(word)
    return area_of(found[0]) if found else None


@cache
def _area_of_department() -> Mapping[str, str]:
    """Code of a French department or Swiss canton → its area."""
    found: dict[str, str] = {}
    for place in places():
        area = area_of(place)
        if area is not None and place.country in ("FR", "CH"):
            found.setdefault(place.department, area)
    return MappingProxyType(found)


@cache
def populous_prefixes() -> frozenset[str]:
    """The first three digits of French postal codes under which more than 20,000 people live."""
    people: dict[str, int] = {}
    for place in places():
        for prefix in {code[:3] for code in place.zips if place.country == "FR"}:
            people[prefix] = people.get(prefix, 0) + place.population
    return frozenset(prefix for prefix, count in people.items() if count > ENOUGH)
