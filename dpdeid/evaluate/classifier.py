"""A linear classifier over text, trained on one side of a de-identification, tested on the other.

Does a model that is trained on released notes work on original ones, and back? Logistic regression,
one code against the rest, on the words and word pairs of a note, hashed: small enough to be trained
in seconds, and what many hospitals have in use. It learns which codes the *original* notes carry.

It is trained by stochastic gradient in the order of the notes, so that equal notes give an equal
model; the last weights are averaged over all steps, which takes the order's influence down.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.counts import Counts
from dpdeid.normalize import fold

FEATURES: Final = 1 << 16
ROUNDS: Final = 10
RATE: Final = 5.0
FEWEST: Final = 20
"""A code is learnt that so many training notes carry, and so many do not."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_HALF: Final = 1 << 31

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


def features(text: str) -> Indices:
    """Sorted distinct hashes of the words and word pairs of a text, (n,) in [0, FEATURES)."""
    words = [fold(word) for word in _WORD.findall(text)]
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    hashes = {zlib.crc32(gram.encode("utf-8", "replace")) % FEATURES for gram in (*words, *pairs)}
    return np.array(sorted(hashes), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Linear:
    """A trained classifier: `weights` is (FEATURES, codes), `bias` is (codes,)."""

    codes: tuple[str, ...]
    weights: Floats = field(repr=False)
    bias: Floats = field(repr=False)

    def __call__(self, text: str) -> frozenset[str]:
        """The codes that are more likely than not."""
        scores = _scores(self.weights, self.bias, features(text))
        return frozenset(code for code, s in zip(self.codes, scores, strict=True) if s > 0)


def _scores(weights: Floats, bias: Floats, index: Indices) -> Floats:
    """(codes,) log-odds. A note's features count by their root, or long notes would be sure."""
    total: Floats = weights[index].sum(axis=0) / np.sqrt(max(len(index), 1)) + bias
    return total


def train(texts: Sequence[str], codes: Sequence[frozenset[str]]) -> Linear:
    """A classifier of the codes that enough of these notes carry; it may have none."""
    carried = Counter(code for each in codes for code in each)
    most = len(texts) - FEWEST
    learnt = tuple(sorted(code for code, notes in carried.items() if FEWEST <= notes <= most))
    truth = np.array([[code in each for code in learnt] for each in codes], dtype=np.float64)
    index = [features(text) for text in texts]
    weights, bias = np.zeros((FEATURES, len(learnt))), np.zeros(len(learnt))
    total_weights, total_bias = np.zeros_like(weights), np.zeros_like(bias)
    for _ in range(ROUNDS):
        for at, wanted in zip(index, truth, strict=True):
            chance = 1 / (1 + np.exp(-np.clip(_scores(weights, bias, at), -30, 30)))
            step = RATE * (wanted - chance)
            weights[at] += step / np.sqrt(max(len(at), 1))
            bias += step
        total_weights += weights
        total_bias += bias
    return Linear(learnt, total_weights / ROUNDS, total_bias / ROUNDS)


def counted(model: Linear, texts: Sequence[str], codes: Sequence[frozenset[str]]) -> Counts:
    """What the model finds of the codes it has learnt."""
    known = frozenset(model.codes)
    total = Counts()
    for text, truth in zip(texts, codes, strict=True):
        said, wanted = model(text), truth & known
        total += Counts(len(said & wanted), len(said - wanted), len(wanted - said))
    return total


def transfer(
    ids: Sequence[str],
    before: Sequence[str],
    after: Sequence[str],
    codes: Sequence[frozenset[str]],
) -> dict[str, Counts]:
    """ "before→after" and the three others: trained on one side, tested on the other.

    Half of the notes train and half test, by a hash of their ids, then the other way round.

    Args:
        codes: of the notes before: the truth on both sides.
    """
    first = [zlib.crc32(name.encode("utf-8", "replace")) < _HALF for name in ids]
    sides = {"before": before, "after": after}
    totals = {f"{a}→{b}": Counts() for a in sides for b in sides}
    for half in (True, False):
        train_at = [at for at, mine in enumerate(first) if mine is half]
        test_at = [at for at, mine in enumerate(first) if mine is not half]
        wanted = [codes[at] for at in test_at]
        for one, texts in sides.items():
            model = train([texts[at] for at in train_at], [codes[at] for at in train_at])
            for other, tested in sides.items():
                totals[f"{one}→{other}"] += counted(model, [tested[at] for at in test_at], wanted)
    return totals
