"""A text longer than any note, read in parts: the memory of a tagger does not grow with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from dpdeid.document import Document, Span

_CHARACTERS: Final = 100_000
_TOKENS: Final = 20_000
"""More of either, and a text is read in parts."""
_WORD: Final = 1_000
"""Characters of a token that is no word: nothing is looked for in it."""


def by_parts(doc: Document, read: Callable[[Document], Iterable[Span]]) -> tuple[Span, ...]:
    """What `read` finds in a note, or in the parts of a book, each as a note of its own."""
    if len(doc.text) <= _CHARACTERS and len(doc.tokens) <= _TOKENS:
        return tuple(read(doc))
    found: list[Span] = []
    for start, end in parts(doc):
        if any(map(str.isalnum, doc.text[start:end])):
            spans = read(Document(doc.id, doc.text[start:end]))
            found += [replace(s, start=s.start + start, end=s.end + start) for s in spans]
    return tuple(found)


def parts(doc: Document) -> Iterator[tuple[int, int]]:
    """Stretches [start, end) of whole tokens without those that are no words; a part that is half
    full ends at the next line.
    """
    start = end = -1
    count = 0
    for first, last in doc.tokens:
        full = count >= _TOKENS or last - start > _CHARACTERS
        line = 2 * count >= _TOKENS and "\n" in doc.text[end:first]
        if count and (full or line or last - first > _WORD):
            yield start, end
            count = 0
        if last - first <= _WORD:
            start, end = first if count == 0 else start, last
            count += 1
    if count:
        yield start, end
