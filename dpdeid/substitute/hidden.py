"""A record as it may be read where its values must not be: one sign for each of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from dpdeid.document import Mention, Record
from dpdeid.labels import Label
from dpdeid.protocols import HIDDEN

HIDDEN_AGE: Final = "\x01"
"""Stands for an age that is not."""


def compact(
    record: Record, own: Sequence[Mention], others: Iterable[Mention]
) -> tuple[Record, list[Mention], list[Mention]]:
    """The record with one sign for each value, without what French puts before a town ("au Mans",
    "à Brest") and with two blanks for more, which fill up a column behind a value, so that no
    length tells how far words stand apart.

    Args:
        own: mentions, or parts of such, sorted by document and start.
        others: further ones whose value does not stay, `own` among them or not.

    Returns:
        The record, these mentions in it, in their order, and all others.
    """
    ends = {(one.document, one.span.end) for one in own if one.where == "text"}
    rest = [m for m in others if m.where == "text" and (m.document, m.span.end) not in ends]
    by_note: dict[int, list[Mention]] = {}
    for mention in (*own, *rest):
        if mention.where == "text":
            by_note.setdefault(mention.document, []).append(mention)
    documents, moved = [*record.documents], dict[Mention, Mention]()
    for at, here in by_note.items():
        here.sort(key=lambda mention: mention.span.start)
        text, parts, done = documents[at].text, list[str](), 0
        length = 0
        for mention in here:
            sign = HIDDEN_AGE if mention.label is Label.AGE else HIDDEN
            kept = _alike(mention.label, _BLANKS.sub("  ", text[done : mention.span.start]))
            parts += (kept, sign)
            length += len(kept)
            span = replace(mention.span, start=length, end=length + 1)
            moved[mention] = mention._replace(span=span)
            length, done = length + 1, mention.span.end
        documents[at] = replace(
            documents[at], text="".join((*parts, _BLANKS.sub("  ", text[done:])))
        )
    seen = [moved.get(mention, mention) for mention in own]
    return replace(record, documents=tuple(documents)), seen, [moved[m] for m in rest]


_BLANKS: Final = re.compile(r" {3,}")
_BEFORE_TOWNS: Final = re.compile(r"(?:\b(?:à|aux?|en|de|du|des)\s{1,2}|\bd['’])\Z", re.IGNORECASE)
_ELIDED: Final = re.compile(r"\b([dl])['’]\Z", re.IGNORECASE)


def _alike(label: Label, before: str) -> str:
    """What stands before a value, the same for all values of its label: "fin de avril"."""
    if label is Label.CITY:
        return _BEFORE_TOWNS.sub("", before)
    return _ELIDED.sub(r"\1e ", before)
