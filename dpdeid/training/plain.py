"""Prose in which nobody is named: what a tagger must learn to leave alone.

Of each text those paragraphs are taken in which the rules find no direct identifier. What else the
rules find there (dates, ages, units) is learned as they have it. So texts with names may be given:
but a name that no rule finds is then learned as none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from dpdeid.detect.rules import rule_spans
from dpdeid.document import Document, Span
from dpdeid.errors import TrainingError
from dpdeid.spans import disjoint
from dpdeid.training.corpus import Note
from dpdeid.training.texts import read_texts

_PARAGRAPH: Final = re.compile(r"\S(?:.|\n(?!\s*\n))*")


def plain_notes(path: Path) -> list[Note]:
    """One note for each text of a .jsonl or .txt file that has such a paragraph.

    Raises:
        TrainingError: the file cannot be read (see `read_texts`) or has no such paragraph.
    """
    notes = [
        (doc, disjoint(span for span in rule_spans(doc) if not span.label.is_direct))
        for number, text in enumerate(read_texts([path]), 1)
        if (doc := _without_names(Document(f"{path.name}-{number}", text))) is not None
    ]
    if not notes:
        raise TrainingError(f"{path}: the rules find a direct identifier in every paragraph")
    return notes


def _without_names(doc: Document) -> Document | None:
    direct = [span for span in rule_spans(doc) if span.label.is_direct]
    text = "\n\n".join(_apart(doc.text, direct))
    return Document(doc.id, text) if text else None


def _apart(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """The paragraphs that no span touches."""
    for found in _PARAGRAPH.finditer(text):
        start, end = found.span()
        if not any(span.start < end and start < span.end for span in spans):
            yield found[0].rstrip()
