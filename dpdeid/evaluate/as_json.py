"""An evaluation as nested objects with stable keys: docs/evaluation.md has them all.

A ratio over nothing is null. Nothing in it is text of a note.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from dpdeid.evaluate.bootstrap import LEVEL
from dpdeid.evaluate.comparison import Difference
from dpdeid.evaluate.evaluation import Evaluation
from dpdeid.evaluate.rounding import down, up
from dpdeid.evaluate.table import Path

_DIGITS = 6
Json = dict[str, Any]


def as_json(evaluation: Evaluation) -> Json:
    """All figures and counts."""
    report: Json = {
        "notes": evaluation.notes,
        "runs": evaluation.runs,
        "labels": {},
        "categories": {},
        **_nested({**evaluation.counts, **_numbers(evaluation.values)}),
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
    """An interval, rounded outwards."""
    return [None if math.isnan(v) else v for v in (down(low, _DIGITS), up(high, _DIGITS))]


def _numbers(values: Mapping[Path, float]) -> dict[Path, float | None]:
    return {path: _number(value) for path, value in values.items()}


def _spread(values: Sequence[float]) -> Json:
    whole = not any(map(math.isnan, values))
    return {
        "mean": _number(statistics.fmean(values)),
        "sd": _number(statistics.stdev(values)) if whole else None,
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
