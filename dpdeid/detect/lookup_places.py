"""Finds places by name: communes, departments, regions, cantons, foreign cities, countries.

A list hit alone is never enough: many communes are also surnames or French words. A hit becomes a
span when something around it says "place": a preposition after a verb of living, a postal code, a
department or country in brackets, a canton code, a date line, another place beside it. A title, a
first name or the noun of an eponym before it says "no place".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.detect.place_index import (
    ARTICLES,
    Hit,
    Names,
    given_names,
    lands,
    longest,
    names,
    population,
)
from dpdeid.detect.place_words import (
    CANTONS,
    EPONYM_HEADS,
    LIVES,
    PLACE_NOUNS,
    PREPOSITIONS,
    TITLES,
)
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_LOWER_CUES: Final = LIVES | frozenset(
    ("a", "au", "aux", "de", "du", "d", "'", "sur", "vers", "en", "depuis")
)
_SKIPPED: Final = frozenset(("'", "la", "le", "les", "l", "d", ":", "("))
_WEEKDAYS: Final = frozenset("lundi mardi mercredi jeudi vendredi samedi dimanche ce le".split())
_LINKS: Final = frozenset((",", "et", "/", "(", "-", "–", "ou", "puis"))
_ORDINALS: Final = frozenset(("e", "er", "eme", "em", "ieme"))
_RARE: Final = 1 << 20
"""Rank of a word that is no surname."""


class _Scene:
    """One document while it is searched: what stands before and after a hit."""

    __slots__ = ("ends", "folded", "names", "starts", "text", "texts")

    def __init__(self, doc: Document, index: Names) -> None:
        tokens = doc.tokens
        self.text = doc.text
        self.texts, self.folded = tokens.texts, tokens.folded
        self.starts, self.ends = tokens.starts, tokens.ends
        self.names = index

    def word(self, index: int) -> str:
        """The folded token, or "" outside the text."""
        return self.folded[index] if 0 <= index < len(self.folded) else ""

    def before(self, index: int) -> int:
        """The token before `index`, articles and opening marks left out."""
        index -= 1
        while index >= 0 and self.folded[index] in _SKIPPED:
            index -= 1
        return index

    def opens_line(self, index: int) -> bool:
        """Whether nothing but marks stands before the token on its line."""
        start = self.starts[index]
        above = self.text.rfind("\n", max(0, start - 80), start)
        return (above >= 0 or start <= 80) and not any(
            map(str.isalnum, self.text[above + 1 : start])
        )

    def capital(self, hit: Hit) -> bool:
        """Whether a word of the name, articles apart, begins with a capital that tells something.

        Between other words in capitals it tells nothing.
        """
        inside = range(hit.first, hit.last + 1)
        if not any(self.texts[i][0].isupper() for i in inside if self.folded[i] not in ARTICLES):
            return False
        if not self.texts[hit.last].isupper():
            return True
        near = (hit.first - 2, hit.first - 1, hit.last + 1, hit.last + 2)
        return not any(
            0 <= i < len(self.texts) and len(self.texts[i]) > 3 and self.texts[i].isupper()
            for i in near
        )

    def named(self, hit: Hit) -> bool:
        """Whether a title, an initial or a capital name stands right before: a person, then."""
        index = hit.first - 1
        word = self.word(index)
        if word == "." and index > 0:
            index -= 1
            word = self.word(index)
            if len(word) == 1 and self.texts[index].isupper():
                return True
        if word in TITLES:
            return True
        if word in ("de", "d", "'", "du", "la", "le", "des", "-") and index > 0:
            index -= 1 if word != "'" else 2
            word = self.word(index)
            if word in ("de", "d") and index > 0:
                index -= 1
                word = self.word(index)
            if word in TITLES and word not in PLACE_NOUNS:
                return True
        return (
            word.isalpha()
            and self.texts[index][0].isupper()
            and word in given_names()
            and word not in LIVES
            and word not in gazetteers.common_words()
        )

    def broken(self, hit: Hit) -> bool:
        """Whether the name is a part of a longer compound."""
        start, end = self.starts[hit.first], self.ends[hit.last]
        return (
            self.text[end : end + 1] in ("-", "'") and self.text[end + 1 : end + 2].isalpha()
        ) or (
            self.text[start - 1 : start] == "-"
            and self.text[max(0, start - 2) : start - 1].isalpha()
        )

    def postal(self, hit: Hit) -> int | None:
        """The token of the postal code beside the name, or None."""
        for index, gap in (
            (hit.first - 1, -1),
            (hit.first - 2, hit.first - 1),
            (hit.last + 1, -1),
            (hit.last + 2, hit.last + 1),
        ):
            word = self.word(index)
            if (
                word.isdigit()
                and (gap < 0 or self.word(gap) in ("(", ",", "-", "–", "cedex", "à"))
                and self._is_code(index, hit)
            ):
                return index
        return None

    def _is_code(self, index: int, hit: Hit) -> bool:
        word = self.folded[index]
        start, end = self.starts[index], self.ends[index]
        before, behind = self.text[max(0, start - 1) : start], self.text[end : end + 2]
        if (
            before.isalnum()
            or before in (".", "/")
            or (behind[:1] in (".", ",", "/") and behind[1:].isdigit())
        ):
            return False
        low, high = sorted((end, self.starts[hit.first] if index < hit.first else start))
        if "\n" in self.text[min(low, self.ends[hit.last]) : high]:
            return False
        if len(word) == 5:
            return "01000" <= word <= "98999"
        return len(word) == 4 and index < hit.first and bool(lands(hit.key) & {"CH", "BE", "LU"})

    def dated(self, hit: Hit) -> bool:
        """Whether the name opens a line that goes on with a date: "Metz, le 3 mai"."""
        behind = hit.last + 1
        if self.word(behind) == ",":
            behind += 1
        return (self.word(behind) in _WEEKDAYS or self.word(behind).isdigit()) and self.opens_line(
            hit.first
        )

    def bracketed(self, hit: Hit) -> bool:
        """Whether a country or a department number follows in brackets."""
        if self.word(hit.last + 1) != "(" or self.word(hit.last + 3) != ")":
            return False
        inner = self.word(hit.last + 2)
        return inner in self.names.countries or (len(inner) in (2, 3) and inner.isdigit())

    def score(self, hit: Hit, linked: bool) -> float:
        """How sure a hit is a place here, 0 for not at all. `linked`: it follows another place."""
        if self.named(hit):
            return 0.0
        content = [word for word in hit.key.split() if word not in ARTICLES]
        person = hit.words == 1 and hit.key in given_names()
        capital = self.capital(hit)
        common = all(word in gazetteers.common_words() for word in content) and not (
            capital and population(hit.key) >= 100_000
        )
        head = self.before(hit.first)
        cue = self.word(head)
        behind = self.word(self.before(head)) if cue in PREPOSITIONS else ""
        if behind in EPONYM_HEADS and not hit.country:
            return 0.0
        if ((behind or cue) in LIVES or behind in PLACE_NOUNS) and (capital or not common):
            return 0.95
        if self.broken(hit):
            return 0.0
        if (
            self.dated(hit)
            and (capital or population(hit.key) >= 5_000)
            and not person
        ):
            return 0.9
        if self.bracketed(hit) and not common:
            return 0.9
        if hit.country:
            return self._country(hit, capital)
        if linked and not common and not person:
            return 0.8
        if self._enclosed(hit) and not (common or person):
            return 0.8
        if not capital:
            return self._small(hit, common or person)
        previous = self.word(hit.first - 1)
        if previous in ("a", "au", "aux", "vers") and not (person and common):
            return 0.85 if not person else 0.6
        if hit.words > 1 and not common and previous != "la":
            return 0.8
        if common or person:
            return 0.0
        if previous in PREPOSITIONS or previous == "'":
            return 0.75
        return self._alone(hit)

    def _enclosed(self, hit: Hit) -> bool:
        """Whether the name, with a capital, is all that stands in brackets."""
        return (
            self.word(hit.first - 1) == "("
            and self.word(hit.last + 1) == ")"
            and self.texts[hit.last][0].isupper()
        )

    def _small(self, hit: Hit, doubtful: bool) -> float:
        """A name without a telling capital."""
        people = population(hit.key)
        if doubtful:
            return 0.0
        if self.word(hit.first - 1) in _LOWER_CUES:
            return 0.7 if people >= 2_000 or hit.words > 1 else 0.0
        if hit.words > 1 and len(hit.key) > 7:
            return 0.6 if people >= 1_000 else 0.0
        return 0.6 if people >= 50_000 else 0.0

    def _alone(self, hit: Hit) -> float:
        """A capital town with no preposition before it: between marks, and not mostly a surname."""
        before, behind = self.word(hit.first - 1), self.word(hit.last + 1)
        edge = not before[:1].isalnum() or self.opens_line(hit.first)
        over = not behind[:1].isalpha() or self.text[self.ends[hit.last]] in "\n\r\t"
        people = population(hit.key)
        rank = gazetteers.surnames().get(hit.key, _RARE)
        rare = (rank > 20_000 and people >= 1_000) or (rank > 2_000 and people >= 20_000)
        if (edge or people >= 50_000) and over and rare:
            return 0.6
        return 0.0

    def _country(self, hit: Hit, capital: bool) -> float:
        """A country: a capital or "en", "au" before it; more for those that are first names."""
        previous = self.word(hit.first - 1)
        if previous == "'" and self.word(hit.first - 2) not in ("d", "l"):
            return 0.0
        placed = previous in ("en", "au", "aux", "du", "d", "'", "(", "vers", "la", "l")
        if placed:
            return 0.9
        if hit.key in given_names():
            return 0.6 if previous == "de" and capital else 0.0
        return 0.8 if capital or self.texts[hit.first].isupper() else 0.0


@dataclass(frozen=True, slots=True)
class LookupPlaces:
    """Finds CITY, ZIP and COUNTRY from the lists, where the context allows it."""

    name: ClassVar[str] = "lookup_places"

    def __call__(self, doc: Document) -> Iterable[Span]:
        index = names()
        tokens = doc.tokens
        scene = _Scene(doc, index)
        first, folded, texts = index.first, tokens.folded, tokens.texts
        found: list[Span] = []
        done = last_place = -9
        for at, word in enumerate(folded):
            if word not in first or at <= done:
                continue
            if not texts[at][0].isupper() and scene.word(at - 1) not in _LOWER_CUES and first[word] == 1 and word in gazetteers.common_words():
                continue
            hit = longest(tokens, at, index)
            if hit is None:
                continue
            linked = 0 < at - last_place <= 2 and scene.word(at - 1) in _LINKS
            code = scene.postal(hit)
            score = 0.95 if code is not None else scene.score(hit, linked)
            if score:
                found.extend(self._spans(scene, hit, score, code))
                done = last_place = hit.last
        return found

    def _spans(self, scene: _Scene, hit: Hit, score: float, code: int | None) -> Iterator[Span]:
        starts, ends = scene.starts, scene.ends
        label = Label.COUNTRY if hit.country else Label.CITY
        last = hit.last
        if hit.key[-1].isdigit() and scene.word(last + 1) in _ORDINALS:
            last += 1
        yield Span(starts[hit.first], ends[last], label, score, self.name)
        if code is not None:
            yield Span(starts[code], ends[code], Label.ZIP, 0.9, self.name)
        after = hit.last + 1
        word, behind = scene.word(after), scene.word(after + 1)
        if word == "(" and scene.word(after + 2) == ")":
            if (len(behind) in (2, 3) and behind.isdigit()) or scene.texts[after + 1] in CANTONS:
                yield Span(starts[after + 1], ends[after + 1], Label.CITY, 0.85, self.name)
        elif word and scene.texts[after] in CANTONS and "CH" in lands(hit.key):
            yield Span(starts[after], ends[after], Label.CITY, 0.9, self.name)
        elif word.isdigit() and len(word) <= 2 and behind in _ORDINALS:
            yield Span(starts[after], ends[after + 1], Label.CITY, 0.85, self.name)
