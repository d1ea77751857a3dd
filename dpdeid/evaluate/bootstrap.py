"""Bootstrap over notes: how far a figure would move if other notes of the same kind were drawn.

Notes are drawn with replacement, as many as there are, from a stream that the seed and the sample's
number name: equal seeds give equal samples on any machine, and systems that are compared are summed
over the same samples. Intervals are percentiles (Efron and Tibshirani 1993, ch. 13). A figure that
no note varies has an interval of no width: see `intervals` for what is united with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dpdeid.evaluate.table import Floats, Table, Totals
from dpdeid.privacy.rng import Stream

LEVEL: Final = 0.95
_BLOCK: Final = 50  # samples at a time


@dataclass(frozen=True, slots=True)
class Part:
    """Notes that are summed together.

    Args:
        table: their counts.
        rows: their places among all notes.
    """

    table: Table
    rows: Sequence[int]

    @classmethod
    def of(cls, table: Table, rows: Sequence[int]) -> Part:
        """Some notes of a table of all, with the columns in which they count anything."""
        counts = table.counts[list(rows)]
        used = np.flatnonzero(counts.sum(axis=0))
        paths = list(table.index)
        return cls(Table({paths[i]: at for at, i in enumerate(used)}, counts[:, used]), rows)


def resampled(
    parts: Sequence[Part], notes: int, resamples: int, seed: int
) -> list[tuple[Totals, Floats]]:
    """For each part its totals and how many notes: first over all notes, then over each sample.

    Args:
        notes: how many there are; samples are drawn from all and cut to the rows of a part.
    """
    sums: list[list[Floats]] = [[] for _ in parts]
    drawn: list[list[Floats]] = [[] for _ in parts]
    for weights in _weights(notes, resamples, seed):
        for at, part in enumerate(parts):
            own = weights[:, list(part.rows)]
            sums[at].append(own @ part.table.counts)
            drawn[at].append(own.sum(axis=1))
    return [
        (Totals(part.table.index, np.concatenate(s)), np.concatenate(d))
        for part, s, d in zip(parts, sums, drawn, strict=True)
    ]


def _weights(notes: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each note is in each sample, in blocks (samples, notes)."""
    yield np.ones((1, notes))
    for first in range(0, resamples, _BLOCK):
        count = min(_BLOCK, resamples - first)
        words = Stream(f"bootstrap {seed} {first}".encode()).words(count * notes)
        # 64-bit words: the remainder's bias is below notes / 2^64
        picks = np.frombuffer(words, dtype=">u8").reshape(count, notes) % np.uint64(notes)
        yield np.array([np.bincount(p, minlength=notes) for p in picks.astype(np.int64)], float)


def interval(values: Floats) -> tuple[float, float]:
    """The percentile interval of a figure's samples at `LEVEL`; nan where none is defined.

    Args:
        values: the figure of all notes, then of each sample.
    """
    samples = values[1:][~np.isnan(values[1:])]
    if not len(samples):
        return np.nan, np.nan
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def p_value(differences: Floats) -> float:
    """Two-sided, of no difference: how rarely the samples' differences lie on the other side of 0.

    Args:
        differences: of all notes, then of each sample; it is at least 2 / (samples + 1).
    """
    samples = differences[1:][~np.isnan(differences[1:])]
    if not len(samples):
        return np.nan
    side = min(int((samples <= 0).sum()), int((samples >= 0).sum()))
    return min(1.0, 2 * (side + 1) / (len(samples) + 1))
