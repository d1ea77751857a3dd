"""Tells a name from a place that bears one: "Nancy", "rue Pasteur", "Le Havre"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import Unit, View

_LINKS: Final = frozenset({"en", "sur", "les", "lez", "du", "sous", "la", "le"})
_CALLED: Final = voc.BEFORE_PERSON - {"pour"}
"""Words before a person and before no town."""
_TOWN: Final = 20_000
"""Inhabitants from which a place is meant rather than a given name ("Nancy", not "Yves")."""
_REACH: Final = 5
"""How many tokens before a word may say that it belongs to a place."""


def is_town(view: View, units: Sequence[Unit]) -> bool:
    """Particle and word make a town, or a department behind its article in a sentence: "Le Havre",
    "dans LE LOIRET".
    """
    if not units[0].bits & voc.PARTICLE:
        return False
    words = [view.folded[u.first] for u in units]
    before = view.folded[max(0, units[0].first - 2) : units[0].first]
    if is_department(words, before):
        return True
    whole = bool(gazetteers.places_named(" ".join(words)))
    of = words[0] in ("de", "du", "des") and bool(gazetteers.places_named(" ".join(words[1:])))
    return whole or of


def is_department(words: Sequence[str], before: Sequence[str]) -> bool:
    """Whether folded words are a department with its article, behind what leads to a place.

    Args:
        before: the two folded words before it, or fewer.
    """
    if words[0] not in _ARTICLES or "".join(words[1:]) not in _departments():
        return False
    return bool(before) and (before[-1] in _WITHIN or (before[-1] == ":" and before[0] in _WITHIN))


@cache
def _departments() -> frozenset[str]:
    """Folded names of departments, written in one."""
    return frozenset(re.sub(r"[ '-]", "", name) for name in gazetteers.departments())


_ARTICLES: Final = frozenset(("le", "la", "les"))
_WITHIN: Final = voc.words("dans departement departements vers")


def is_place(view: View, unit: Unit, before: str) -> bool:
    """A town's name that nothing calls a person's."""
    if before in _CALLED:
        return False
    if before in ("a", "vers", "sur", "en", "au", "aux") and not view.opens(unit.first):
        return not unit.bits & voc.FREQUENT
    inner = view.folded[unit.first : unit.stop]
    if len(inner) > 1 and (_LINKS & set(inner) or inner[0] in ("saint", "st", "sainte")):
        return True
    if before.isdigit() and len(before) in (4, 5) and unit.shape != "L":
        return True
    if bool(unit.bits & voc.FIRST) and unit.bits & voc.COMMON:
        return False
    key = " ".join(view.folded[unit.first : unit.stop : 2])
    found = gazetteers.places_named(key)
    if unit.bits & voc.FREQUENT and len(inner) == 1:
        return bool(found) and found[0].population > _TOWN
    return bool(found)


def in_place(view: View, at: int) -> bool:
    """The word follows, on its line, a noun that names a place ("rue", "clinique")."""
    low, breaks = max(0, at - _REACH), view.breaks
    for index in range(at - 1, low - 1, -1):
        if index + 1 in breaks:
            return False
        text = view.texts[index]
        if view.folded[index] in voc.BEFORE_PLACE:
            return True
        if not text.isalpha() and text not in "-'.":
            return False
        if (
            text.islower()
            and view.bits[index] & voc.WORD
            and not view.bits[index] & (voc.PARTICLE | voc.STOP)
        ):
            return False
    return False
