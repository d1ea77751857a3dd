"""The counts of many notes as a matrix, so that sums over any choice of notes are one product.

A column is a path such as ("labels", "CITY", "exact", "tp"). Totals are float64, one row a choice;
sums of counts below 2^53 are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
class Totals:
    """Counts summed over choices of notes.

    Args:
        index: column of each path; a path that is absent counted nothing.
        sums: one row a choice.
    """

    index: Mapping[Path, int]
    sums: Floats  # (choices, columns)

    def __getitem__(self, path: Path) -> Floats:
        at = self.index.get(path)
        return np.zeros(len(self.sums)) if at is None else self.sums[:, at]


@dataclass(frozen=True, slots=True)
class Table:
    """Counts by note."""

    index: Mapping[Path, int]
    counts: Floats  # (notes, columns)

    def __add__(self, other: Table) -> Table:
        """The counts of both, note by note: two runs on the same notes."""
        index = {path: at for at, path in enumerate(dict.fromkeys([*self.index, *other.index]))}
        counts = np.zeros((len(self.counts), len(index)))
        for table in (self, other):
            counts[:, [index[path] for path in table.index]] += table.counts
        return Table(index, counts)

    def totals(self) -> Totals:
        """The sums over all notes."""
        return Totals(self.index, self.counts.sum(axis=0, keepdims=True))


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
    for name in COUNTS:
        if count := getattr(counts, name):
            yield (*path, name), count


def _leaked(path: Path, leak: Leak) -> Iterator[tuple[Path, int]]:
    if leak.covered:
        yield (*path, "covered"), leak.covered
    if leak.leaked:
        yield (*path, "leaked"), leak.leaked
        yield (*path, "leaking_notes"), leak.notes - leak.clean_notes
