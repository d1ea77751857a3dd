"""First names cut short: "Fr.", "Ph.", "Chr.", "Guil."; which names they may stand for, and how a
surrogate is cut as its original was.

What is cut short follows from the most frequent first names; no list of abbreviations is kept.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.substitute.pseudonyms import listed

NO_INITIALS: Final = frozenset(listed("st dr pr ep mr me"))
"""Words of two letters with a dot that are no initial."""
NO_VOWEL: Final = frozenset("bcdfghjklmnpqrstvwxz")
SHORT: Final = 3
"""Letters up to which a first name may be initials, or its first consonants."""
_CUT: Final = 5
"""Letters up to which a first name may be cut short."""
_WORDS: Final = frozenset(listed("de du des da do dos das del van von den der et ou dit"))
"""Particles and links that begin a first name."""
_USUAL: Final = 1_000
"""How many first names of each sex, the most frequent, are abbreviated."""
_VOWELS: Final = "aàâäeéèêëiîïoôöuùûüyœæ"
_CLUSTER: Final = re.compile(rf"[^\W{_VOWELS}]+", re.IGNORECASE)
_SYLLABLE: Final = re.compile(
    rf"(?:{_CLUSTER.pattern})?[{_VOWELS}]+{_CLUSTER.pattern}", re.IGNORECASE
)


def is_abbreviation(key: str) -> bool:
    """Whether a folded word is a usual first name cut short behind a consonant, and none itself.

    >>> [is_abbreviation(word) for word in ("fr", "chr", "guil", "marc", "jp", "le")]
    [True, True, True, False, False, False]
    """
    return key in _cut_names()


def are_first_letters(key: str) -> bool:
    """Whether a folded word is the first consonants of a usual first name."""
    return len(key) <= SHORT and NO_VOWEL.issuperset(key) and is_abbreviation(key)


@cache
def _cut_names() -> frozenset[str]:
    """The beginnings of usual first names that end in a consonant, and are none themselves."""
    usual = {
        fold(name)
        for sex in (Sex.FEMALE, Sex.MALE)
        for name in gazetteers.first_name_list(sex)[:_USUAL]
    }
    cut = {
        name[:end]
        for name in usual
        for end in range(2, min(len(name), _CUT + 1))
        if name[end - 1] in NO_VOWEL and name.isalpha()
    }
    return frozenset(cut - usual - NO_INITIALS - _WORDS)


def may_abbreviate(short: str, name: str) -> bool:
    """Whether folded letters may be those of a folded name, cut short: "ph" of "philippe", not of
    "paul"; what begins no usual name is contracted, as "jq" of "jacques".
    """
    if name.startswith(short) or len(short) == 1:
        return name[0] == short[0]
    letters = iter(name)
    return not is_abbreviation(short) and all(letter in letters for letter in short)


def abbreviated(name: str, short: str) -> str:
    """A name as it is abbreviated where another one is cut short to some letters: to one, to its
    first consonants, or to those behind its first vowel.

    >>> abbreviated("Thierry", "f"), abbreviated("Thierry", "fr"), abbreviated("Kamel", "fr")
    ('T', 'Th', 'K')
    >>> abbreviated("Kamel", "guil"), abbreviated("Léo", "guil")
    ('Kam', 'L')
    """
    if len(short) == 1:
        return name[0]
    with_vowel = _CLUSTER.fullmatch(short) is None
    for form in (_SYLLABLE, _CLUSTER) if with_vowel else (_CLUSTER,):
        found = form.match(name)
        if found is not None and is_abbreviation(fold(found[0])):
            return found[0]
    return name[0]
