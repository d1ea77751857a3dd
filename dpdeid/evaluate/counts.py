"""What scores are made of: integers that add up, and their ratios. A ratio over nothing is nan."""

from __future__ import annotations

import math
from dataclasses import dataclass


def ratio(part: int, whole: int) -> float:
    """A share in [0, 1]; nan of nothing."""
    return part / whole if whole else math.nan


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; they add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, slots=True)
class Leak:
    """Gold tokens covered and left, and notes without a leaked token; they add up."""

    covered: int = 0
    leaked: int = 0
    notes: int = 0
    clean_notes: int = 0

    def __add__(self, other: Leak) -> Leak:
        return Leak(
            self.covered + other.covered,
            self.leaked + other.leaked,
            self.notes + other.notes,
            self.clean_notes + other.clean_notes,
        )

    @property
    def redacted(self) -> float:
        return ratio(self.covered, self.covered + self.leaked)

    @property
    def fully_redacted(self) -> float:
        return ratio(self.clean_notes, self.notes)
