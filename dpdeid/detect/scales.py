"""Lone names that a measure or a finding bears: "Pfirrmann 4", "Seidel négatif", "angle de Böhler".

No list can hold every score and sign that medicine calls after somebody. What stands around the
word tells: a grade or a result behind it, or a noun of medicine before its "de". A title is not
looked at: who has one is found before this is asked.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import Unit, View

_GRADE: Final = re.compile(r"(?:I{1,3}|IV|VI{0,2})[abc]?")
_RESULTS: Final = voc.words("positif positive negatif negative pos neg normal normale")
_SIDES: Final = voc.words("droit droite gauche bilateral bilaterale d g")
_SIGNS: Final = frozenset("+-−±=")
_ENDS: Final = frozenset(".,;:)|]")
_OF: Final = frozenset(("de", "d"))
_ADJECTIVES: Final = 2
_HUMAN: Final = voc.words(
    "famille chambre avis transfert demande lit bilan traitement sang patient patiente mere pere"
    " soins sortie medecin infirmier infirmiere enfant bebe femme homme service suivi depart"
    " retour consultation nom prenom aide garde equipe tour test tests signature accord main"
)
"""Words of medicine that may well belong to somebody."""


def is_measure(view: View, unit: Unit) -> bool:
    """A score, grade or result stands behind the unit on its line."""
    at = unit.stop
    if at >= view.size or unit.shape == "L" or "\n" in view.gap(at):
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
    return "" if behind == view.size or "\n" in view.gap(behind) else view.texts[behind]


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
        if at < back or "\n" in view.gap(at - back + 1):
            return False
        word = view.folded[at - back]
        if not view.texts[at - back].isalpha() or word in _HUMAN:
            return False
        if gazetteers.medical().get(word, 0) & 1:
            return True
    return False
