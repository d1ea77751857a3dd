"""Given names: their sex, and whether a word is one."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.cues import cue
from dpdeid.labels import Sex


def sex_of(word: str) -> Sex | None:
    """The sex of a folded first name, UNKNOWN if both bear it; None if it is in no list.

    A compound that is in no list has the sex of its first part, unless that is "marie".
    """
    names = gazetteers.first_names()
    first, _, rest = word.partition("-")
    if word in _EITHER or (first in _EITHER and rest == "marie"):
        return Sex.UNKNOWN
    if word in names:
        return names[word]
    if rest and first in names and rest in names and first != "marie":
        return names[first]
    return None


def leans(word: str) -> bool:
    """Whether a word is rather a first name than a surname."""
    return sex_of(word) is not None and (gazetteers.surnames().get(word, 10**6) or 0) > 1500


def doubtful(listed: str, one: str, other: str) -> bool:
    """Whether of two words the listed one may be the surname, and the given name in no list."""
    surnames = gazetteers.surnames()
    rest = other if listed == one else one
    return listed in surnames and rest not in surnames


def given_only(word: str) -> bool:
    """Whether a word alone behind a title is a first name: hardly anybody is called so."""
    rank = gazetteers.surnames().get(word)
    return (
        sex_of(word) in (Sex.FEMALE, Sex.MALE) and frequent(word) and (rank is None or rank > 3500)
    )


def frequent(word: str) -> bool:
    """Whether a first name is one of the 1,000 most frequent; they stand first in their list."""
    return word in _first()


@cache
def _first() -> frozenset[str]:
    return frozenset(islice(gazetteers.first_names(), 1000)) - _EITHER


_EITHER: Final = frozenset(cue("given_to_either").split("|"))
"""First names that no list has for both sexes although without accents they are, or surnames."""
