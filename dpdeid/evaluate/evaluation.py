"""What one or more runs of a system find in gold notes: all figures with their intervals.

Two systems are compared on the same notes: paired over notes, and over runs where both have
several. All comes out as nested objects with stable keys, too: docs/evaluation.md has them.
"""

from __future__ import annotations

import functools
import math
import operator
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any, Final

import numpy as np

from dpdeid.document import Document, Span
from dpdeid.errors import extra
from dpdeid.evaluate.bootstrap import LEVEL, interval, p_value, resampled, share_interval
from dpdeid.evaluate.counts import down, up
from dpdeid.evaluate.detection import LABELS, score
from dpdeid.evaluate.figures import (
    COUNTS,
    KINDS,
    LEAKS,
    LEFT,
    Figures,
    Path,
    Table,
    figures,
    is_share,
    names_in,
    tabulated,
)
from dpdeid.labels import CATEGORIES, DIRECT, QUASI, Label


@dataclass(frozen=True, slots=True)
class TTest:
    """Of equal means in two groups of equal variance.

    Args:
        t: the statistic; nan where no run differs from the others of its group.
        df: degrees of freedom.
        p: two-sided.
    """

    t: float
    df: int
    p: float


def t_test(a: Sequence[float], b: Sequence[float]) -> TTest:
    """Student's two-sample test with the pooled variance, as the AP-HP study uses it.

    Raises:
        UsageError: scipy is not installed; names the extra.
        ValueError: a group has fewer than two runs.
    """
    if min(len(a), len(b)) < 2:
        raise ValueError("a t test needs two runs or more on each side")
    df = len(a) + len(b) - 2
    if len({*a}) == len({*b}) == 1:
        return TTest(math.nan, df, math.nan)
    with extra("evaluate", "comparing runs needs scipy"):
        from scipy.stats import ttest_ind_from_stats
    t, p = ttest_ind_from_stats(*(of(x) for x in (a, b) for of in (fmean, stdev, len)))
    return TTest(float(t), df, float(p))


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


Run = Sequence[Sequence[Span]]
"""What one run found: the spans of each note."""

GROUPS: Final = {"direct": DIRECT, "quasi": QUASI}


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
    whole, pooled = range(len(gold)), functools.reduce(operator.add, tables)
    parts: dict[Path, tuple[Table, Sequence[int]]] = {(): (pooled, whole)}
    parts |= {("types", kind): (pooled.of(rows), rows) for kind, rows in types.items()}
    rival = [(functools.reduce(operator.add, others), whole)] if others else []
    sums = resampled([*parts.values(), *rival], len(gold), resamples, seed)
    groups = GROUPS if classes is LABELS else {}
    found: dict[Path, Figures] = {}
    counts: dict[Path, int] = {}
    values: dict[Path, float] = {}
    intervals: dict[Path, tuple[float, float]] = {}
    for (under, (table, rows)), (totals, notes) in zip(parts.items(), sums, strict=False):
        own = found[under] = figures(totals, notes * len(runs), groups)
        counts |= {(*under, *path): count for path, count in _counts(totals, groups).items()}
        if under:
            counts[*under, "notes"] = len(rows)
        values |= {(*under, *path): float(value[0]) for path, value in own.items()}
        if resamples:
            ends = _intervals(own, table, groups)
            intervals |= {(*under, *path): both for path, both in ends.items()}
    each = [_of_run(table, groups) for table in tables]
    differences: Mapping[Path, Difference] = {}
    if others:
        totals, notes = sums[-1]
        of_others = figures(totals, notes * len(others), groups)
        run_by_run = [_of_run(table, groups) for table in others]
        differences = compared(found[()], of_others, each, run_by_run)
    return Evaluation(
        len(gold),
        len(runs),
        resamples,
        seed,
        counts,
        values,
        intervals,
        {p: [run.get(p, math.nan) for run in each] for p in found[()]} if len(runs) > 1 else {},
        confusion,
        differences,
    )


def _intervals(
    found: Figures, table: Table, groups: Mapping[str, Collection[str]]
) -> dict[Path, tuple[float, float]]:
    """The interval of every figure, given the counts of the notes it was found in."""
    alone = figures(table, np.ones(len(table.counts)), groups)
    return {
        path: share_interval(values, int((~np.isnan(alone[path])).sum()))
        if is_share(path)
        else interval(values)
        for path, values in found.items()
    }


def _tables(
    gold: Sequence[GoldNote], runs: Sequence[Run], classes: Mapping[Label, str]
) -> tuple[list[Table], Counter[tuple[str, str]]]:
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
    found = figures(table.totals(), np.array([float(len(table.counts))]), groups)
    return {path: float(value[0]) for path, value in found.items()}


def _counts(totals: Table, groups: Mapping[str, Collection[str]]) -> dict[Path, int]:
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


_DIGITS = 6
Json = dict[str, Any]


def as_json(evaluation: Evaluation) -> Json:
    """All figures and counts."""
    report: Json = {
        "notes": evaluation.notes,
        "runs": evaluation.runs,
        "labels": {},
        "categories": {},
        **_nested({**evaluation.counts, **{p: _number(v) for p, v in evaluation.values.items()}}),
        "confusion": _nested(evaluation.confusion),
        "bootstrap": {
            "resamples": evaluation.resamples,
            "seed": evaluation.seed,
            "level": LEVEL,
            "unit": "note",
        },
        "intervals": _nested({path: _ends(*ends) for path, ends in evaluation.intervals.items()}),
    }
    if evaluation.spread:
        report["spread"] = _nested({p: _spread(v) for p, v in evaluation.spread.items()})
    if evaluation.differences:
        report["comparison"] = _nested(
            {path: _difference(of) for path, of in evaluation.differences.items()}
        )
    return report


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, _DIGITS)


def _ends(low: float, high: float) -> list[float | None]:
    return [None if math.isnan(v) else v for v in (down(low, _DIGITS), up(high, _DIGITS))]


def _spread(values: Sequence[float]) -> Json:
    return {
        "mean": _number(fmean(values)),
        "sd": None if any(map(math.isnan, values)) else _number(stdev(values)),
        "values": [_number(value) for value in values],
    }


def _difference(of: Difference) -> Json:
    found: Json = {
        "difference": _number(of.value),
        "interval": _ends(of.low, of.high),
        "p": _number(of.p),
    }
    if of.t is not None:
        found["student"] = {"t": _number(of.t.t), "df": of.t.df, "p": _number(of.t.p)}
    return found


def _nested(values: Mapping[Any, Any]) -> Json:
    """One object a step of the paths, each with its keys in order."""
    tree: Json = {}
    for path in sorted(values):
        inner = tree
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = values[path]
    return tree
