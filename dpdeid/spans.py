"""Span algebra: sorted disjoint spans, BIO tags over tokens, and a cache of a detector's spans.

The union rule is AP-HP's: the larger of two overlapping spans wins, and the loser keeps what the
winner leaves. So a character that any detector flagged stays covered, whatever the order of the
input. No text is read here but to trim white space.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final, TypeVar

from dpdeid.document import Document, Span
from dpdeid.french.calendar import ABROAD
from dpdeid.labels import Label, Role
from dpdeid.tokens import Tokens

Rank = Callable[[Span], Any]
"""Gives a sort key; the span with the smaller key wins. Must end in a total order."""

_start: Final = attrgetter("start")


def by_size(span: Span) -> tuple[object, ...]:
    """Larger first, then the better score, then a fixed order that no input order can change."""
    return (span.start - span.end, -span.score, span.label, span.start, span.source, span.role)


def disjoint(spans: Iterable[Span], rank: Rank = by_size) -> tuple[Span, ...]:
    """Sorted, disjoint spans that cover exactly what the input covered.

    Where spans overlap they are placed in the order of `rank`; each takes what is still free of it.
    The result does not depend on the input order, and placing it again changes nothing.
    """
    placed: list[Span] = []
    group: list[Span] = []
    reach = 0
    for span in sorted(spans, key=_start):
        if span.start >= reach:
            placed += group if len(group) < 2 else _placed(sorted(group, key=rank))
            group = [span]
            reach = span.end
        else:
            group.append(span)
            reach = max(reach, span.end)
    return (*placed, *(group if len(group) < 2 else _placed(sorted(group, key=rank))))


def _placed(ranked: Iterable[Span]) -> list[Span]:
    placed: list[Span] = []
    starts: list[int] = []
    for span in ranked:  # of two equal spans the second finds no place
        start = span.start
        index = bisect.bisect_right(starts, start)
        if index and placed[index - 1].end > start:
            start = placed[index - 1].end
        while start < span.end:
            blocked = index < len(starts) and starts[index] < span.end
            end = starts[index] if blocked else span.end
            if start < end:
                whole = start == span.start and end == span.end
                placed.insert(index, span if whole else replace(span, start=start, end=end))
                starts.insert(index, start)
                index += 1
            if not blocked:
                break
            start = placed[index].end
            index += 1
    return placed


def trim(span: Span, text: str) -> Span | None:
    """The span without white space at its ends; None if nothing else was in it."""
    inside = text[span.start : span.end]
    if inside[0].strip() and inside[-1].strip():
        return span
    start = span.end - len(inside.lstrip())
    end = span.start + len(inside.rstrip())
    return replace(span, start=start, end=end) if start < end else None


class Overlaps:
    """Finds which of many spans overlap a stretch, in time that hardly grows with their number."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans, key=_start)
        self._starts = [span.start for span in self._spans]
        self._longest = max(map(len, self._spans), default=0)

    def over(self, start: int, end: int) -> Iterator[Span]:
        """Those that share a character with the half-open stretch, sorted by start."""
        first = bisect.bisect_right(self._starts, start - self._longest)
        for at in range(first, bisect.bisect_left(self._starts, end, first)):
            if self._spans[at].end > start:
                yield self._spans[at]


def covered(spans: Iterable[Span]) -> set[int]:
    """The offsets that at least one span covers."""
    return {i for span in spans for i in range(span.start, span.end)}


_LANGUAGE: Final = "languages/"
UNREAD: Final = f"{_LANGUAGE}unread"
"""Source of what stands in a paragraph of a language that is not read: no strategy is asked for a
surrogate, and what a policy falls back on stands there."""


def source_of(language: str) -> str:
    """The source of a span in a paragraph of a language: "languages/de"."""
    return f"{_LANGUAGE}{language}"


def language_of(source: str) -> str:
    """The language in whose paragraph a span was found, "" for French and any that is not read.

    >>> language_of("languages/de"), language_of("patterns/date.full")
    ('de', '')
    """
    language = source.removeprefix(_LANGUAGE) if source.startswith(_LANGUAGE) else ""
    return language if language in ABROAD else ""


OUTSIDE = "O"


def encode(spans: Iterable[Span], tokens: Tokens) -> tuple[str, ...]:
    """One tag a token. Spans must be disjoint; where two share a token the first keeps it."""
    tags = [OUTSIDE] * len(tokens)
    for span in sorted(spans):
        prefix = "B-"
        for at in tokens.over(span.start, span.end):
            if tags[at] == OUTSIDE:
                tags[at] = prefix + span.label
                prefix = "I-"
    return tuple(tags)


def repair(tags: Sequence[str]) -> tuple[str, ...]:
    """The same tags with every I- that continues nothing turned into a B-."""
    if not any(tag[0] == "I" for tag in tags):
        return tuple(tags)
    fixed = list(tags[:1])
    if fixed and fixed[0].startswith("I-"):
        fixed[0] = "B-" + fixed[0][2:]
    for before, tag in pairwise(tags):
        fixed.append("B-" + tag[2:] if tag.startswith("I-") and before[2:] != tag[2:] else tag)
    return tuple(fixed)


def decode(
    tags: Sequence[str], tokens: Tokens, *, source: str, scores: Sequence[float] | None = None
) -> tuple[Span, ...]:
    """The spans of repaired tags. A span's score is the least of its tokens' scores (default 1)."""
    spans: list[Span] = []
    fixed = repair(tags)
    at = 0
    while at < len(fixed):
        if fixed[at] == OUTSIDE:
            at += 1
            continue
        label = Label(fixed[at][2:])
        last = at + 1
        while last < len(fixed) and fixed[last] == "I-" + label:
            last += 1
        score = 1.0 if scores is None else min(scores[at:last])
        spans.append(
            Span(tokens.starts[at], tokens.ends[last - 1], label, score, source, Role.UNKNOWN)
        )
        at = last
    return tuple(spans)


D = TypeVar("D")
Spans = tuple[Span, ...]

_NOTES: Final = 2


def remembered(
    find: Callable[[D, Document], Iterable[Span]],
) -> Callable[[D, Document], Spans]:
    """The `__call__` of a detector, a function of its fields and the note, run once a note."""
    found = lru_cache(maxsize=_NOTES)(lambda detector, doc: tuple(find(detector, doc)))

    @wraps(find)
    def call(self: D, doc: Document) -> Spans:
        return found(self, doc)

    return call
