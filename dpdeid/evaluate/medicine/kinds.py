"""What kind of medicine a word of a note is, by the word and its line.

Phrases decide first (see `phrases`): a word inside "Hb 12,3 g/dl" is part of a value, inside
"500 mg" of a dose. Then lists and forms. The cues are of this room alone, nothing of the detectors;
of the shipped lists the medical words, the drugs and the common words are read.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coding.terms import aliases
from dpdeid.evaluate.medicine import cues
from dpdeid.normalize import fold


class Kind(StrEnum):
    """Of a changed word: first those of `MEDICINE`, last two that are in no sum."""

    DRUG = "drug"
    DOSE = "dose"
    VALUE = "value"
    CODE = "code"
    DURATION = "duration"
    NAMED = "named"
    ABBREVIATION = "abbreviation"
    TERM = "term"
    ACRONYM = "acronym"
    WORD = "word"
    NUMBER = "number"
    GRAMMAR = "grammar"
    FORMAT = "format"


MEDICINE: Final = tuple(Kind)[:8]
COUNTED: Final = tuple(Kind)[:11]

WORD: Final = re.compile(r"[^\W_]+(?:(?<=\d)[.,/:-](?=\d)[^\W_]+)*")
"""Letters and digits; a number keeps the marks inside it."""

_CAPITALS: Final = re.compile(r"[A-Z]{2,6}")
_MIXED: Final = re.compile(
    r"(?=\w*[a-z\d])(?:[a-z]?[A-Z][a-z]{0,2}[A-Z]\w{0,6}|[A-Z]{1,5}[a-z]?\d\w{0,4})"
)
"""Capitals among small letters or with digits: "IDMc", "aVL", "SpO2", "CA125"."""
_OFTEN: Final = 6
"""Zipf value from which a word is one of French, whatever it is else: "du"."""
_LEAD: Final = re.compile(r"([^\W\d_]{3,})\s(?:(?:de|du)\s|d['’])?$")
_SCANNED: Final = str.maketrans("0158", "olsb")
_ARTICLES: Final = frozenset(["un", "une"])
_EVERYDAY: Final = 5_000
"""So many of the most frequent words are everyday ones, whatever wordings hold them."""
_OF_MASS: Final = re.compile(r"\s\d+(?:[.,]\d+)?\s?(?:mg|µg|ug|mcg|ui|g)(?![^\W_])", re.IGNORECASE)
"""What follows a drug: "Xyzal 5 mg"."""


def kind_by_itself(word: str, before: str, after: str) -> Kind:
    """The kind of a word that is in no phrase.

    Args:
        before, after: what stands beside it in its line.
    """
    word = _as_scanned(word)
    folded = fold(word)
    if word[0].isdigit() or (folded in cues.words("numbers in words") and folded not in _ARTICLES):
        last = WORD.findall(before)[-1:]
        return Kind.DOSE if last and is_drug(fold(last[0])) else Kind.NUMBER
    common = folded in gazetteers.common_words()
    if is_drug(folded) or (_is_dosed(word, after) and not common):
        return Kind.DRUG
    if _listed(folded, "everyday words of medicine"):
        return Kind.TERM
    if folded in cues.words("abbreviations that are no medicine"):
        return Kind.WORD
    if word[0].isupper() and (
        cues.form("names of devices and scores").fullmatch(folded) or _is_named(word, before)
    ):
        return Kind.NAMED
    if _is_abbreviation(word, folded):
        return Kind.ABBREVIATION
    if _is_term(folded):
        return Kind.TERM
    among_capitals = (before + after).isupper() and _is_french(folded)
    if _MIXED.fullmatch(word) or (_CAPITALS.fullmatch(word) and not among_capitals):
        return Kind.ACRONYM
    return Kind.WORD


def _as_scanned(word: str) -> str:
    """A word whose digits are letters of a bad scan, put right: "0PERAT0IRE"."""
    letters = word.lower().translate(_SCANNED)
    wrong = any(map(str.isdigit, word)) and sum(map(str.isalpha, word)) > len(word) / 2
    return letters if wrong and len(word) > 4 and _is_french(fold(letters)) else word


def _listed(folded: str, cue: str) -> bool:
    """Whether a word or its singular is in a list."""
    listed = cues.words(cue)
    return folded in listed or (folded[-1] in "sx" and folded[:-1] in listed)


def _is_named(word: str, before: str) -> bool:
    """Whether a capitalised word, no French one, follows a word of medicine: "de Monteggia"."""
    lead = _LEAD.search(before)
    if lead is None or word.isupper() or _is_french(fold(word)):
        return False
    folded = fold(lead[1])
    return _is_term(folded) or _listed(folded, "everyday words of medicine")


def is_drug(folded: str) -> bool:
    """Whether a folded word names a drug or substance."""
    if folded in cues.words("drugs that no list has"):
        return True
    if len(folded) < 4 or folded in gazetteers.common_words():
        return False
    listed = gazetteers.medical().get(folded, 0) & 2
    return bool(listed) or cues.form("stems of drugs").fullmatch(folded) is not None


def _is_dosed(word: str, after: str) -> bool:
    return word.isalpha() and len(word) > 3 and _OF_MASS.match(after) is not None


def _is_abbreviation(word: str, folded: str) -> bool:
    if folded in cues.words("abbreviations"):
        return True
    short = _CAPITALS.fullmatch(word) or _MIXED.fullmatch(word)
    return bool(short) and (
        word in _short_aliases()
        or cues.form("analytes").fullmatch(folded) is not None
        or cues.form("scores").fullmatch(folded) is not None
    )


def _is_term(folded: str) -> bool:
    """Of common words only those of the coder's wordings: labels of codes hold any."""
    if folded in gazetteers.common_words():
        return folded in _alias_words()
    listed = gazetteers.medical().get(folded, 0)
    return bool(listed) or cues.form("endings of medical words").fullmatch(folded) is not None


@cache
def _alias_words() -> frozenset[str]:
    """The words of the coder's wordings that are not everyday words ("entorse", not "nouveau")."""
    every = {fold(word) for term in aliases() for word in WORD.findall(term.text)}
    common = gazetteers.common_words()
    return frozenset(word for word in every if common.get(word, _EVERYDAY) >= _EVERYDAY)


def _is_french(folded: str) -> bool:
    listed = folded in gazetteers.words() or folded in gazetteers.name_words()
    return listed or gazetteers.frequency().get(folded, 0) >= _OFTEN


@cache
def _short_aliases() -> frozenset[str]:
    """Abbreviations of the coder's wordings: "HTA", "BPCO"."""
    return frozenset(term.text for term in aliases() if term.capitals)
