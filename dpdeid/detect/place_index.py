"""The names of places by first word, and the longest of them at a token.

Blind to case, accents, hyphens, spaces, "St" and "Saint", "S/" and "sur". Says what is in the
lists, not whether it is meant as a place: that is `dpdeid.detect.lookup_places`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect.patterns.phrase import listed
from dpdeid.detect.place_words import CITIES, FUNCTION_WORDS
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.tokens import Tokens

ARTICLES: Final = frozenset(("le", "la", "les", "l"))
_BEFORE_BARE: Final = frozenset(("au", "aux", "du", "des", "le", "la", "les", "l"))
_JOINTS: Final = frozenset("-'/")
_LONG: Final = {"st": "saint", "ste": "sainte", "s": "sur"}
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 8
_FREQUENT: Final = 3_000
"""Rank of a first name, of each sex, beyond which a place of that name is the likelier reading."""
_ABROAD: Final = 2_000
"""Population taken for the other cities of the world: they need a word that announces them."""
_LARGE: Final = 100_000
"""Population taken for departments, regions and the cities that are not in the lists."""


def split(name: str) -> tuple[str, ...]:
    """The folded words of a name, abbreviations written out."""
    return tuple(_LONG.get(word, word) for word in _WORD.findall(fold(name)))


@dataclass(frozen=True, slots=True)
class Names:
    """Folded names, their words joined by one space.

    Args:
        towns: towns, departments, regions.
        bare: towns with an article, without it ("locle", which follows "au") → the full name.
        countries: countries.
        areas: departments, regions and the cities of other countries.
        alone: the names of one word.
        first: first word of a longer name → its second words.
    """

    towns: frozenset[str]
    bare: dict[str, str]
    countries: frozenset[str]
    areas: frozenset[str]
    alone: frozenset[str]
    first: dict[str, set[str]]


@cache
def given_names() -> frozenset[str]:
    """Folded first names that are frequent enough to be meant as one."""
    return frozenset(
        fold(name)
        for sex in Sex
        for name in gazetteers.first_name_list(sex)[:_FREQUENT]
        if len(name) > 2
    )


@cache
def names() -> Names:
    """All names, read once."""
    areas = frozenset(
        " ".join(split(name))
        for name in (*listed(CITIES), *gazetteers.departments(), *gazetteers.regions())
    )
    towns = (areas | gazetteers.place_keys() | gazetteers.world_cities()) - FUNCTION_WORDS
    countries = frozenset(" ".join(split(name)) for name in gazetteers.countries())
    bare: dict[str, str] = {}
    for key in towns:
        head, _, rest = key.partition(" ")
        if rest and head in ARTICLES and rest not in towns:
            bare[rest] = key
    alone: set[str] = set()
    first: dict[str, set[str]] = {}
    for key in (*towns, *bare, *countries):
        head, _, rest = key.partition(" ")
        if rest:
            first.setdefault(head, set()).add(rest.partition(" ")[0])
        else:
            alone.add(key)
    for short in ("st", "ste"):
        first.setdefault(short, set()).update(first.get(_LONG[short], ()))
    return Names(towns, bare, countries, areas, frozenset(alone), first)


@lru_cache(maxsize=4096)
def population(key: str) -> int:
    """Inhabitants of the largest place of that name."""
    if key in names().areas:
        return _LARGE
    found = gazetteers.places_named(names().bare.get(key, key))
    return found[0].population if found else _ABROAD


@lru_cache(maxsize=4096)
def lands(key: str) -> frozenset[str]:
    """The countries ("CH", "FR") that have a place of that name."""
    return frozenset(place.country for place in gazetteers.places_named(key))


class Hit(NamedTuple):
    """A name of the lists in a text.

    Args:
        first, last: its first and last token.
        key: its folded words joined by one space.
        words: how many words it has.
        country: whether it is a country.
    """

    first: int
    last: int
    key: str
    words: int
    country: bool


def stands_alone(word: str, index: Names) -> bool:
    """Whether the folded word, abbreviated or not, may be a whole name."""
    return word in index.alone or _LONG.get(word) in index.alone


def goes_on(folded: tuple[str, ...], at: int, index: Names) -> bool:
    """Whether the second word of a longer name stands behind its first at `at`."""
    seconds = index.first.get(folded[at])
    if seconds is None:
        return False
    behind, count = at + 1, len(folded)
    if behind < count and folded[behind] in _JOINTS:
        behind += 1
    return behind < count and folded[behind] in seconds


def longest(tokens: Tokens, at: int, index: Names) -> Hit | None:
    """The longest name that begins at token `at`; a line may break between its words."""
    folded, starts, ends = tokens.folded, tokens.starts, tokens.ends
    head, count = folded[at], len(folded)
    head = _LONG.get(head, head) if head != "s" else head
    here = at + 1
    if here < count and folded[here] in _JOINTS and starts[here] == ends[at]:
        here += 1
    if here >= count or folded[here] not in index.first.get(head, ()):
        return _named(head, at, at, 1, tokens, index) if head in index.alone else None
    found, lasts = [head], [at]
    while len(found) < _MOST_WORDS and here < count:
        word = folded[here]
        if not word.isalnum() or starts[here] - ends[here - 1] > 1:
            break
        glued = here + 1 < count and starts[here + 1] == ends[here]
        found.append(_LONG.get(word, word) if glued or word != "s" else word)
        lasts.append(here)
        here += 1
        if here < count and folded[here] in _JOINTS and starts[here] == ends[here - 1]:
            here += 1
    for size in range(len(found), 0, -1):
        hit = _named(" ".join(found[:size]), at, lasts[size - 1], size, tokens, index)
        if hit is not None:
            return hit
    return None


def _named(key: str, first: int, last: int, words: int, tokens: Tokens, index: Names) -> Hit | None:
    """The name as a hit, if it is one here."""
    if key in index.towns:
        return Hit(first, last, key, words, key in index.countries)
    if key in index.countries:
        shouted = len(key) > 3 or tokens.texts[first].isupper()
        return Hit(first, last, key, words, True) if shouted else None
    if key in index.bare and first > 0 and tokens.folded[first - 1] in _BEFORE_BARE:
        return Hit(first, last, key, words, False)
    return None
