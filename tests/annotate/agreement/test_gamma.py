"""Gamma is the library's own on any annotations, and a number that means something."""

from __future__ import annotations

import numpy as np
import pytest

from dpdeid.annotate.agreement.alignment import aligned
from dpdeid.annotate.units import Marked
from dpdeid.synth.dice import Dice


def votes(seed: int) -> dict[str, tuple[Marked, ...]]:
    """Two to four people with up to three marks each, one of whom may have none."""
    dice = Dice.of(seed, "votes")
    told = {}
    for name in "abcd"[: dice.between(2, 4)]:
        starts = [dice.randbelow(60) for _ in range(dice.between(name != "a", 3))]
        marks = {Marked(at, at + dice.between(1, 12), dice.choice("XYZ")) for at in starts}
        told[name] = tuple(sorted(marks))
    return told


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_librarys(seed: int) -> None:
    library = pytest.importorskip("pygamma_agreement")
    from pyannote.core import Segment

    told = votes(seed)
    continuum = library.Continuum()
    for name, marks in told.items():
        continuum.add_annotator(name)
        for start, end, category in marks:
            continuum.add(name, Segment(start, end), category)
    np.random.seed(seed)
    weighed = library.CombinedCategoricalDissimilarity()
    own = continuum.compute_gamma(weighed, n_samples=10).gamma
    found = aligned(told, samples=10, seed=seed)
    assert found.gamma == pytest.approx(own)
    assert found.gamma <= 1  # type: ignore[operator]
