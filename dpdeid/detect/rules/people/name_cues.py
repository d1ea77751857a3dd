"""What promises a name: titles, headers, what is said to somebody or done by somebody, initials.

Here, too, are the names that no list tells, read where somebody is surely meant. "traduit par …",
"prévenir …", "chère …", "famille …" promise a person, whom no list need know: the word behind is a
name if it is no word, no place and no abbreviation of a specialty. Initials tell who dictated and
who typed a note: "PYT/ml".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.first_or_last_name import label, leaning
from dpdeid.detect.names.name_tokens import Unit, View, is_loud
from dpdeid.detect.names.reader import read
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.fragments import folded
from dpdeid.document import Span
from dpdeid.labels import Label, Role
from dpdeid.spans import Overlaps

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
        if text == "m" and before == "." and index > 1 and view.texts[index - 2] in "aApP":
            return False  # "alcool 1,0 p. m."
        if text == "m":
            return following == "." and not before.isdigit()
        below = index + 1 in view.breaks  # "SEXE : M" at the end of its line
        return following == "." or (following[:1].isupper() and not below)
    if word == "mm":
        return text == "MM" and not (index and view.texts[index - 1].isdigit())
    if word in ("me", "pr", "doc", "pre", "prof"):
        if text == "pr" and following.isupper() and EVIDENCE[view.folded[index + 1]].shorthand:
            return False  # "rappeler pr INR"
        return text[0].isupper() or (word in ("pr", "prof") and following[:1].isupper())
    return True


def names_a_place(view: View, index: int) -> bool:
    """A street or hospital bears the name ("rue du Docteur Roux"): it is no person's here."""
    at = index - 1
    if at >= 0 and view.texts[at] == "'":
        at -= 1
    if at >= 0 and view.folded[at] in ("du", "de", "des", "d"):
        at -= 1
    elif at > 0 and view.texts[at] == "place" and not view.texts[at - 1].isdigit():
        return False  # "selon place dr Vincent rappelle"
    return at >= 0 and view.folded[at] in voc.STREETS and index not in view.breaks


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
    if at >= 1 and view.folded[at] == "cc" and view.texts[at - 1].isdigit():
        return None  # "HPP 900 cc: …"
    if at >= 0 and view.folded[at] in voc.HEADERS and colon not in view.breaks:
        return view.folded[at]
    return None


_SOURCE: Final = "patterns/people.agent"
_THINGS: Final = voc.LISTS["veto_devices"] | voc.LISTS["veto_things"]
"""Devices, brands and scales, which nobody is called after whatever promises a name."""
_IN_SMALL: Final = voc.LISTS["veto_eponyms"] | voc.LISTS["veto_small"]
_LEAST: Final = 3
_PLAIN_SIZE: Final = 3
_PLAIN_RANK: Final = 25_000
_COMMON_RANK: Final = 8_000
"""Ranks of surnames that an ordinary word may be after a title, by what stands behind it."""
_DASHES: Final = frozenset("—–=|")
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
    ends = unit.stop == view.size or unit.stop in view.breaks
    after = "\n" if ends else view.texts[unit.stop]
    if after in _DASHES:
        return [unit] if rank < _PLAIN_RANK else []
    given = view.unit(unit.stop)
    if given is not None and given.shape == "L" and given.bits & voc.FREQUENT and after != "\n":
        return [unit, given] if rank < _PLAIN_RANK else []
    return [unit] if rank < _COMMON_RANK and (after in ",;:.()" or after == "\n") else []


def relative(view: View, index: int, unit: Unit) -> list[Unit]:
    """Who is called right after a kinship noun, though it is a word as well: "maman Violette"."""
    if unit.bits & (voc.STOP | voc.TITLE | voc.ROLE | voc.PARTICLE | voc.EPONYM):
        return []
    if not view.texts[index].islower() or unit.shape != "C" or unit.size < _LEAST:
        return []
    return [] if gazetteers.places_named(view.folded[unit.first]) else [unit]


def is_counted(view: View, index: int) -> bool:
    """Behind a kinship noun that is counted or shouted a word in no list is no name."""
    return view.folded[index] in _COUNTED or not view.texts[index].islower()


def strangers(view: View, taken: Sequence[Span]) -> Iterator[Span]:
    """Names that nothing promises: two words in a row that no list has, "Ezhel KERLOARGANT".

    One alone may be a drug: wards write them in capitals too.
    """
    covered = {at for span in taken for at in range(span.start, span.end)}
    stop = 0
    for index in compress(range(view.size), map(voc.UNLISTED.__getitem__, view.folded)):
        at = index
        while at > 1 and view.texts[at - 1] in "-'" and view.glued(at) and view.glued(at - 1):
            at -= 2
        if at < stop or at in view.guarded or view.starts[at] in covered:
            continue
        units = read(view, at, 1)
        while units and units[-1].shape == "I":
            units.pop()
        stop = units[-1].stop if units else index + 1
        row = sum(unit.shape != "L" and view.is_unlisted(unit) for unit in units)
        if row > 1 and view.texts[stop : stop + 1] != ("@",) and not _is_drug(view, units):
            last, role = Label.LAST_NAME, Role.UNKNOWN
            yield from label(view, units, alone=last, score=0.7, source=_SOURCE, role=role)


_MAKERS: Final = voc.LISTS["veto_makers"]
_DOSED: Final = re.compile(r"(?i) ?\d{1,4}(?:[.,]\d+)? ?(?:mg|µg|mcg|g|ng|ml|ui|mui|%)(?!\w)")


def _is_drug(view: View, units: Sequence[Unit]) -> bool:
    """Whether it is a drug with its maker, or before its dose: "Torasemide Spirig 5 mg"."""
    end = view.ends[units[-1].stop - 1]
    made = any(view.folded[unit.first] in _MAKERS and not unit.bits & voc.LISTED for unit in units)
    thing = view.folded[units[0].first] in _THINGS
    return made or thing or _DOSED.match(view.text, end) is not None


def names_a_thing(word: str, text: str) -> bool:
    """Whether a folded word, written so, is a device, a brand or a scale, or in small letters an
    eponym or a language.
    """
    return word in _THINGS or (word in _IN_SMALL and text.islower())


_ACTS: Final = voc.words(
    "vu vue vus revu revue relu relue lu lue examine examinee appele appelee rappele rappelee"
    " adresse adressee traduit traduite prevenu prevenue signale signalee transmis transmise"
    " rapporte rapportee valide validee saisi saisie redige redigee dicte dictee tape tapee"
    " imprime scanne controle controlee prepare preparee pose posee retire retiree accompagne"
    " accompagnee amene amenee conduit conduite aide aidee remplace remplacee assiste assistee"
    " nettoye nettoyee tenu tenue fait faite faits faites ecrit ecrite recu recue donne donnee dit"
    " explante verifie verifiee remis remise trouve trouvee apporte apportee garde gardee heberge"
    " hebergee encadre encadree supervise cosigne cosignee signe signee pese pesee leve levee"
    " opere operee realise realisee effectue effectuee discute discutee releve relevee repris"
    " reprise propose proposee suivi suivie initie debute prescrit prescrite recommande demande"
    " demandee pratique pratiquee installe installee branche branchee debranche ponctionne perfuse"
    " second clos pare paree diagnostique diagnostiquee envoye envoyee photographie oriente"
    " orientee"
    " confie confiee evoque evoquee decrit decrite mobilise mobilisee lave lavee change changee"
    " reinstalle coordonne anime porte portee loge logee accueilli accueillie"
)
"""What somebody does: "par" behind it leads to who did it."""
_TREATMENTS: Final = voc.words(
    "contraception traitement relais substitution prophylaxie antibiotherapie chimiotherapie"
    " sedation premedication anticoagulation supplementation hormonotherapie corticotherapie"
)
"""What is done with a drug: "contraception par Yasmin"."""
_CALLS: Final = voc.words(
    "prevenir previens previent prevenu prevenue appeler appelle rappeler rappelle contacter"
    " bonjour bonsoir hello salut coucou cher chere chers dixit previennent joindre"
)
_TOLD: Final = voc.words(
    "merci demander demandez demande dire dit dis ecrire ecrit repondre repondu remis remise"
    " remettre"
    " transmis transmise transmettre confie confiee confier bises bisous bise rendre parler"
    " telephone"
    " telephoner explique expliquer signaler bonjour salut pensees"
)
"""What is done towards somebody: "à" behind it leads to whom."""
_HOUSEHOLDS: Final = voc.words("famille fam couple epoux")
TRIGGERS: Final = voc.words("par avec") | _TOLD | _CALLS | _HOUSEHOLDS
"""Words behind which a person may be named."""
_NAMED_AFTER: Final = voc.words("par avec") | _CALLS | _HOUSEHOLDS
"""Of these, the words with nothing between them and the name."""
_NO_NAME: Final = voc.STOP | voc.TITLE | voc.ROLE | voc.EPONYM | voc.PARTICLE


def agents(view: View, triggers: Sequence[int], taken: Sequence[Span]) -> Iterator[Span]:
    """The people behind the tokens `triggers` whose names are not among `taken`."""
    found = Overlaps(taken)
    for index in triggers:
        word = view.folded[index]
        before = view.folded[index - 1] if index else ""
        if (word == "avec" and before not in _ACTS) or before in _TREATMENTS:
            continue
        at = index + 1
        told = word in _TOLD and view.word(at) == "a"
        if told:
            at += 1
        elif word not in _NAMED_AFTER:
            continue
        if word == "fam" and view.texts[at : at + 1] == (".",):
            at += 1
        if at >= view.size or not view.texts[at].isalpha() or at in view.breaks:
            continue
        unit = view.unit(at)
        if unit is None or not _person(view, unit, household=word in _HOUSEHOLDS):
            continue
        listed_only = told or (word == "par" and before not in _ACTS)
        if listed_only and (unit.shape != "C" or not unit.bits & (voc.FIRST | voc.LAST)):
            continue
        if told and not unit.bits & voc.FREQUENT and gazetteers.places_named(view.folded[at]):
            continue
        start = view.starts[at]
        if at in view.guarded or any(found.over(start, start + 1)):
            continue
        units = read(view, at, 1) or [unit]
        if units[0] != unit:
            continue
        given = word not in _HOUSEHOLDS and leaning(view, unit) > 0
        alone = Label.FIRST_NAME if given else Label.LAST_NAME
        role = Role.UNKNOWN if word in _HOUSEHOLDS else Role.STAFF
        yield from label(view, units, alone=alone, score=0.7, source=_SOURCE, role=role)


def _person(view: View, unit: Unit, *, household: bool) -> bool:
    """The unit can be a name and hardly anything else."""
    word = view.folded[unit.first]
    if unit.bits & _NO_NAME or unit.shape == "I" or unit.size < _LEAST or not unit.strange:
        return False
    if (
        word in folded("CUED_HOSPITALS")
        or word in voc.SPECIALTIES
        or gazetteers.medical().get(word)
    ):
        return False
    named = bool(unit.bits & (voc.FIRST | voc.LAST))
    if unit.shape == "L":
        strange = household and unit.size > 4 and not voc.CUT_SHORT[word]
        return unit.size > _LEAST and (unit.known or strange)
    if unit.shape == "U":
        return named and unit.size > _LEAST
    return named or not (gazetteers.places_named(word) or word in gazetteers.world_cities())


_UNITS: Final = voc.words(
    "mg kg ml cl dl ui mn min ta fc fr sat od og hta avc sa ag ac l h j g mm cm cp gel ug mui"
    " pa km nl pg ng mmhg mcg ul pv rx ecg irm tdm eva iv im sc po vo hb plq gb na ph"
)


_REFERENCE: Final = voc.words("ref tel fax obj")
"""What follows "N/" and "V/" in the head of a letter."""


_LETTERS: Final = voc.words("ref rendu cr crh courrier lettre")
"""Words behind which stand the initials of who dictated."""


_OF_NOBODY: Final = voc.ABBREVIATIONS | voc.SHORTHAND


def typists(view: View, slash: int) -> list[Span]:
    """Initials of who dictated and who typed: "PYT/ml", "février 2023/ RMC / fgo"."""
    first, second = slash - 1, slash + 1
    if first < 0 or second >= view.size:
        return []
    dictated, typed = view.texts[first], view.texts[second]
    if not typed.isalpha() or len(typed) > 3 or (dictated.isdigit() and len(dictated) != 4):
        return []
    stop = second + 1
    ends = stop == view.size or view.gap(stop)[:2] in ("\n", "\r\n", "  ")
    ends = ends or stop in view.breaks or view.texts[stop] in ".;)-"
    ends = ends or view.folded[stop] in _ACTS
    again = dictated.isdigit() and view.texts[stop : stop + 1] == ("/",)
    if not (ends or again) or second in view.breaks:
        return []
    if dictated.isdigit():
        dated = view.texts[first - 1] in "/.-" or view.texts[first - 1].isalpha()
        dated = dated and typed.lower() not in _UNITS and len(typed) > 1
        return [_initials(view, second)] if dated else []
    if view.folded[second] in _REFERENCE:
        return []
    opens = (
        first == 0
        or len(view.gap(first)) > 1
        or first in view.breaks
        or view.texts[first - 1] in ":./-–)"
        or view.folded[first - 1] in _LETTERS
    )
    both = {view.folded[first], view.folded[second]}
    loud = is_loud(view.text) and (dictated + typed).isupper() and both.isdisjoint(_OF_NOBODY)
    shapes = (dictated.isupper() and typed.islower()) or (dictated.islower() and typed.isupper())
    told = view.folded[first - 1] in _LETTERS
    if (
        not opens
        or not (shapes or loud)
        or len(dictated) > 4
        or (dictated.lower() in _UNITS and not told)
    ):
        return []
    if len(typed) < 2 or (len(dictated) < 3 and typed.lower() in _UNITS):
        return []
    return [_initials(view, first), _initials(view, second)]


def _initials(view: View, at: int) -> Span:
    return view.span(at, at + 1, Label.LAST_NAME, 0.9, "patterns/people", Role.STAFF)
