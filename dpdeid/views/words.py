"""The words of a text, each once; whether one, in lower case without accents, is in some list."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.titles import TITLES
from dpdeid.lexicon import Memo

_RUN: Final = re.compile(r"[^\W_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=2)  # the views ask one after the other, most of them for the same text
def runs(text: str) -> frozenset[str]:
    """The runs of letters and digits of a text: what few words can be is asked of each once."""
    return frozenset(_RUN.findall(text))


@lru_cache(maxsize=2)
def words(text: str) -> frozenset[str]:
    """The runs of letters of a text, digits or not beside them."""
    found: set[str] = set()
    for run in runs(text):
        if run.isalpha():
            found.add(run)
        else:
            found.update(_LETTERS.findall(run))
    return frozenset(found)


def is_name(folded: str) -> bool:
    """Whether somebody is called so."""
    return folded in gazetteers.first_names() or folded in gazetteers.surnames()


def _is_known(folded: str) -> bool:
    listed = folded in gazetteers.words() or folded in gazetteers.place_keys()
    listed = listed or folded in gazetteers.departments()
    return listed or folded in gazetteers.medical() or folded in TITLES or is_name(folded)


IS_KNOWN: Final = Memo(_is_known)
"""Whether it is a word, a term of medicine, a title, a town or a name."""
