"""Attacks on records that read alike: two linkage games beside their bounds, and averaging.

In `one_release` there is one release and n candidates of whose originals the attacker knows some
dates and towns; in `many_releases` there are n releases and one target. The attacker knows all of
the policy but the key and goes by its likelihoods.

In `averaging` one record is released several times. Under one key draws are repeated and tell
nothing more. Where the key is another one (a new cohort) or none (`randomness: system`), the
attacker takes the median of all releases: errors shrink, and losses add up. What a policy does to
every date alike (a shift to the past) the attacker learns on made-up records and takes off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from dpdeid.assurance.audit import france
from dpdeid.evaluate.attacks.likelihood import (
    losses,
    many_releases_bound,
    one_release_bound,
    scores,
)
from dpdeid.evaluate.attacks.linkage import named
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.evaluate.attacks.rates import Finding, Rate
from dpdeid.evaluate.attacks.traces import on_globe
from dpdeid.privacy.rng import Stream

Game = Literal["one_release", "many_releases"]
Floats = NDArray[np.float64]

NO_BOUND: Final = "no bound"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Of how many dates (the note's first, then the latest) and towns the attacker knows."""

    dates: int
    towns: int = 0


@dataclass(frozen=True, slots=True)
class Played(Finding):
    """One game, measured.

    Args:
        records: n.
        bound: what is proved for this game and these records; None where nothing is.
    """

    game: Game
    records: int
    known_dates: int
    known_towns: int
    found: Rate
    bound: float | None


def one_release(
    policy: Drawn, records: Alike, known: Sequence[Knowledge], trials: int, stream: Stream
) -> Iterator[Played]:
    """The first game: each trial releases one of the records, drawn uniformly."""
    targets = [stream.randbelow(len(records)) for _ in range(trials)]
    releases = records.released(policy, targets, "one release")
    bound = _bound([losses(policy, records, at) for at in range(len(records))], one_release_bound)
    for knowledge in known:
        table = scores(policy, records, releases, knowledge.dates, knowledge.towns)
        guesses = (named(-table[:, at], stream) for at in range(trials))
        found = Rate.of(guess == own for guess, own in zip(guesses, targets, strict=True))
        yield Played("one_release", len(records), knowledge.dates, knowledge.towns, found, bound)


def many_releases(
    policy: Drawn, records: Alike, known: Sequence[Knowledge], trials: int, stream: Stream
) -> Iterator[Played]:
    """The second game: each trial releases all records anew and looks for one, drawn uniformly.

    The bound is the mean of those of the targets. The attacker knows as much of the other records,
    and takes a release for the target's that is more likely for it than for the others.
    """
    size = len(records)
    targets = [stream.randbelow(size) for _ in range(trials)]
    releases = records.released(policy, [*range(size)] * trials, "many releases")
    stated = [losses(policy, records, at) for at in range(size)]
    bound = _bound(stated, lambda rows: mean(many_releases_bound(rows[at]) for at in targets))
    for knowledge in known:
        table = scores(policy, records, releases, knowledge.dates, knowledge.towns)
        most = table.max(axis=0)
        usual = most + np.log(np.exp(table - most).mean(axis=0))  # of each release
        rows = (table - usual).reshape(size, trials, size)
        guesses = (named(-rows[own, at], stream) for at, own in enumerate(targets))
        found = Rate.of(guess == own for guess, own in zip(guesses, targets, strict=True))
        yield Played("many_releases", size, knowledge.dates, knowledge.towns, found, bound)


def _bound(
    stated: Sequence[Floats | None], of: Callable[[Sequence[Floats]], float]
) -> float | None:
    """The bound of a game, None if for some pair of records nothing is stated."""
    rows = [row for row in stated if row is not None]
    return of(rows) if len(rows) == len(stated) else None


TIMES: Final = (1, 3, 10, 30, 100)
_LEARNT_ON: Final = 500
"""Made-up records on which the attacker learns how far a policy moves on average."""


@dataclass(frozen=True, slots=True)
class Averaged(Finding):
    """How close the median of so many releases comes.

    Args:
        same_key: whether they are drawn under one key.
        day_error: median days by which a date is missed.
        gap_error: median days by which the gap of a date to its note is missed.
        exact_days: share of the dates found to the day.
        km_error: median kilometres by which a town is missed; None without towns.
        exact_towns: share of the towns found; None without towns.
    """

    releases: int
    same_key: bool
    day_error: float
    gap_error: float
    exact_days: float
    km_error: float | None
    exact_towns: float | None


def averaging(
    policy: Drawn, records: Alike, times: Sequence[int] = TIMES, *, same_key: bool = False
) -> Iterator[Averaged]:
    """The error of the median, for each number of releases."""
    every = [
        records.released(policy, range(len(records)), "averaged" if same_key else f"averaged {at}")
        for at in range(max(times))
    ]
    gaps = np.stack([one.gaps for one in every])  # (releases, records, dates)
    towns = np.stack([one.towns for one in every])
    true_days = _days(records.gaps[None])[0]
    usual = _usual_move(policy, records.gaps.shape[1])
    for count in times:
        days = np.rint(np.median(_days(gaps[:count]), axis=0) - usual)
        found = np.rint(np.median(gaps[:count, :, 1:], axis=0))
        missed = np.abs(days - true_days)
        gap_error = np.abs(found - records.gaps[:, 1:])
        km = _kilometres(towns[:count], records.towns) if towns.shape[2] else None
        yield Averaged(
            count,
            same_key,
            float(np.median(missed)),
            float(np.median(gap_error)) if gap_error.size else 0.0,
            float((missed == 0).mean()),
            None if km is None else float(median(km)),
            None if km is None else float(mean(distance == 0 for distance in km)),
        )


def _usual_move(policy: Drawn, dates: int) -> float:
    """By how many days the policy moves the note of a made-up record, on average."""
    known = Alike.made_up(_LEARNT_ON, dates=dates, towns=0)
    drawn = known.released(policy, range(_LEARNT_ON), "usual")
    return float(np.mean(drawn.gaps[:, 0] - known.gaps[:, 0]))


def _days(gaps: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Days before e0 from gaps to e0 and to the note."""
    return np.concatenate([gaps[..., :1], gaps[..., :1] + gaps[..., 1:]], axis=-1)


def _kilometres(drawn: np.ndarray[Any, Any], true: np.ndarray[Any, Any]) -> list[float]:
    """From each true town to the town of the list that is nearest to all draws together."""
    globe = on_globe(france().positions)
    found = []
    for record, town in np.ndindex(true.shape):
        middle = np.median(globe[drawn[:, record, town]], axis=0)
        guess = int(np.linalg.norm(globe - middle, axis=1).argmin())
        found.append(float(np.linalg.norm(globe[guess] - globe[true[record, town]])))
    return found
