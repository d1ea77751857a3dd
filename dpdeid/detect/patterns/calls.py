"""What calls a name: whether a word is a title, and which header a colon ends."""

from __future__ import annotations

from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.units import View

_LEADERS: Final = frozenset("._…·-|")
_LEADER: Final = 60
"""How many marks may lead from a header to its colon."""


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
