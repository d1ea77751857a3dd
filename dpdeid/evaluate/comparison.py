"""Two systems on the same notes: paired over notes, and over runs where there are several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpdeid.evaluate.bootstrap import interval, p_value
from dpdeid.evaluate.figures import Figures
from dpdeid.evaluate.student import TTest, t_test
from dpdeid.evaluate.table import Path


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one system less the same figure of another.

    Args:
        low, high: the bootstrap interval over notes, the same notes for both.
        p: two-sided, of no difference, by the same samples; nan without samples.
        t: over the runs of both, None unless each has two or more.
    """

    value: float
    low: float
    high: float
    p: float
    t: TTest | None = None


def compared(
    own: Figures,
    other: Figures,
    own_runs: Sequence[Mapping[Path, float]],
    other_runs: Sequence[Mapping[Path, float]],
) -> dict[Path, Difference]:
    """Every figure that both systems have.

    Args:
        own, other: values over all notes and over each sample; the same samples.
        own_runs, other_runs: the figures of each run.
    """
    differences = {}
    for path in own.keys() & other.keys():
        values = own[path] - other[path]
        sides = [[run.get(path, math.nan) for run in runs] for runs in (own_runs, other_runs)]
        enough = min(map(len, sides)) > 1 and not any(math.isnan(v) for side in sides for v in side)
        differences[path] = Difference(
            float(values[0]),
            *interval(values),
            p_value(values),
            t_test(*sides) if enough else None,
        )
    return differences
