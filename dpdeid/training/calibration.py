"""Makes scores mean something: a temperature, and offsets for a target recall.

Both are chosen on held-out notes. With the temperature (Guo et al. 2017) a score of 0.9 is right
about nine times in ten on notes like these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from dpdeid.detect.transformer import Tagger
from dpdeid.tags import encode
from dpdeid.training.corpus import Note

_TEMPERATURES: Final = tuple(round(0.5 * 1.1**step, 4) for step in range(25))
_OFFSETS: Final = tuple(step / 2 for step in range(13))
"""From none to 6: at the end a label wins against an outside 400 times as likely."""


def temperature(tagger: Tagger, notes: Sequence[Note]) -> float:
    """The temperature in 0.5 … 5 under which the gold tags are most likely."""
    number = {tag: index for index, tag in enumerate(tagger.spec.tags)}
    rows, gold = [], []
    for doc, spans in notes:
        rows.append(tagger.scores(doc))
        gold += [number.get(tag, 0) for tag in encode(spans, doc.tokens)]
    scores, truth = np.concatenate(rows), np.array(gold)

    def loss(degree: float) -> float:
        cooled = scores / degree
        return float(
            (np.logaddexp.reduce(cooled, axis=1) - cooled[np.arange(len(truth)), truth]).mean()
        )

    return min(_TEMPERATURES, key=loss) if len(truth) else 1.0


def recall_offsets(tagger: Tagger, notes: Sequence[Note], *, target: float) -> dict[str, float]:
    """Label → the least offset with which `target` of its gold tokens get a tag other than outside.

    A label without gold tokens has no entry; one that does not get there has the largest offset.
    """
    margins: dict[str, list[float]] = {}
    for doc, spans in notes:
        scores = tagger.scores(doc)
        for row, tag in zip(scores, encode(spans, doc.tokens), strict=True):
            if tag[2:] in tagger.spec.labels:
                margins.setdefault(tag[2:], []).append(_margin(tagger, row, tag[2:]))
    return {
        label: next(
            (o for o in _OFFSETS if np.mean([m <= o for m in found]) >= target), _OFFSETS[-1]
        )
        for label, found in sorted(margins.items())
    }


def _margin(tagger: Tagger, row: np.ndarray, label: str) -> float:
    """By how much outside beats the label; below zero where any other tag wins anyway."""
    own = max(row[i] for i, tag in enumerate(tagger.spec.tags) if tag[2:] == label)
    return -1.0 if row[0] < row[1:].max() else float(row[0] - own)
