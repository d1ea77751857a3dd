"""Names told by what identifies next to them: a line or a cell that opens with who it is about.

"| LAGRANGE | 45 ans |", "MORVANNEC Yves (né le …", "CHAUVINEL PIERRE⏎9 rue Neuve": no list need
know the name, because an age, a birth or an address follows and only the name stands before.
Not for prose: a name inside a sentence is for the other readers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.name_parts import label
from dpdeid.detect.names import read
from dpdeid.detect.units import Unit, View
from dpdeid.document import Span
from dpdeid.labels import Label, Role

_SIGNED: Final = (0.85, "lookup", Role.PATIENT)
_NOBODY: Final = voc.NO_NAME | voc.EPONYM
_SEPARATORS: Final = "\t|;"
_MARKS: Final = frozenset("|;,(-–—/:•")
_MAX_MARKS: Final = 3
_YEARS: Final = frozenset({"ans", "an", "a", "mois", "jours"})
_BORN: Final = frozenset({"ne", "nee", "ddn", "dn"})
_SOMEBODY: Final = voc.words(
    "homme hommes jeune sujet personne age ages date nom prenom total score nombre duree taille"
    " poids bilan examen antecedents terme grossesse enfant femme fille garcon nourrisson bebe"
    " cas contact statut etat origine adulte consultation hospitalisation suivi controle rdv"
)
"""What opens a line before an age and is nobody's name."""


def identities(view: View) -> Iterator[Span]:
    """Names that open a line or a cell and that an age, a birth or an address follows."""
    for at in _openings(view):
        units = _units(view, at) if view.texts[at][0].isupper() else ()
        if not units or not (clue := _clue(view, units[-1].stop)) or not _is_name(view, units):
            continue
        if clue > 1 or any(u.bits & voc.LISTED and u.size > 3 for u in units):
            yield from _labelled(view, units)


def _labelled(view: View, units: Sequence[Unit]) -> Sequence[Span]:
    """The spans of the name; a list opens with the surname, whether known or not."""
    if len(units) == 2 and units[1].bits & voc.FIRST and not units[0].bits & voc.FIRST:
        surname, given = units
        return (
            view.span(surname.first, surname.stop, Label.LAST_NAME, *_SIGNED),
            view.span(given.first, given.stop, Label.FIRST_NAME, *_SIGNED),
        )
    score, source, role = _SIGNED
    return label(view, units, alone=Label.LAST_NAME, score=score, source=source, role=role)


def _openings(view: View) -> Sequence[int]:
    """The tokens that are the first of their line or cell."""
    if not view.size:
        return ()
    return sorted(view.breaks.union({0}, *map(view.after, _SEPARATORS)))


def _units(view: View, at: int) -> Sequence[Unit]:
    """The units that open the line or cell, if somebody's name may begin with the first."""
    first = None if at in view.guarded else view.unit(at)
    if first is None or first.shape not in "UC" or not _possible(view, first):
        return ()
    units = read(view, at, 2)
    return units if units and units[0].shape != "I" else ()


def _is_name(view: View, units: Sequence[Unit]) -> bool:
    """The units fill the line or cell up to a mark, and can be a person's name."""
    stop = units[-1].stop
    if view.unit(stop) is not None and not _is_born(view, stop):
        gap = view.gap(stop)
        if "\n" not in gap and "\t" not in gap:
            return False
    named = [u for u in units if u.shape != "I" and not u.bits & voc.PARTICLE]
    if not named or any(u.shape == "L" for u in named):
        return False
    if not all(_possible(view, unit) for unit in units):
        return False
    given = any(u.bits & voc.FIRST for u in named)
    if any(u.strange and u.size > 3 for u in named) and (given or named[0].shape == "U"):
        return True
    if given and len(named) > 1 and all(u.bits & voc.LISTED for u in named):
        return True
    return len(named) == 1 and named[0].shape == "U" and bool(named[0].bits & voc.COMMON)


def _possible(view: View, unit: Unit) -> bool:
    if unit.bits & _NOBODY:
        return False
    return _SOMEBODY.isdisjoint(view.folded[unit.first : unit.stop])


def _is_born(view: View, at: int) -> bool:
    """The token says that a birth follows; "ne" without its accent may be a negation."""
    if view.texts[at] in ("ne", "NE"):
        return view.folded[at + 1 : at + 2] in (("le",), ("en",), ("(",))
    return view.folded[at] in _BORN


def _clue(view: View, at: int) -> int:
    """How sure what follows tells a person: 2 a birth, 1 an age or an address, 0 neither."""
    marks = 0
    while at < view.size and marks < _MAX_MARKS and view.texts[at] in _MARKS:
        at, marks = at + 1, marks + 1
    if at >= view.size:
        return 0
    word = view.folded[at]
    if _is_born(view, at):
        return 2
    if not word.isdigit():
        return 0
    after = view.folded[at + 1 : at + 3]
    if "\n" in view.gap(at):
        street = view.folded[at + 1 : at + 4]
        return int(any(w in voc.STREETS for w in street)) if len(word) < 5 else 0
    if after and after[0] in _YEARS and len(word) < 4 and not view.texts[at + 1].isupper():
        return 1 + (after[0] == "ans")
    birth = view.folded[at : at + 5]
    dated = len(birth) == 5 and birth[1] == birth[3] and birth[1] in "/.-" and birth[4].isdigit()
    return int(dated and len(birth[4]) == 4 and "1900" < birth[4] < "2030")
