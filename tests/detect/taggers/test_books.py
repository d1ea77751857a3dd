"""Parts of a book: every word in one of them, at its own place, and none longer than a note."""

from __future__ import annotations

import re

from dpdeid.detect.taggers.sequences import in_chunks, parts
from dpdeid.document import Document, Span
from dpdeid.labels import Label


def test_a_note_is_read_as_it_is() -> None:
    doc = Document("n", "mot " * 15_000)
    assert in_chunks(doc, lambda read: [Span(0, 3, Label.CITY)] if read is doc else []) == (
        Span(0, 3, Label.CITY),
    )


def test_parts_hold_every_word_once() -> None:
    doc = Document("n", ("mot " * 30_000 + "x" * 1_500 + " fin\n" + "- " * 50_000) * 2)
    words = [w for a, b in parts(doc) for w in doc.text[a:b].split()]
    assert words == [w for w in doc.text.split() if len(w) <= 1_000]
    assert all(b - a <= 100_000 and doc.text[a:b].strip() for a, b in parts(doc))


def test_a_part_that_is_half_full_ends_with_its_line() -> None:
    doc = Document("n", "un deux trois quatre\n" * 20_000)
    ends = [b for _, b in parts(doc)]
    assert len(ends) > 4
    assert all(doc.text[b] == "\n" for b in ends)


def test_what_is_found_stands_where_it_stood() -> None:
    doc = Document("n", "rien " * 25_000 + "Brest " + "." * 120_000 + " Brest")

    def read(part: Document) -> list[Span]:
        return [Span(*m.span(), Label.CITY) for m in re.finditer("Brest", part.text)]

    assert in_chunks(doc, read) == tuple(read(doc))
