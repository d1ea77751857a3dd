"""Whose mark is whose: the best alignment of what several people marked in one unit, and gamma.

Both are those of Mathet et al. 2015, by `pygamma-agreement` (Titeux and Riad 2021) with its own
dissimilarity (positions and categories, alpha = beta = 1). Gamma is 1 less the disorder over what
chance would give, which is estimated from random samples: a seed makes it repeatable. It is 1 where
all marked the same, at most 1, and may be below 0; a unit with fewer than two annotators or with no
mark has none.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from dpdeid.annotate.units import Marked
from dpdeid.errors import extra

Votes = Mapping[str, tuple[Marked, ...]]
"""Annotator → what they marked in a unit; who looked and marked nothing has an empty tuple."""
Column = Mapping[str, Marked | None]
"""Annotator → the mark that stands for one and the same thing, None if they have none for it."""
SAMPLES: Final = 30
"""Random samples by which chance is estimated, as in the published code."""
_MOST: Final = 20_000
"""Combinations of marks up to which all are weighed; beyond, window by window ("fast-gamma")."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """The columns of a unit, by position, and its gamma."""

    columns: tuple[Column, ...]
    gamma: float | None


def aligned(votes: Votes, *, samples: int = SAMPLES, seed: int = 0) -> Aligned:
    """The best alignment of one unit.

    Args:
        samples: how many random continuums stand for chance; 0: no gamma where people differ.

    Raises:
        UsageError: people differ and pygamma-agreement is not installed.
    """
    people = sorted(votes)
    if len(people) < 2 or not any(votes.values()):
        return Aligned(tuple({name: mark} for name in people for mark in votes[name]), None)
    first = votes[people[0]]
    if all(votes[name] == first for name in people):
        return Aligned(tuple({name: mark for name in people} for mark in first), 1.0)  # noqa: C420
    with extra("annotate", "agreement needs pygamma-agreement"):
        from pyannote.core import Segment
        from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum
    continuum = Continuum()
    for name in people:
        continuum.add_annotator(name)
        for start, end, category in votes[name]:
            continuum.add(name, Segment(start, end), category)
    weighed = CombinedCategoricalDissimilarity()
    fast = math.prod(1 + len(marks) for marks in votes.values()) > _MOST
    with _seeded(seed):
        if samples:
            found = continuum.compute_gamma(weighed, n_samples=samples, fast=fast)
        best = found.best_alignment if samples else _best(continuum, weighed, fast=fast)
    gamma = float(found.gamma) if samples else None
    columns = (_column(one.n_tuple) for one in best.unitary_alignments)
    return Aligned(tuple(sorted(columns, key=_place)), gamma)


def _best(continuum: Any, weighed: Any, *, fast: bool) -> Any:
    if not fast:
        return continuum.get_best_alignment(weighed)
    continuum.measure_best_window_size(weighed)
    return continuum.get_fast_alignment(weighed, continuum.best_window_size)


def _column(pairs: Any) -> Column:
    return {
        name: unit and Marked(int(unit.segment.start), int(unit.segment.end), unit.annotation)
        for name, unit in pairs
    }


def _place(column: Column) -> tuple[tuple[Marked, ...], tuple[str, ...]]:
    marks = sorted(mark for mark in column.values() if mark)
    return tuple(marks), tuple(sorted(name for name, mark in column.items() if mark))


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """The library draws from numpy's shared generator and says which solver it takes, each time."""
    import numpy

    generator = numpy.random
    state, told = generator.get_state(), logging.root.manager.disable
    generator.seed(seed)
    logging.disable(max(told, logging.WARNING))
    try:
        yield
    finally:
        generator.set_state(state)
        logging.disable(told)
