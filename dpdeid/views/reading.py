"""A note as all steps read it: plain text, with exact offsets back to what stands in the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Final, NamedTuple

from dpdeid.document import Span
from dpdeid.labels import Label


class Edit(NamedTuple):
    """A stretch [start, end) of a text, and what is read in its place.

    Args:
        hollow: nothing in its place stands for a value: a span that begins or ends in it goes
            without it, as a line break for a tag.
    """

    start: int
    end: int
    text: str
    hollow: bool = False


_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_LEAST: Final = 3
"""Letters of an abbreviation that is nobody's initials once its dots are read as nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A plain text, and where in the raw one each of its characters stands.

    Args:
        starts, ends: of each character of `text` its raw stretch, half-open; empty or backwards for
            what is hollow. None where the offsets are the same.
    """

    raw: str = field(repr=False)
    text: str = field(repr=False)
    starts: Sequence[int] | None = field(default=None, repr=False)
    ends: Sequence[int] | None = field(default=None, repr=False)

    def to_raw(self, start: int, end: int) -> tuple[int, int] | None:
        """The raw offsets of a stretch of the text; None if all of it is hollow."""
        if self.starts is None or self.ends is None:
            return start, end
        while start < end and self.starts[start] >= self.ends[start]:
            start += 1
        while start < end and self.starts[end - 1] >= self.ends[end - 1]:
            end -= 1
        return (self.starts[start], self.ends[end - 1]) if start < end else None

    def parted(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Spans of the text, parted where it breaks a line, or begins a column or field, that the
        raw text has not: a tag stands there. Without names that were written as abbreviations.
        """
        return tuple(
            replace(span, start=start, end=end) if end - start < len(span) else span
            for span in spans
            if not (span.label in _NAMES and self._is_undotted(span.start, span.end))
            for start, end in self._parts(span.start, span.end)
            if any(map(str.isalnum, self.text[start:end]))
        )

    def _is_undotted(self, start: int, end: int) -> bool:
        """Whether three letters or more had dots between them that the text has not."""
        raw = self.to_raw(start, end)
        written = self.raw[slice(*raw)] if raw and end - start >= _LEAST else ""
        return "." in written and written.split(".") == [*self.text[start:end]]

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        if self.starts is None or self.ends is None:
            yield start, end
            return
        hollow = [self.starts[at] >= self.ends[at] for at in range(start, end)]
        at = start
        for is_hollow, run in groupby(hollow):
            size = len([*run])
            if is_hollow and not set("\n\t").isdisjoint(self.text[at : at + size]):
                yield start, at
                start = at + size
            at += size
        yield start, end

    def raw_spans(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Spans of the text as spans of the raw one, sorted and disjoint if they were."""
        if self.starts is None:
            return tuple(spans)
        stretches = ((span, self.to_raw(span.start, span.end)) for span in spans)
        return tuple(
            Span(*stretch, span.label, span.score, span.source, span.role)
            for span, stretch in stretches
            if stretch
        )

    def plain_spans(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Sorted, disjoint spans of the raw text as spans of the text: what begins in them."""
        if self.starts is None or self.ends is None:
            return tuple(spans)
        at: dict[Span, list[int]] = {span: [] for span in spans}
        begins = [span.start for span in at]
        for place, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            own = spans[bisect_right(begins, start) - 1] if begins else None
            if own is not None and own.start <= start < own.end and start < end:
                at[own].append(place)
        return tuple(
            replace(span, start=min(own), end=max(own) + 1) for span, own in at.items() if own
        )

    def edited(self, edits: Iterable[Edit]) -> Reading:
        """The reading with sorted edits of its text made; of two that overlap the first."""
        starts = self.starts or range(len(self.text))
        ends = self.ends or range(1, len(self.text) + 1)
        texts: list[str] = []
        firsts: list[Sequence[int]] = []
        lasts: list[Sequence[int]] = []
        done = 0
        for start, end, text, hollow in edits:
            if start < done:
                continue
            first = starts[start] if start < len(starts) else len(self.raw)
            last = ends[end - 1] if end > start else first
            texts += (self.text[done:start], text)
            one, other = (last, first) if hollow else (first, last)
            firsts += (starts[done:start], (one,) * len(text))
            lasts += (ends[done:start], (other,) * len(text))
            done = end
        texts.append(self.text[done:])
        firsts.append(starts[done:])
        lasts.append(ends[done:])
        return Reading(
            self.raw,
            "".join(texts),
            tuple(chain.from_iterable(firsts)),
            tuple(chain.from_iterable(lasts)),
        )
