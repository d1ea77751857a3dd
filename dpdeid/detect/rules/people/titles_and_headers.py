"""What calls a name: whether a word is a title, and which header a colon ends.

Names that no list of names tells, read where somebody is surely meant.
"""

from __future__ import annotations

from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import Unit, View
from dpdeid.detect.names.vocabulary import EVIDENCE

_LEADERS: Final = frozenset("._…·-|")
_LEADER: Final = 60
"""How many marks may lead from a header to its colon."""
_BEFORE_COLON: Final = _LEADERS.union(voc.HEADERS, ("(", ")", "s", "e", "fille"))
"""What stands before the colon of a header; most colons are of times and values."""


def is_title(view: View, index: int) -> bool:
    """ "M", "Me", "Pr" and "MM" are titles only in their usual writing."""
    text, word = view.texts[index], view.folded[index]
    following = view.texts[index + 1] if index + 1 < view.size else ""
    if word == "m":
        before = view.texts[index - 1] if index else ""
        room = before.isdigit() and (index == 1 or index - 1 in view.breaks) and following == "."
        if room and view.texts[index + 2 : index + 3] and view.texts[index + 2][0].isupper():
            return True  # "202 m. Poisson" in a list of rooms
        if before.isdigit() or before in ("/", "'", "-", "²"):
            return False
        if text == "m":
            return following == "." and not before.isdigit()
        below = index + 1 in view.breaks  # "SEXE : M" at the end of its line
        return following == "." or (following[:1].isupper() and not below)
    if word == "mm":
        return text == "MM" and not (index and view.texts[index - 1].isdigit())
    if word in ("me", "pr", "doc", "pre", "prof"):
        if text == "pr" and following.isupper() and EVIDENCE[view.folded[index + 1]].shorthand:
            return False  # "rappeler pr INR"
        if word == "prof" and _leads_value(view, index + 1):
            return False  # "Prof. ....: maçon", the field of a form
        return text[0].isupper() or (word in ("pr", "prof") and following[:1].isupper())
    return True


def _leads_value(view: View, at: int) -> bool:
    """Marks lead to a colon."""
    stop = at
    while stop < min(view.size, at + _LEADER) and view.texts[stop] in _LEADERS:
        stop += 1
    return view.texts[stop : stop + 1] == (":",)


def names_a_place(view: View, index: int) -> bool:
    """A street or hospital bears the name ("rue du Docteur Roux"): it is no person's here."""
    at = index - 1
    if at >= 0 and view.texts[at] == "'":
        at -= 1
    if at >= 0 and view.folded[at] in ("du", "de", "des", "d"):
        at -= 1
    elif at > 0 and view.texts[at] == "place" and not view.texts[at - 1].isdigit():
        return False  # "selon place dr Vincent rappelle"
    return at >= 0 and view.folded[at] in voc.STREETS and "\n" not in view.gap(index)


def header_of(view: View, colon: int) -> str | None:
    """The header word before a colon, or None."""
    at = colon - 1
    if at < 0 or view.folded[at] not in _BEFORE_COLON:
        return None
    low = max(0, at - _LEADER)
    if at > low and view.texts[at] in _LEADERS and view.texts[at - 1] in _LEADERS:
        while at > low and view.texts[at] in _LEADERS:
            at -= 1
    while (at >= 0 and view.texts[at] in ")(") or (
        at > 0 and view.folded[at] in ("s", "e") and view.texts[at - 1] == "("
    ):
        at -= 1
    if at >= 1 and view.folded[at] == "fille" and view.folded[at - 1] == "jeune":
        return "naissance"
    if at >= 0 and view.folded[at] in voc.HEADERS and "\n" not in view.gap(colon):
        return view.folded[at]
    return None


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
