"""Whether a word, in lower case without accents, is one that some list knows."""

from __future__ import annotations

from typing import Final

from dpdeid import gazetteers
from dpdeid.french.titles import TITLES
from dpdeid.lexicon import Memo


def is_name(folded: str) -> bool:
    """Whether somebody is called so."""
    return folded in gazetteers.first_names() or folded in gazetteers.surnames()


def _is_known(folded: str) -> bool:
    listed = folded in gazetteers.words() or folded in gazetteers.place_keys()
    listed = listed or folded in gazetteers.departments()
    return listed or folded in gazetteers.medical() or folded in TITLES or is_name(folded)


IS_KNOWN: Final = Memo(_is_known)
"""Whether it is a word, a term of medicine, a title, a town or a name."""
