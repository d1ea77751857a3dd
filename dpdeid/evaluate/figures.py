"""Every figure of a detection, from the counts of many notes: one value for each choice of notes.

The counts are a matrix, so that sums over any choice of notes are one product. A column is a path
such as ("labels", "CITY", "exact", "tp"); sums of counts below 2^53 are exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.counts import Counts, Leak
from dpdeid.evaluate.detection import Scores

Path = tuple[str, ...]
Floats = NDArray[np.float64]

KINDS: Final = ("exact", "partial", "token")
COUNTS: Final = ("tp", "fp", "fn")
LEFT: Final = ("covered", "leaked", "leaking_notes")
LEAKS: Final = {"all": "every", "direct": "direct", "quasi": "quasi"}
"""Groups of gold spans and their fields in `Scores`."""


@dataclass(frozen=True, slots=True)
class Table:
    """Counts by note, or sums by choice of notes.

    Args:
        index: column of each path; a path that is absent counted nothing.
        counts: one row a note or choice.
    """

    index: Mapping[Path, int]
    counts: Floats  # (notes or choices, columns)

    def __getitem__(self, path: Path) -> Floats:
        """A column."""
        at = self.index.get(path)
        return np.zeros(len(self.counts)) if at is None else self.counts[:, at]

    def __add__(self, other: Table) -> Table:
        """The counts of both, note by note: two runs on the same notes."""
        index = {path: at for at, path in enumerate(dict.fromkeys([*self.index, *other.index]))}
        counts = np.zeros((len(self.counts), len(index)))
        for table in (self, other):
            counts[:, [index[path] for path in table.index]] += table.counts
        return Table(index, counts)

    def of(self, rows: Sequence[int]) -> Table:
        """Some notes, with the columns in which they count anything."""
        counts = self.counts[list(rows)]
        used = np.flatnonzero(counts.sum(axis=0))
        paths = list(self.index)
        return Table({paths[i]: at for at, i in enumerate(used)}, counts[:, used])

    def totals(self) -> Table:
        """The sums over all notes."""
        return Table(self.index, self.counts.sum(axis=0, keepdims=True))


def tabulated(notes: Sequence[Mapping[str, Scores]]) -> Table:
    """The counts of notes, each scored in one or more ways: by labels, by categories."""
    index: dict[Path, int] = {}
    rows: list[tuple[int, int, int]] = []
    for row, ways in enumerate(notes):
        for way, scores in ways.items():
            for path, count in _cells(way, scores):
                rows.append((row, index.setdefault(path, len(index)), count))
    counts = np.zeros((len(notes), len(index)))
    if rows:
        at = np.array(rows)
        counts[at[:, 0], at[:, 1]] = at[:, 2]
    return Table(index, counts)


def _cells(way: str, scores: Scores) -> Iterator[tuple[Path, int]]:
    """What one note counts, zeros left out."""
    for kind in KINDS:
        for name, counts in getattr(scores, kind).items():
            yield from _counted((way, name, kind), counts)
    for name, leak in scores.leak.items():
        yield from _leaked((way, name), leak)
    if way == "labels":
        for group, field in LEAKS.items():
            yield from _leaked((group,), getattr(scores, field))
        yield from _counted(("strict",), scores.strict)
        yield from _counted(("once",), scores.once)


def _counted(path: Path, counts: Counts) -> Iterator[tuple[Path, int]]:
    yield from (((*path, name), count) for name in COUNTS if (count := getattr(counts, name)))


def _leaked(path: Path, leak: Leak) -> Iterator[tuple[Path, int]]:
    if leak.covered:
        yield (*path, "covered"), leak.covered
    if leak.leaked:
        yield (*path, "leaked"), leak.leaked
        yield (*path, "leaking_notes"), leak.notes - leak.clean_notes


Figures = dict[Path, Floats]
RATIOS: Final = ("precision", "recall", "f1")


def names_in(totals: Table, way: str) -> list[str]:
    """The labels or categories that were marked or predicted, sorted."""
    return sorted({path[1] for path in totals.index if path[0] == way})


def figures(
    totals: Table, notes: Floats, groups: Mapping[str, Collection[str]] | None = None
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


def _stacked(totals: Table, kind: str, names: Sequence[str]) -> Floats:
    """Counts by label: (tp fp fn, labels, choices)."""
    rows = [[totals["labels", name, kind, count] for name in names] for count in COUNTS]
    return np.array(rows).reshape(len(COUNTS), len(names), len(totals.counts))


def _means(totals: Table, kind: str, names: Sequence[str]) -> Figures:
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


def _ratios(totals: Table, path: Path) -> Figures:
    three = _three(*(totals[(*path, count)] for count in COUNTS))
    return {(*path, name): value for name, value in zip(RATIOS, three, strict=True)}


def _three(tp: Floats, fp: Floats, fn: Floats) -> tuple[Floats, Floats, Floats]:
    return _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn)


def _leak(totals: Table, path: Path, notes: Floats) -> Figures:
    covered, leaked = totals[(*path, "covered")], totals[(*path, "leaked")]
    return {
        (*path, "redacted"): _ratio(covered, covered + leaked),
        (*path, "fully_redacted"): _ratio(notes - totals[(*path, "leaking_notes")], notes),
    }


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Shares; nan of nothing."""
    shares: Floats = np.full(np.shape(part), np.nan)
    return np.divide(part, whole, out=shares, where=whole > 0)
