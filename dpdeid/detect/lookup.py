"""Names without a title: pairs of list names, and lone words that only a name can be.

A list hit is weak evidence (a quarter of the frequent surnames are French words), so a word must
be in a list *and* be no ordinary word, or stand beside another name. Not a tagger: words that no
list knows are left to the learned detectors unless a known name stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.names import Unit, View, label, read
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

_REACH: Final = 5
"""How many tokens before a word may say that it belongs to a place."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Finds names by the lists of names, under context conditions."""

    name: ClassVar[str] = "lookup"

    def __call__(self, doc: Document) -> Iterable[Span]:
        view = View(doc)
        found: list[Span] = []
        taken = 0
        skip = voc.STOP | voc.TITLE
        texts = view.texts
        for index, bits in enumerate(view.bits):
            if index < taken or not bits & (voc.FIRST | voc.LAST) or bits & skip:
                continue
            if bits & voc.WORD and texts[index].islower():
                continue
            if index and view.glued(index) and texts[index - 1] in "-'@._/0123456789":
                continue
            taken = max(taken, _try(view, index, found))
        return found


def _try(view: View, at: int, found: list[Span]) -> int:
    """A name that begins at this token; returns where the next may begin."""
    unit = view.unit(at)
    if unit is None or at in view.guarded or unit.size < 2:
        return at + 1
    if unit.bits & voc.PARTICLE and not unit.bits & voc.COMMON and unit.size < 4:
        return at + 1
    following = view.texts[unit.stop] if unit.stop < view.size else ""
    if following in ("@", "_") and view.glued(unit.stop):
        return unit.stop
    units = read(view, at, 0)
    if len(units) > 1 and (score := _pair(view, units)):
        if not _in_place(view, at):
            found.extend(_labelled(view, units, score))
            return units[-1].stop
        return units[-1].stop
    score = _alone(view, unit)
    if score and not _in_place(view, at):
        found.extend(_labelled(view, [unit], score))
    return unit.stop


def _labelled(view: View, units: list[Unit], score: float) -> list[Span]:
    first = units[0].bits & voc.FIRST and not (
        units[0].bits & voc.COMMON and units[0].shape == "U"
    )
    alone = Label.FIRST_NAME if first else Label.LAST_NAME
    return label(view, units, alone=alone, score=score, source="lookup", role=Role.UNKNOWN)


def _pair(view: View, units: list[Unit]) -> float:
    """How sure a run of two or more units is a name; 0 if it is none."""
    named = [u for u in units if u.shape != "I"]
    given = any(u.bits & voc.FIRST for u in named)
    strange = sum(u.strange for u in named)
    if any(u.bits & voc.EPONYM for u in named):
        return 0
    shapes = {u.shape for u in named}
    if len(named) == 1:
        return 0.8 if named[0].known and named[0].shape != "L" else 0
    if shapes == {"L"}:
        return 0.75 if given and strange == len(named) else 0
    if given and strange == len(named):
        return 0.92
    if given and strange and shapes == {"U", "C"}:
        return 0.92
    if given and strange:
        return 0.8
    if given and shapes == {"U", "C"}:
        return 0.7
    if strange == len(named) and shapes == {"U", "C"}:
        return 0.7
    return 0


def _alone(view: View, unit: Unit) -> float:
    """How sure a lone unit is a name; 0 if it is none."""
    bits, at = unit.bits, unit.first
    if bits & voc.EPONYM or unit.size < 3:
        return 0
    before = view.folded[at - 1] if at else ""
    person = before in voc.BEFORE_PERSON and "\n" not in view.gap(at)
    if bits & voc.WORD:
        return 0.5 if person and bits & voc.FIRST and unit.shape == "C" else 0
    if _is_place(view, unit, before):
        return 0
    if bits & voc.FIRST:
        if unit.shape == "L":
            return 0.6 if unit.size > 3 or person else 0
        return 0.7 if unit.size > 3 or person or unit.shape == "C" else 0
    if unit.shape == "L":
        return 0.5 if unit.size > 4 and bits & voc.COMMON else 0
    if unit.size < 4:
        return 0
    return 0.65 if bits & voc.COMMON or person else 0.5


def _is_place(view: View, unit: Unit, before: str) -> bool:
    """A town's name that nothing calls a person's."""
    if before in voc.BEFORE_PERSON - {"pour"}:
        return False
    if before in ("a", "vers", "sur", "en") and not view.opens(unit.first):
        return True
    if bool(unit.bits & voc.FIRST) and unit.bits & voc.COMMON:
        return False
    key = " ".join(view.folded[unit.first : unit.stop : 2])
    return bool(gazetteers.places_named(key))


def _in_place(view: View, at: int) -> bool:
    """The word follows, on its line, a noun that names a place ("rue", "clinique")."""
    low = max(0, at - _REACH)
    for index in range(at - 1, low - 1, -1):
        if "\n" in view.gap(index + 1):
            return False
        text = view.texts[index]
        if view.folded[index] in voc.BEFORE_PLACE:
            return True
        if not text.isalpha() and text not in "-'." :
            return False
        if text.islower() and view.bits[index] & voc.WORD and not view.bits[index] & (
            voc.PARTICLE | voc.STOP
        ):
            return False
    return False
