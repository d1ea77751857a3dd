"""Linking records that read alike: two games, each beside its own bound.

In `one_release` there is one release and n candidates of whose originals the attacker knows some
dates and towns; in `many_releases` there are n releases and one target. The attacker knows all of
the policy but the key, and goes by the policy's own chances. The bounds
(`bounds`) hold against every attacker, also one who knows the whole record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.attacks import bounds
from dpdeid.evaluate.attacks.alike import Alike
from dpdeid.evaluate.attacks.chances import scores
from dpdeid.evaluate.attacks.linkage import named
from dpdeid.evaluate.attacks.patients import Drawn
from dpdeid.evaluate.attacks.rates import Rate
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
class Played:
    """One game, measured.

    Args:
        records: n.
        bound: what is proved for this game and these records; None where nothing is.
    """

    game: Game
    records: int
    knowledge: Knowledge
    found: Rate
    bound: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "records": self.records,
            "known_dates": self.knowledge.dates,
            "known_towns": self.knowledge.towns,
            "found": self.found.to_json(),
            "bound": self.bound,
        }


def one_release(
    policy: Drawn, records: Alike, known: Sequence[Knowledge], trials: int, stream: Stream
) -> Iterator[Played]:
    """The first game: each trial releases one of the records, drawn uniformly."""
    targets = [stream.randbelow(len(records)) for _ in range(trials)]
    releases = records.released(policy, targets, "one release")
    stated = [bounds.losses(policy, records, at) for at in range(len(records))]
    bound = _bound(stated, bounds.one_release)
    for knowledge in known:
        table = scores(policy, records, releases, knowledge.dates, knowledge.towns)
        guesses = (named(-table[:, at], stream) for at in range(trials))
        found = Rate.of(guess == own for guess, own in zip(guesses, targets, strict=True))
        yield Played("one_release", len(records), knowledge, found, bound)


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
    stated = [bounds.losses(policy, records, at) for at in range(size)]
    bound = _bound(stated, lambda rows: mean(bounds.many_releases(rows[at]) for at in targets))
    for knowledge in known:
        table = scores(policy, records, releases, knowledge.dates, knowledge.towns)
        rows = (table - _usual(table)).reshape(size, trials, size)
        guesses = (named(-rows[own, at], stream) for at, own in enumerate(targets))
        found = Rate.of(guess == own for guess, own in zip(guesses, targets, strict=True))
        yield Played("many_releases", size, knowledge, found, bound)


def _bound(
    stated: Sequence[Floats | None], of: Callable[[Sequence[Floats]], float]
) -> float | None:
    """The bound of a game, None if for some pair of records nothing is stated."""
    rows = [row for row in stated if row is not None]
    return of(rows) if len(rows) == len(stated) else None


def _usual(table: Floats) -> Floats:
    """The log of the mean chance of each column."""
    most = table.max(axis=0)
    mean_chance: Floats = most + np.log(np.exp(table - most).mean(axis=0))
    return mean_chance
