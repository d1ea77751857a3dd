"""What several releases of one record tell together, drawn anew each time or under one key.

Draws of one patient under one key are repeated, so a second release tells nothing more. Where the
key is another one (a new cohort) or none (`randomness: system`), the attacker takes the middle of
all releases: errors shrink, and losses add up. What a policy does to every date alike (a shift to
the past) the attacker learns on made-up records and takes off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, median
from typing import Any, Final

import numpy as np

from dpdeid.evaluate.attacks.alike import Alike
from dpdeid.evaluate.attacks.patients import Drawn, france
from dpdeid.evaluate.attacks.traces import on_globe

TIMES: Final = (1, 3, 10, 30, 100)
_KNOWN: Final = 500
"""Made-up records on which the attacker learns how far a policy moves on average."""


@dataclass(frozen=True, slots=True)
class Averaged:
    """What the middle of so many releases gets right.

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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def averaging(
    policy: Drawn, records: Alike, times: Sequence[int] = TIMES, *, same_key: bool = False
) -> Iterator[Averaged]:
    """One entry for each number of releases."""
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
    known = Alike.made_up(_KNOWN, dates=dates, towns=0)
    drawn = known.released(policy, range(_KNOWN), "usual")
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
