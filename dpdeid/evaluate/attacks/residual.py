"""What of the originals is left in a release, and what spans beside a text give away.

The release is aligned with its original by the tokens outside the spans, since these are kept; what
lies in the same gap replaced the span. That also holds for a release of another tool.

`left`: which of the identifying words still stand in the release. `suspects` is an attack: whoever
reads a release sees words that no list of words has, and guesses that they are true names. Most are
surrogates. Whoever also has the spans (`run --spans`, private) can subtract these, and what is left
is what was missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final

from dpdeid.detect.names.vocabulary import EVIDENCE, TITLES
from dpdeid.document import Document, Span
from dpdeid.evaluate.attacks.rates import Finding, Rate
from dpdeid.evaluate.utility import same_notes
from dpdeid.labels import Label
from dpdeid.substitute.pseudonyms import RUN, shares_run


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

    def surrogate(self, one: Replaced) -> str:
        """What stands in its place; "" if nothing does."""
        tokens = self.after.tokens
        if one.first == one.last:
            return ""
        return self.after.text[tokens.starts[one.first] : tokens.ends[one.last - 1]]


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
    pairs = []
    for doc, release in same_notes(before, after):
        spans = tuple(truth[doc.id])
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


_LEAST: Final = 3
"""Shorter words say too little to count."""


@dataclass(frozen=True, slots=True)
class Left(Finding):
    """What is left of the spans of one label.

    Args:
        whole: spans whose text stands in their place as it was.
        words: their words that still stand in their place; ordinary words of French, and those of
            fewer than three characters, do not count.
        anywhere: those that still stand anywhere in their note.
        runs: spans with four characters in a row left in their place.
    """

    whole: Rate
    words: Rate
    anywhere: Rate
    runs: Rate


def left(pairs: Iterable[Pair]) -> dict[Label, Left]:
    """What is left, by label."""
    seen: dict[Label, list[list[bool]]] = defaultdict(lambda: [[], [], [], []])
    for pair in pairs:
        everywhere = set(pair.after.tokens.folded)
        for one in pair.replaced:
            whole, words, anywhere, runs = seen[one.span.label]
            original, surrogate = pair.original(one), pair.surrogate(one)
            here = set(pair.after.tokens.folded[one.first : one.last])
            own = [
                word
                for word in _words(pair.before, one.span)
                if len(word) >= _LEAST and not EVIDENCE[word].word
            ]
            whole.append(original == surrogate)
            words += [word in here for word in own]
            anywhere += [word in everywhere for word in own]
            if len(original) >= RUN:
                runs.append(shares_run(surrogate, original))
    return {label: Left(*map(Rate.of, seen[label])) for label in Label if label in seen}


def _words(doc: Document, span: Span) -> Iterator[str]:
    tokens = doc.tokens
    for word, start, end in zip(tokens.folded, tokens.starts, tokens.ends, strict=True):
        if span.start < end and start < span.end:
            yield word


@dataclass(frozen=True, slots=True)
class Suspects(Finding):
    """Words of a release that look like names, and how many of them are true ones.

    Args:
        read: without the spans.
        subtracted: those that stand in no replaced span.
    """

    read: Rate
    subtracted: Rate


def suspects(pairs: Iterable[Pair], spans: Mapping[str, Sequence[Span]]) -> Suspects:
    """The rare-name scan, with and without the spans of the release.

    A suspect is a capitalised word that is no title and that no list of words has; it is true where
    it is a word of a direct identifier of the same note.

    Args:
        spans: by id of the note, what was replaced, as `run --spans` writes it.
    """
    read: list[bool] = []
    subtracted: list[bool] = []
    for pair in pairs:
        direct = {word for s in pair.truth if s.label.is_direct for word in _words(pair.before, s)}
        hidden = {
            at
            for one in align(pair.before, pair.after, spans[pair.before.id])
            for at in range(one.first, one.last)
        }
        for at, (text, word) in enumerate(
            zip(pair.after.tokens.texts, pair.after.tokens.folded, strict=True)
        ):
            capitalised = len(text) >= _LEAST and text[0].isupper()
            if capitalised and EVIDENCE[word].suspicious and word not in TITLES:
                read.append(word in direct)
                if at not in hidden:
                    subtracted.append(word in direct)
    return Suspects(Rate.of(read), Rate.of(subtracted))
