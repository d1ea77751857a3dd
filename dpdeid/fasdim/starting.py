"""The starting list of FASDIM, so that day one is not empty: which words and numbers are authorised
where no expert has decided, from the lists that ship with the package.

Words are those of the dictionaries and terminologies, less what tells a day, a month, a street, a
place of care, a department, a relative, a profession or a nationality. A word that is also a name
of people or places is authorised in small letters only: in capitals it is too often the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.rules.fragments import folded
from dpdeid.evaluate.coding.terms import aliases
from dpdeid.fasdim.numbers import GLUED, START, Number, Shape
from dpdeid.french import calendar, titles
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold


class Verdict(StrEnum):
    """What is decided of a word or number pattern."""

    AUTHORIZED = "authorized"
    LOWER = "lower"  # a word that is authorised where it is written in small letters
    FORBIDDEN = "forbidden"


def _lists() -> Iterator[tuple[str, frozenset[str]]]:
    text = (files("dpdeid.fasdim") / "starting.txt").read_text(encoding="utf-8")
    for part in re.sub("(?m)^#.*\n", "", text).split("\n[")[1:]:
        heading, _, listed = part.partition("]\n")
        yield heading, frozenset(listed.split())


LISTS: Final = dict(_lists())
_RULES: Final = (
    "STREET_NOUNS, CAPITAL_STREET_NOUNS, FLATS, NAMED_HOUSES, HOSPITAL_NOUNS, HOSPITAL_KINDS, "
    "HOSPITAL_ACRONYMS, KNOWN_HOSPITALS, CUED_HOSPITALS, BODIES, COURTS, SHOPS, KNOWN_BODIES, "
    "SHORT_UNITS, SPECIALTIES, REGION_ADJECTIVES, STREET_RANKS, KIN, OWNED_KIN, NOUNS, "
    "WORK_TITLES, NATIONALITIES, DOUBLE_NATIONS"
)
"""Lists of the rules whose single words tell a place or a person."""
_PHRASES: Final = (
    "SPECIALTIES, SHORT_UNITS, KNOWN_HOSPITALS, CUED_HOSPITALS, KNOWN_BODIES, COURTS, COMPOUNDS"
)
_DIAGNOSES: Final = frozenset({"soins palliatifs", "soin palliatif"})
"""Of these, what is also coded: Z51.5."""
_STATES: Final = voc.words(
    "marie mariee maries celibataire celibataires veuf veuve veufs veuves divorce divorcee "
    "divorces pacse pacsee separe separee concubinage retraite retraitee retraites"
)
_TIMES: Final = voc.words("ans an annee annees er mois printemps automne hiver")
SHORT_TIMES: Final = voc.words("ma me di sa je jeu mer mar ete")
"""Weekdays, months and a season that are words as well: a date beside a number only."""
_USUAL: Final = 6
"""Frequency (whole part of the Zipf value) from which a word says nothing of names."""
_TOWN: Final = 20_000
_GRAVIDITY: Final = ("g", "p")
"""Letters whose numbers another letter may touch: "G3P2"."""
_WHOLE: Final = (Shape.TINY, Shape.SMALL)
DRUG: Final = 2
"""Bit of the names of drugs in `gazetteers.medical`."""
_SURNAMES: Final = 30_000
"""Ranks up to which a word is a surname as well."""


@cache
def withheld() -> frozenset[str]:
    """Folded words that tell a time, a place or a person wherever they stand."""
    words = {
        *filter(str.isalpha, folded(_RULES)),
        *(calendar.MONTH_OF.keys() | calendar.WEEKDAY_OF.keys()) - SHORT_TIMES,
        *chain.from_iterable(map(str.split, calendar.feast_names())),
        *filter(str.isalpha, gazetteers.countries()),
        *(fold(word) for word in titles.KIN_SEX if word.isalpha()),
        *LISTS["disciplines"],
        *_STATES,
        *_TIMES,
    }
    return frozenset(words - LISTS["kept"])


@cache
def phrases() -> dict[str, tuple[tuple[str, ...], ...]]:
    """First word → the names of departments, institutions and professions of several words that
    are no diagnosis.
    """
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for name in sorted(folded(_PHRASES) - _DIAGNOSES):
        words = tuple(re.findall("[a-z]+", name))
        if len(words) > 1:
            found[words[0]] = (*found.get(words[0], ()), words)
    return found


@cache
def _cues() -> frozenset[str]:
    """Words that announce the number of a sample, a device, a stay."""
    return folded("EXAMS, ORDER_CUES, OTHER_CUES, VISIT_CUES, PROVIDER_CUES, OFFICES")


@cache
def _parts_of_places() -> frozenset[str]:
    keys = (*gazetteers.place_keys(), *gazetteers.world_cities())
    return frozenset(part for key in keys for part in key.split())


@cache
def _wordings() -> frozenset[str]:
    """Words of the wordings and abbreviations that carry a code."""
    return frozenset(word for term in aliases() for word in re.findall(r"[a-z]+", fold(term.text)))


@cache
def _terms() -> frozenset[str]:
    """Words and abbreviations that carry a code by themselves."""
    return frozenset(fold(term.text) for term in aliases() if term.text.isalpha())


def is_known(word: str) -> bool:
    """Whether a folded word is one of French or of medicine."""
    return bool(
        voc.TRAITS[word] & (voc.WORD | voc.TITLE) or word in voc.LISTS["latin"] or is_medical(word)
    )


def is_medical(word: str) -> bool:
    """Whether a folded word is one of medicine, or the name of a disease or sign."""
    return (
        word in gazetteers.medical()
        or word in voc.SHORTHAND
        or word in _wordings()
        or bool(voc.TRAITS[word] & voc.EPONYM)
    )


def is_name(word: str) -> bool:
    """Whether a folded word is also borne by people or places."""
    return (
        word in gazetteers.first_names()
        or gazetteers.surnames().get(word, _SURNAMES) < _SURNAMES
        or word in _parts_of_places()
    )


def is_frequent_name(word: str) -> bool:
    """Whether a folded word is a frequent first name or surname, or a large town."""
    towns = gazetteers.places_named(word)
    large = bool(towns) and towns[0].population > _TOWN
    return large or bool(voc.TRAITS[word] & (voc.FREQUENT | voc.COMMON))


def _verdict(word: str) -> Verdict:
    if word in LISTS["kept"] or word in LISTS["measured"] or word in LISTS["units"]:
        return Verdict.AUTHORIZED
    if word in withheld() or not is_known(word):
        return Verdict.FORBIDDEN
    safe = (
        gazetteers.frequency().get(word, 0) >= _USUAL
        or bool(voc.TRAITS[word] & voc.EPONYM)
        or gazetteers.medical().get(word) == DRUG
        or word in voc.SHORTHAND
        or word in _terms()
    )
    return Verdict.LOWER if is_name(word) and not safe else Verdict.AUTHORIZED


STARTING: Final = Memo(_verdict)
"""The verdict of the starting list on each folded word."""


def is_unit(number: Number) -> bool:
    """Whether the word behind a number is a unit, or a span of time that is a duration."""
    if number.after in LISTS["spans_of_time"] and number.before in LISTS["before_spans"]:
        return True
    return number.after in LISTS["units"]


def by_word_before(number: Number) -> bool:
    """Whether the word before may protect a number by itself: nothing beside it tells a time, and
    a single letter has two digits at most.
    """
    before, after, spans = number.before, number.after, LISTS["spans_of_time"]
    timed = before in spans | SHORT_TIMES or after in spans or after in withheld()
    short = number.shape is Shape.TINY or len(before) > 1
    return short and not timed and number.shape is not Shape.YEAR


def vouches(number: Number) -> bool:
    """Whether the starting list protects a number."""
    before, after, shape = number.before, number.after, number.shape
    if shape is Shape.PLAIN or shape is Shape.OTHER:
        return shape is Shape.PLAIN
    if after.endswith(GLUED):
        return shape is Shape.TINY and before in _GRAVIDITY
    if is_unit(number):
        return before not in LISTS["spans_of_time"]
    if before == START:
        return shape in _WHOLE and after in LISTS["enumeration"]
    if before in LISTS["measured"] or not by_word_before(number):
        return by_word_before(number)
    no_measure = before in LISTS["places_by_number"] or before in withheld() or before in _cues()
    return shape in _WHOLE and before in gazetteers.medical() and not no_measure
