"""The parts of one address that stand on one line, joined: "Résidence X, 6 allée des Pins".

A house, an estate or a flat before the street is found as a street of its own, or not at all; this
unites it with the street that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dpdeid.document import Document, Span
from dpdeid.labels import Label

_STREET: Final = Label.STREET
_JOINT: Final = re.compile(r" ?[,–-] ?| ")
_FLAT_BEFORE: Final = re.compile(
    r"(?<!\w)(?:(?:(?i:app(?:t|art|artement)?|apt|b[âa]t(?:iment)?|esc(?:alier)?|porte|logement|lgt|entr[ée]e|hall)"
    r"\.? ?(?:n° ?)?(?:\d{1,4}[A-Za-z]?|[A-Z]\d{0,3})\b|\d{1,2}(?:er|e|ème"
    r"|eme)(?: [ée]t(?:age)?\b\.?)?"
    r"(?: (?:gauche|droite|gche|dte))?|[Cc]ase \d{1,4})(?: ?[,–-] ?|\n(?=\d{1,4}))){1,4}\Z"
)
_REACH: Final = 60


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """One span for streets that follow each other, and for a street with the flat before it."""
    text = doc.text
    last: Span | None = None
    for span in sorted((s for s in spans if s.label is _STREET), key=lambda s: (s.start, -s.end)):
        if last is not None and span.end <= last.end:
            continue
        start = span.start
        if last is not None and last.end <= start and _JOINT.fullmatch(text, last.end, start):
            start = last.start
        elif flat := _FLAT_BEFORE.search(text[max(0, start - _REACH) : start]):
            start -= len(flat[0])
        last = Span(start, span.end, _STREET, span.score, "patterns/places.joined")
        if start < span.start:
            yield last
