"""Do suggestions help? Two teams with the same units, one with suggestions, by t-tests.

As in the thesis (Loftsson 2022, 4.2): one-tailed, of two independent samples (here with unequal
variances, Welch 1947), of seconds a unit and of penalties, for segments and for categories.
Penalties are of columns that have a reference, in units that as many of each team annotated, two
or more: with more of one team its votes would make the reference. A value is a column's mean over a
team.

Such a test takes answers of one person as independent. Where people differ, in speed above all, it
finds a difference between teams that is one between persons; so the same test is made of the means
of persons too. It needs more of them, and is the one to trust.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

import numpy as np

from dpdeid.annotate.agreement.pairs import mean
from dpdeid.annotate.agreement.reference import Judged, Reference
from dpdeid.annotate.units import Answer
from dpdeid.errors import AnnotationError, extra

MEASURES: Final = ("seconds", "segments", "categories")
"""Seconds of a unit, and shares of votes that differ from the reference. Less is better."""
_LEAST: Final = 2
_ALIKE: Final = 1e-12
"""A spread, as a share of the mean, that is one of rounding."""
Values = Mapping[str, Sequence[float]]
"""Person → values."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure of two teams, the one with suggestions first.

    Args:
        means: over `values` samples of each; `people` of each.
        p: of the test over samples that the first has less, as in the thesis; None where there are
            too few, or all are alike.
        p_people: the same over the means of persons.
    """

    teams: tuple[str, str]
    measure: str
    means: tuple[float | None, float | None]
    values: tuple[int, int]
    people: tuple[int, int]
    p: float | None
    p_people: float | None

    def row(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def compared(
    answers: Iterable[Answer], known: Sequence[Reference], teams: tuple[str, str]
) -> list[Compared]:
    """The measures of two teams.

    Args:
        teams: with suggestions, and without.

    Raises:
        UsageError: nobody is of a team, somebody is of both, or SciPy is not installed.
    """
    said: dict[str, set[str]] = {team: set() for team in teams}
    seconds: dict[str, dict[str, list[float]]] = {team: defaultdict(list) for team in teams}
    for one in answers:
        if one.team in said and not one.ignored and not one.corrects:
            said[one.team].add(one.annotator)
            if one.seconds is not None:
                seconds[one.team][one.annotator].append(one.seconds)
    for team in teams:
        if not said[team]:
            raise AnnotationError(f"nobody answered as team {team}")
    if both := sorted(said[teams[0]] & said[teams[1]]):
        raise AnnotationError(f"{both[0]} answered as team {teams[0]} and as team {teams[1]}")
    first, second = (said[team] for team in teams)
    durations = tuple(seconds[team] for team in teams)
    found = [_compared(teams, MEASURES[0], durations, tuple(map(_all, durations)))]
    columns = [
        column
        for one in known
        for column in one.columns
        if len(first & {*one.people}) == len(second & {*one.people}) >= _LEAST
    ]
    for measure in MEASURES[1:]:
        wrong = [told for column in columns if (told := _wrong(column, measure)) is not None]
        persons = tuple(
            {who: [one[who] for one in wrong if who in one] for who in people}
            for people in (first, second)
        )
        means = tuple(
            [fmean(one[who] for who in people if who in one) for one in wrong]
            for people in (first, second)
        )
        found.append(_compared(teams, measure, persons, means))
    return found


def _all(values: Values) -> list[float]:
    return [value for own in values.values() for value in own]


def _wrong(judged: Judged, measure: str) -> Mapping[str, float] | None:
    """Person → 1 for a penalty, else 0; None without a reference."""
    right = {who: judged.right(who)[MEASURES.index(measure) - 1] for who in judged.column}
    return None if None in right.values() else {who: float(not one) for who, one in right.items()}


def _compared(
    teams: tuple[str, str],
    measure: str,
    persons: Sequence[Values],
    samples: Sequence[Sequence[float]],
) -> Compared:
    one, other = samples
    means = [[fmean(own) for own in values.values() if own] for values in persons]
    return Compared(
        teams,
        measure,
        (mean(one), mean(other)),
        (len(one), len(other)),
        (len(means[0]), len(means[1])),
        less(one, other),
        less(*means),
    )


def less(one: Sequence[float], other: Sequence[float]) -> float | None:
    """The p of Welch's t-test that the first have the smaller mean; None of fewer than two values,
    or where all are alike in both.
    """
    if min(len(one), len(other)) < _LEAST:
        return None
    with extra("annotate", "t-tests need SciPy"):
        from scipy.special import stdtr
    means = [float(np.mean(values)) for values in (one, other)]
    errors = [float(np.var(values, ddof=1)) / len(values) for values in (one, other)]
    error = math.sqrt(sum(errors))
    if error <= _ALIKE * max(map(abs, means)):
        return None
    freedom = error**4 / sum(
        own**2 / (len(values) - 1) for own, values in zip(errors, (one, other), strict=True)
    )
    return float(stdtr(freedom, (means[0] - means[1]) / error))
