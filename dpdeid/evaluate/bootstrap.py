"""Bootstrap over notes: how far a figure would move if other notes of the same kind were drawn.

Notes are drawn with replacement, as many as there are, from a stream that the seed and the sample's
number name: equal seeds give equal samples on any machine, and systems that are compared are summed
over the same samples. Intervals are percentiles (Efron and Tibshirani 1993, ch. 13). Where no note
varies a figure, such an interval has no width: that of a share is therefore never narrower than an
exact one, with as many trials as the notes are worth (`share_interval`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from dpdeid.errors import extra
from dpdeid.evaluate.figures import Floats, Table
from dpdeid.privacy.audit import at_least
from dpdeid.privacy.rng import Stream

LEVEL: Final = 0.95
_TAIL: Final = (1 - LEVEL) / 2
_BLOCK: Final = 50  # samples at a time


def resampled(
    parts: Sequence[tuple[Table, Sequence[int]]], notes: int, resamples: int, seed: int
) -> list[tuple[Table, Floats]]:
    """For each part its totals and how many notes: first over all notes, then over each sample.

    Args:
        parts: counts of notes that are summed together, and their places among all notes.
        notes: how many there are; samples are drawn from all and cut to the rows of a part.
    """
    found: list[tuple[list[Floats], list[Floats]]] = [([], []) for _ in parts]
    for weights in _weights(notes, resamples, seed):
        for (sums, drawn), (table, rows) in zip(found, parts, strict=True):
            own = weights[:, list(rows)]
            sums.append(own @ table.counts)
            drawn.append(own.sum(axis=1))
    return [
        (Table(table.index, np.concatenate(sums)), np.concatenate(drawn))
        for (sums, drawn), (table, _) in zip(found, parts, strict=True)
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
    low, high = np.quantile(samples, [_TAIL, 1 - _TAIL])
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


_ENOUGH: Final = 9
"""Fewer notes do not tell how notes vary."""
_ROUNDING: Final = 1e-9
"""What floats may be off: counts are whole numbers, and their ratios are not."""


def share_interval(values: Floats, notes: int) -> tuple[float, float]:
    """The interval of a share at `LEVEL`: bootstrap and exact one united; nan of nothing.

    Args:
        values: the share over all notes, then over each sample.
        notes: how many notes say anything of it.
    """
    share, (low, high) = float(values[0]), interval(values)
    if math.isnan(low) or math.isnan(share):
        return low, high
    exact = _exact(share, _trials(share, values[1:], notes))
    return min(low, exact[0]), max(high, exact[1])


def _trials(share: float, samples: Floats, notes: int) -> int:
    """As many independent trials as the notes are worth."""
    spread = float(np.nanvar(samples))
    if spread <= _ROUNDING**2 or notes < _ENOUGH:
        return notes
    unbiased = spread * notes / (notes - 1)
    return max(1, math.floor(share * (1 - share) / (unbiased * _widened(notes) ** 2)))


def _exact(share: float, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's, of the hits below and above where they are no whole number."""
    hits = share * trials
    low = at_least(math.floor(hits + _ROUNDING), trials, _TAIL)
    return low, 1 - at_least(trials - math.ceil(hits - _ROUNDING), trials, _TAIL)


def _widened(notes: int) -> float:
    """How much wider Student's interval at `LEVEL` is than the normal one, for so few notes."""
    with extra("evaluate", "intervals need scipy", instead=", or take --resamples 0"):
        from scipy.special import stdtrit
    return float(stdtrit(notes - 1, 1 - _TAIL)) / NormalDist().inv_cdf(1 - _TAIL)
