"""Originals beside their release: what became of each span.

What stands between two spans is kept by a release, so the texts are aligned by the tokens outside
the spans, and what lies in the same gap of the release replaced the span. That also holds for a
release of another tool, one that found other spans, and for a name that it missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby

from dpdeid.document import Document, Span
from dpdeid.evaluate.same_notes import check_same_notes


@dataclass(frozen=True, slots=True)
class Replaced:
    """A span of an original and the tokens of the release that stand in its place.

    Args:
        first, last: tokens of the release, half-open; empty where nothing stands there.
    """

    span: Span
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A note before and after.

    Args:
        record: whose it is: the patient's id, or the note's own.
        truth: what identifies, in the original.
        replaced: for each of `truth`, what stands in its place.
    """

    before: Document
    after: Document
    record: str = field(repr=False)
    truth: tuple[Span, ...]
    replaced: tuple[Replaced, ...] = field(repr=False)

    def original(self, one: Replaced) -> str:
        return self.before.text[one.span.start : one.span.end]

    def place(self, one: Replaced) -> tuple[int, int] | None:
        """Where in the release its surrogate stands (code points, half-open), None if nowhere."""
        if one.first == one.last:
            return None
        tokens = self.after.tokens
        return tokens.starts[one.first], tokens.ends[one.last - 1]

    def surrogate(self, one: Replaced) -> str:
        """What stands in its place; "" if nothing does."""
        place = self.place(one)
        return "" if place is None else self.after.text[place[0] : place[1]]


def paired(
    before: Sequence[Document],
    after: Sequence[Document],
    truth: Mapping[str, Sequence[Span]],
) -> tuple[Pair, ...]:
    """The notes of both, by id.

    Args:
        truth: for each id of `before`, its spans, sorted and disjoint.

    Raises:
        UsageError: an id stands on one side only or twice; names the ids.
    """
    check_same_notes(before, after)
    releases = {doc.id: doc for doc in after}
    pairs = []
    for doc in before:
        release, spans = releases[doc.id], tuple(truth[doc.id])
        replaced = tuple(align(doc, release, spans))
        pairs.append(Pair(doc, release, doc.patient_id or doc.id, spans, replaced))
    return tuple(pairs)


def align(before: Document, after: Document, spans: Sequence[Span]) -> Iterator[Replaced]:
    """What replaced each span: tokens between those that match outside all spans.

    Spans with nothing between them share what stands there: token by token, and the last has the
    rest.
    """
    owner = _owners(before, spans)
    kept = [text if owner[at] is None else "" for at, text in enumerate(before.tokens.texts)]
    matched = SequenceMatcher(None, kept, after.tokens.texts, autojunk=False)
    at_before = at_after = 0
    for block in matched.get_matching_blocks():
        inside = [own for own in owner[at_before : block.a] if own is not None]
        yield from _shared(spans, inside, at_after, block.b)
        at_before, at_after = block.a + block.size, block.b + block.size


def _owners(doc: Document, spans: Sequence[Span]) -> list[int | None]:
    """For each token the index of the span that touches it."""
    owners: list[int | None] = []
    at = 0
    for start, end in doc.tokens:
        while at < len(spans) and spans[at].end <= start:
            at += 1
        owners.append(at if at < len(spans) and spans[at].start < end else None)
    return owners


def _shared(
    spans: Sequence[Span], inside: Sequence[int], first: int, last: int
) -> Iterator[Replaced]:
    sizes = [(own, len(list(tokens))) for own, tokens in groupby(inside)]
    for number, (own, size) in enumerate(sizes, 1):
        end = last if number == len(sizes) else min(first + size, last)
        yield Replaced(spans[own], first, end)
        first = end
