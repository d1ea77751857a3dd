"""Names that stand alone on a line or in a cell: of who it is about, and of who signs.

"| LAGRANGE | 45 ans |", "MORVANNEC Yves (né le …", "CHAUVINEL PIERRE⏎9 rue Neuve": no list need
know the name, because an age, a birth or an address follows and only the name stands before.
Who signs stands after closing words, or on the last line. Not for prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.first_or_last_name import label, leaning
from dpdeid.detect.names.name_tokens import Unit, View
from dpdeid.detect.names.reader import read
from dpdeid.document import Span
from dpdeid.labels import Label, Role

_SIGNED: Final = (0.85, "lookup", Role.PATIENT)
_NOBODY: Final = voc.NO_NAME | voc.EPONYM
_SEPARATORS: Final = "\t|;"
_MARKS: Final = frozenset("|;,(-–—/:•")
_MAX_MARKS: Final = 3
_YEARS: Final = frozenset({"ans", "an", "a", "mois", "jours"})
_BORN: Final = frozenset({"ne", "nee", "ddn", "dn"})
_OPENS_OTHERWISE: Final = voc.LISTS["nobody"]


def identities(view: View) -> Iterator[Span]:
    """Names that open a line or a cell and that an age, a birth or an address follows."""
    for at in sorted(view.breaks.union({0}, *map(view.after, _SEPARATORS))) if view.size else ():
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


def _units(view: View, at: int) -> Sequence[Unit]:
    """The units that open the line or cell, if somebody's name may begin with the first."""
    first = None if at in view.guarded else view.unit(at)
    if first is None or first.shape not in "UC" or not _possible(view, first):
        return ()
    units = read(view, at, 2)
    return units if units and units[0].shape != "I" else ()


def _is_name(view: View, units: Sequence[Unit]) -> bool:
    named = [u for u in units if u.shape != "I" and not u.bits & voc.PARTICLE]
    if not named or any(u.shape == "L" for u in named):
        return False
    if not all(_possible(view, unit) for unit in units):
        return False
    given = any(u.bits & voc.FIRST for u in named)
    if given and len(named) > 1 and all(u.bits & voc.LISTED for u in named):
        return True
    if any(u.strange and u.size > 3 for u in named):
        return given or named[0].shape == "U"
    return len(named) == 1 and named[0].shape == "U" and bool(named[0].bits & voc.COMMON)


def _possible(view: View, unit: Unit) -> bool:
    if unit.bits & _NOBODY:
        return False
    return _OPENS_OTHERWISE.isdisjoint(view.folded[unit.first : unit.stop])


def _is_born(view: View, at: int) -> bool:
    """The token says that a birth follows; "ne" without its accent may be a negation."""
    if view.texts[at] in ("ne", "NE"):
        return view.word(at + 1) in ("le", "en", "(")
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
    if at in view.breaks:
        street = view.folded[at + 1 : at + 4]
        return int(any(w in voc.STREETS for w in street)) if len(word) < 5 else 0
    if after and after[0] in _YEARS and len(word) < 4 and not view.texts[at + 1].isupper():
        return 1 + (after[0] == "ans")
    birth = view.folded[at : at + 5]
    dated = len(birth) == 5 and birth[1] == birth[3] and birth[1] in "/.-" and birth[4].isdigit()
    return int(dated and len(birth[4]) == 4 and "1900" < birth[4] < "2030")


_CLOSING: Final = voc.SIGN_OFF | voc.words("cdt cdlt")
_LEAST: Final = 2
_MOST: Final = 24
"""Letters between which the last word of a note may be a name."""
_GIVEN: Final = -3.0
"""Log odds from which it is a given name: who signs with one word signs so."""
_TAIL: Final = 60
"""How many tokens from the end a signature is looked for."""


def signatures(view: View) -> Iterator[Span]:
    """Names and initials that sign the note."""
    low = max(0, view.size - _TAIL)
    lines = {at for at in view.breaks if at > low}
    if "\n>" in view.text:
        lines.update(_quoted(view))
    for index in sorted(lines, reverse=True):
        text = view.texts[index]
        before = index - 1
        while before > 0 and view.texts[before] in ",.!->":
            before -= 1
        closed = view.folded[before] in _CLOSING
        unit = view.unit(index)
        if unit is None:
            continue
        last = unit.stop
        ends = last == view.size or last in view.breaks
        if unit.shape == "I" and ends and (last - index >= 4 or (closed and text.isupper())):
            yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif not ends or view.bits[index] & voc.CALL:
            continue
        elif unit.shape == "U" and unit.size <= 4:
            if (closed or last == view.size) and unit.strange:
                yield view.span(index, last, Label.FIRST_NAME, 0.7, "lookup", Role.STAFF)
        elif last == view.size and _closes_note(view, unit):
            what = Label.FIRST_NAME if leaning(view, unit) > _GIVEN else Label.LAST_NAME
            yield view.span(index, last, what, 0.6, "lookup", Role.STAFF)
        elif closed and unit.size > 2 and (unit.strange or unit.bits & voc.FIRST):
            what = Label.FIRST_NAME if unit.bits & voc.FIRST or len(text) < 4 else Label.LAST_NAME
            yield view.span(index, last, what, 0.85, "lookup", Role.STAFF)


def _quoted(view: View) -> Iterator[int]:
    """The first tokens of the lines of a mail that is quoted: "> Merci⏎> Anne"."""
    for index in view.after("\n>"):
        at = index
        while at < view.size and view.texts[at] == ">":
            at += 1
        if at < view.size and at not in view.breaks:
            yield at


def _closes_note(view: View, unit: Unit) -> bool:
    """The unit, alone on the last line, is in no list of words and no town: who wrote the note."""
    word = view.folded[unit.first]
    if not unit.strange or unit.bits & (voc.EPONYM | voc.STOP) or not _LEAST < unit.size < _MOST:
        return False
    if gazetteers.medical().get(word) or gazetteers.places_named(word):
        return False
    return unit.shape != "L" or unit.stop == unit.first + 1
