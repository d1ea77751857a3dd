"""What detection leaves in place in notes, and which of it is asked."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

from dpdeid.document import Document, Finding, Span
from dpdeid.evaluate.counts import ratio
from dpdeid.fasdim.reading.left import left_in_place, things
from dpdeid.privacy.rng import tag
from dpdeid.views.plain import reading_of

_CONTEXT: Final = 30
_WIDE: Final = 200
"""Characters on each side of a word, at once and on demand."""

Detect = Callable[[Document], Finding]

Key = tuple[str, int, int]
"""A note, and start and end in its raw text."""


@dataclass(frozen=True, slots=True)
class Place:
    """A word that was left in place, with offsets of the raw text.

    Args:
        words: how many tokens it is; a row of boxes is one place.
        risk: its chance to be part of a direct identifier.
        chance: by which it came to be asked; 1 but for a random sample, 0 of what nobody is asked.
    """

    note: str
    start: int
    end: int
    words: int
    risk: float
    text: str = field(repr=False)
    """The whole note."""
    chance: float = 1.0

    @property
    def key(self) -> Key:
        """What an answer on it is known by."""
        return self.note, self.start, self.end

    @property
    def word(self) -> str:
        return self.text[self.start : self.end]

    def line(self, characters: int = _CONTEXT) -> str:
        """The word in brackets on one line with what stands beside it."""
        before = self.text[max(0, self.start - characters) : self.start]
        after = self.text[self.end : self.end + characters]
        return f"{before}[{self.word}]{after}".replace("\n", "⏎")

    def context(self) -> str:
        """More of what stands beside it."""
        return self.line(_WIDE)


@dataclass(frozen=True, slots=True)
class Left:
    """A note as detection leaves it.

    Args:
        spans: what detection found, with offsets of the raw text.
        places: what it left, riskiest first.
        words: of the whole note.
        things: of each span of a direct identifier the words, numbers and rows in it.
    """

    document: Document
    spans: tuple[Span, ...]
    places: tuple[Place, ...]
    words: int
    things: tuple[frozenset[int], ...]

    def taken(self, wrong: Container[Key] = ()) -> int:
        """Words, numbers and rows in what it found of direct identifiers, but for what is none."""
        kept = (own for at, own in zip(self.found, self.things, strict=True) if at not in wrong)
        return len(frozenset[int]().union(*kept))

    @property
    def found(self) -> list[Key]:
        """What an answer on each of the spans is known by."""
        return [(self.document.id, span.start, span.end) for span in self.spans]

    def place(self, found: Key) -> Place:
        """One of the spans as a place that nobody is asked about."""
        return Place(*found, 1, 1.0, self.document.text, 0.0)


def left(doc: Document, detect: Detect) -> Left:
    """What detection leaves in place in a note, and what it took."""
    reading = reading_of(doc.text)
    plain = replace(doc, text=reading.text)
    found = detect(plain)
    words = left_in_place(plain, found)
    starts, ends, tokens = plain.tokens.starts, plain.tokens.ends, plain.tokens.texts
    places = []
    for word in words:
        stretch = reading.to_raw(starts[word.first], ends[word.stop - 1])
        if stretch is not None:  # not what only the reading calls a field
            count = sum(map(str.isalnum, tokens[word.first : word.stop]))
            places.append(Place(doc.id, *stretch, max(1, count), word.risk, doc.text))
    inside = [
        (raw, own if raw.label.is_direct else frozenset[int]())
        for span, own in zip(found.spans, things(plain, found.spans), strict=True)
        for raw in reading.raw_spans([span])
    ]
    return Left(
        doc,
        tuple(raw for raw, _ in inside),
        tuple(sorted(places, key=_by_risk)),
        sum(any(map(str.isalnum, text)) for text in tokens),
        tuple(own for _, own in inside),
    )


def _by_risk(place: Place) -> float:
    return -place.risk


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked.

    Args:
        share: of all words, the riskiest.
        sample: how many of the others, drawn at random.
        seed: of the draw; a larger sample of one seed holds the smaller.
    """

    share: float = 0.02
    sample: int = 0
    seed: int = 0

    def but(self, share: float | None, sample: int | None, seed: int | None) -> Design:
        """This design with what is given in the place of its own."""
        return Design(
            self.share if share is None else share,
            self.sample if sample is None else sample,
            self.seed if seed is None else seed,
        )

    def choose(self, notes: Iterable[Left]) -> Chosen:
        """The riskiest words of these notes until their share is read, and a sample of the rest."""
        every, most = list[Place](), 0.0
        for note in notes:
            every += note.places
            most += self.share * note.words
        every.sort(key=_by_risk)
        cut = sum(read <= most for read in accumulate(place.words for place in every))
        order = sorted(every[cut:], key=self._draw)[: self.sample]
        chance = ratio(len(order), len(every) - cut)
        drawn = tuple(replace(place, chance=chance) for place in order)
        others = tuple(every[cut:])
        return Chosen(tuple(every[:cut]), drawn, others, sum(place.risk for place in others))

    def _draw(self, place: Place) -> str:
        """A number of its own for each place, whatever else is asked (Ohlsson 1995)."""
        return tag(f"review {self.seed}".encode(), place.note, str(place.start), str(place.end))


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a design asks: the riskiest, and of the others those that were drawn, in that order; and
    the risks of all others together.
    """

    riskiest: tuple[Place, ...]
    drawn: tuple[Place, ...]
    others: tuple[Place, ...]
    risk: float
