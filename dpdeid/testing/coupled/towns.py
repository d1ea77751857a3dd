"""Towns to fill slots with: places that their name alone names, list by list.

A name that two lists know is read by where the other towns of the record lie; none is taken.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.gazetteers import Place, place_key, place_list_name
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream

_ARTICLE: Final = re.compile(r"^(?:l|la|les?) ")
_ODD: Final = ("h", "y", "l'", "le ", "les ", "la ", "saint-", "sainte-", "aix", "d'")
"""How names begin that articles, elision and abbreviation treat apart."""
NAMED: Final = ("Rennes",)
"""Towns that a hospital of a template is named after: whether it is that of a slot is part of S."""
UNKNOWN: Final = (
    "Kerfeuntein-Izella",
    "Trifouillis",
    "Saint-Glinglin-sur-Rien",
    "Hautegueule",
    "Écoutebruit",
    "Pampérigouste",
    "Yquebeuf-Perdu",
    "Champignac",
)
"""Names of towns that no list knows."""


@cache
def known(name: str) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The places of a list that are what their name is read as, and the oddly named among them."""
    areas = gazetteers.departments().keys() | gazetteers.regions().keys()
    codes = frozenset(gazetteers.departments().values())
    found = []
    for place in gazetteers.places():
        key = place_key(place.name)
        if place_list_name(place) != name or "(" in place.name or place.name in NAMED:
            continue
        if {key, _ARTICLE.sub("", key)} & areas or place.name.upper() in codes:
            continue  # "au Vaud" is the canton, and so is "UR"
        named = gazetteers.places_named(key)
        if named[0] == place and all(place_list_name(other) == name for other in named):
            found.append(place)
    odd = [p for p in found if fold(p.name).startswith(_ODD) or len(p.name) < 3]
    return tuple(found), tuple(odd)


def some_town(name: str, dice: Stream, *, coded: bool = False) -> Place:
    """A town of a list, with a postal code if asked: one in three a large one, one oddly named."""
    every, odd = known(name)
    while True:
        match dice.randbelow(3):
            case 0:
                place = every[dice.randbelow(min(len(every), 900))]
            case 1 if odd:
                place = dice.choice(odd)
            case _:
                place = dice.choice(every)
        if place.zips or not coded:
            return place
