"""Agreement of two annotators on the units that both annotated: Cohen's kappa and F1.

Tokens are those of the detectors. Kappa is over the category of each token, "nothing" among them;
it is None where chance alone would agree always (one category everywhere). F1 is of one annotator
against the other, the same both ways: exact marks with their categories, and tokens with theirs;
None where neither marked anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Final

from dpdeid.annotate.agreement.reference import Voted
from dpdeid.annotate.units import Marked
from dpdeid.tokens import Tokens, tokenize

NOTHING: Final = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two annotators, how many units they share, and their agreement there."""

    one: str
    other: str
    units: int
    kappa: float | None
    exact_f1: float | None
    token_f1: float | None


def pairs(voted: Sequence[Voted]) -> list[Pair]:
    """All pairs that share a unit, by name."""
    people = sorted({who for unit in voted for who in unit.votes})
    found = []
    for one, other in combinations(people, 2):
        shared = [unit for unit in voted if one in unit.votes and other in unit.votes]
        if shared:
            found.append(_pair(one, other, shared))
    return found


def _pair(one: str, other: str, shared: Sequence[Voted]) -> Pair:
    cells: Counter[tuple[str, str]] = Counter()
    both = marks = 0
    for unit in shared:
        mine, theirs = unit.votes[one], unit.votes[other]
        both += len({*mine} & {*theirs})
        marks += len(mine) + len(theirs)
        tokens = tokenize(unit.unit.text)
        cells.update(zip(by_token(mine, tokens), by_token(theirs, tokens), strict=True))
    agreed = sum(n for (a, b), n in cells.items() if a == b and a != NOTHING)
    said = sum((a != NOTHING) * n + (b != NOTHING) * n for (a, b), n in cells.items())
    return Pair(
        one,
        other,
        len(shared),
        kappa(cells),
        2 * both / marks if marks else None,
        2 * agreed / said if said else None,
    )


def by_token(marks: Sequence[Marked], tokens: Tokens) -> list[str]:
    """The category of each token, `NOTHING` outside of marks."""
    found = [NOTHING] * len(tokens)
    for mark in marks:
        for at in tokens.over(mark.start, mark.end):
            found[at] = mark.category
    return found


def kappa(cells: Counter[tuple[str, str]]) -> float | None:
    """Cohen's kappa of a table of counts (Cohen 1960)."""
    total = cells.total()
    if not total:
        return None
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    for (a, b), count in cells.items():
        rows[a] += count
        columns[b] += count
    agreed = sum(count for (a, b), count in cells.items() if a == b) / total
    chance = sum(rows[name] * columns[name] for name in rows) / total**2
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of those that there are."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
