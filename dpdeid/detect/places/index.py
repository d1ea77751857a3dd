"""The longest name of a place at a token, and what stands around it: titles, codes, brackets.

Blind to case, accents, hyphens, spaces, "St" and "Saint", "S/" and "sur". Says what is in the
lists, not whether it is meant as a place: that is `dpdeid.detect.places.lookup`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.names.vocabulary import LISTS, TEXTS
from dpdeid.french import titles
from dpdeid.labels import Sex
from dpdeid.normalize import fold

LIVES: Final = LISTS["place_lives"]
PREPOSITIONS: Final = LISTS["place_prepositions"]
TITLES: Final = titles.TITLES | LISTS["place_titles"]
EPONYM_HEADS: Final = LISTS["place_eponym_heads"]
PLACE_NOUNS: Final = LISTS["place_nouns"]
FUNCTION_WORDS: Final = LISTS["place_function_words"]
LARGE_TOWNS: Final = TEXTS["place_large_towns"]
CANTONS: Final = LISTS["place_cantons"]
CITIES: Final = TEXTS["place_cities"]


ARTICLES: Final = frozenset(("le", "la", "les", "l"))
_BEFORE_BARE: Final = frozenset(("au", "aux", "du", "des", "le", "la", "les", "l"))
_JOINTS: Final = frozenset("-'/")
_SAINTS: Final = {"st": "saint", "ste": "sainte"}
_LONG: Final = {**_SAINTS, "s": "sur"}
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
        for name in (*CITIES.split(","), *gazetteers.departments(), *gazetteers.regions())
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
    for short, long in _SAINTS.items():
        first.setdefault(short, set()).update(first.get(long, ()))
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


def longest(view: View, at: int) -> Hit | None:
    """The longest name that begins at token `at`; a line may break between its words."""
    word_at, index, here = view.word, names(), at + 1
    head = view.folded[at]
    following = index.first.get(head, ())
    head = _SAINTS.get(head, head)
    if word_at(here) in _JOINTS and view.glued(here):
        here += 1
    if word_at(here) not in following:
        return _named(head, at, at, 1, view) if head in index.alone else None
    found, lasts = [head], [at]
    while len(found) < _MOST_WORDS:
        word = word_at(here)
        if not word.isalnum() or view.starts[here] - view.ends[here - 1] > 1:
            break
        found.append(_LONG.get(word, word) if view.glued(here + 1) or word != "s" else word)
        lasts.append(here)
        here += 1
        if word_at(here) in _JOINTS and view.glued(here):
            here += 1
    for size in range(len(found), 0, -1):
        hit = _named(" ".join(found[:size]), at, lasts[size - 1], size, view)
        if hit is not None:
            return hit
    return None


def _named(key: str, first: int, last: int, words: int, view: View) -> Hit | None:
    index = names()
    if key in index.towns:
        return Hit(first, last, key, words, key in index.countries)
    if key in index.countries:
        shouted = len(key) > 3 or view.texts[first].isupper()
        return Hit(first, last, key, words, True) if shouted else None
    if key in index.bare and view.word(first - 1) in _BEFORE_BARE:
        return Hit(first, last, key, words, False)
    return None


_SKIPPED: Final = frozenset(("'", "la", "le", "les", "l", "d", ":", "("))
_BEFORE_CODE: Final = frozenset(("(", ",", "-", "–", "cedex", "à"))
_OF: Final = frozenset(("de", "d", "'", "du", "la", "le", "des", "-"))
_WEEKDAYS: Final = frozenset(
    ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "ce", "le"]
)


def cue_before(view: View, index: int) -> int:
    """The token before `index`, articles and opening marks left out."""
    index -= 1
    while index >= 0 and view.folded[index] in _SKIPPED:
        index -= 1
    return index


def opens_line(view: View, index: int) -> bool:
    """Whether nothing but marks stands before the token on its line."""
    start = view.starts[index]
    above = view.text.rfind("\n", max(0, start - 80), start)
    return (above >= 0 or start <= 80) and not any(map(str.isalnum, view.text[above + 1 : start]))


def has_capital(view: View, hit: Hit) -> bool:
    """Whether a word of the name, articles apart, has a capital, and not among other capitals."""
    texts, first, last = view.texts, hit.first, hit.last
    if (not texts[last][0].isupper() or view.folded[last] in ARTICLES) and not any(
        texts[i][0].isupper() for i in range(first, last) if view.folded[i] not in ARTICLES
    ):
        return False
    if not texts[last].isupper():
        return True
    near = (first - 2, first - 1, last + 1, last + 2)
    return not any(0 <= i < len(texts) and len(texts[i]) > 3 and texts[i].isupper() for i in near)


def follows_title(view: View, hit: Hit) -> bool:
    """Whether a title, an initial or a capital name stands right before: a person, then."""
    index = hit.first - 1
    word = view.word(index)
    if word == "." and index > 0:
        index -= 1
        word = view.word(index)
        if len(word) == 1 and view.texts[index].isupper():
            return True
    if word in TITLES:
        return True
    if word in _OF and index > 0:
        index -= 1 if word != "'" else 2
        word = view.word(index)
        if word in ("de", "d") and index > 0:
            index -= 1
            word = view.word(index)
        if word in TITLES and word not in PLACE_NOUNS:
            return True
    return (
        word.isalpha()
        and view.texts[index][0].isupper()
        and word in given_names()
        and word not in LIVES
        and word not in gazetteers.common_words()
    )


def in_compound(view: View, hit: Hit) -> bool:
    """Whether the name is a part of a longer compound."""
    start, end = view.starts[hit.first], view.ends[hit.last]
    return (view.text[end : end + 1] in ("-", "'") and view.text[end + 1 : end + 2].isalpha()) or (
        view.text[start - 1 : start] == "-" and view.text[max(0, start - 2) : start - 1].isalpha()
    )


_CENTURIES: Final = ("19", "20")
"""How a year begins, which a comma parts from the town: "(1998, Delémont)"."""


def postal_code(view: View, hit: Hit) -> int | None:
    """The token of the postal code beside the name, or None."""
    before, behind, word = hit.first - 1, hit.last + 1, view.word
    for near, beyond in ((before, before - 1), (behind, behind + 1)):
        index = near if word(near) not in _BEFORE_CODE else beyond
        if word(index).isdigit() and _is_code(view, index, hit):
            return index
    return None


def _is_code(view: View, index: int, hit: Hit) -> bool:
    word = view.folded[index]
    start, end = view.starts[index], view.ends[index]
    before, behind = view.text[max(0, start - 1) : start], view.text[end : end + 2]
    if (
        before.isalnum()
        or before in (".", "/")
        or (behind[:1] in (".", ",", "/") and behind[1:].isdigit())
    ):
        return False
    low, high = sorted((end, view.starts[hit.first] if index < hit.first else start))
    if "\n" in view.text[min(low, view.ends[hit.last]) : high]:
        return False
    if len(word) == 5:
        return "01000" <= word <= "98999"
    if "," in view.text[low:high] and word[:2] in _CENTURIES:
        return False
    return len(word) == 4 and index < hit.first and bool(lands(hit.key) & {"CH", "BE", "LU"})


def opens_date_line(view: View, hit: Hit) -> bool:
    """Whether the name opens a line that goes on with a date: "Metz, le 3 mai"."""
    behind = hit.last + 1
    if view.word(behind) == ",":
        behind += 1
    return (view.word(behind) in _WEEKDAYS or view.word(behind).isdigit()) and opens_line(
        view, hit.first
    )


def before_canton(view: View, hit: Hit) -> bool:
    """Whether a canton code follows a Swiss town."""
    behind = hit.last + 1
    return behind < len(view.texts) and view.texts[behind] in CANTONS and "CH" in lands(hit.key)


def before_bracketed_canton(view: View, hit: Hit) -> bool:
    """Whether a canton code in brackets follows a Swiss town."""
    return (
        view.word(hit.last + 1) == "("
        and view.word(hit.last + 3) == ")"
        and view.texts[hit.last + 2] in CANTONS
        and "CH" in lands(hit.key)
    )


def is_hyphenated(view: View, hit: Hit) -> bool:
    """Whether the name has a hyphen and capitals at both ends, as only names are written."""
    first, last = view.texts[hit.first], view.texts[hit.last]
    return (
        hit.words > 1
        and "-" in view.text[view.ends[hit.first] : view.starts[hit.last]]
        and first.istitle()
        and last.istitle()
    )


def is_bracketed(view: View, hit: Hit) -> bool:
    """Whether the name, with a capital, is all that stands in brackets."""
    return (
        view.word(hit.first - 1) == "("
        and view.word(hit.last + 1) in (")", ",", "/", ";")
        and view.texts[hit.last][0].isupper()
    )
