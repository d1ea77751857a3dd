"""Span algebra: sort, unite, subtract, trim. No text is read here but to trim white space.

The union rule is AP-HP's: the larger of two overlapping spans wins, and the loser keeps what the
winner leaves. So a character that any detector flagged stays covered, whatever the order of the
input.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from dpdeid.document import Span

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
            placed += group if len(group) < 2 else _settled(group, reach, rank)
            group = [span]
            reach = span.end
        else:
            group.append(span)
            if span.end > reach:
                reach = span.end
    return (*placed, *(group if len(group) < 2 else _settled(group, reach, rank)))


def _settled(group: list[Span], reach: int, rank: Rank) -> list[Span]:
    """What becomes of spans, sorted by start, that hang together and reach up to `reach`."""
    best = min(group, key=rank)
    if best.start == group[0].start and best.end == reach:
        return [best]  # nothing is left to the others
    return _placed(sorted(group, key=rank))


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
