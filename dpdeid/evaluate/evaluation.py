"""What one or more runs of a system find in gold notes: all figures, intervals and comparisons.

Several files of predictions are runs of one system (seeds). Its figures are those of all runs
together, each note counted once a run, and `spread` has every run's own. The bootstrap draws notes
and takes all their runs along.
"""

from __future__ import annotations

import functools
import math
import operator
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np

from dpdeid.document import Document, Span
from dpdeid.evaluate.bootstrap import Part, interval, resampled
from dpdeid.evaluate.comparison import Difference, compared
from dpdeid.evaluate.detection import LABELS, score
from dpdeid.evaluate.figures import Figures, figures, is_share, names_in
from dpdeid.evaluate.intervals import share_interval
from dpdeid.evaluate.table import COUNTS, KINDS, LEAKS, LEFT, Path, Table, Totals, tabulated
from dpdeid.labels import CATEGORIES, DIRECT, QUASI, Label

Run = Sequence[Sequence[Span]]
"""What one run found: the spans of each note."""

GROUPS: Final = {"direct": DIRECT, "quasi": QUASI}
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class GoldNote:
    """A note with the spans that should be found, and what kind of document it is."""

    doc: Document
    spans: tuple[Span, ...]
    doc_type: str | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures of a system, by path (see docs/evaluation.md).

    Args:
        notes: how many were scored.
        runs: how many times each.
        counts: integers over all runs.
        values: figures; nan of nothing over nothing.
        intervals: low and high at the level of `bootstrap.LEVEL`; empty without samples.
        spread: each run's own figure, in order; empty for one run.
        confusion: tokens by gold and predicted label, "O" outside, over all runs.
        differences: against the other system, if there is one.
    """

    notes: int
    runs: int
    resamples: int
    seed: int
    counts: Mapping[Path, int]
    values: Mapping[Path, float]
    intervals: Mapping[Path, tuple[float, float]]
    spread: Mapping[Path, Sequence[float]]
    confusion: Mapping[tuple[str, str], int]
    differences: Mapping[Path, Difference] = field(default_factory=dict)


def evaluate(
    gold: Sequence[GoldNote],
    runs: Sequence[Run],
    *,
    against: Sequence[Run] = (),
    classes: Mapping[Label, str] = LABELS,
    resamples: int = 1_000,
    seed: int = 0,
) -> Evaluation:
    """The figures of `runs` on gold notes, at least one of each.

    Args:
        against: the runs of another system to compare with.
        classes: in which the labels count (see `detection.score`).
        resamples: bootstrap samples of the notes; 0 for none.
    """
    tables, confusion = _tables(gold, runs, classes)
    others, _ = _tables(gold, against, classes)
    types: dict[str, list[int]] = {}
    for row, note in enumerate(gold):
        if note.doc_type is not None:
            types.setdefault(note.doc_type, []).append(row)
    pooled = functools.reduce(operator.add, tables)
    parts = [Part(pooled, range(len(gold)))]
    parts += [Part.of(pooled, rows) for rows in types.values()]
    if others:
        parts.append(Part(functools.reduce(operator.add, others), range(len(gold))))
    (totals, notes), *sums = resampled(parts, len(gold), resamples, seed)
    groups = GROUPS if classes is LABELS else {}
    found = figures(totals, notes * len(runs), groups)
    each = [_of_run(table, groups) for table in tables]
    differences: Mapping[Path, Difference] = {}
    if others:
        of_others = figures(sums[-1][0], sums[-1][1] * len(others), groups)
        run_by_run = [_of_run(table, groups) for table in others]
        differences = compared(found, of_others, each, run_by_run)
    counts, values = _counts(totals, groups), _values(found)
    intervals = _intervals(found, parts[0].table, groups) if resamples else {}
    for (kind, rows), part, (totals, notes) in zip(types.items(), parts[1:], sums, strict=False):
        own = figures(totals, notes * len(runs), groups)
        counts |= _under(kind, _counts(totals, groups) | {("notes",): len(rows)})
        values |= _under(kind, _values(own))
        if resamples:
            intervals |= _under(kind, _intervals(own, part.table, groups))
    return Evaluation(
        len(gold),
        len(runs),
        resamples,
        seed,
        counts,
        values,
        intervals,
        {p: [run.get(p, math.nan) for run in each] for p in found} if len(runs) > 1 else {},
        confusion,
        differences,
    )


def _values(found: Figures) -> dict[Path, float]:
    return {path: float(value[0]) for path, value in found.items()}


def _intervals(
    found: Figures, table: Table, groups: Mapping[str, Collection[str]]
) -> dict[Path, tuple[float, float]]:
    """The interval of every figure, given the counts of the notes it was found in."""
    ones = np.ones(len(table.counts))
    alone = figures(Totals(table.index, table.counts), ones, groups)
    return {
        path: share_interval(values, int((~np.isnan(alone[path])).sum()))
        if is_share(path)
        else interval(values)
        for path, values in found.items()
    }


def _under(kind: str, found: Mapping[Path, V]) -> dict[Path, V]:
    """The same, of one type of document."""
    return {("types", kind, *path): value for path, value in found.items()}


def _tables(
    gold: Sequence[GoldNote], runs: Sequence[Run], classes: Mapping[Label, str]
) -> tuple[list[Table], Counter[tuple[str, str]]]:
    """The counts of each run, and the confusions of all."""
    tables = []
    confusion: Counter[tuple[str, str]] = Counter()
    for run in runs:
        ways = []
        for note, predicted in zip(gold, run, strict=True):
            own = score(note.doc, note.spans, predicted, classes)
            wide = score(note.doc, note.spans, predicted, CATEGORIES)
            confusion.update(own.confusion)
            ways.append({"labels": own, "categories": wide})
        tables.append(tabulated(ways))
    return tables, confusion


def _of_run(table: Table, groups: Mapping[str, Collection[str]]) -> dict[Path, float]:
    notes = np.array([float(len(table.counts))])
    return _values(figures(table.totals(), notes, groups))


def _counts(totals: Totals, groups: Mapping[str, Collection[str]]) -> dict[Path, int]:
    """The integers behind all figures of all notes."""
    found: Counter[Path] = Counter()

    def add(path: Path, *counts: str) -> None:
        found.update({(*path, count): round(float(totals[*path, count][0])) for count in counts})

    for group in LEAKS:
        add((group,), *LEFT)
    for group in ("strict", "once"):
        add((group,), *COUNTS)
    for way in ("labels", "categories"):
        for name in names_in(totals, way):
            add((way, name), *LEFT)
            for kind in KINDS:
                add((way, name, kind), *COUNTS)
    for total in ("micro", *groups):
        for kind in KINDS:
            add((total, kind), *COUNTS)
    for path, count in tuple(found.items()):
        if path[0] == "labels" and path[-1] in COUNTS:
            sums = ["micro", *(group for group, of in groups.items() if path[1] in of)]
            found.update({(total, *path[2:]): count for total in sums})
    return dict(found)
