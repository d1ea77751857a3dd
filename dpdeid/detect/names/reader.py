"""Reads a person's name that begins at a token.

A name is a run of units; each needs more evidence the less its context promises (a title, a kinship
noun, nothing). Where a name may begin is for the detectors to say; nothing here looks to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import Unit, View

Promise = Literal[0, 1, 2]
"""What the context promises: 0 nothing, 1 perhaps a name, 2 a name."""

_MAX_UNITS: Final = 6
_MAX_PARTICLES: Final = 3
_COLUMN: Final = 2
"""Blanks at most within a name: more part the columns of a table."""
_MARRIED: Final = voc.words("ep epse")
"""Short for "épouse", between two names and in none: "DURAND EP. ROCHE"."""
_LONG: Final = 5
"""Letters from which a word that no list has may begin a name in small letters or capitals."""
_DAYS: Final = voc.words("lundi mardi mercredi jeudi vendredi samedi dimanche")
_BEHIND: Final = voc.SHORT_ROLES | voc.DEGREES
"""What stands behind a name in capitals."""
_BEHIND_SURNAME: Final = _BEHIND | voc.ABBREVIATIONS


def read(view: View, at: int, promise: Promise) -> list[Unit]:
    """The units of the name that begins at token `at`; empty where none does."""
    unit = view.unit(at)
    if unit is None or not _begins(view, unit, promise):
        return []
    units, head = [unit], view.folded[at]
    while len(units) < _MAX_UNITS:
        unit = view.unit(units[-1].stop)
        if unit is None or not _joined(view, units, unit):
            break
        if len(units) > 1 and view.folded[unit.first] == head:
            break  # "Jean Dupont Jean Dupont": the name begins again
        if not _continues(view, units, unit, promise):
            break
        units.append(unit)
    return [] if len(units) == 1 and units[0].shape == "I" and promise < 2 else units


def _joined(view: View, units: Sequence[Unit], unit: Unit) -> bool:
    gap = view.gap(unit.first)
    if gap == " ":
        return True
    if unit.shape == "I" and len(gap) > 1:
        return False
    if "\t" in gap:
        return False
    if len(gap) <= _COLUMN and "\n" not in gap:
        return True
    if gap.count("\n") != 1 or unit.shape not in "CU":
        return False
    # a name may wrap; a new line may also be a new matter, so the next word must be a likely name
    before = units[-1]
    if {"U", "C"} <= {u.shape for u in units} and not before.bits & voc.PARTICLE:
        return False  # the name is whole: the next line begins another
    return (
        unit.known
        and (unit.shape == "U" or not before.bits & voc.LAST or bool(before.bits & voc.PARTICLE))
        and view.texts[min(unit.stop, view.size - 1)] != ":"
    )


def _follows_particle(view: View, unit: Unit, depth: int = 0) -> bool:
    following = view.unit(unit.stop)
    if following is None or following.bits & voc.NO_NAME:
        return False
    if following.first in view.breaks or following.shape == "I":
        return False
    if following.bits & voc.PARTICLE and not following.bits & voc.COMMON and following.size < 5:
        return depth < _MAX_PARTICLES and _follows_particle(view, following, depth + 1)
    if following.shape == "L":
        written = unit.shape == "C" and bool(following.bits & voc.LAST)
        one = f"{view.folded[unit.first]} {view.folded[following.first]}"  # "mme le bris"
        listed = not depth and unit.shape == "L" and one in gazetteers.surnames()
        return following.size > 2 and (following.strange or written or listed)
    listed = bool(following.bits & voc.LISTED)
    if unit.shape == following.shape == "U" and not following.strange:
        names = gazetteers.surnames()  # "M. LA PORTE": the two words are one listed surname
        return f"{view.folded[unit.first]} {view.folded[following.first]}" in names
    return following.strange or (listed and (following.shape == "C" or unit.shape == "L"))


def _begins(view: View, unit: Unit, promise: Promise) -> bool:
    bits = unit.bits
    if view.folded[unit.first] in _MARRIED:
        return False
    if unit.shape == "I":
        return promise > 0 and _initial_begins(view, unit, promise)
    if bits & voc.STOP:
        if promise < 2 or unit.shape == "L":
            return False
        if unit.shape == "C" and _leads_surname(view, unit):
            return True
        if unit.shape != "L" and view.word(unit.stop) in voc.SPECIALTIES:
            return not bits & voc.TITLE  # "Dr Vu visc"
        if not bits & voc.LAST:
            return False
        # "(Dr Vu)", "Dr Lundi a vu": a surname that is a function word, or a day without its date
        if view.folded[unit.first] in _DAYS:
            return not view.texts[min(unit.stop, view.size - 1)].isdigit()
        end = view.ends[unit.stop - 1]
        return not bits & voc.TITLE and view.text[end : end + 1] in (")", "]")
    if bits & voc.TITLE:
        return False
    if bits & voc.PARTICLE and not (bits & voc.COMMON and unit.shape == "U" and unit.size > 2):
        lower = unit.shape == "L"
        if promise < 2 and unit.shape == "C":
            following = view.unit(unit.stop)  # "Le bilan" opens a sentence
            if following is None or following.shape == "L":
                return False
        return promise > 0 and _follows_particle(view, unit) and (not lower or promise == 2)
    if promise == 2:
        if unit.shape in "UC":
            surname = bits & voc.LAST and (unit.shape == "U" or _closes(view, unit))
            return not bits & voc.ROLE or bool(surname)
        return unit.size > 2 and (unit.strange or bool(bits & voc.COMMON and not bits & voc.ROLE))
    if bits & voc.EPONYM or (view.folded[unit.first] in voc.BEFORE_PLACE and unit.size < 12):
        return False
    unlisted = promise == 1 and unit.size >= _LONG and view.is_unlisted(unit)
    if unit.shape == "L":
        frequent = promise == 1 and bool(bits & voc.FREQUENT)
        return unit.size > 2 and (unit.known or frequent or unlisted)
    if unit.shape == "C":
        return unit.size > 2 and (unit.strange or bool(bits & voc.FIRST))
    return unit.size > 2 and (unit.known or bool(bits & (voc.FIRST | voc.COMMON)) or unlisted)


def _leads_surname(view: View, unit: Unit) -> bool:
    """Any word is a given name before a surname in capitals: "M. Patient DIOP"."""
    following = view.unit(unit.stop)
    if unit.bits & voc.CALL or following is None or following.shape != "U":
        return False
    return view.gap(following.first) == " " and following.strange and following.size > 3


def _initial_begins(view: View, unit: Unit, promise: Promise) -> bool:
    """An initial opens a name if it is dotted, or upper case, or stands before an unknown word."""
    if unit.stop > unit.first + 1:
        return True
    if promise < 2:
        return False
    if view.texts[unit.first].isupper():
        return True
    following = view.unit(unit.stop)
    return (
        view.folded[unit.first] not in "ayàô"
        and following is not None
        and following.shape == "L"
        and following.known
    )


def _continues(view: View, units: Sequence[Unit], unit: Unit, promise: Promise) -> bool:
    bits, shape, before = unit.bits, unit.shape, units[-1]
    if view.folded[unit.first] in _MARRIED:
        return False
    if shape == "I":
        return _initial_continues(view, units, unit)
    if bits & voc.TITLE or view.texts[unit.first] in ("Né", "Née"):
        return False
    if before.bits & voc.PARTICLE and before.shape in "UCL" and before.size < 6:
        return not bits & voc.STOP or bool(bits & voc.PARTICLE)
    if bits & voc.PARTICLE:
        if shape == "U" and before.shape == "C" and _upper_surname(view, unit):
            return True
        if shape == "L":
            late = view.folded[unit.first] in voc.LATE_PARTICLES
            after = view.unit(unit.stop)
            strange = after is not None and after.shape == "L" and after.known
            if not late and not _first_only(units) and not strange:
                return False  # but "Herisson de beauvoir"
            if view.folded[unit.first] in ("le", "la", "les", "des", "a", "st", "n", "o"):
                return False
        return _follows_particle(view, unit)
    if bits & voc.STOP or (shape == "L" and voc.CUT_SHORT[view.folded[unit.first]]):
        return False
    if shape in "LU" and promise == 2 and view.folded[unit.first] in voc.SPECIALTIES:
        return False  # "dr lopez réa"
    wanted = _first_only(units)
    if bits & voc.ROLE and not (wanted and bits & voc.LAST and shape != "L"):
        return False
    if shape == "U" and view.folded[unit.first] in (_BEHIND if wanted else _BEHIND_SURNAME):
        return False  # "Christelle IDE", "Julie Côté MD", "M. Côté FAV"
    if shape == "U" and before.shape == "C" and unit.size < 4 and not (wanted or unit.known):
        return False  # "M. Côté PBS ce matin"
    if shape == "L":
        if before.shape == "L" and before.known and bits & voc.FREQUENT:
            return True  # "rey pierre"
        if view.is_unlisted(unit) and view.is_unlisted(before):
            return True
        if before.shape in "LI" or wanted:
            told = unit.strange and wanted and unit.size > 3
            return unit.known or (told and (promise == 2 or before.shape != "C"))
        if unit.size > 3 and unit.strange and len(units) > 1 and _closes(view, unit):
            return True
        return unit.known and unit.size > 3 and bool(before.bits & (voc.LAST | voc.PARTICLE))
    if shape == "U" and before.shape == "U":
        likely = unit.strange or bits & voc.COMMON
        if view.is_unlisted(unit) and (before.known or view.is_unlisted(before)):
            return True
        return unit.known or bool(bits & voc.FIRST) or (wanted and bool(likely))
    if unit.strange or bits & voc.FIRST or (wanted and bits & voc.LAST):
        return True
    if promise < 2 or shape != "C" or len(units) > 1 or not _closes(view, unit):
        return False
    # "Dr Niklaus Piller,", "Pr Hervé Mitral": after a title what closes the name is in it
    return wanted or (not before.bits & voc.LAST and bool(bits & voc.LAST))


def _upper_surname(view: View, particle: Unit) -> bool:
    """A capital word follows a capital particle: only a surname is in "Hervé LE BRAS"."""
    following = view.unit(particle.stop)
    if following is None or following.shape != "U" or following.first in view.breaks:
        return False
    return not following.bits & voc.CLOSED


def _closes(view: View, unit: Unit) -> bool:
    """The sentence, the line or a clause ends after the unit."""
    after = view.texts[unit.stop] if unit.stop < view.size else "."
    return after in ".,;()" or after.isdigit() or unit.stop in view.breaks


def _initial_continues(view: View, units: Sequence[Unit], unit: Unit) -> bool:
    wanted = _first_only(units)
    if view.folded[unit.first] == "m" and not wanted:
        # "Mme Petit M. Durand" opens a new title; "LEGENDRE M" at the end of a line does not
        dated = view.word(unit.stop) == "le" and view.word(unit.stop + 1).isdigit()
        return dated or unit.stop == view.size or view.gap(unit.stop)[:2] in ("\n", "\r\n", "  ")
    if unit.stop > unit.first + 1:
        return True
    letter = view.texts[unit.first]
    if not letter.isupper():
        return False
    following = view.texts[unit.stop] if unit.stop < view.size else ""
    if letter in "AYÀ" and unit.stop < view.size:
        # "VIT A LYON", "APPEL A 17H45": a preposition, where the line goes on
        goes_on = following[0].isalnum() and unit.stop not in view.breaks
        return (wanted and letter == "Y") or not goes_on
    return True


def _first_only(units: Sequence[Unit]) -> bool:
    return all(unit.shape == "I" or unit.bits & voc.FIRST for unit in units)
