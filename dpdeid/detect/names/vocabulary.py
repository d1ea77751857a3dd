"""What a word may be in a note: in which lists it stands, and its part in a sentence.

`TRAITS` gives the bits of one folded word (list of names, title, kinship noun, particle …), so that
every detector of people weighs the same evidence; `EVIDENCE` says how usual it is. The closed lists
stand in words.txt, with what each is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid import gazetteers
from dpdeid.french import titles
from dpdeid.french.letters import abbreviations
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Role, Sex
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold


def words(text: str) -> frozenset[str]:
    """The words of a list written with spaces."""
    return frozenset(text.split())


def _texts() -> Iterator[tuple[str, str]]:
    """Heading and text of each list of words.txt, comments left out."""
    text = (files("dpdeid") / "detect" / "words.txt").read_text(encoding="utf-8")
    for part in re.sub("(?m)^#.*\n", "", text).split("\n[")[1:]:
        heading, _, listed = part.partition("]\n")
        yield heading, " ".join(listed.split())


TEXTS: Final = dict(_texts())
"""Heading → the list as written; the towns have commas between them."""
LISTS: Final = {heading: words(text) for heading, text in TEXTS.items()}
"""Heading → the folded words of the list."""


WORD: Final = 1
"""An ordinary word: no evidence for a name."""
FIRST: Final = 2
"""In the list of first names."""
LAST: Final = 4
"""In the list of surnames."""
COMMON: Final = 8
"""Among the most frequent surnames."""
STOP: Final = 16
"""Never part of a name, whatever stands before it."""
TITLE: Final = 32
"""A civility or a degree; a name follows it in any case."""
ROLE: Final = 64
"""A profession or kinship noun; a name may follow it."""
PARTICLE: Final = 128
"""Begins or joins a surname."""
EPONYM: Final = 256
"""Stands alone for a sign, score or disease; a person only after a title."""
FREQUENT: Final = 512
"""Among the most frequent first names."""
ANCHOR: Final = 1024
"""A name may follow: titles, roles, "née", "nom", and the marks of headers and typists."""
LETTER: Final = 2048
"""A single letter."""
SOLE: Final = 4096
"""In a list of names and no ordinary word."""
LISTED: Final = FIRST | LAST
"""In a list of names."""
CALL: Final = TITLE | ROLE
"""A name may follow it, and hardly is it."""
CLOSED: Final = STOP | TITLE
"""No part of a name."""
NO_NAME: Final = STOP | TITLE | ROLE
"""No part of a name, or hardly one."""
_COMMON_RANKS: Final = 4000
_FREQUENT_RANKS: Final = 600

TITLES: Final = {
    **dict.fromkeys(titles.CIVILITIES, Role.UNKNOWN),
    **dict.fromkeys(titles.DEGREES, Role.STAFF),
}
"""Civilities and degrees, with the role of who bears them."""

PLURAL: Final = titles.PLURALS
STAFF: Final = LISTS["staff"]
FAMILY: Final = LISTS["family"]
NAMING: Final = LISTS["naming"]
PERSONS: Final = LISTS["persons"]
MAIDEN: Final = LISTS["maiden"]

_MARKS: Final = frozenset(":=|/")
HEADERS: Final = {
    word: role
    for role in (Role.PATIENT, Role.RELATIVE, Role.STAFF)
    for word in LISTS[f"headers_{role}"]
}
"""Last word before the colon of a header whose value is a name."""

PARTICLES: Final = LISTS["particles"]
LATE_PARTICLES: Final = LISTS["late_particles"]
BEFORE_PERSON: Final = LISTS["before_person"]
BESIDE_PERSON: Final = LISTS["beside_person"]
LATIN: Final = LISTS["latin"]
SIGN_OFF: Final = LISTS["sign_off"]
DOES: Final = LISTS["does"]
STREETS: Final = LISTS["streets"]
BEFORE_PLACE: Final = LISTS["before_place"]
_STOP: Final = LISTS["stop"]
_PAIR: Final = 2
ABBREVIATED_ROLES: Final = LISTS["abbreviated_roles"]
SHORT_ROLES: Final = LISTS["short_roles"]
ABBREVIATIONS: Final = abbreviations.PLAIN | {
    word
    for word in abbreviations.LISTED | LISTS["shorthand"]
    if len(word) > _PAIR
    and word not in gazetteers.first_names()
    and word not in gazetteers.surnames()
}
"""Abbreviations that in capitals name nobody, but where somebody's initials stand."""
DEGREES: Final = LISTS["degrees"]
FACULTIES: Final = LISTS["faculties"]
FIELDS: Final = LISTS["fields"]
GREETINGS: Final = LISTS["greetings"]
SPECIALTIES: Final = frozenset(words_by_key("specialties")["short"])
"""Specialties and posts cut short, as they stand behind a doctor: "Dr Vu visc"."""
GERMAN: Final = words("germain germaine germains germaines")
"""After a cousin or a brother these say how close the kinship is."""


def is_german(text: str, kin: str) -> bool:
    """Whether "germaine" tells of kinship behind the folded noun: "tante Germaine" is called so."""
    return text.islower() or (text.isupper() and kin.startswith(("cous", "frere", "soeur")))


_ORDINARY: Final = LISTS["ordinary"]
_EPONYMS: Final = LISTS["eponyms"]


_MEDICAL_ENDING: Final = re.compile(
    r"(?:(?:log|path|phil|gen|lyt|cyt|plas|troph|trop|tom|graph|scop|pt|ct|st|bit|mat|rrhag|pleg|alg"
    r"|mnes|tox|mbol|nem|rem|lem|pne)iques?|(?:path|phil|nem|rem|lem|pen|plas|troph|tom|graph|scop"
    r"|rrhag|pleg|alg|log|megal|ectas)ies?|(?:gramme|cytose|sclerose|stenose|rrhee|oide|logue"
    r"|isme|mateux|mateuse|cytaire|isation|(?:ec|st|t)omisee?)s?)\Z"
)
_FORMED: Final = 8
"""Letters from which a word with such an ending is no name: "prééclamptique", "phlébitique"."""


@cache
def _frequent() -> frozenset[str]:
    return frozenset(
        fold(name)
        for sex in (Sex.FEMALE, Sex.MALE)
        for name in gazetteers.first_name_list(sex)[:_FREQUENT_RANKS]
    )


def _traits(word: str) -> int:
    """The bits of one folded word; 0 for a number, a mark or a word that no list knows."""
    if not word.isalpha():
        return ANCHOR if word in _MARKS else 0
    bits = LETTER if len(word) == 1 else 0
    if word in gazetteers.words():
        bits |= WORD
    if word in gazetteers.first_names():
        bits |= FIRST
    rank = gazetteers.surnames().get(word)
    if rank is not None:
        bits |= LAST | (COMMON if rank < _COMMON_RANKS else 0)
    ordinary = word in _ORDINARY
    if ordinary or (not bits and len(word) >= _FORMED and _MEDICAL_ENDING.search(word)):
        bits |= WORD
    if word in _STOP or (word in LATIN and not bits & LISTED):
        bits |= STOP | WORD
    if word in TITLES:
        bits |= TITLE
    if word in STAFF or word in FAMILY or word in NAMING or word in PERSONS:
        bits |= ROLE | WORD
    if bits & LISTED and not bits & WORD:
        bits |= SOLE
    if bits & CALL or word in MAIDEN or word in ("patient", "patiente"):
        bits |= ANCHOR
    if word in PARTICLES:
        bits |= PARTICLE
    if word in _EPONYMS:
        bits |= EPONYM
    if word in _frequent() and not ordinary:
        bits |= FREQUENT
    return bits


TRAITS: Final = Memo(_traits)
"""The bits of each folded word; 0 for a number, a mark or a word that no list knows."""

ANCHORS: Final = Memo(lambda word: TRAITS[word] & ANCHOR)
"""Nothing for a folded word that no name may follow."""


SHORTHAND: Final = LISTS["shorthand"]

_SURNAME_CLASSES: Final = (1_000, 10_000, 50_000)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the lists say about a folded word.

    Args:
        word: in a dictionary of French, in any inflection, names left out.
        name_word: in a dictionary, and a name as well; not in the words.
        frequency: whole part of the Zipf value, 2 (rare) to 7 ("de"); 0 where it is not listed.
        medical, drug: in the terminologies.
        shorthand: an abbreviation of clinical notes, or a unit.
        first_name: in the list of first names.
        surname: 4 among the 1,000 most frequent surnames of France, 3 among 10,000, 2 among 50,000,
            1 listed, 0 not listed.
    """

    word: bool
    name_word: bool
    frequency: int
    medical: bool
    drug: bool
    shorthand: bool
    first_name: bool
    surname: int

    @property
    def known(self) -> bool:
        """In some list of words."""
        return self.word or self.name_word or self.medical or self.drug or self.shorthand

    @property
    def suspicious(self) -> bool:
        """In no list of words; a name, a misspelling or an abbreviation."""
        return not self.known

    @property
    def ambiguous(self) -> bool:
        """Both a word and a name ("petit", "rose")."""
        return self.known and (self.first_name or self.surname > 0)


def evidence(word: str) -> Evidence:
    """The evidence for one folded word."""
    bits, rank = gazetteers.medical().get(word, 0), gazetteers.surnames().get(word)
    return Evidence(
        word=word in gazetteers.words(),
        name_word=word in gazetteers.name_words(),
        frequency=gazetteers.frequency().get(word, 0),
        medical=bool(bits & 1),
        drug=bool(bits & 2),
        shorthand=word in SHORTHAND,
        first_name=word in gazetteers.first_names(),
        surname=0 if rank is None else 1 + sum(rank < most for most in _SURNAME_CLASSES),
    )


EVIDENCE: Final = Memo(evidence)
"""The evidence for each folded word, remembered."""

_LEAST_CUT: Final = 5
_LEAST_OFF: Final = 3
"""Letters of what a word cut short begins with, and of what is cut off."""


def _cut_short(word: str) -> bool:
    if word in LISTS["veto_clipped"]:
        return True
    if len(word) < _LEAST_CUT or not word.isalpha() or TRAITS[word] or EVIDENCE[word].known:
        return False
    return any(
        listed.goes_on(word, _LEAST_OFF) for listed in (gazetteers.words(), gazetteers.medical())
    )


CUT_SHORT: Final = Memo(_cut_short)
"""Whether a folded word is one cut short and in no list: "psychomot", "vérif"."""

_VETOED: Final = ABBREVIATIONS | LISTS["veto_clipped"] | LISTS["veto_things"]
_LEAST_UNLISTED: Final = 4
_PREFIX: Final = re.compile(
    r"(?:hyper|hypo|iso|anti|auto|micro|macro|multi|mono|pseudo|post|inter|intra|extra|peri|trans|tele|retro"
    r"|ultra|supra|infra|neuro|cardio|broncho|electro|angio|echo)(?=[a-z]{5})"
)
"""What begins a word of medicine that no list has: "hypersignal", "télésuivi"."""


def is_compound(word: str) -> bool:
    """Whether a folded word is one of French behind a prefix of medicine."""
    begins = _PREFIX.match(word)
    return begins is not None and word[begins.end() :] in gazetteers.words()


def _unlisted(word: str) -> bool:
    if not word.isalpha() or len(word) < _LEAST_UNLISTED or TRAITS[word] or EVIDENCE[word].known:
        return False
    if word in _VETOED:
        return False
    if is_compound(word):
        return False
    places = gazetteers.place_keys(), gazetteers.world_cities(), gazetteers.countries()
    return not EVIDENCE[word].frequency and not any(word in listed for listed in places)


UNLISTED: Final = Memo(_unlisted)
"""Whether a folded word of four letters or more is in no list at all, neither of words nor of names
nor of places: a name from elsewhere, or a slip of the pen."""
