"""Whether a name is a place that bears one, or a measure or a finding, and no person.

Places are "Nancy", "rue Pasteur", "Saint-Malo"; measures and findings are "Pfirrmann 4", "Seidel
négatif", "angle de Böhler".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import Unit, View

_TOWN: Final = 20_000
"""Inhabitants from which a place is meant rather than a given name ("Nancy", not "Yves")."""
_REACH: Final = 5
"""How many tokens before a word may say that it belongs to a place."""


def is_department(words: Sequence[str], before: Sequence[str]) -> bool:
    """Whether folded words are a department with its article, behind what leads to a place.

    Args:
        before: the two folded words before it, or fewer.
    """
    if not words or words[0] not in _ARTICLES:
        return False
    if "".join([word for word in words[1:] if word.isalpha()]) not in _departments():
        return False
    return bool(before) and (before[-1] in _WITHIN or (before[-1] == ":" and before[0] in _WITHIN))


@cache
def _departments() -> frozenset[str]:
    return frozenset(re.sub(r"[ '-]", "", name) for name in gazetteers.departments())


_ARTICLES: Final = frozenset(("le", "la", "les"))
_WITHIN: Final = voc.words("dans departement departements vers")


def is_place(view: View, unit: Unit, before: str) -> bool:
    """A town's name rather than a person's."""
    if before in ("a", "vers", "sur", "en", "au", "aux") and not view.opens(unit.first):
        return not unit.bits & voc.FREQUENT
    inner = view.folded[unit.first : unit.stop]
    if len(inner) > 1 and inner[0] in ("saint", "st", "sainte"):
        return True
    if before.isdigit() and len(before) in (4, 5) and unit.shape != "L":
        return True
    if bool(unit.bits & voc.FIRST) and unit.bits & voc.COMMON:
        return False
    found = gazetteers.places_named(" ".join(view.folded[unit.first : unit.stop : 2]))
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


_GRADE: Final = re.compile(r"(?:I{1,3}|IV|VI{0,2})[abc]?")
_RESULTS: Final = voc.words("positif positive negatif negative pos neg normal normale")
_SIDES: Final = voc.words("droit droite gauche bilateral bilaterale d g")
_SIGNS: Final = frozenset("+-−±=")
_ENDS: Final = frozenset(".,;:)|]")
_OF: Final = frozenset(("de", "d"))
_ADJECTIVES: Final = 2
_HUMAN: Final = voc.LISTS["medicine_human"]


def is_measure(view: View, unit: Unit) -> bool:
    """A score, grade or result stands behind the unit on its line."""
    at = unit.stop
    if at >= view.size or unit.shape == "L" or at in view.breaks:
        return False
    text = view.texts[at]
    if text.isdigit():
        if len(text) > 3 or view.glued(at):
            return False
        after = _after(view, at)
        if after == "/" and view.texts[at + 2 : at + 3] and view.texts[at + 2].isdigit():
            return view.texts[at + 3 : at + 4] != ("/",)
        if after in ("°", "%"):
            return True
        return not unit.bits & voc.FREQUENT and len(text) < 3 and (not after or after in _ENDS)
    if unit.bits & voc.FREQUENT:
        return False
    if _GRADE.fullmatch(text):
        return _after(view, at) != "." or unit.bits & voc.LAST == 0
    if view.folded[at] in _SIDES and (after := _after(view, at)):
        at, text = at + 1, after
    if view.folded[at] in _RESULTS:
        return True
    if text not in _SIGNS or text == "=" or view.glued(at):
        return False
    after = _after(view, at)
    return not after or after in _ENDS


def _after(view: View, at: int) -> str:
    """The token behind another on its line, "" where none is."""
    behind = at + 1
    return "" if behind == view.size or behind in view.breaks else view.texts[behind]


def is_of_medicine(view: View, unit: Unit) -> bool:
    """The unit follows "de" and a noun of medicine: "bloc de Bier", "lésions de Cameron"."""
    at = unit.first - 1
    if unit.bits & (voc.FREQUENT | voc.COMMON) or unit.shape == "L":
        return False
    if at > 0 and view.texts[at] == "'":
        at -= 1
    if at < 1 or view.folded[at] not in _OF:
        return False
    for back in range(1, _ADJECTIVES + 2):
        if at < back or at - back + 1 in view.breaks:
            return False
        word = view.folded[at - back]
        if not view.texts[at - back].isalpha() or word in _HUMAN:
            return False
        if gazetteers.medical().get(word, 0) & 1:
            return True
    return False
