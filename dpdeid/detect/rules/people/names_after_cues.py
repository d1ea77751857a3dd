"""Names after a title, a header, a kinship noun or a profession, and typists' initials.

Rows hold what is a fixed form; names are read from tokens, because how far a name goes depends on
the lists, not on its letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.first_or_last_name import label, leaning
from dpdeid.detect.names.name_tokens import Unit, View, view_of
from dpdeid.detect.names.reader import Promise, read
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.columns import is_head, is_next_field
from dpdeid.detect.rules.people.name_cues import (
    TRIGGERS,
    agents,
    header_of,
    is_counted,
    is_title,
    names_a_place,
    names_a_thing,
    plain,
    relative,
    strangers,
    typists,
)
from dpdeid.document import Document, Span
from dpdeid.french.numerals import WORDS as NUMERALS
from dpdeid.labels import Label, Role
from dpdeid.lexicon import Memo

_SOURCE: Final = "patterns/people"
_TRIGGER: Final = 1
_STARTS: Final = Memo(lambda word: voc.ANCHORS[word] | (_TRIGGER if word in TRIGGERS else 0))
"""Nothing for a folded word that promises no name."""
_TITLE, _HEADER, _KIN = 0.97, 0.93, 0.85
_GIVEN: Final = 2.0
"""Log odds from which a lone name after the header of a profession is a given name."""
_EYES: Final = ("OD", "OG", "ODG")
"""Behind "DR", a detachment of the retina."""
_OWNERS: Final = voc.words("son sa l mon ma notre votre leur une avec")
"""Words before the noun "épouse"; else it is a participle and a surname follows."""
_WIFE: Final = ("epouse", "ep")
_FAR: Final = 400  # tokens behind a given name in which its bearer's surname is looked for
_PATIENT: Final = voc.words("patient patiente")
_SURNAME: Final = _PATIENT | voc.words("nom noms")
_GIVEN_NAME: Final = voc.words("prenom prenoms")
_SURE: Final = _SURNAME | _GIVEN_NAME | voc.words("naissance usage marital")
"""Headers behind which a name stands for sure, and what comes first in it."""
_LED: Final = 3
"""How many marks at least lead from a header to its value."""


def names_after_cues(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """Names after every word that promises one."""
    view = view_of(doc)
    found: list[Span] = []
    taken = 0  # tokens before this index are already in a name
    triggers: list[int] = []
    for index in compress(range(view.size), map(_STARTS.__getitem__, view.folded)):
        kind = _STARTS[view.folded[index]]
        if kind & _TRIGGER:
            triggers.append(index)
        if kind & voc.ANCHOR and index >= taken:
            taken = max(taken, _after_anchor(view, index, found))
    found.extend(agents(view, triggers, tuple(found)))
    found.extend(strangers(view, (*spans, *found)))
    found.extend(_bracketed(view, found))
    return [span for span in found if not _is_column(doc.text, span)]


def _is_column(text: str, span: Span) -> bool:
    """Whether it is the next field or column: "NOM|LIT|POIDS"."""
    in_row = text[span.start - 1 : span.start] in ("|", ";", "\t")
    return is_next_field(text, span.start, span.end) or (in_row and is_head(text, span.start))


def _bracketed(view: View, found: Sequence[Span]) -> Iterable[Span]:
    """The given name in brackets behind a name, "Dumè (Dominique)", and behind who it is."""
    ends = {span.end for span in found}
    for at in (i for i, text in enumerate(view.texts) if text == "(" and i):
        unit = view.unit(at + 1)
        if unit is None or unit.shape != "C" or view.word(unit.stop) != ")":
            continue
        listed = unit.bits & voc.FIRST and unit.strange and not unit.bits & voc.EPONYM
        town = gazetteers.places_named(view.folded[unit.first])
        if not listed or (town and not unit.bits & voc.FREQUENT):
            continue
        if (
            view.ends[at - 1] in ends
            or view.bits[at - 1] & voc.SOLE
            or view.folded[at - 1] in voc.FAMILY
        ):
            yield view.span(unit.first, unit.stop, Label.FIRST_NAME, 0.85, _SOURCE, Role.UNKNOWN)


def _after_anchor(view: View, index: int, found: list[Span]) -> int:
    """Finds what the anchor at `index` promises; returns where reading goes on."""
    bits, word = view.bits[index], view.folded[index]
    if word == "/":
        found.extend(typists(view, index))
        return 0
    if not word.isalpha():
        return _after_colon(view, index, found)
    if bits & voc.TITLE:
        return _after_title(view, index, found) if is_title(view, index) else 0
    if word == "nom" and view.word(index + 1) == "de":
        return _after_name_of(view, index + 2, found)
    if word in ("nom", "prenom"):
        led = _skip(view, index + 1, "._…·-")  # "Nom ........ DUPONT"
        if led > index + _LED and led < view.size and view.texts[led] not in ":=|/":
            return _after_colon(view, led - 1, found)
    if word in _PATIENT:
        return _after_patient(view, index + 1, found)
    if word in voc.MAIDEN and (stop := _after_maiden(view, index, found)) > index + 1:
        return stop
    if word == "fille" and view.word(index - 1) == "jeune":
        return 0  # "nom de jeune fille :" is a header
    if word in _GIVEN_NAME and view.word(index + 1) == ":":
        return 0
    if bits & voc.ROLE:
        role = Role.UNKNOWN
        midwife = word == "femme" and view.folded[max(0, index - 2) : index] == ("sage", "-")
        if word not in voc.NAMING:
            role = Role.RELATIVE if word in voc.FAMILY and not midwife else Role.STAFF
        elif word == "prenom":
            role = Role.PATIENT
        return _after(view, index, found, role)
    return 0


def _skip(view: View, at: int, marks: str) -> int:
    while at < view.size and view.texts[at] in marks:
        at += 1
    return at


def _emit(
    view: View, units: Sequence[Unit], found: list[Span], *, alone: Label, score: float, role: Role
) -> int:
    found.extend(label(view, units, alone=alone, score=score, source=_SOURCE, role=role))
    return units[-1].stop


def _after_title(view: View, index: int, found: list[Span]) -> int:
    """Names after a title; returns the index from which reading goes on."""
    word = view.folded[index]
    role = voc.TITLES[word]
    if index and view.texts[index - 1] == ":" and (header := header_of(view, index - 1)):
        role = voc.HEADERS[header] if role is Role.UNKNOWN else role
    at = _skip(view, index + 1, ".")
    while at < view.size and view.texts[at].islower() and view.folded[at] in voc.FACULTIES:
        at = _skip(view, at + 1, ".")
    at = _skip(view, at, "\"«(<>*_=:'")
    if at >= view.size or (view.gap(at).count("\n") > 1):
        return index + 1
    if view.bits[at] & voc.TITLE and not (role is Role.STAFF and view.texts[at] in "Mm"):
        unit = view.unit(at)
        if unit is None or unit.stop == at + 1:
            return index + 1
    if at in view.breaks and view.texts[at][0].islower():
        return index + 1
    if word == "m" and "\t" in view.gap(at) and not _is_cell_of_name(view, at):
        return index + 1  # the sex of a list, or "matin" at the head of a table
    if names_a_place(view, index):
        return at
    if view.texts[at - 1] == "'" and view.unit(at - 1) is not None:
        at -= 1  # "Mevr. 't Hooft"
    units = read(view, at, 2) or plain(view, at)
    if not units or (word == "dr" and view.texts[at] in _EYES) or _is_thing(view, units[0]):
        return index + 1
    if view.texts[at].islower() and word in ("m", "mr", "mme", "monsieur", "madame", "pr", "prof"):
        # "mme qqs douleurs": after a civility an unknown short lower-case word is no name
        first = units[0]
        if not first.bits & (voc.FIRST | voc.LAST | voc.PARTICLE) and first.size < 5:
            return index + 1
    first = units[0]
    if (
        word in ("me", "pr", "doc", "pre")
        and view.texts[index].isupper()
        and (
            first.bits & voc.WORD
            and (
                first.shape == "L"
                or (first.shape == "U" and not first.bits & voc.COMMON)
                or not first.bits & voc.LISTED
            )
        )
    ):
        return index + 1  # "ME SEMBLE UTILE", "DOC NUMERISE", "PR long", "PR. Coloscopie"
    if word == "pr" and view.glued(at) and first.shape == "U" and at == index + 1:
        return index + 1  # "PrEP"
    stop = _emit(view, units, found, alone=Label.LAST_NAME, score=_TITLE, role=role)
    return _chain(view, stop, found, role, promise=2 if word in voc.PLURAL else 1)


def _is_thing(view: View, unit: Unit) -> bool:
    """Whether a device, an act or a language stands behind what promises a name ("fils Vicryl",
    "interprète sranan") or a drug opens the line below it: "mère PR.", then "Methotrexate 10 mg".
    """
    word = view.folded[unit.first]
    known = EVIDENCE[word]
    if known.first_name or known.surname:
        return False
    below = known.drug and unit.first in view.breaks
    thing = names_a_thing(word, view.texts[unit.first])
    return below or thing or (known.word and known.medical and not unit.bits & voc.EPONYM)


def _is_cell_of_name(view: View, at: int) -> bool:
    unit = view.unit(at)
    return unit is not None and unit.known and unit.size > 2


def _chain(view: View, at: int, found: list[Span], role: Role, *, promise: Promise) -> int:
    """Further names in a list: "Drs X, Y et Z", "Dr A / B"."""
    while at + 1 < view.size and (
        view.texts[at] in "/&+"
        or view.folded[at] == "et"
        or (promise == 2 and view.texts[at] == ",")
    ):
        following = at + 1
        if view.bits[following] & voc.TITLE or following in view.breaks:
            return at
        if view.texts[following].islower() and promise < 2:
            return at
        married = view.texts[at] == "/" and view.glued(at) and view.glued(following)
        units = read(view, following, 2 if married else promise)
        if not units or (promise < 2 and not _chained(view, units[0], married=married)):
            return at
        at = _emit(view, units, found, alone=Label.LAST_NAME, score=0.8, role=role)
    return at


def _chained(view: View, unit: Unit, *, married: bool) -> bool:
    """The unit is one more name: a list knows it, or a stroke binds it to a name."""
    if unit.known or not married:
        return unit.known
    if unit.shape == "L" or unit.bits & voc.ROLE or view.folded[unit.first] in voc.BEFORE_PLACE:
        return False
    return unit.size > 2 and (unit.strange or bool(unit.bits & voc.LAST))


def _after(view: View, index: int, found: list[Span], role: Role) -> int:
    """A name after a kinship noun, a profession or "prénommé"."""
    at = index + 1
    if view.word(at) in voc.GERMAN and voc.is_german(view.texts[at], view.folded[index]):
        return at + 1
    while at < view.size and at < index + 4 and view.texts[at] in '("«,:=-–—.<>':
        if view.texts[at] == "," and at + 1 < view.size and not view.texts[at + 1][0].isupper():
            return index + 1
        if view.texts[at] == "-" and view.glued(at) and view.glued(at + 1):
            return index + 1
        at += 1
    if at >= view.size or at in view.breaks or at in view.guarded or view.bits[at] & voc.TITLE:
        return index + 1
    if view.texts[at - 1] == "." and view.folded[index] not in voc.ABBREVIATED_ROLES:
        return index + 1
    units = read(view, at, 1)
    unit = view.unit(at)
    if unit is not None and _is_thing(view, unit):
        return index + 1
    town = view.texts[at - 1] == "," and bool(gazetteers.places_named(view.folded[at]))
    if town and len(units) == 1 and not units[0].bits & voc.FREQUENT:
        return index + 1  # "Mme Marcadé, IDEL, Rieux"
    if role is Role.RELATIVE and unit is not None:
        if units and unit.shape == "L" and view.is_unlisted(unit):
            units = [] if at > index + 1 or is_counted(view, index) else units
        elif not units and at == index + 1:
            units = relative(view, index, unit)
    if not units and unit is not None and unit.shape == "I" and "-" in view.texts[at : unit.stop]:
        units = [unit]
    if not units or (units[0].shape == "I" and units[0].stop == units[0].first + 1):
        return index + 1
    headed = role is Role.STAFF and view.texts[at - 1] == ":" and units[0].shape == "U"
    surname = headed or (role is Role.STAFF and leaning(view, units[0]) < 0)
    alone = Label.LAST_NAME if surname else Label.FIRST_NAME
    strong = all(u.strange for u in units) and units[0].shape != "L"
    stop = _emit(view, units, found, alone=alone, score=0.9 if strong else _KIN, role=role)
    return _chain(view, stop, found, role, promise=1)


def _after_colon(view: View, colon: int, found: list[Span]) -> int:
    """Names in the value of a header: "Prénom : Annick", "Aides : MARTIN, L. Petit"."""
    header = header_of(view, colon) if colon else None
    if header is None:
        return 0
    if header in _PATIENT and view.word(colon - 2) in ("au", "du", "le", "la", "a"):
        return 0
    role = voc.HEADERS[header]
    at = _skip(view, colon + 1, ':=|"«*<>_.…')
    alone = Label.FIRST_NAME if header in _GIVEN_NAME else Label.LAST_NAME
    sure = header in _SURE
    stop = 0
    for _ in range(8):
        if at >= view.size or view.bits[at] & voc.TITLE or view.gap(at).count("\n") > (stop == 0):
            break
        wrapped = at in view.breaks
        if at in view.guarded or (wrapped and not sure):
            break
        units = read(view, at, 2 if sure and not stop and not wrapped else 1)
        if units and view.glued(units[-1].stop) and view.texts[units[-1].stop] in "@_":
            break
        if not units or not (sure or units[0].shape != "L" or _is_named(view, units[0])):
            break
        if (
            units[0].shape == "I"
            and len(units) == 1
            and len(view.texts[at]) == 1
            and not sure
            and "." not in view.texts[at + 1 : at + 2]
        ):
            break
        given = role is Role.STAFF and units[0].shape == "C" and leaning(view, units[0]) > _GIVEN
        what = Label.FIRST_NAME if given else alone
        stop = units[-1].stop
        if header in _GIVEN_NAME and _are_given(view, colon, units):
            found.append(view.span(units[0].first, stop, what, _HEADER, _SOURCE, role))
        else:
            _emit(view, units, found, alone=what, score=_HEADER, role=role)
        if stop >= view.size or (view.texts[stop] not in ",/;&+-–" and view.folded[stop] != "et"):
            break
        at = stop + 1
        if header in _SURNAME and view.texts[stop] in ",/":
            alone = Label.FIRST_NAME
    return stop


def _are_given(view: View, colon: int, units: Sequence[Unit]) -> bool:
    """Whether a field of given names alone holds several, no surname in other letters and none
    that stands again not far behind among them: "PRENOM : THI HOA".
    """
    first = colon - 1
    while first > 0 and first not in view.breaks and view.texts[first - 1] != ":":
        first -= 1
    alone = _SURNAME.isdisjoint(view.folded[first:colon])
    again = {view.folded[u.first] for u in units[1:]} & {
        *view.folded[units[-1].stop : colon + _FAR]
    }
    return alone and not again and len({unit.shape for unit in units}) == 1


def _is_named(view: View, unit: Unit) -> bool:
    return unit.known or view.is_unlisted(unit)


def _after_patient(view: View, at: int, found: list[Span]) -> int:
    """The name in "Patiente Kervadec hospitalisée"; a colon makes a header of the word."""
    units = read(view, at, 1) if at < view.size and at not in view.breaks else []
    if not units or units[0].shape not in "CU" or not all(u.strange for u in units):
        return 0
    return _emit(view, units, found, alone=Label.LAST_NAME, score=_KIN, role=Role.PATIENT)


def _after_name_of(view: View, at: int, found: list[Span]) -> int:
    """The name in "au nom de « DUPONT A. »"."""
    at = _skip(view, at, '"«')
    units = read(view, at, 2) if at < view.size else []
    if not units or units[0].shape == "L" or not units[0].strange:
        return at
    return _emit(view, units, found, alone=Label.LAST_NAME, score=_HEADER, role=Role.UNKNOWN)


def _after_maiden(view: View, index: int, found: list[Span]) -> int:
    """The surname after "née", "épouse", "veuve"."""
    if view.texts[index] == "EP" and view.texts[index + 1 : index + 2] == (".",):
        return index + 1  # an embolism at the end of a sentence
    at = _skip(view, index + 1, '.:"«' if view.folded[index] in ("ep", "vve") else ':"«')
    if at >= view.size or at in view.breaks or not view.texts[at][0].isalpha():
        return index + 1
    if (
        view.folded[index] in ("ne", "dite", "nom", "alias") and view.texts[index][-1] not in "ée"
    ) or view.folded[at] in ("le", "a", "en", "au", "par", "pas", "plus"):
        following = view.unit(at + 1)
        dated = view.word(at + 1) in NUMERALS
        if view.folded[at] != "le" or dated or following is None or following.shape not in "CU":
            return index + 1
    if view.texts[index] == "ne" and view.texts[at + 1 : at + 2] == ("'",):
        return index + 1  # "il ne s'agit pas"
    wife = view.folded[index] in _WIFE and not (index and view.texts[index - 1].isalpha())
    owned = index > 0 and view.folded[index - 1] in _OWNERS
    units = read(view, at, 1)
    if view.texts[index] == "ne" and units and units[0].shape == "L" and not units[0].known:
        return index + 1  # a verb with a slip in it
    if not units:
        unit = view.unit(at)
        if unit is None or unit.shape not in "CU" or unit.bits & (voc.STOP | voc.TITLE):
            return index + 1
        job = view.texts[at].isupper() and view.folded[at] in voc.ABBREVIATIONS
        if job and (wife or owned):
            return index + 1  # "épouse ATSEM"
        units = [unit]
    alone = Label.FIRST_NAME if wife or owned else Label.LAST_NAME
    return _emit(view, units, found, alone=alone, score=_HEADER, role=Role.PATIENT)
