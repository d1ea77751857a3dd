"""Fictitious notes of the generator, shown among those of a site so that what was known stays."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dpdeid.document import Span
from dpdeid.formats.rows import document_of
from dpdeid.labels import Label
from dpdeid.spans import disjoint
from dpdeid.synth.corpus import notes
from dpdeid.training.corpus import Note


def fictitious(count: int, seed: int, labels: Collection[Label]) -> Iterator[Note]:
    """So many notes of every type with their spans of some labels, the same for the same seed.

    Args:
        count: > 0.
    """
    for number, row in enumerate(notes(count, seed, ()), 1):
        spans = [Span(e["start"], e["end"], Label(e["label"])) for e in row["entities"]]
        yield document_of(row, number), disjoint(s for s in spans if s.label in labels)
