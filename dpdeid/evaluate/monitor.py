"""Is today like the day the system was evaluated? Counts of found labels against a baseline.

A hospital changes its forms, an export loses its line ends, a new ward writes in its own way:
recall falls and nobody sees it, because nobody has gold for today. What can be seen is that notes
suddenly hold other numbers of names or dates. AP-HP advises to watch this in the daily checks of
the warehouse, and to evaluate anew about every three years (Tannier et al. 2024).

Measured for each label, of every note: how many spans of it there are. Two figures are compared:

- the mean, by Welch's test of two samples, normal approximation (two-sided p, times the number of
  figures: Bonferroni), and its relative change. The variance of today's notes is taken to be no
  smaller than that of the baseline: that of a few notes often comes out as 0, and thirty notes of
  the same kind raised an alarm in three batches of ten;
- the distribution over the bins 0, 1, 2, 3–4, 5–9, 10 and more, by the population stability index
  PSI = Σ (new − old) · ln(new / old), half a note added to every bin.

A label drifts if the p-value is below 1 % *and* the change is one to care about: a PSI of .2 or
more, the usual reading of that index, or a mean that moved by a fifth or more of the larger one.
Small batches therefore raise no alarm by chance, and large ones none for trifles. No alarm does not
prove that recall held.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from dpdeid.errors import UsageError
from dpdeid.formats.json_lines import rows
from dpdeid.labels import Label

FORMAT: Final = 1
EDGES: Final = (1, 2, 3, 5, 10)
"""Lowest counts of all bins but the first, which is 0."""
ANY: Final = "any label"
NONE: Final = "notes without a span"
SIGNIFICANCE: Final = 0.01
LARGE_PSI: Final = 0.2
LARGE_CHANGE: Final = 0.2
"""Of a mean, in parts of the larger one: the same for a mean that halves and one that doubles."""
LEAST_NOTES: Final = 30
"""Below so many notes the normal approximation says nothing."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many spans of one kind notes have.

    Args:
        total: spans in all notes.
        squares: sum of the squared counts of the notes.
        bins: notes by count; see `EDGES`.
    """

    total: int
    squares: int
    bins: tuple[int, ...]

    @classmethod
    def of(cls, counts: Iterable[int]) -> Self:
        """The tally of these counts, one a note."""
        total = squares = 0
        bins = [0] * (len(EDGES) + 1)
        for count in counts:
            total += count
            squares += count * count
            bins[bisect_right(EDGES, count)] += 1
        return cls(total, squares, tuple(bins))

    @property
    def notes(self) -> int:
        return sum(self.bins)

    @property
    def mean(self) -> float:
        return self.total / self.notes

    @property
    def variance(self) -> float:
        """Of the counts, unbiased; 0 for one note."""
        if self.notes < 2:
            return 0.0
        return max(self.squares - self.notes * self.mean**2, 0.0) / (self.notes - 1)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What notes looked like when the system was last evaluated.

    Args:
        tallies: by label, and `ANY` and `NONE`.
        evaluated: the day of that evaluation.
    """

    tallies: Mapping[str, Tally]
    evaluated: dt.date

    def to_json(self) -> dict[str, Any]:
        """Counts alone: no id, no offset, no text."""
        return {
            "format": FORMAT,
            "evaluated": self.evaluated.isoformat(),
            "notes": self.tallies[ANY].notes,
            "tallies": {name: asdict(one) for name, one in self.tallies.items()},
        }


@dataclass(frozen=True, slots=True)
class Drift:
    """One figure now and in the baseline.

    Args:
        old, new: mean number in a note.
        p: of the test, already times the number of figures, at most 1.
        psi: the population stability index.
    """

    name: str
    old: float
    new: float
    p: float
    psi: float

    @property
    def ratio(self) -> float:
        """How many times as many as before; inf where there were none."""
        return self.new / self.old if self.old else math.inf

    @property
    def alarms(self) -> bool:
        larger = max(self.old, self.new)
        moved = abs(self.new - self.old) / larger >= LARGE_CHANGE if larger else False
        return self.p < SIGNIFICANCE and (moved or self.psi >= LARGE_PSI)


def tallies(notes: Iterable[Counter[str]]) -> dict[str, Tally]:
    """The tally of every label, from the labels of each note."""
    labels = list(notes)
    found = {label.value: Tally.of(one[label.value] for one in labels) for label in Label}
    found[ANY] = Tally.of(one.total() for one in labels)
    found[NONE] = Tally.of(int(not one) for one in labels)
    return found


def drifts(old: Mapping[str, Tally], new: Mapping[str, Tally]) -> tuple[Drift, ...]:
    """Every figure of two sets of notes; labels that neither has are left out."""
    names = [name for name in new if name in old and old[name].total + new[name].total]
    return tuple(
        Drift(
            name,
            old[name].mean,
            new[name].mean,
            min(1.0, len(names) * _p(old[name], new[name])),
            _psi(old[name], new[name]),
        )
        for name in names
    )


def _p(a: Tally, b: Tally) -> float:
    """Two-sided, by the normal approximation; `a` is the baseline."""
    error = math.sqrt(a.variance / a.notes + max(a.variance, b.variance) / b.notes)
    if not error:
        return float(a.mean == b.mean)
    return math.erfc(abs(a.mean - b.mean) / error / math.sqrt(2))


def _psi(a: Tally, b: Tally) -> float:
    smooth = len(a.bins) / 2
    old = [(count + 0.5) / (a.notes + smooth) for count in a.bins]
    new = [(count + 0.5) / (b.notes + smooth) for count in b.bins]
    return sum((n - o) * math.log(n / o) for o, n in zip(old, new, strict=True))


def read_labels(path: Path) -> Iterator[Counter[str]]:
    """The labels of each note of a file that `dpdeid detect` or `run --spans` wrote.

    Rows with an error are left out: `run` has reported them.

    Raises:
        UsageError: the file cannot be read, or a line is no such row; names the line.
    """
    for number, row in rows(path, UsageError):
        if "error" not in row:
            yield _labels(row, f"{path}, row {number}")


def _labels(row: Mapping[str, Any], where: str) -> Counter[str]:
    try:
        return Counter(Label(span["label"]).value for span in row["entities"])
    except (ValueError, TypeError, KeyError):
        raise UsageError(
            f'{where}: not a row of spans ({{"id", "entities": [{{"label", …}}]}}) with labels of '
            "dpdeid; `dpdeid detect` writes them"
        ) from None


def read_baseline(path: Path) -> Baseline:
    """The baseline of a file.

    Raises:
        UsageError: there is none, or it is another file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError
        found = {
            name: Tally(int(row["total"]), int(row["squares"]), tuple(map(int, row["bins"])))
            for name, row in data["tallies"].items()
        }
        if any(len(one.bins) != len(EDGES) + 1 or not one.notes for one in found.values()):
            raise ValueError
        return Baseline(found, dt.date.fromisoformat(data["evaluated"]))
    except OSError as error:
        raise UsageError(
            f"cannot read the baseline {path}: {error.strerror}; --new-baseline writes one"
        ) from None
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"{path} is not a baseline (monitor --new-baseline writes one)") from None
