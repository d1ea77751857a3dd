"""Areas by name: those the size of a state, and the small words before the name of any.

"dans le Var", "en Creuse", "de l'Ain". Gender, number and elision are those of the names; "en" or
"dans", "de Bretagne" but "de la Creuse", are what is most often written.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

TWINS: Final = {"jura": "JU"}
"""A department of France and a canton of one name, folded, and the code of the canton."""


class Use(StrEnum):
    """What a small word before the name of an area says."""

    THE = "the"
    """le Var, la Creuse"""
    OF = "of"
    """du Var, de Bretagne, d'Occitanie"""
    OF_THE = "of the"
    """du Var, de la Bretagne"""
    IN = "in"
    """dans le Var, en Creuse, à Mayotte"""
    WITHIN = "within"
    """dans le Var, dans la Creuse"""


@cache
def state_areas() -> dict[tuple[str, str], str]:
    """Country and code of a region, canton or territory → its name.

    An area of fewer than 20,000 people is left out: a name of it says too much.
    """
    return {
        (country, code): name
        for name, codes, *_ in rows("areas")
        for country, _, code in (one.partition(":") for one in codes.split())
    }


@cache
def area_words() -> dict[str, dict[Use, str]]:
    """Name of an area → what stands before it for each use, its space included."""
    return {
        name: dict(zip(Use, (word.replace("_", " ") for word in words), strict=True))
        for name, _, *words in rows("areas")
    }


_WORD: Final = re.compile(r"[^\W_]+")
_ARTICLE: Final = re.compile(r"\A(?:la|les?|l) ")
_UP_OR_DOWN: Final = re.compile(r" (?:les? (?:hauts?|bas)|centre(?: ville)?|village)\Z")


@cache
def _quarters() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for area, commune, *quarters in rows("overseas"):
        for name in (commune, *quarters):
            key = " ".join(_WORD.findall(fold(name)))
            for form in {key, _ARTICLE.sub("", key)}:
                found[form] = (*found.get(form, ()), (area, commune))
    return found


def overseas_communes(key: str) -> tuple[tuple[str, str], ...]:
    """The code of the department and the commune of what is called so overseas: a quarter, a place.

    >>> overseas_communes("saint leu les hauts"), overseas_communes("cambuston")
    ((('974', 'Saint-Leu'),), (('974', 'Saint-André'),))
    """
    bare = _ARTICLE.sub("", key)
    forms = (key, bare, _UP_OR_DOWN.sub("", bare))
    return next((own for form in forms if (own := _quarters().get(form))), ())


@cache
def postal_codes() -> dict[tuple[str, str, str], tuple[str, ...]]:
    """Country, canton or region, and town → its postal codes (Switzerland, Belgium, Luxembourg)."""
    return {
        (country, area, town): tuple(codes.split())
        for country, area, town, codes in rows("postcodes")
    }
