"""Areas by name: those the size of a state, and the small words before the name of any.

"dans le Var", "en Creuse", "de l'Ain". Gender, number and elision are those of the names; "en" or
"dans", "de Bretagne" but "de la Creuse", are what is most often written.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

from dpdeid.french.tables import rows

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


@cache
def postal_codes() -> dict[tuple[str, str, str], tuple[str, ...]]:
    """Country, canton or region, and town → its postal codes (Switzerland, Belgium, Luxembourg)."""
    return {
        (country, area, town): tuple(codes.split())
        for country, area, town, codes in rows("postcodes")
    }
