"""What annotators agreed on: gold by vote on the best alignment, and what nobody could decide.

On each column of the alignment there are two votes, on the segment and on the category; who marked
nothing there votes for nothing. More than half of the votes decide; a tie decides nothing. A mark
is gold where both are decided and neither is nothing (Loftsson 2022, section 3.3). With weights a
vote counts as much as its annotator's (the thesis's outlook) and the greatest weight decides, as it
is the likeliest: who err seldom err alike.
A correction is the whole truth of its unit, whatever the votes say.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from dpdeid.annotate.agreement.alignment import SAMPLES, Aligned, Column, Votes, aligned
from dpdeid.annotate.units import Answer, Marked, Unit

T = TypeVar("T")
_ROUNDS: Final = 20
_PRIOR: Final = 2.0
"""Right and wrong votes that everybody is given before any is counted."""


@dataclass(frozen=True, slots=True)
class Vote(Generic[T]):
    """The outcome of one vote: decided or not, and for what; None is for nothing."""

    decided: bool
    value: T | None = None


Segment = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Judged:
    """A column with its two votes."""

    column: Column
    segment: Vote[Segment]
    category: Vote[str]

    def right(self, who: str) -> tuple[bool | None, bool | None]:
        """Whether the vote of one of them agrees, on the segment and on the category; None where
        there is no reference.
        """
        mark = self.column[who]
        segment = (mark and (mark.start, mark.end)) == self.segment.value
        category = (mark and mark.category) == self.category.value
        return (
            segment if self.segment.decided else None,
            category if self.category.decided else None,
        )

    @property
    def gold(self) -> Marked | None:
        """The mark, if both votes were for one."""
        if self.segment.value is None or self.category.value is None:
            return None
        return Marked(*self.segment.value, self.category.value)


@dataclass(frozen=True, slots=True)
class Reference:
    """What is known of one unit.

    Args:
        people: who annotated it, sorted; corrections apart.
        corrected: by whom it was corrected, "" if by nobody.
        undecided: columns on which there is no reference.
    """

    unit: Unit
    people: tuple[str, ...]
    columns: tuple[Judged, ...] = field(repr=False)
    gold: tuple[Marked, ...] = field(repr=False)
    gamma: float | None
    corrected: str = ""

    @property
    def undecided(self) -> int:
        return sum(not (one.segment.decided and one.category.decided) for one in self.columns)


@dataclass(frozen=True, slots=True)
class Voted:
    """A unit with the votes of its annotators, aligned."""

    unit: Unit
    votes: Votes = field(repr=False)
    aligned: Aligned = field(repr=False)
    correction: Answer | None = field(default=None, repr=False)


def votes_of(answers: Iterable[Answer], *, samples: int = SAMPLES, seed: int = 0) -> list[Voted]:
    """The units with their votes, by id. Of two answers of one annotator, and
    of two corrections, the later one counts (`at`, then the order); ignored ones do not.

    Args:
        samples, seed: see `alignment.aligned`.
    """
    units: dict[str, Unit] = {}
    said: dict[str, dict[str, Answer]] = defaultdict(dict)
    truth: dict[str, Answer] = {}
    for one in sorted((a for a in answers if not a.ignored), key=lambda a: a.at):
        units[one.unit.id] = one.unit
        if one.corrects:
            truth[one.unit.id] = one
        else:
            said[one.unit.id][one.annotator] = one
    found = []
    for name in sorted(units):
        votes = {who: said[name][who].marked for who in sorted(said[name])}
        columns = aligned(votes, samples=samples, seed=seed)
        found.append(Voted(units[name], votes, columns, truth.get(name)))
    return found


def references(
    voted: Sequence[Voted], weights: Mapping[str, float] | None = None
) -> list[Reference]:
    """The reference of each unit.

    Args:
        weights: annotator → the weight of a vote, all alike if None; who is not named has 1.
    """
    return [_reference(one, weights or {}) for one in voted]


def _reference(one: Voted, weights: Mapping[str, float]) -> Reference:
    truth = one.correction
    if truth:
        columns = [_ruled(*pair) for pair in _corrected(one.aligned.columns, truth, one.votes)]
    else:
        columns = [_judged(column, weights) for column in one.aligned.columns]
    gold = truth.marked if truth else _apart([j.gold for j in columns if j.gold])
    who = truth.annotator if truth else ""
    return Reference(one.unit, (*one.votes,), tuple(columns), gold, one.aligned.gamma, who)


def _judged(column: Column, weights: Mapping[str, float]) -> Judged:
    return Judged(
        column,
        _vote({who: m and (m.start, m.end) for who, m in column.items()}, weights),
        _vote({who: m and m.category for who, m in column.items()}, weights),
    )


def _ruled(column: Column, right: Marked | None) -> Judged:
    """A column about which a correction has the last word."""
    segment = right and (right.start, right.end)
    return Judged(column, Vote(True, segment), Vote(True, right and right.category))


def _vote(votes: Mapping[str, T | None], weights: Mapping[str, float]) -> Vote[T]:
    cast: dict[T | None, list[float]] = defaultdict(list)
    for who, choice in votes.items():
        cast[choice].append(weights.get(who, 1.0))
    for_it = {choice: math.fsum(own) for choice, own in cast.items()}
    best = max(for_it, key=lambda choice: for_it[choice])
    others = [weight for choice, weight in for_it.items() if choice != best]
    decided = for_it[best] > (max(others, default=0.0) if weights else math.fsum(others))
    return Vote(decided, best if decided else None)


def _corrected(
    columns: Sequence[Column], truth: Answer, people: Iterable[str]
) -> Iterator[tuple[Column, Marked | None]]:
    """The columns with the mark of a correction that each is about, the one that it overlaps most;
    then a column for each mark that nobody is near.
    """
    near = set()
    for column in columns:
        marks = [mark for mark in column.values() if mark]
        shared = {right: sum(_shared(mark, right) for mark in marks) for right in truth.marked}
        best = max(shared, key=lambda right: shared[right], default=None)
        right = best if best is not None and shared[best] else None
        near.add(right)
        yield column, right
    yield from ((dict.fromkeys(people), mark) for mark in truth.marked if mark not in near)


def _shared(one: Marked, other: Marked) -> int:
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _apart(marks: Iterable[Marked]) -> tuple[Marked, ...]:
    """The marks without those that overlap a longer one, or an equally long one before it."""
    kept: list[Marked] = []
    for mark in sorted(set(marks), key=lambda m: (m.start - m.end, m)):
        if all(mark.end <= other.start or other.end <= mark.start for other in kept):
            kept.append(mark)
    return tuple(sorted(kept))


def weights_of(voted: Sequence[Voted]) -> dict[str, float]:
    """Annotator → the weight of a vote: the log-odds that it is right, at least 0.

    How often each is right is counted against the reference that the weights give, and both are
    made again until they stay (Dawid and Skene 1979, with one rate for each annotator), from equal
    weights on and at most twenty times; everybody is given two right and two wrong votes before.
    """
    weights: dict[str, float] = {who: 1.0 for one in voted for who in one.votes}
    for _ in range(_ROUNDS):
        right: dict[str, float] = defaultdict(lambda: _PRIOR)
        wrong: dict[str, float] = defaultdict(lambda: _PRIOR)
        for one in references(voted, weights):
            for judged in one.columns:
                for who, mark in judged.column.items():
                    if judged.segment.decided and judged.category.decided:
                        (right if mark == judged.gold else wrong)[who] += 1
        new = {who: max(0.0, math.log(right[who] / wrong[who])) for who in weights}
        if new == weights or not any(new.values()):
            break
        weights = new
    return weights
