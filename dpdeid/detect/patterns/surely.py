"""Names that no list of names tells, read where somebody is surely meant.

After a civility in small letters, a kinship noun or the header of a profession a word may be a name
though it is an ordinary one ("mme courage — SDRA") or in no list ("maman Voahangy").
"""

from __future__ import annotations

from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import Unit, View

_PLAIN_SIZE: Final = 3
_PLAIN_RANK: Final = 25_000
_COMMON_RANK: Final = 8_000
"""Ranks of surnames that an ordinary word may be after a title, by what stands behind it."""
_DASHES: Final = frozenset("—–=|")
_LONG: Final = 6
_ODD: Final = 4
_COUNTED: Final = voc.words("enfant enfants bebe bb freres soeurs filles garcon jumeaux beau belle")
"""Kinship nouns after which a word in no list is rather what they do."""


def plain(view: View, at: int) -> list[Unit]:
    """The surname in small letters that is a word as well: "lit 3 mme courage — SDRA"."""
    unit = view.unit(at)
    if unit is None or unit.shape != "L" or unit.size < _PLAIN_SIZE or not unit.bits & voc.LAST:
        return []
    if unit.bits & (voc.STOP | voc.TITLE | voc.ROLE | voc.PARTICLE):
        return []
    rank = gazetteers.surnames().get(view.folded[at], _PLAIN_RANK)
    ends = unit.stop == view.size or "\n" in view.gap(unit.stop)
    after = "\n" if ends else view.texts[unit.stop]
    if after in _DASHES:
        return [unit] if rank < _PLAIN_RANK else []
    given = view.unit(unit.stop)
    if given is not None and given.shape == "L" and given.bits & voc.FREQUENT and after != "\n":
        return [unit, given] if rank < _PLAIN_RANK else []
    return [unit] if rank < _COMMON_RANK and (after in ",;:.()" or after == "\n") else []


def relative(view: View, index: int, unit: Unit) -> list[Unit]:
    """Who is called right after a kinship noun, though no list knows the name: "maman Voahangy"."""
    if unit.bits & (voc.STOP | voc.TITLE | voc.ROLE | voc.PARTICLE | voc.EPONYM):
        return []
    if not view.texts[index].islower() or view.folded[index] in _COUNTED:
        return []
    word = view.folded[unit.first]
    if unit.shape == "C":
        return [unit] if unit.size > 2 and not gazetteers.places_named(word) else []
    odd = unit.strange and unit.size > _ODD and word not in gazetteers.frequency()
    return [unit] if unit.shape == "L" and odd and not gazetteers.medical().get(word) else []


def unlisted(view: View, at: int) -> list[Unit]:
    """The name in capitals that no list knows, behind the header of a profession."""
    unit = view.unit(at)
    if unit is None or unit.shape != "U" or unit.size < _LONG or not unit.strange:
        return []
    return [] if gazetteers.medical().get(view.folded[at]) or unit.bits & voc.EPONYM else [unit]
