"""Annotated notes as a file holds them, before its labels are read, and why files are refused.

One convention of offsets: code points of the raw text, half-open. That is what brat, Doccano,
Prodigy and i2b2 write too. A file that counts bytes or UTF-16 units is noticed where it states the
marked text as well (brat, i2b2, "text" of an entity) or where a span runs out of the note.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from dpdeid.errors import AnnotationError

_SHOWN: Final = 10
"""Ids that a message lists of each reason."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one annotation marks, under the file's own label.

    Args:
        pieces: stretches of the text, in order; more than one if the annotation has gaps.
        label: as the file writes it.
        surface: the marked text as the file states it, None if it does not.
    """

    pieces: tuple[tuple[int, int], ...]
    label: str = field(repr=False)
    surface: str | None = field(default=None, repr=False)

    def refused(self, text: str) -> str:
        """Why these are no stretches of the text; "" if they are."""
        if any(not 0 <= start < end <= len(text) for start, end in self.pieces):
            return "a span is empty or lies outside the text (offsets count code points)"
        inside = " ".join(text[start:end] for start, end in self.pieces)
        if self.surface is not None and inside.split() != self.surface.split():
            return "a span does not hold the text that the file states (offsets count code points)"
        return ""


@dataclass(frozen=True, slots=True)
class Annotated:
    """One note of a file, or why there is none.

    Args:
        where: the row or file, for messages.
        id: the caller's id, None if there is no readable one.
        text: the note, None if the file holds its spans only.
        doc_type: the kind of document, where the file says it.
        error: why there is no note; never with a value of the file.
    """

    where: str
    id: str | None
    text: str | None = field(default=None, repr=False)
    marks: tuple[Mark, ...] = ()
    doc_type: str | None = None
    error: str = ""


class Problems:
    """Why notes are refused, with their ids; raised together, so that one run tells them all."""

    def __init__(self, path: object) -> None:
        self.path = path
        self._ids: dict[str, dict[str, None]] = {}

    def add(self, reason: str, *ids: str) -> None:
        """Notes refused for one reason; a note named twice is listed once."""
        self._ids.setdefault(reason, {}).update(dict.fromkeys(ids))

    def refuse(self) -> None:
        """Raises what was added.

        Raises:
            AnnotationError: anything was.
        """
        if self._ids:
            lines = (f"  {reason}: {_listed(list(ids))}" for reason, ids in self._ids.items())
            raise AnnotationError("\n".join((f"{self.path} is refused, nothing is scored", *lines)))


def _listed(ids: Iterable[str]) -> str:
    ids = list(ids)
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return f"{len(ids)} ({', '.join(ids[:_SHOWN])}{more})"
