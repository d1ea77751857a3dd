"""How much more a word is a given name than a surname, by its ranks in the two lists.

A quarter of the frequent surnames are given names too, and the list of given names holds thousands
that hardly anybody bears ("Vidal", "Nguyen"): whether a word is in a list tells less than where.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.units import Unit, View
from dpdeid.memo import Memo

_GIVEN_TOP: Final = 3
_SURNAME_TOP: Final = 20
"""Ranks from which both lists fall as one over the rank."""
_SURNAME_SHARE: Final = 0.35
"""Surnames spread over more names: the share of the most frequent one, beside a given name's."""
_PARTICLE: Final = 9.0
_SAINTS: Final = frozenset(("saint", "sainte", "st", "ste"))
_NO_GIVEN: Final = 1 / 400_000
_NO_SURNAME: Final = 1 / 60_000
"""How often a name outside the lists stands for one: 12 % of surnames are, 2 % of given names."""


@cache
def _ranks() -> dict[str, int]:
    return {name: rank for rank, name in enumerate(gazetteers.first_names())}


def _leaning(word: str) -> float:
    given, surname = _ranks().get(word), gazetteers.surnames().get(word)
    first = _NO_GIVEN if given is None else 1 / (given + _GIVEN_TOP)
    last = _NO_SURNAME if surname is None else _SURNAME_SHARE / (surname + _SURNAME_TOP)
    return math.log(first / max(last, _NO_SURNAME / 4))


LEANING: Final = Memo(_leaning)
"""Log odds that a folded word of a name is a given name; 0 says nothing."""


def leaning(view: View, unit: Unit) -> float:
    """The same of a unit, in [-13, 13]: the mean of its words; "d'" and "Saint-" make surnames."""
    if unit.stop - unit.first == 1:
        return LEANING[view.folded[unit.first]]
    words = view.folded[unit.first : unit.stop]
    if len(words) == 3 and not view.glued(unit.first + 2):
        return LEANING[words[0] + words[2]]  # one word, parted at the end of a line
    odds = [LEANING[word] for word in words if len(word) > 1]
    mean = sum(odds) / len(odds) if odds else 0.0
    elided = len(words[0]) == 1 and words[1] == "'"
    return mean - _PARTICLE if elided or words[0] in _SAINTS else mean
