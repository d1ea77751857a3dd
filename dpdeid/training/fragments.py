"""Lines and part-lines cut from notes: a tagger that saw only whole notes suspects short texts.

A message, a cell of a table or the lines that a cut of a long note leaves have no header and little
around a word. What stands alone there ("DDN", "Au total,") is outside most of the time, and a
tagger that never saw it alone holds it for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from dpdeid.document import Document, Span
from dpdeid.privacy.rng import Stream
from dpdeid.training.corpus import Note

_LINE: Final = re.compile(r"[^\s](?:[^\n]*[^\s])?")
_CLAUSE: Final = re.compile(r"[.,;()\-–/]\s+(?=\S)")
"""What a part-line may begin behind; a header stays before what it names."""
_CUT: Final = re.compile(r"\s+")


def fragments(notes: Sequence[Note], draws: Stream, *, each: int) -> list[Note]:
    """`each` different stretches of lines a note, or as many lines as it has.

    Half are whole lines; the others begin at a line or clause and end behind any word. None cuts a
    span.
    """
    found: list[Note] = []
    for doc, spans in notes:
        lines = draws.shuffled([match.span() for match in _LINE.finditer(doc.text)])[:each]
        for number, (start, end) in enumerate(lines):
            if draws.randbelow(2):
                start, end = _part(doc.text, start, end, spans, draws)
            found.append(_cut(doc, spans, start, end, number))
    return found


def _part(text: str, start: int, end: int, spans: Sequence[Span], draws: Stream) -> tuple[int, int]:
    """Where a part of the line begins and ends."""
    first = draws.choice(
        [start, *_outside(spans, (m.end() for m in _CLAUSE.finditer(text, start, end)))]
    )
    stops = (m.start() for m in _CUT.finditer(text, first, end))
    return first, draws.choice([*_outside(spans, stops), end])


def _outside(spans: Sequence[Span], places: Iterator[int]) -> Iterator[int]:
    """The places that lie in no span."""
    return (at for at in places if not any(s.start < at < s.end for s in spans))


def _cut(doc: Document, spans: Sequence[Span], start: int, end: int, number: int) -> Note:
    inside = (s for s in spans if s.start < end and start < s.end)
    moved = tuple(
        replace(s, start=max(s.start, start) - start, end=min(s.end, end) - start) for s in inside
    )
    return Document(f"{doc.id}/{number}", doc.text[start:end], doc.patient_id), moved
