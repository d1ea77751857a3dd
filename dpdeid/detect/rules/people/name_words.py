"""Looks at words that may be names, and at those beside them: what the lists tell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.context import line_before, written_after
from dpdeid.detect.rules.fragments import folded, pattern
from dpdeid.detect.rules.places import surnames
from dpdeid.french.letters.abbreviations import DOTTED, PLAIN, of_people
from dpdeid.normalize import fold

_NO_NAME: Final = voc.STOP | voc.TITLE | voc.ROLE | voc.EPONYM
_RANKS: Final = voc.words("senior junior major chef regulateur")


def surname(match: re.Match[str]) -> bool:
    """Whether the word is a surname of the lists and no profession, title or function word."""
    word = fold(match["LAST_NAME"])
    bits = voc.TRAITS[word]
    return bool(bits & voc.LAST) and not bits & (_NO_NAME | voc.PARTICLE) and word not in _RANKS


def short_surname(match: re.Match[str]) -> bool:
    """Whether a given name, or a word in no list, stands behind two or three capitals."""
    words = [fold(part) for part in re.split("[- ]", match["FIRST_NAME"])]
    known = [EVIDENCE[word] for word in words]
    if any(voc.TRAITS[word] & _NO_NAME for word in words):
        return False
    named = [one for one in known if one.first_name or one.surname]
    return all(one in named or not (one.word or one.medical or one.drug) for one in known)


_RARE: Final = 3


def _is_listed(word: str) -> bool:
    return bool(voc.TRAITS[word] & voc.LISTED)


def shouted_name(match: re.Match[str]) -> bool:
    """Whether none of two or three words in capitals is a word, of medicine or short for it."""
    words = [fold(part) for part in re.split("[- ]", f"{match['LAST_NAME']} {match['FIRST_NAME']}")]
    return not any(
        voc.TRAITS[word] & _NO_NAME or word in voc.ABBREVIATIONS or EVIDENCE[word].medical
        or (EVIDENCE[word].frequency > _RARE and EVIDENCE[word].word and not _is_listed(word))
        for word in words
    )  # fmt: skip


def greeted_person(match: re.Match[str]) -> bool:
    """Whether somebody is greeted by name: no relative, colleague or place."""
    bits = voc.TRAITS[fold(match["FIRST_NAME"])]
    parts = [voc.TRAITS[fold(part)] for part in match["FIRST_NAME"].split("-")]
    return not bits & _NO_NAME and any(part & voc.FIRST or not part & voc.WORD for part in parts)


def practice(match: re.Match[str]) -> bool:
    """A practice bears surnames, and no town has them."""
    return surnames(match["LAST_NAME"], ("le", "la", "de"), "[- ]")


def colleague(match: re.Match[str]) -> bool:
    """Whether the word is a surname, or in no list: no given name, hospital, place or drug."""
    word = fold(match["LAST_NAME"])
    bits = voc.TRAITS[word]
    if (
        bits & (_NO_NAME | voc.PARTICLE)
        or word in folded("CUED_HOSPITALS")
        or gazetteers.places_named(word)
    ):
        return False
    if bits & voc.FIRST and not bits & voc.COMMON:
        return False
    return bool(bits & voc.LAST) or not any(
        voc.TRAITS[part] & (voc.WORD | _NO_NAME) for part in re.split(r"[-' ]", word)
    )


def given_name_last(match: re.Match[str]) -> bool:
    """A given name stands second, and before it what may be a surname."""
    first, last = voc.TRAITS[fold(match["FIRST_NAME"])], voc.TRAITS[fold(match["LAST_NAME"])]
    return bool(first & voc.FIRST and not last & (voc.STOP | voc.ROLE | voc.TITLE)) and bool(
        (not last & voc.WORD and len(match["LAST_NAME"]) > 3)
        or (last & voc.COMMON and first & voc.FREQUENT)
    )


def given_name_first(match: re.Match[str]) -> bool:
    """A given name stands first, and after it what may be a surname."""
    first, last = voc.TRAITS[fold(match["FIRST_NAME"])], voc.TRAITS[fold(match["LAST_NAME"])]
    return bool(first & voc.FREQUENT) and bool(last & voc.LAST and not last & voc.WORD)


UNFILLED: Final = voc.LISTS["unfilled"]
"""What says that a field is empty."""


def no_word(match: re.Match[str]) -> bool:
    """The initials are no ordinary word ("frappe en salle"), nor what a sign is of."""
    if _NOUN.match(match[0]):
        return False
    loud = match[0].isupper() or fold(match[0]).startswith(_LOOKED)
    return not any(
        (
            voc.TRAITS[one.lower()] & (voc.WORD | voc.STOP)
            and (loud or not one.isupper() or len(one) > _TWO)
        )
        or one.lower() in UNFILLED
        for one in match.groups()
        if one
    )


_NOUN: Final = re.compile(r"(?i)signe|contrôle (?!par |:)")
_TWO: Final = 2
_LOOKED: Final = ("contr", "lu ", "visa", "vise", "sign", "appro", "sec", "val", "pp")
"""What stands before a thing as well as before who did it: "Contrôle TA"."""
_SPELT: Final = 4
"""Letters of a name that is spelt out."""
_NEAR: Final = 40
_CALLED: Final = voc.words("m mr mme mlle monsieur madame dr docteur nom prenom patient patiente")
"""How far before letters their word may stand, and what calls a name that they spell."""


def unknown_initials(match: re.Match[str]) -> bool:
    """Initials, not abbreviations: nothing that medicine or the dictionary knows."""
    said = [group.lower() for group in match.groups() if group]
    known = sum(w in PLAIN or EVIDENCE[w].shorthand or EVIDENCE[w].word for w in said)
    return 2 * known < len(said)


_PARTED: Final = frozenset(("n-d", "p-s"))
"""A church and what is added to a letter: "N.-D.", "P.-S."."""


def initials_placed(match: re.Match[str]) -> bool:
    """Whether somebody's initials stand there, by what stands around them."""
    letters = match["FIRST_NAME"]
    both = [fold(half).replace(".", "") for half in letters.split("-")]
    if len(both) > 1 and all(len(half) > 1 and half in DOTTED for half in both):
        return False  # "A.T.-M.P."
    if "-" in letters and letters.isupper():
        return fold(letters.replace(".", ""))[:3] not in _PARTED
    short = fold(letters).replace(".", "")
    if letters.startswith("M.") and len(short) > 1 and short not in DOTTED and letters.isupper():
        return True  # "(interprété : M.H., senior"
    return of_people(match.string, *match.span("FIRST_NAME"))


_ASIDE: Final = r"(?i)<<SPELT_ACCENT>>| comme \w+|<<SPELT_MARK>>|\W"
_TWICE: Final = r"(?i)<<SPELT_DOUBLE>>(<<SPELT_LETTER>>)\b"


def spelt_name(match: re.Match[str]) -> bool:
    """The letters spell a name, or a word of the note; an ordinary word ("R A P P O R T") must
    stand right before them, or a title.
    """
    word = fold(pattern(_ASIDE).sub("", pattern(_TWICE).sub(r"\1\1", match["LAST_NAME"])))
    start = match.start()
    before = re.findall(r"\w+", fold(match.string[max(0, start - _NEAR) : start]))
    if len(word) < _SPELT:
        return before[-1:] == [word]  # "docteur Rey r e y"
    if word in gazetteers.words():
        return word in before or not _CALLED.isdisjoint(before[-1:])
    return (
        word in gazetteers.surnames()
        or word in gazetteers.first_names()
        or word in _words_of(match.string)
    )


@lru_cache(maxsize=1)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fold(text)))


def name_follows(match: re.Match[str]) -> bool:
    """A first name follows at once: "FILLE MARGUERITE"."""
    named = re.match(r" ([A-ZÀ-Þ][\w-]{2,16})\b", written_after(match)[:20])
    return named is not None and bool(voc.TRAITS[fold(named[1])] & voc.FREQUENT)


def worker_before(match: re.Match[str]) -> bool:
    """A profession stands before: "maçon haïtien", but neither "berger belge" nor a carer's."""
    worker = line_before(match, 24).rstrip().rpartition(" ")[2]
    works = worker in folded("NOUNS") and worker not in ("berger", "chef")
    return works and not pattern("<<any of CARERS>>").match(worker)
