"""Whose mark is whose: the best alignment of what several people marked in one unit, and gamma.

Both are those of Mathet et al. 2015, by `pygamma-agreement` (Titeux and Riad 2021) with its own
dissimilarity (positions and categories, alpha = beta = 1). Gamma is 1 less the disorder over what
chance would give, which is estimated from random samples: a seed makes it repeatable. It is 1 where
all marked the same, at most 1, and may be below 0; a unit with fewer than two annotators or with no
mark has none.

All ways to put marks together are weighed, which are too many for a long unit with many marks. It
is then cut where no mark of anybody reaches over, and each part aligned alone: marks that touch
nowhere are never one thing there, and there is no gamma. (The library's windows, "fast-gamma", do
not end on some units.)
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from dpdeid.annotate.units import Marked
from dpdeid.errors import extra

Votes = Mapping[str, tuple[Marked, ...]]
"""Annotator → what they marked in a unit; who looked and marked nothing has an empty tuple."""
Column = Mapping[str, Marked | None]
"""Annotator → the mark that stands for one and the same thing, None if they have none for it."""
SAMPLES: Final = 30
"""Random samples by which chance is estimated, as in the published code."""
_MOST: Final = 200_000
"""Ways to put marks together up to which all are weighed at once."""


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
        from pygamma_agreement import Continuum

        weighed = _dissimilarity()

    def continuum(of: Votes) -> Any:
        made = Continuum()
        for name in people:
            made.add_annotator(name)
            for start, end, category in of[name]:
                made.add(name, Segment(start, end), category)
        return made

    with _seeded(seed):
        if samples and _ways(votes) <= _MOST:
            found = continuum(votes).compute_gamma(weighed, n_samples=samples)
            best, gamma = [found.best_alignment], float(found.gamma)
        else:
            parts = [votes] if _ways(votes) <= _MOST else _parts(votes)
            best, gamma = [continuum(part).get_best_alignment(weighed) for part in parts], None
    columns = (_column(one.n_tuple) for part in best for one in part.unitary_alignments)
    return Aligned(tuple(sorted(columns, key=_place)), gamma)


@cache
def _dissimilarity() -> Any:
    """Compiled once: that takes longer than most alignments."""
    from pygamma_agreement import CombinedCategoricalDissimilarity

    return CombinedCategoricalDissimilarity()


def _ways(votes: Votes) -> int:
    return math.prod(1 + len(marks) for marks in votes.values())


def _parts(votes: Votes) -> Iterator[Votes]:
    """The votes on each stretch that marks cover without a gap."""
    end, part = 0, 0
    of: dict[tuple[str, Marked], int] = {}
    for mark, name in sorted((mark, name) for name, marks in votes.items() for mark in marks):
        part += mark.start >= end
        end = max(end, mark.end)
        of[name, mark] = part
    for number in range(1, part + 1):
        yield {
            name: tuple(mark for mark in marks if of[name, mark] == number)
            for name, marks in votes.items()
        }


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
    """The library draws from numpy's shared generator, says which solver it takes, each time, and
    lets that print what it does from more threads than one.
    """
    import numpy
    from cvxopt import glpk

    generator = numpy.random
    state, told = generator.get_state(), logging.root.manager.disable
    glpk.options["msg_lev"] = "GLP_MSG_OFF"
    generator.seed(seed)
    logging.disable(max(told, logging.WARNING))
    try:
        yield
    finally:
        generator.set_state(state)
        logging.disable(told)
