"""What of the originals is left in a release, and what spans beside a text give away.

The first needs the originals: which of their identifying words still stand in the release. The
second is an attack: whoever reads a release sees words that no list of words has, and guesses that
they are true names. Most are surrogates. Whoever also has the spans (`run --spans`, private) can
subtract these, and what is left is what was missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dpdeid.detect.evidence import EVIDENCE
from dpdeid.detect.vocabulary import TITLES
from dpdeid.document import Document, Span
from dpdeid.evaluate.attacks.pairs import Pair, align
from dpdeid.evaluate.attacks.rates import Rate
from dpdeid.labels import Label
from dpdeid.substitute.shapes import RUN, shares_run

_LEAST: Final = 3
"""Shorter words say too little to count."""


@dataclass(frozen=True, slots=True)
class Left:
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

    def to_json(self) -> dict[str, Any]:
        return {
            "whole": self.whole.to_json(),
            "words": self.words.to_json(),
            "anywhere": self.anywhere.to_json(),
            "runs": self.runs.to_json(),
        }


def left(pairs: Iterable[Pair]) -> dict[Label, Left]:
    """What is left, by label."""
    seen: dict[Label, list[list[bool]]] = defaultdict(lambda: [[], [], [], []])
    for pair in pairs:
        everywhere = set(pair.after.tokens.folded)
        for one in pair.replaced:
            whole, words, anywhere, runs = seen[one.span.label]
            original, surrogate = pair.original(one), pair.surrogate(one)
            here = set(pair.after.tokens.folded[one.first : one.last])
            own = [word for word in _words(pair.before, one.span) if _tells(word)]
            whole.append(original == surrogate)
            words += [word in here for word in own]
            anywhere += [word in everywhere for word in own]
            if len(original) >= RUN:
                runs.append(shares_run(surrogate, original))
    return {label: Left(*map(Rate.of, seen[label])) for label in Label if label in seen}


def _tells(word: str) -> bool:
    return len(word) >= _LEAST and not EVIDENCE[word].word


def _words(doc: Document, span: Span) -> Iterator[str]:
    tokens = doc.tokens
    for word, start, end in zip(tokens.folded, tokens.starts, tokens.ends, strict=True):
        if span.start < end and start < span.end:
            yield word


def _is_suspect(word: str) -> bool:
    return EVIDENCE[word].suspicious and word not in TITLES


@dataclass(frozen=True, slots=True)
class Suspects:
    """Words of a release that look like names, and how many of them are true ones.

    Args:
        read: without the spans.
        subtracted: those that stand in no replaced span.
    """

    read: Rate
    subtracted: Rate

    def to_json(self) -> dict[str, Any]:
        return {"read": self.read.to_json(), "subtracted": self.subtracted.to_json()}


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
            if len(text) >= _LEAST and text[0].isupper() and _is_suspect(word):
                read.append(word in direct)
                if at not in hidden:
                    subtracted.append(word in direct)
    return Suspects(Rate.of(read), Rate.of(subtracted))
