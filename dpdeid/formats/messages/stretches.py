"""Pieces of a file that together are one note, and what they are after it was rewritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dpdeid.document import Deidentified, Surrogate


def within(surrogates: Iterable[Surrogate], start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """What stands in a stretch [start, end) of a text instead of what, counted from its start.

    What goes over its end stands in the first stretch that it touches, and nothing of it in others.
    """
    for surrogate in surrogates:
        span = surrogate.mention.span
        if span.start < end and start < span.end:
            new = surrogate.text if span.start >= start else ""
            yield max(span.start - start, 0), min(span.end, end) - start, new


def rewritten(text: str, surrogates: Sequence[Surrogate], start: int, end: int) -> str:
    """A stretch of a text with its surrogates."""
    pieces: list[str] = []
    done = start
    for first, last, new in within(surrogates, start, end):
        pieces += (text[done : start + first], new)
        done = start + last
    return "".join((*pieces, text[done:end]))


def stretch(result: Deidentified, text: str, start: int) -> Deidentified:
    """What was released of a stretch of a note, as a note of its own.

    Args:
        text: the stretch, as it was.
    """
    own = []
    for surrogate in result.surrogates:
        for first, last, new in within((surrogate,), start, start + len(text)):
            span = replace(surrogate.mention.span, start=first, end=last)
            mention = surrogate.mention._replace(span=span, text=text[first:last])
            own.append(surrogate._replace(mention=mention, text=new))
    return replace(result, text=rewritten(text, own, 0, len(text)), surrogates=tuple(own))
