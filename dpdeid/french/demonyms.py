"""What the people of a town are called: "Brestois", "une Lyonnaise", "malouins"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

_FEMININE: Final = {
    "eau": "elle",
    "er": "ère",
    "ien": "ienne",
    "éen": "éenne",
    "if": "ive",
    "e": "e",
}
"""Endings of feminine forms that are not the masculine one and an "e"."""
_TOWNS: Final = frozenset({"messines"})
"""Forms that are the name of another town."""


class Number(NamedTuple):
    """Whether people are women, and several."""

    feminine: bool
    plural: bool


@cache
def known() -> Mapping[str, tuple[str, Number]]:
    """Folded demonym, in each of its forms that is no town itself → its town and which form it is;
    a form that is singular and plural counts as singular.
    """
    forms = [Number(feminine, plural) for plural in (True, False) for feminine in (True, False)]
    return {
        fold(inflected(word, number)): (town, number)
        for number in forms
        for town, word in rows("demonyms")
        if fold(inflected(word, number)) not in _TOWNS
    }


_WORDS: Final = """
le la les l un une des ce cet cette ces du de d jeune jeunes ancien ancienne anciens anciennes
grand grande petite proche lointaine banlieue region agglomeration metropole communaute
peripherie campagne couronne population famille familles equipe equipes bassin pays
arriere-pays centre quartier quartiers cote club societe origine origines
"""
_AROUND: Final = frozenset(_WORDS.split())
"""Folded words that may stand before a demonym within one mention. They are kept, so none of them
is part of the name of a town.
"""
_BETWEEN: Final = re.compile(r"[\s'’]+")


def parted(text: str) -> tuple[str, str] | None:
    """A mention of people as what stays and the demonym; None if it is none, whatever it ends in.

    >>> parted("banlieue lyonnaise"), parted("LA CROIX AVRANCHIN")
    (('banlieue ', 'lyonnaise'), None)
    """
    around, _, last = text.rpartition(" ")
    words = filter(None, _BETWEEN.split(fold(around)))
    if fold(last) not in known() or not _AROUND.issuperset(words):
        return None
    return around and around + " ", last


@cache
def by_town() -> Mapping[str, str]:
    """Town → what its people are called, masculine and singular."""
    return {town: word for town, word in rows("demonyms")}  # noqa: C416 - pairs, as mypy sees


def inflected(word: str, number: Number) -> str:
    """A masculine singular in another form.

    >>> inflected("tourangeau", Number(True, True)), inflected("messin", Number(False, True))
    ('tourangelles', 'messins')
    """
    if number.feminine:
        ending = next((end for end in _FEMININE if word.endswith(end)), "")
        word = word.removesuffix(ending) + _FEMININE.get(ending, "e")
    if not number.plural or word.endswith("s"):
        return word
    return word + ("x" if word.endswith("eau") else "s")
