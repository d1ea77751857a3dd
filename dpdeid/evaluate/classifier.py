"""A linear classifier over text, trained on one side of a de-identification, tested on the other.

Does a model that is trained on released notes work on original ones, and back? Logistic regression,
one code against the rest, on the hashed words and word pairs of a note: trained in seconds, and
what many hospitals have in use. It learns which codes the *original* notes carry. Equal notes give
an equal model. Needs scikit-learn, from the extra `evaluate`.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from dpdeid.errors import extra
from dpdeid.evaluate.counts import Counts
from dpdeid.normalize import fold

FEWEST: Final = 20
"""A code is learnt that so many training notes carry, and so many do not."""
_STRENGTH: Final = 100.0
"""Inverse weight of the L2 penalty: about the F1 of a model without one, and always converges."""
_HALF: Final = 1 << 31

Codes = Sequence[frozenset[str]]
"""Of each note."""


def train(texts: Sequence[str], learnt: Sequence[str], codes: Codes) -> Any:
    """A fitted scikit-learn pipeline: texts in, (notes, learnt codes) of 0 and 1 out.

    Raises:
        UsageError: scikit-learn is not installed; names the extra.
    """
    with extra("evaluate", "a classifier needs scikit-learn"):
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.multioutput import MultiOutputClassifier
        from sklearn.pipeline import make_pipeline
    features = HashingVectorizer(
        n_features=1 << 16,
        preprocessor=fold,
        token_pattern=r"[^\W\d_]{2,}",
        ngram_range=(1, 2),
        binary=True,
        alternate_sign=False,
    )
    each = MultiOutputClassifier(LogisticRegression(C=_STRENGTH, max_iter=1_000))
    truth = np.array([[code in own for code in learnt] for own in codes], dtype=np.int8)
    return make_pipeline(features, each).fit(texts, truth)


def learnable(codes: Codes) -> tuple[str, ...]:
    """The codes that enough of these notes carry, and enough do not, sorted."""
    carried = Counter(code for each in codes for code in each)
    most = len(codes) - FEWEST
    return tuple(sorted(code for code, notes in carried.items() if FEWEST <= notes <= most))


def counted(model: Any, learnt: Sequence[str], texts: Sequence[str], codes: Codes) -> Counts:
    """What a model finds of the codes it has learnt."""
    total = Counts()
    for found, truth in zip(model.predict(texts), codes, strict=True):
        said = {code for code, is_said in zip(learnt, found, strict=True) if is_said}
        wanted = truth & {*learnt}
        total += Counts(len(said & wanted), len(said - wanted), len(wanted - said))
    return total


def transfer(
    ids: Sequence[str], before: Sequence[str], after: Sequence[str], codes: Codes
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
        known, wanted = [codes[at] for at in train_at], [codes[at] for at in test_at]
        learnt = learnable(known)
        if not learnt or not wanted:
            continue
        for one, texts in sides.items():
            model = train([texts[at] for at in train_at], learnt, known)
            for other, tested in sides.items():
                found = counted(model, learnt, [tested[at] for at in test_at], wanted)
                totals[f"{one}→{other}"] += found
    return totals
