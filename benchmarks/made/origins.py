"""Notes whose people come from elsewhere: names of ten origins that stand in no list and no note to
train on, put where the gold names of a note stood, and what detection finds of them.

Only names change; case, title, initials and whatever else the note says stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.engine import Deidentifier
from dpdeid.evaluate.bootstrap import interval, resampled, share_interval
from dpdeid.evaluate.counts import Leak
from dpdeid.evaluate.detection import score
from dpdeid.evaluate.figures import Table
from dpdeid.labels import NAMES, Label
from dpdeid.normalize import fold
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Piece, join
from dpdeid.synth.refill import Identities, is_initials

Note = tuple[Document, tuple[Span, ...]]
Names = Mapping[Label, tuple[str, ...]]
KINDS: Final = {"last": Label.LAST_NAME, "first": Label.FIRST_NAME}
INITIALS: Final = 4


def origins() -> dict[str, Names]:
    """Origin → its surnames and first names."""
    found: dict[str, dict[Label, tuple[str, ...]]] = {}
    path = Path(__file__).parent / "names_by_origin.tsv"
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, *names = line.split("\t")
            origin, kind = head.split()
            own = found.setdefault(origin, {})
            own[KINDS[kind]] = (*own.get(KINDS[kind], ()), *names)
    return dict(found)


def renamed(note: Note, names: Names, dice: Dice) -> Note:
    """The note with names of that origin, and where they stand: equal names stay equal, each part
    of a double surname has one of its own, and initials, which follow, are no names here.
    """
    doc, gold = note
    bearers = Identities(dice)
    drawn = {label: dice.shuffled(names[label]) for label in KINDS.values()}
    people = sorted(span for span in gold if span.label in NAMES)
    for span in people:
        text = doc.text[span.start : span.end]
        first = span.label is Label.FIRST_NAME
        known = bearers.firsts if first else bearers.lasts
        for part in [text] if first else text.split("-"):
            if part and not is_short(part) and fold(part) not in known:
                known[fold(part)] = drawn[span.label][len(known) % len(drawn[span.label])]
    pieces, at = list[Piece](), 0
    for span in people:
        text = doc.text[span.start : span.end]
        pieces.append(Piece(doc.text[at : span.start]))
        if is_short(text):
            pieces.append(Piece(bearers.first(text) if is_initials(text) else text))
        else:
            last = span.label is Label.LAST_NAME
            new = bearers.last(text) if last else bearers.first(text)
            pieces.append(Piece(new, span.label, span.role))
        at = span.end
    text, entities = join([*pieces, Piece(doc.text[at:])])
    spans = tuple(Span(e.start, e.end, e.label) for e in entities)
    return Document(doc.id, text), spans


def is_short(text: str) -> bool:
    """Initials ("J.-P.", "PYT" of who dictated and "fgo" of who typed)."""
    alone = len(text) <= INITIALS and (text.isupper() or text.islower())
    listed = gazetteers.surnames(), gazetteers.first_names()
    return is_initials(text) or (alone and not any(fold(text) in names for names in listed))


def found_of(deidentifier: Deidentifier, note: Note) -> Leak:
    """Words of names covered and left."""
    doc, gold = note
    return score(doc, gold, deidentifier.detect(doc).spans).direct


def by_origin(
    deidentifier: Deidentifier, notes: Sequence[Note], *, fillings: int, resamples: int = 1000
) -> dict[str, Any]:
    """The recall of words of names by origin, and the gap from best to worst.

    Intervals are at 95 %, over notes: all fillings of a note are drawn together.
    """
    every = origins()
    counts = np.zeros((len(notes), len(every), 2))
    for row, note in enumerate(notes):
        for column, (origin, names) in enumerate(every.items()):
            for seed in range(fillings):
                filled = renamed(note, names, Dice.of(seed, "origin", origin, str(row)))
                leak = found_of(deidentifier, filled)
                counts[row, column] += leak.covered, leak.leaked
    table = Table({}, counts.reshape(len(notes), -1))
    [(sums, _)] = resampled([(table, range(len(notes)))], len(notes), resamples, 0)
    covered, left = np.moveaxis(sums.counts.reshape(-1, len(every), 2), 2, 0)
    shares = covered / (covered + left)
    told = int((counts[:, 0].sum(axis=1) > 0).sum())
    best, worst = int(shares[0].argmax()), int(shares[0].argmin())
    gap = shares[:, best] - shares[:, worst]
    return {
        "notes": len(notes),
        "fillings": fillings,
        "gap": {"points": gap[0], "interval": interval(gap)},
        "origins": {
            origin: {
                "words": int(covered[0, at] + left[0, at]),
                "recall": shares[0, at],
                "interval": share_interval(shares[:, at], told),
            }
            for at, origin in enumerate(every)
        },
    }
