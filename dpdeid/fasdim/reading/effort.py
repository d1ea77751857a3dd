"""What reading is worth, of annotated notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from dpdeid.document import Document, Span
from dpdeid.evaluate.counts import ratio
from dpdeid.fasdim.reading.places import Detect, Place, left
from dpdeid.labels import KEPT


@dataclass(frozen=True, slots=True)
class Effort:
    """What reading is worth.

    Args:
        notes, words: how many there are in all.
        steps: (words read, notes fully redacted) after each place, riskiest first; what a reader
            finds is taken for redacted.
    """

    notes: int
    words: int
    steps: Sequence[tuple[int, int]] = field(repr=False)

    def at(self, share: float) -> float:
        """The share of notes fully redacted once a share of all words is read."""
        done = [notes for words, notes in self.steps if words <= share * self.words]
        return ratio(done[-1], self.notes)


def effort(notes: Iterable[tuple[Document, Sequence[Span]]], detect: Detect) -> Effort:
    """The curve over annotated notes: no direct identifier is left in what is fully redacted."""
    every: list[tuple[Place, int, int]] = []
    waiting: list[int] = []
    words = 0
    for number, (doc, gold) in enumerate(notes):
        own = left(doc, detect)
        direct = [s for s in gold if s.label.is_direct]
        counts = [sum(p.start < s.end and s.start < p.end for s in direct) for p in own.places]
        every += [(place, number, n) for place, n in zip(own.places, counts, strict=True)]
        waiting.append(sum(counts) + _hidden_by_kept(direct, own.spans))
        words += own.words
    every.sort(key=lambda one: -one[0].risk)
    read = accumulate((place.words for place, _, _ in every), initial=0)
    done = accumulate(_finished(waiting, every), initial=sum(not count for count in waiting))
    return Effort(len(waiting), words, list(zip(read, done, strict=True)))


def _finished(waiting: list[int], every: Iterable[tuple[Place, int, int]]) -> Iterator[int]:
    """Of each place in turn whether it was the last one of its note to find."""
    for _, number, count in every:
        waiting[number] -= count
        yield count > 0 and not waiting[number]


def _hidden_by_kept(direct: Iterable[Span], spans: Iterable[Span]) -> int:
    """Direct identifiers inside what a policy keeps (a profession, a department): never shown."""
    kept = [s for s in spans if s.label in KEPT]
    return sum(any(k.start <= s.start and s.end <= k.end for k in kept) for s in direct)
