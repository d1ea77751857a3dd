"""Changed words over notes: counts by kind, rates per 10,000 words and their intervals.

A rate divides by all words of the originals. Intervals are percentiles of a bootstrap over notes
(see `dpdeid.evaluate.bootstrap`), since one careless rule changes many words of one note, rounded
outwards to one decimal. Where nothing was found there is none: a bootstrap of zeros says nothing of
a rarer error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from dpdeid.evaluate.bootstrap import LEVEL, interval, resampled
from dpdeid.evaluate.counts import down, up
from dpdeid.evaluate.figures import Floats, Path, Table
from dpdeid.evaluate.medicine.changes import How, NoteChanges
from dpdeid.evaluate.medicine.kinds import COUNTED, MEDICINE, Kind

PER: Final = 10_000
SUMS: Final = {"medicine": MEDICINE, "all": COUNTED}
"""Rows that sum kinds."""
_WORDS: Final[Path] = ("words",)
Json = dict[str, Any]


def figures(notes: Sequence[NoteChanges], *, resamples: int = 1_000, seed: int = 0) -> Json:
    """All figures as plain data, without any text: docs/utility.md has the keys."""
    rows: dict[str, tuple[Kind, ...]] = {**{kind.value: (kind,) for kind in Kind}, **SUMS}
    intervals = _intervals(notes, rows, resamples, seed)
    words = sum(note.words for note in notes)
    found = {name: _row(notes, kinds, words, intervals[name]) for name, kinds in rows.items()}
    return {
        "notes": len(notes),
        "words": words,
        "inserted": sum(note.inserted for note in notes),
        **{name: found.pop(name) for name in SUMS},
        "kinds": found,
        "taken_for": _taken_for(notes),
        "bootstrap": {"resamples": resamples, "seed": seed, "level": LEVEL, "unit": "note"},
    }


def _row(
    notes: Sequence[NoteChanges],
    kinds: Sequence[Kind],
    words: int,
    ends: tuple[float, float],
) -> Json:
    own = [[change for change in note.changed if change.kind in kinds] for note in notes]
    every = [change for changed in own for change in changed]
    return {
        "words": len(every),
        "places": sum(len({change.place for change in changed}) for changed in own),
        "notes": sum(map(bool, own)),
        **{how.value: sum(change.how is how for change in every) for how in How},
        "per_10k": round(PER * len(every) / words, 3) if words else None,
        "interval": None if any(map(math.isnan, ends)) else [down(ends[0], 1), up(ends[1], 1)],
    }


def _intervals(
    notes: Sequence[NoteChanges], rows: Mapping[str, Sequence[Kind]], resamples: int, seed: int
) -> dict[str, tuple[float, float]]:
    counts = np.array(
        [
            [note.words, *(sum(c.kind in kinds for c in note.changed) for kinds in rows.values())]
            for note in notes
        ],
        dtype=np.float64,
    ).reshape(len(notes), 1 + len(rows))
    paths: list[Path] = [_WORDS, *((name,) for name in rows)]
    table = Table({path: at for at, path in enumerate(paths)}, counts)
    ((totals, _),) = resampled([(table, range(len(notes)))], len(notes), resamples, seed)
    return {name: _ends(totals[(name,)], totals[_WORDS]) for name in rows}


def _ends(found: Floats, words: Floats) -> tuple[float, float]:
    if not found[0]:
        return math.nan, math.nan
    rates = np.full_like(found, np.nan)
    np.divide(PER * found, words, out=rates, where=words > 0)
    return interval(rates)


def _taken_for(notes: Sequence[NoteChanges]) -> Json:
    """For what the replaced spans took words of each kind; empty where no spans were given."""
    pairs = Counter(
        (change.taken_for, change.kind.value)
        for note in notes
        for change in note.changed
        if change.taken_for and change.kind in COUNTED
    )
    return {
        label: {kind: count for (its, kind), count in sorted(pairs.items()) if its == label}
        for label in sorted({label for label, _ in pairs})
    }
