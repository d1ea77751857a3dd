"""A detector's spans of the last notes, remembered: a tagger asks for them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Final, TypeVar

from dpdeid.document import Document, Span

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
