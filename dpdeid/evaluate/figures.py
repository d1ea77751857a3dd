"""Every figure of a detection, as functions of counts: one value for each choice of notes.

The figures of all notes and of each bootstrap sample come from the same lines. Undefined ones (of
nothing over nothing) are nan; in the means over labels they count as 0, as in seqeval and
scikit-learn, unless the label is neither in the gold nor in the predictions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from dpdeid.evaluate.table import COUNTS, KINDS, LEAKS, Floats, Path, Totals

Figures = dict[Path, Floats]
RATIOS: Final = ("precision", "recall", "f1")


def names_in(totals: Totals, way: str) -> list[str]:
    """The labels or categories that were marked or predicted, sorted."""
    return sorted({path[1] for path in totals.index if path[0] == way})


def figures(
    totals: Totals, notes: Floats, groups: Mapping[str, Collection[str]] | None = None
) -> Figures:
    """All figures, by path.

    Args:
        notes: how many notes each choice has.
        groups: labels whose counts are summed too, by name.
    """
    found: Figures = {}
    for group in LEAKS:
        found |= _leak(totals, (group,), notes)
    found |= _ratios(totals, ("strict",)) | _ratios(totals, ("once",))
    found["strict", "missed_per_note"] = _ratio(totals["strict", "fn"], notes)
    names = names_in(totals, "labels")
    for kind in KINDS:
        found |= _means(totals, kind, names)
        for group, of in (groups or {}).items():
            three = _three(*_stacked(totals, kind, [n for n in names if n in of]).sum(axis=1))
            found |= {(group, kind, r): value for r, value in zip(RATIOS, three, strict=True)}
    for way in ("labels", "categories"):
        for name in names_in(totals, way):
            for kind in KINDS:
                found |= _ratios(totals, (way, name, kind))
            found |= _leak(totals, (way, name), notes)
    return found


def is_share(path: Path) -> bool:
    """Whether a figure lies between 0 and 1; all but one do."""
    return path != ("strict", "missed_per_note")


def _stacked(totals: Totals, kind: str, names: Sequence[str]) -> Floats:
    """Counts by label: (tp fp fn, labels, choices)."""
    rows = [[totals["labels", name, kind, count] for name in names] for count in COUNTS]
    return np.array(rows).reshape(len(COUNTS), len(names), len(totals.sums))


def _means(totals: Totals, kind: str, names: Sequence[str]) -> Figures:
    """Micro, macro (a label counts as much as another) and weighted (by its gold) figures."""
    tp, fp, fn = stacked = _stacked(totals, kind, names)
    found: Figures = {}
    micro = _three(*stacked.sum(axis=1))
    present, gold = tp + fp + fn > 0, tp + fn
    for ratio, mean, each in zip(RATIOS, micro, _three(tp, fp, fn), strict=True):
        values = np.nan_to_num(each, nan=0.0)
        found["micro", kind, ratio] = mean
        found["macro", kind, ratio] = _ratio(values.sum(axis=0), present.sum(axis=0))
        found["weighted", kind, ratio] = _ratio((values * gold).sum(axis=0), gold.sum(axis=0))
    return found


def _ratios(totals: Totals, path: Path) -> Figures:
    three = _three(*(totals[(*path, count)] for count in COUNTS))
    return {(*path, name): value for name, value in zip(RATIOS, three, strict=True)}


def _three(tp: Floats, fp: Floats, fn: Floats) -> tuple[Floats, Floats, Floats]:
    return _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn)


def _leak(totals: Totals, path: Path, notes: Floats) -> Figures:
    covered, leaked = totals[(*path, "covered")], totals[(*path, "leaked")]
    return {
        (*path, "redacted"): _ratio(covered, covered + leaked),
        (*path, "fully_redacted"): _ratio(notes - totals[(*path, "leaking_notes")], notes),
    }


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Shares; nan of nothing."""
    shares: Floats = np.full(np.shape(part), np.nan)
    return np.divide(part, whole, out=shares, where=whole > 0)
