"""Rows for people named without a title: who saw the patient, who is on the telephone.

The frame tells that a person is meant ("revu par …", "copine de … au tel"), the lists that the
word can be a name: a profession, a place or an ordinary word in small letters is none.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as voc
from dpdeid.detect.patterns.facilities import CUED
from dpdeid.detect.patterns.phrase import CAPITAL, UPPER, listed
from dpdeid.detect.patterns.table import Row, Word, words
from dpdeid.labels import Role
from dpdeid.normalize import fold

_NO_NAME: Final = voc.STOP | voc.TITLE | voc.ROLE | voc.EPONYM
_RANKS: Final = voc.words("senior junior major chef regulateur")
_HOUSES: Final = frozenset(map(fold, listed(CUED)))


def _surname(match: re.Match[str]) -> bool:
    """Whether the word is a surname of the lists and no profession, title or function word."""
    word = fold(match["LAST_NAME"])
    bits = voc.TRAITS[word]
    return bool(bits & voc.LAST) and not bits & (_NO_NAME | voc.PARTICLE) and word not in _RANKS


def _greeted(match: re.Match[str]) -> bool:
    """Whether somebody is greeted by name: no relative, colleague or place."""
    bits = voc.TRAITS[fold(match["FIRST_NAME"])]
    parts = [voc.TRAITS[fold(part)] for part in match["FIRST_NAME"].split("-")]
    return not bits & _NO_NAME and any(part & voc.FIRST or not part & voc.WORD for part in parts)


def _practice(match: re.Match[str]) -> bool:
    """Whether a practice bears surnames, and no town has them."""
    return _is_surname(match["LAST_NAME"]) and not gazetteers.places_named(
        fold(match["LAST_NAME"]).replace("-", " ")
    )


def _is_surname(name: str) -> bool:
    parts = [fold(part) for part in re.split(r"[- ]", name)]
    surnames = gazetteers.surnames()
    return any(part in surnames for part in parts) and all(
        part in surnames or part in ("le", "la", "de") or part not in gazetteers.words()
        for part in parts
    )


def _colleague(match: re.Match[str]) -> bool:
    """Whether the word is a surname, or in no list: no given name, hospital, place or drug."""
    name = match["LAST_NAME"]
    word = fold(name)
    bits = voc.TRAITS[word]
    if bits & (_NO_NAME | voc.PARTICLE) or word in _HOUSES or gazetteers.places_named(word):
        return False
    if bits & voc.FIRST and not bits & voc.COMMON:
        return False
    return bool(bits & voc.LAST) or not any(
        voc.TRAITS[part] & (voc.WORD | _NO_NAME) for part in re.split(r"[-' ]", word)
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "people.colleague",
        Word(
            words(
                "vu vue revu revue relu relue rappele rappelee appele appelee adresse adressee"
                " opere operee suivi suivie valide validee examine examinee dicte redige discute"
                " discutee"
            ),
            " [ap]",
        ),
        r"(?i:\w{2,9}) (?:par|avec) "
        rf"(?P<LAST_NAME>(?=[{UPPER}][a-zà-ÿ'-]){CAPITAL})(?![\w'-]| [{UPPER}])",
        "sera revu par «LAST_NAME:Kerlubac» samedi",
        score=0.7,
        check=_colleague,
        never=("suivi par Lyon", "vu par Cardiologue", "suivi par Allergologue", "vu par le Dr"),
        role=Role.STAFF,
    ),
    Row(
        "people.on_the_phone",
        words(
            "fille fils mari femme epouse mere pere soeur frere neveu niece copine copain compagne"
            " compagnon cousin cousine gendre maman papa"
        ),
        r"(?i:\w{3,9}) d(?:e |')(?P<LAST_NAME>[^\W\d_]{3,20}(?:-[^\W\d_]{2,20}){0,2})"
        r" au (?:t[ée]l|bout du fil)",
        "copine de «LAST_NAME:rezzanian» au tel",
        score=0.8,
        check=_colleague,
        never=("fille de patiente au tel", "mari de madame au tel"),
    ),
    Row(
        "people.initials.born",
        Word(words("a b c d e f g h i j k l m n o p q r s t u v w x y z"), r"\.[A-Z -]"),
        r"(?<=\()(?P<FIRST_NAME>[A-Z]\.)[ -]?(?P<LAST_NAME>[A-Z]\.)(?=,? (?:(?:19|20)\d\d\)"
        r"|\d{1,3} ?an))",
        "un cas («FIRST_NAME:T.»«LAST_NAME:K.», 1949) revu",
        score=0.85,
        never=("(E. C. 20 UI)",),
    ),
    Row(
        "people.greeted",
        words("amities amitie bise bises bisous pensees salut bonjour"),
        rf"(?i:\w{{4,8}}) [àa] (?P<FIRST_NAME>{CAPITAL})",
        "Amitiés à «FIRST_NAME:Jean-Mi» et aux siens",
        score=0.93,
        check=_greeted,
        never=("Bonjour à Tous", "bises à Madame"),
    ),
    Row(
        "people.practice",
        words("cabinet"),
        rf"(?:cabinet|Cabinet) (?P<LAST_NAME>{CAPITAL}(?:[ -](?:Le|La) {CAPITAL})?)"
        rf"(?:(?: ?/ ?| et | & |, )(?P<LAST_NAME_2>{CAPITAL}))?(?= ?[\d(,;.\n]| passe|$)",
        "IDE libérale : cabinet «LAST_NAME:Morvan-Le Dantec» 06 21 14 33 80",
        score=0.93,
        check=_practice,
        never=("cabinet Médical, le 3", "cabinet Infirmier"),
        role=Role.STAFF,
    ),
    Row(
        "people.doctor",
        words("dr dre"),
        r"(?:dr|dre) (?P<LAST_NAME>[a-zà-ÿ]{2,15})"
        r"(?= (?:interne|externe|pass[eé]e?|rappelle|demande|dit|veut|poste|dect|bip|tel|ok|orl"
        r"|anesth)\b)",
        "dr «LAST_NAME:carpe» passe à 4h",
        score=0.85,
        check=_surname,
        never=("dr garde passe", "dr senior demande"),
        role=Role.STAFF,
    ),
    Row(
        "people.initials",
        Word(words("a b c d e f g h i j k l m n o p q r s t u v w x y z"), r"\.[A-Z ]"),
        r"(?:(?<![^\n])|(?<=[–—-] ))(?P<FIRST_NAME>[A-Z]\. ?[A-Z]\.)(?=[ \t]{0,3}(?:\n|\Z))",
        "«FIRST_NAME:C. O.»",
        score=0.8,
        never=("C. difficile", "A. B. Suite du texte", "sérologie E. C."),
        role=Role.STAFF,
    ),
)
"""Names in frames that hold a person."""
