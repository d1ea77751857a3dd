"""Finds places by name: communes, departments, regions, cantons, foreign cities, countries.

A list hit alone is never enough: many communes are also surnames or French words. A hit becomes a
span when something around it says "place": a preposition after a verb of living, a postal code, a
canton behind it, brackets around it, a date line, another place beside it. A title, a first name
or the noun of an eponym before it says "no place".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.detect.names.vocabulary import FIRST, TRAITS
from dpdeid.detect.places.index import (
    ARTICLES,
    CANTONS,
    EPONYM_HEADS,
    LIVES,
    PLACE_NOUNS,
    PREPOSITIONS,
    Hit,
    before_bracketed_canton,
    before_canton,
    cue_before,
    follows_title,
    given_names,
    has_capital,
    in_compound,
    is_bracketed,
    is_hyphenated,
    lands,
    longest,
    names,
    opens_date_line,
    opens_line,
    population,
    postal_code,
)
from dpdeid.document import Document, Span
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.spans import remembered

_LOWER_CUES: Final = LIVES | frozenset(
    ("a", "au", "aux", "de", "du", "d", "'", "sur", "vers", "en", "depuis")
)
_OF: Final = frozenset(("de", "du", "d", "'"))
_LINKS: Final = frozenset((",", "et", "/", "(", "-", "–", "ou", "puis"))
_ORDINALS: Final = frozenset(("e", "er", "eme", "em", "ieme"))
_HEADINGS: Final = frozenset(("date", "heure", "pace", "examen", "nda"))
"""Words of a form that are communes too."""
_SCALES: Final = frozenset(
    ("glasgow", "boston", "los angeles", "deauville", "lugano", "ann arbor", "sydney", "toronto")
)
"""Cities that name a scale when a figure or a grade follows."""
_MEASURES: Final = _SCALES | {"congo"}
_GRADE: Final = re.compile(r"(?:i{1,3}|iv)[abes]?")
_PROVINCES: Final = (
    frozenset(map(fold, words_by_key("foreign_towns"))) - gazetteers.countries().keys()
)
_BEFORE_LAND: Final = frozenset(("au", "du"))
"""What tells a province from its capital: "au Québec"."""
_RARE: Final = 1 << 20
"""Rank of a word that is no surname."""


_COMMON: Final = Memo(
    lambda key: all(
        word in gazetteers.common_words() for word in key.split() if word not in ARTICLES
    )
)
"""Whether a name is made of usual words, articles apart."""


def _score(view: View, hit: Hit, linked: bool) -> float:
    """How sure a hit is a place here, 0 for not at all. `linked`: it follows another place."""
    first, last, key, words, country = hit
    if follows_title(view, hit) or key in _HEADINGS or (key in _MEASURES and _measures(view, hit)):
        return 0.0
    word = view.word
    person = words == 1 and key in given_names()
    capital = has_capital(view, hit)
    common = _COMMON[key] and not (
        capital
        and (
            population(key) >= 100_000
            or key.startswith(("saint ", "sainte "))
            or is_hyphenated(view, hit)
        )
    )
    head = cue_before(view, first)
    cue, previous = word(head), word(first - 1)
    behind = word(cue_before(view, head)) if cue in PREPOSITIONS else ""
    if (behind in EPONYM_HEADS or cue in EPONYM_HEADS) and (not country or previous in _OF):
        return 0.0
    short = first == last and len(key) <= 4 and view.texts[first].isupper()
    if short and previous in ("au", "en", "le", "du", "la"):
        return 0.0
    if ((behind or cue) in LIVES or behind in PLACE_NOUNS) and (capital or not common):
        return 0.95
    if in_compound(view, hit):
        return 0.0
    towards = first > 0 and view.texts[first - 1] in ("à", "À")
    if towards and not person and population(key) >= 20_000:
        return 0.75
    dated = opens_date_line(view, hit) and (not common or word(last + 1) == ",")  # "Cures le 3/5"
    if dated and (capital or population(key) >= 5_000) and not person:
        return 0.9
    if (before_canton(view, hit) and not common) or (
        before_bracketed_canton(view, hit) and capital
    ):
        return 0.9
    if country:
        return _country(view, hit, capital) or (0.8 if linked and capital else 0.0)
    if (linked or is_bracketed(view, hit)) and not (common or person):
        return 0.8
    if not capital:
        loud = view.texts[last].isupper() and not (common or person)
        return _small(view, hit, common or person) or (_alone(view, hit) if loud else 0.0)
    if previous == "le" and word(first - 2) == "dans" and key in names().areas:
        return 0.8
    if previous in ("a", "au", "aux", "vers") and not (person and common):
        return 0.85 if not person else 0.6
    if words > 1 and not common and previous != "la":
        return 0.8
    if common or person:
        return 0.0
    return 0.75 if previous in PREPOSITIONS or previous == "'" else _alone(view, hit)


def _measures(view: View, hit: Hit) -> bool:
    """The name is that of a scale ("Los Angeles A", "Boston 8/9") or a stain ("rouge Congo")."""
    if hit.key == "congo":
        return view.word(hit.first - 1) == "rouge"
    behind = hit.last + 2 if view.word(hit.last + 1) in ("a", ":") else hit.last + 1
    if view.word(behind).isdigit() or view.word(hit.first - 1) in ("selon", "score", "criteres"):
        return True
    if _GRADE.fullmatch(view.word(behind)):
        return True
    graded = hit.last + 1
    return view.word(graded) in ("a", "b", "c", "d") and view.texts[graded].isupper()


def _small(view: View, hit: Hit, doubtful: bool) -> float:
    people = population(hit.key)
    if doubtful:
        return 0.0
    if view.word(hit.first - 1) in _LOWER_CUES:
        return 0.7 if people >= 2_000 or hit.words > 1 else 0.0
    if hit.words > 1 and len(hit.key) > 7:
        return 0.6 if people >= 1_000 else 0.0
    return 0.6 if people >= 50_000 else 0.0


def _alone(view: View, hit: Hit) -> float:
    """A capital town with no preposition before it: between marks, and not mostly a surname."""
    key = hit.key
    if len(key) <= 3 or key in names().areas or not lands(key):
        return 0.0
    people = population(key)
    before, behind = view.word(hit.first - 1), view.word(hit.last + 1)
    over = not behind[:1].isalpha() or view.text[view.ends[hit.last]] in "\n\r\t"
    if not over or not (
        people >= 50_000 or not before[:1].isalnum() or opens_line(view, hit.first)
    ):
        return 0.0
    rank = gazetteers.surnames().get(key, _RARE)
    rare = (rank > 5_000 and people >= 1_000) or (rank > 1_500 and people >= 20_000)
    return 0.6 if rare else 0.0


def _country(view: View, hit: Hit, capital: bool) -> float:
    """A country: a capital or "en", "au" before it; more for those that are first names."""
    previous = view.word(hit.first - 1)
    if previous == "'" and view.word(hit.first - 2) not in ("d", "l"):
        return 0.0
    if (
        previous == "("
        and TRAITS[hit.key] & FIRST
        and view.word(hit.first - 2) not in names().alone
    ):
        return 0.0  # "Dumè (Dominique)", not "Kayes (Mali)"
    if previous in ("en", "au", "aux", "du", "d", "'", "(", "vers", "la", "l"):
        return 0.9
    if hit.key in given_names():
        return 0.6 if previous == "de" and capital else 0.0
    return 0.8 if capital or view.texts[hit.first].isupper() else 0.0


_NAME: Final = 1
"""The word begins a name."""
_QUIET: Final = 2
"""It is a usual one in lower case: no name unless a word before it may announce one."""
_ARTICLE: Final = 4
"""The same of "la", "le": only "à", "de" or a postal code may announce a name."""
_NEEDS_CUE: Final = _QUIET | _ARTICLE


def _begins(text: str) -> int:
    """Whether a word begins the name of a place, and what else it is in lower case."""
    index, word = names(), fold(text)
    if word not in index.first and word not in index.alone:
        return 0
    if not text.islower():
        return _NAME
    if word in ARTICLES:
        return _NAME | _ARTICLE
    return _NAME | (_QUIET if word in gazetteers.common_words() else 0)


def _cue(word: str) -> int:
    """Which words a folded word may announce as the beginning of a place's name."""
    if word in ("a", "de") or (len(word) == 5 and word.isdigit()):
        return _QUIET | _ARTICLE
    return _QUIET if word in _LOWER_CUES else 0


_BEGINS: Final = Memo(_begins)
_CUES: Final = Memo(_cue)


@dataclass(frozen=True, slots=True)
class LookupPlaces:
    """Finds CITY, ZIP and COUNTRY from the lists, where the context allows it."""

    name: ClassVar[str] = "lookup_places"

    @remembered
    def __call__(self, doc: Document) -> Iterable[Span]:
        view = view_of(doc)
        found: list[Span] = []
        done = last_place = -9
        kinds = tuple(map(_BEGINS.__getitem__, view.texts))
        for at in compress(range(len(kinds)), kinds):
            if at <= done:
                continue
            needed = kinds[at] & _NEEDS_CUE
            if needed and not (at and _CUES[view.folded[at - 1]] & needed):
                continue
            hit = longest(view, at)
            if hit is None:
                continue
            linked = 0 < at - last_place <= 2 and view.word(at - 1) in _LINKS
            code = postal_code(view, hit)
            score = 0.95 if code is not None else _score(view, hit, linked)
            if score:
                found.extend(self._spans(view, hit, score, code))
                done = last_place = hit.last
        return found

    def _spans(self, view: View, hit: Hit, score: float, code: int | None) -> Iterator[Span]:
        starts, ends = view.starts, view.ends
        is_land = hit.country or (
            hit.key in _PROVINCES and view.word(hit.first - 1) in _BEFORE_LAND
        )
        label = Label.COUNTRY if is_land else Label.CITY
        last = hit.last
        if hit.key[-1].isdigit() and view.word(last + 1) in _ORDINALS:
            last += 1
        yield Span(starts[hit.first], ends[last], label, score, self.name)
        if code is not None:
            yield Span(starts[code], ends[code], Label.ZIP, 0.9, self.name)
        after = hit.last + 1
        word, behind = view.word(after), view.word(after + 1)
        if word == "(" and view.word(after + 2) == ")":
            if (len(behind) in (2, 3) and behind.isdigit()) or view.texts[after + 1] in CANTONS:
                yield Span(starts[after + 1], ends[after + 1], Label.CITY, 0.85, self.name)
        elif before_canton(view, hit):
            yield Span(starts[after], ends[after], Label.CITY, 0.9, self.name)
        elif word.isdigit() and len(word) <= 2 and behind in _ORDINALS:
            yield Span(starts[after], ends[after + 1], Label.CITY, 0.85, self.name)
