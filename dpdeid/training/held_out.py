"""Keeps notes that quote a held-out note out of training, so that its figures mean something.

Reports of one author share sentences. Two notes that share a run of 25 words are held for copies of
one another; a salutation is shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.normalize import fold
from dpdeid.training.corpus import Note

_RUN: Final = 25
_WORD: Final = re.compile(r"\w+")


def without_copies(notes: Sequence[Note], held_out: Sequence[Note]) -> list[Note]:
    """The notes that share no run of 25 words with a held-out note, whatever its case or accents.

    A note of fewer words is kept.
    """
    known = {run for doc, _ in held_out for run in _runs(doc.text)}
    return [note for note in notes if known.isdisjoint(_runs(note[0].text))]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(fold(text))
    return zip(*(words[at:] for at in range(_RUN)), strict=False)
