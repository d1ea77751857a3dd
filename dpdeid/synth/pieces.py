"""A note in the making: pieces of text, each with its label, joined at the very end.

Everything that changes a text (case, noise, broken lines) changes the text of pieces, never their
order or labels, so a span is right by construction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dpdeid.labels import Label, Role


class Piece(NamedTuple):
    """A stretch of text. `label` is None outside spans; `who` is the bearer of a name in its scene
    ("p", "s1"), and which of their names it is, if not the usual one ("p/martin").
    """

    text: str
    label: Label | None = None
    role: Role = Role.UNKNOWN
    who: str = ""


class Entity(NamedTuple):
    """A span of the joined text, [start, end) in code points."""

    start: int
    end: int
    label: Label
    role: Role
    who: str = ""


def join(pieces: Iterable[Piece]) -> tuple[str, list[Entity]]:
    """The text of the pieces and the spans of those that have a label; empty ones are dropped."""
    texts, entities, at = [], [], 0
    for text, label, role, who in pieces:
        if label is not None and text:
            entities.append(Entity(at, at + len(text), label, role, who))
        texts.append(text)
        at += len(text)
    return "".join(texts), entities
