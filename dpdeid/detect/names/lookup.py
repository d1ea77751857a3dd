"""Names without a title: pairs of list names, and lone words that only a name can be.

A list hit is weak evidence (a quarter of the frequent surnames are French words), so a word must
be in a list *and* be no ordinary word, or stand beside another name. Not a tagger: words that no
list knows are left to the learned detectors unless a known name stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import ClassVar, Final

from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.first_or_last_name import label, leaning
from dpdeid.detect.names.name_tokens import Unit, View, is_loud, view_of
from dpdeid.detect.names.not_people import in_place, is_measure, is_of_medicine, is_place
from dpdeid.detect.names.reader import read
from dpdeid.detect.names.whole_lines import identities, signatures
from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.spans import remembered

_FIRST: Final = Label.FIRST_NAME
_LAST: Final = Label.LAST_NAME
_UNKNOWN: Final = Role.UNKNOWN
_CALLS: Final = voc.CALL | voc.LISTED
_LISTED: Final = voc.LISTED | voc.PARTICLE | voc.LETTER
"""Without one of these no name of the lists begins; in lower case only one that is no word."""
_NOT_ALONE: Final = voc.EPONYM | voc.ROLE
_NO_SURNAME: Final = voc.WORD | voc.CLOSED | voc.EPONYM
_MODELS: Final = voc.words("one plus pro max lite neo evo flex easy mini nano soft duo blue")
"""Second words of devices: "Joyce One"."""
_GLUE: Final = "-'@._/0123456789"
_GROUND: Final = voc.LISTS["ground"]
_BEDS: Final = voc.words("ch chb chambre lit box")
"""Nouns whose number stands before the name of who lies there."""
_ACRONYM: Final = 5
"""Letters below which a word in capitals may be an acronym."""
_OF_ONE: Final = frozenset(("de", "d", "'"))
_DOUBLE_EPONYMS: Final = frozenset(
    (("claude", "bernard"), ("pierre", "marie"), ("marcus", "gunn"), ("ramsay", "hunt"))
)
_LOWER: Final = voc.words("hilaire martial muguet benjamin candida prudence parfait")


_WORD: Final = 1
_LETTER: Final = 2
"""What may begin a name: a word, or a capital letter or what stands for a given name."""
_SHORTENED: Final = frozenset(("Ch", "Chr", "Cl", "Fr", "Jn", "Ph", "Th"))
"""Given names cut short, which nothing else is before a point and a surname."""


def _begins(word: str) -> int:
    """Whether a token may begin a name, as far as it tells by itself."""
    bits = voc.TRAITS[fold(word)]
    if word in _SHORTENED:
        return _LETTER
    if not bits & _LISTED or (not bits & voc.SOLE and word.islower()):
        return 0
    if len(word) == 1:
        return _LETTER if word.isupper() else 0
    return 0 if bits & voc.NO_NAME and not bits & voc.COMMON else _WORD


_BEGINS: Final = Memo(_begins)


@dataclass(frozen=True, slots=True)
class Lookup:
    """Finds names by the lists of names, under context conditions."""

    name: ClassVar[str] = "lookup"

    @remembered
    def __call__(self, doc: Document) -> Iterable[Span]:
        view = view_of(doc)
        texts = view.texts
        found: list[Span] = []
        taken = 0
        kinds = tuple(map(_BEGINS.__getitem__, texts))
        for index in compress(range(view.size), kinds):
            if index < taken:
                continue
            letter = kinds[index] == _LETTER
            if letter and not _elides(view, index):
                if index + 1 < view.size and texts[index + 1] in ".-":
                    taken = _initialled(view, index, found)
            elif letter or not _is_inner(view, index):
                taken = _try(view, index, found)
        found.extend(signatures(view))
        found.extend(identities(view))
        return found


def _is_inner(view: View, index: int) -> bool:
    """The token goes on a word that began before it; after "d'" a new one begins."""
    if view.texts[index - 1] not in _GLUE or not view.glued(index):
        return False
    return view.texts[index - 1] != "'" or len(view.texts[index - 2]) > 2


def _elides(view: View, index: int) -> bool:
    """A letter with an apostrophe begins a name in capitals: "N'DIAYE", "D'ANGELO"."""
    if index + 2 >= view.size or view.texts[index + 1] != "'" or view.texts[index + 2].islower():
        return False
    unit = view.unit(index)
    if unit is None or unit.shape != "U":
        return False
    key = "".join(view.folded[unit.first : unit.stop])
    return not _is_inner(view, index) and bool(voc.TRAITS[key.replace("'", "")] & voc.LAST)


def _initialled(view: View, at: int, found: list[Span]) -> int:
    """A name that begins with initials: "T. de Kersaint", "J.-F. Petit"."""
    if at and view.texts[at - 1] in _GLUE and view.glued(at):
        return at + 1
    first = view.unit(at)
    if first is None or first.shape != "I":
        return at + 1
    letters = first.stop - first.first
    titled = letters < 3 and view.texts[at : at + 2] == ("M", ".")  # "M. Petit"
    if titled or letters < 2 or (view.word(at - 1).isdigit() and at not in view.breaks):
        return at + 1
    if letters < 4 and (signed := _signed(view, at, first)):
        found.extend(_labelled(view, signed, 0.75))
        return signed[-1].stop
    if letters > 4 and "-" not in view.texts[at : first.stop]:
        return first.stop  # "C.H.U. Caen"
    units = read(view, at, 1)
    named = [u for u in units if u.shape != "I" and not u.bits & voc.PARTICLE]
    if not named or at in view.guarded or any(u.bits & _NOT_ALONE for u in named):
        return at + 1
    if not all(u.shape in "CU" and view.folded[u.first] not in voc.LATIN for u in named):
        return at + 1
    listed = any(u.known or u.bits & (voc.FREQUENT | voc.COMMON) for u in named)
    acronym = named[0].shape == "U" and named[0].size < 4
    opens = view.opens(at) and named[0].strange
    if acronym or not (listed or letters > 2 or opens):
        return at + 1
    found.extend(_labelled(view, units, 0.85 if named[0].known else 0.7))
    return units[-1].stop


def _signed(view: View, at: int, initial: Unit) -> list[Unit]:
    """Initial and surname, any capital word, alone on their line: "H. Grave"."""
    unit = view.unit(initial.stop)
    if unit is None or unit.shape != "C" or (at and at not in view.breaks):
        return []
    if unit.bits & voc.NO_NAME or view.folded[unit.first] in voc.LATIN:
        return []
    ends = unit.stop == view.size or unit.stop in view.breaks
    return [initial, unit] if ends and view.gap(unit.first) in (" ", "") and unit.size > 2 else []


def _try(view: View, at: int, found: list[Span]) -> int:
    """A name that begins at this token; returns where the next may begin."""
    unit = view.unit(at)
    if unit is None or at in view.guarded:
        return at + 1
    stop = unit.stop
    following = view.texts[stop] if stop < view.size else ""
    if following and following in "@_" and view.glued(stop):
        return stop
    particle = unit.bits & voc.PARTICLE and _is_short(unit)
    if particle and (unit.shape == "L" or view.opens(at) or is_loud(view.text)):
        return at + 1
    if view.folded[at] == "los" and view.word(at + 1) == "angeles":
        return at + 2  # the city, or the grade of an oesophagitis
    if unit.shape in "UC" and following[:1].isupper() and following.lower() in _MODELS:
        return stop + 1
    units = read(view, at, 1 if particle else 0)
    if len(units) > 1 and (score := _pair(view, units)):
        zipped = at > 0 and view.texts[at - 1].isdigit() and len(view.texts[at - 1]) == 5
        if not zipped and not in_place(view, at):
            found.extend(_labelled(view, units, score))
        return units[-1].stop
    return at + 1 if particle else _lone(view, unit, found)


def _is_short(unit: Unit) -> bool:
    if not unit.bits & voc.COMMON:
        return unit.size < 5
    return unit.shape == "U" and unit.size < 3


def _lone(view: View, unit: Unit, found: list[Span]) -> int:
    if unit.shape == "C" and (before := _unlisted_surname(view, unit)) is not None:
        found.extend(_labelled(view, [before, unit], 0.8))
        return unit.stop
    if (
        (score := _alone(view, unit))
        and not is_measure(view, unit)
        and not is_of_medicine(view, unit)
        and not in_place(view, unit.first)
    ):
        what = _FIRST if leaning(view, unit) > 0 else _LAST
        found.append(view.span(unit.first, unit.stop, what, score, "lookup", _UNKNOWN))
    return unit.stop


def _unlisted_surname(view: View, given: Unit) -> Unit | None:
    """The capital word that no list knows before a given name: "MORVANNEC Yves"."""
    at = given.first - 1
    if at < 0 or not given.bits & voc.FIRST or not given.strange or view.gap(given.first) != " ":
        return None
    while at > 1 and view.texts[at - 1] in "-'" and view.glued(at) and view.glued(at - 1):
        at -= 2
    before = view.unit(at)
    if before is None or before.stop != given.first or before.shape != "U" or before.size < 4:
        return None
    after = view.unit(given.stop)
    full = after is not None and after.shape != "L" and after.first not in view.breaks
    closed = not full and (view.opens(at) or before.size > 5)
    known = before.bits & _NO_SURNAME or at in view.guarded
    return before if closed and not known and not in_place(view, at) else None


def _labelled(view: View, units: list[Unit], score: float) -> list[Span]:
    alone = _FIRST if leaning(view, units[0]) > 0 else _LAST
    return label(view, units, alone=alone, score=score, source="lookup", role=_UNKNOWN)


def _pair(view: View, units: list[Unit]) -> float:
    """How sure a run of two or more units is a name; 0 if it is none."""
    named = [u for u in units if u.shape != "I"]
    joined = [u for u in named if not u.bits & voc.PARTICLE or u.bits & voc.COMMON]
    given = any(u.bits & voc.FIRST for u in joined)
    strange = sum(u.strange for u in joined)
    if not joined or (any(u.bits & voc.EPONYM for u in named) and not _bearer(view, joined)):
        return 0
    shapes = {u.shape for u in joined}
    if len(joined) == 1:
        only = joined[0]
        if only.shape == "L" or only.size < 4:
            return 0
        dotted = units[0] is only and units[1].stop > units[1].first + 1
        frequent = voc.COMMON | (voc.FREQUENT if dotted else 0)  # "Prudence K."
        written = only.shape == "C" and only.bits & frequent
        return 0.8 if only.known else 0.7 if written and only.bits & voc.FIRST else 0
    if shapes == {"L"}:
        if given and strange == len(joined):
            return 0.75
        at = units[0].first  # of a line, or behind the number of a room or bed
        opens = view.opens(at) or view.texts[at - 1].isdigit()
        return 0.6 if strange and joined[0].bits & voc.COMMON and opens else 0
    # "Spital Wallis", "Santé Alsace": surname first needs a given name that is one
    ordered = joined[0].known and joined[-1].bits & voc.FIRST and strange == len(joined)
    if shapes == {"C"} and not joined[0].bits & voc.FIRST and not ordered:
        return 0
    if shapes == {"U", "C"} and joined[0].size < _ACRONYM:
        given = any(u.bits & voc.FIRST for u in joined if u.shape == "C")
        strange -= not given  # "SITA Fast"
    if given and strange:
        return 0.92 if shapes == {"U", "C"} or strange == len(joined) else 0.8
    return 0.7 if shapes == {"U", "C"} and (given or strange == len(joined)) else 0


def _bearer(view: View, units: Sequence[Unit]) -> bool:
    """A frequent given name before an eponym makes a person: "Ophélie Lhermitte"."""
    if len(units) != 2 or units[0].shape == "L" or units[1].shape == "L":
        return False
    at = units[0].first
    if units[0].bits & voc.EPONYM and units[0].shape == "U" and units[1].bits & voc.FIRST:
        return not units[1].bits & voc.EPONYM and at not in view.guarded and view.opens(at)
    if not units[0].bits & voc.FREQUENT:
        return False
    eponym = view.folded[at : units[1].stop] in _DOUBLE_EPONYMS
    return not eponym and at not in view.guarded and view.word(at - 1) not in _OF_ONE


def _alone(view: View, unit: Unit) -> float:
    """How sure a lone unit is a name; 0 if it is none."""
    at, stop, shape, bits, size = unit
    if bits & _NOT_ALONE or size < 3 or _is_accented_word(view, unit):
        return 0
    before = view.word(at - 1)
    person = before in voc.BEFORE_PERSON and at not in view.breaks
    frequent = bits & voc.FREQUENT and shape == "C"
    if frequent and view.word(stop) in voc.DOES and view.opens(at):
        return 0.7 if stop not in view.breaks else 0
    if bits & voc.WORD:
        likely = bits & voc.FIRST and shape == "C" and (person or bits & voc.FREQUENT)
        named = likely and before not in ("la", "le", "l", "a") and not view.opens(at)
        return 0.5 if named else 0
    if stop > at + 1 and not _compound(view, unit):
        return 0
    if is_place(view, unit, before):
        return 0
    if shape == "U" and bits & voc.FIRST:
        return 0.6 if size > 4 - bool(bits & voc.FREQUENT) else 0
    if shape == "U":
        return 0.5 if size > 5 or (size > 3 and bits & voc.COMMON) else 0
    if bits & voc.FIRST:
        sure = size > 3 or person or (shape == "C" and bits & voc.FREQUENT)
        return (0.6 if shape == "L" else 0.7) if sure else 0
    if shape == "L":
        placed = person or view.opens(at) or before.isdigit() or before == "|"
        bedside = before.isdigit() and at > 1 and view.folded[at - 2] in _BEDS
        beside = bedside or (before in voc.BESIDE_PERSON and person)
        listed = bits & voc.COMMON or (beside and bits & voc.LAST)
        return 0.5 if size > 4 and listed and placed else 0
    return 0 if size < 4 else 0.65 if bits & voc.COMMON or person else 0.5


def _compound(view: View, unit: Unit) -> bool:
    """A lone compound is a name if each part could be one: not "TEP-FDG", "Check-list"."""
    inner = view.texts[unit.first : unit.stop : 2]
    if len(inner[0]) == 1 and _elides(view, unit.first):
        return unit.size > 3
    if not unit.bits & voc.LAST:  # not every part is a name, but "Jean-Mi" and "Yves-A."
        short = len(inner) == 2 and len(inner[1]) < 4 and inner[1].isalpha()
        return bool(unit.bits & voc.FREQUENT) and unit.shape == "C" and short
    if view.folded[unit.first] in _GROUND:
        return False
    if unit.shape == "L":
        return bool(unit.bits & voc.FIRST)
    return all(len(t) > 2 + (unit.shape == "U") and not t.islower() for t in inner)


def _is_accented_word(view: View, unit: Unit) -> bool:
    """A word that only its accent or its lower case tells from a given name."""
    at = unit.first
    if view.texts[at].lower() in ("marié", "mariés"):
        return True
    if unit.shape != "L":
        return False
    ahead, before = view.folded[max(0, at - 2) : at] or ("",), view.texts[max(0, at - 1)]
    counted = ahead[-1] in ("une", "des", "les") or ahead == ("pas", "de")  # and "PICC line":
    acronym = before.isupper() and len(before) > 2 and not view.bits[at - 1] & _CALLS
    german = view.folded[at].startswith("germain") and ahead[-1] in voc.FAMILY
    return counted or acronym or german or view.folded[at] in _LOWER
