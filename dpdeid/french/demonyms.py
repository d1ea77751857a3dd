"""What the people of a town are called: "Brestois", "une Lyonnaise", "malouins"."""

from __future__ import annotations

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
