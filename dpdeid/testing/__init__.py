"""Helps for tests, ours and others': keys, the shipped fictitious notes, Hypothesis strategies."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Final

import yaml

from dpdeid.document import Document, Span
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label

KEY: Final = bytes.fromhex("9e157993efdf6244f98606eb74341c5b60c86e5f89381ecc44f4c2536f8998b9")
"""A key that was drawn, and that everybody has: for notes of nobody."""
_MARK: Final = re.compile(r"«([A-Z_]+):([^»]*)»")


def other_key(number: int) -> bytes:
    """One of many more keys, as well made and as public."""
    return blake2b(b"%d" % number, key=KEY, digest_size=len(KEY)).digest()


def marked(line: str) -> tuple[str, tuple[Span, ...]]:
    """The plain text of a line with «LABEL:text» marks, and its spans.

    >>> marked("vu le «DATE:12/03»")
    ('vu le 12/03', (Span(start=6, end=11, label=<Label.DATE: 'DATE'>, score=1.0, source='gold',
    role=<Role.UNKNOWN: 'unknown'>),))
    """
    text, spans, done = "", [], 0
    for mark in _MARK.finditer(line):
        text += line[done : mark.start()]
        spans.append(Span(len(text), len(text) + len(mark[2]), Label(mark[1]), source="gold"))
        text += mark[2]
        done = mark.end()
    return text + line[done:], tuple(spans)


@cache
def notes() -> tuple[tuple[Document, tuple[Span, ...]], ...]:
    """The shipped notes, each with its spans. No person in them is real."""
    rows = yaml.safe_load((files("dpdeid.testing") / "notes.yaml").read_text(encoding="utf-8"))
    out = []
    for number, row in enumerate(rows, 1):
        text, spans = marked(row["text"])
        out.append((document_of({**row, "text": text}, number), spans))
    return tuple(out)
