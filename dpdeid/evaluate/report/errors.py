"""The errors of a detection with the text around them: only where somebody asked for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dpdeid.document import Document, Span
from dpdeid.evaluate.detection import UNSCORED, covers
from dpdeid.evaluate.evaluation import GoldNote
from dpdeid.evaluate.report.page import Cell, Section, Table
from dpdeid.evaluate.report.words import Words

_AROUND = 40
"""Characters shown before and after an error."""


def errors(gold: Sequence[GoldNote], found: Iterable[Sequence[Span]], words: Words) -> Section:
    """Gold spans not wholly covered, and found ones that touch no gold. Holds originals."""
    left, extra = list[tuple[Cell, ...]](), list[tuple[Cell, ...]]()
    for note, spans in zip(gold, found, strict=True):
        for start, end, label in _left(note, spans):
            left.append((note.doc.id, words("error left"), label, _context(note.doc, start, end)))
        for span in _extra(note.spans, spans):
            context = _context(note.doc, span.start, span.end)
            extra.append((note.doc.id, words("error extra"), span.label.value, context))
    return Section(
        "errors",
        words("errors title"),
        (words("errors text", left=len(left), extra=len(extra)),),
        Table(("note", "error", "label", "context"), (*left, *extra)),
        is_open=True,
    )


def _left(note: GoldNote, found: Sequence[Span]) -> Iterator[tuple[int, int, str]]:
    """Start and end of what leaks of each gold span, and its label."""
    tokens = note.doc.tokens
    scored = [span for span in note.spans if span.label not in UNSCORED]
    for cover in covers(note.doc, scored, found):
        if cover.leaked:
            yield tokens.starts[cover.leaked[0]], tokens.ends[cover.leaked[-1]], cover.label.value


def _extra(gold: Sequence[Span], found: Iterable[Span]) -> Iterator[Span]:
    for span in found:
        touched = any(g.start < span.end and span.start < g.end for g in gold)
        if span.label not in UNSCORED and not touched:
            yield span


def _context(doc: Document, start: int, end: int) -> str:
    before, after = doc.text[max(start - _AROUND, 0) : start], doc.text[end : end + _AROUND]
    return " ".join(f"{before}⟦{doc.text[start:end]}⟧{after}".split())
