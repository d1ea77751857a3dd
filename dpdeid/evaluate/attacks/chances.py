"""How likely a policy makes what it released, for each candidate: what a Bayes attacker computes.

Exact for draws that are released as they are (but for clamps at the ends of a domain). Released
days that were decoded, and towns, which are snapped to a list, are scored as if they were the draws
themselves, so that an attacker who undoes that may find more.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.attacks.alike import Alike
from dpdeid.evaluate.attacks.patients import Drawn, france
from dpdeid.evaluate.attacks.traces import on_globe
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.likelihood import likelihood
from dpdeid.privacy.star import Arm
from dpdeid.privacy.timeline import Metric, Paper, Shift, Strict

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Chance = Callable[[Integers, int], Floats]
"""Log of P(one output | each of these values), up to a constant: (values, output)."""

_NEVER = -1e6
"""The log chance of what cannot be."""


def scores(policy: Drawn, records: Alike, releases: Alike, dates: int, towns: int) -> Floats:
    """Log P(release | record), up to a constant, from the first dates and towns of each.

    # (records, releases)
    """
    total = np.zeros((len(records), len(releases)))
    truth, given = _coordinates(policy, records.gaps), _coordinates(policy, releases.gaps)
    for column, chance in enumerate(_chances(policy, truth.shape[1])[:dates]):
        for at in range(len(releases)):
            total[:, at] += chance(truth[:, column], int(given[at, column]))
    for column in range(towns if policy.per_km else 0):
        total -= policy.per_km * _away(records.towns[:, column], releases.towns[:, column])
    return total


def _coordinates(policy: Drawn, gaps: Integers) -> Integers:
    """Gaps as they are drawn: the published design takes each to the date after it."""
    if not isinstance(policy.timeline, Paper):
        return gaps
    chain = np.diff(gaps[:, 1:], axis=1, prepend=0)
    return np.concatenate([gaps[:, :1], chain], axis=1)


def _chances(policy: Drawn, dates: int) -> list[Chance]:
    """One for each date. A date over the cap tells nothing."""
    mode = policy.timeline
    if isinstance(mode, Metric):
        rate = float(mode.epsilon_per_day)
        drawn: list[Chance] = [lambda values, out: _shifted(values - out, rate, mode.shift_days)]
        drawn += [lambda values, out: -rate * np.abs(values - out)] * (dates - 1)
        return drawn[: mode.cap]
    if isinstance(mode, Strict):
        first = mode.arms()[0]
        other = next(arm for arm in mode.arms() if arm.prior[-1] - arm.offset == mode.horizon)
        return [_drawn(first), *[_drawn(other)] * (dates - 1)][: mode.cap]
    if isinstance(mode, Shift):
        moved: Chance = lambda values, out: _if(np.abs(values - out) <= mode.days)  # noqa: E731
        return [moved, *[lambda values, out: _if(values == out)] * (dates - 1)]
    arms = [BoundedLaplace(epsilon=mode.epsilon / dates, upper=width) for width in mode.categories]
    return [_after_the_note(arms[0]), *[_published(arms)] * (dates - 1)]


def _if(possible: NDArray[np.bool_]) -> Floats:
    return np.where(possible, 0.0, _NEVER)


def _shifted(apart: Integers, rate: float, shift: int) -> Floats:
    """Log of the sum of exp(−rate · |apart − s|) over the shifts s of −shift..shift."""
    distance = np.abs(apart).astype(np.float64)
    if not shift:
        return -rate * distance
    inside = np.minimum(distance, shift)
    near = 2 - np.exp(-rate * (shift + inside + 1)) - np.exp(-rate * (shift - inside + 1))
    near = np.log(near / -math.expm1(-rate) - 1)
    whole = math.log(math.expm1(-rate * (2 * shift + 1)) / math.expm1(-rate))
    return np.where(distance <= shift, near, whole - rate * (distance - shift))


def _drawn(arm: Arm) -> Chance:
    """The chances of an arm; an output between two of its entries counts as the later one."""
    mechanism = arm.mechanism
    entries = sorted(set(getattr(mechanism, "table", mechanism.domain)))

    def chance(values: Integers, out: int) -> Floats:
        entry = entries[min(bisect_left(entries, out + arm.offset), len(entries) - 1)]
        own = np.clip(values + arm.offset, entries[0], entries[-1])
        distinct, back = np.unique(own, return_inverse=True)
        found: Floats = np.log(np.array(likelihood(mechanism, entry, distinct.tolist())))[back]
        return found

    return chance


def _after_the_note(arm: BoundedLaplace) -> Chance:
    """The published design counts from the note's own date, and draws this interval of 0 too."""
    weights = np.log(np.array(arm.pmf(0), dtype=np.float64))

    def chance(values: Integers, out: int) -> Floats:
        moved = out - values
        fits = (moved >= 0) & (moved < len(weights))
        return np.where(fits, weights[np.where(fits, moved, 0)], _NEVER)

    return chance


def _published(arms: Sequence[BoundedLaplace]) -> Chance:
    """Bounded Laplace in the smallest category that holds a value."""
    widths = [arm.upper for arm in arms]

    def chance(values: Integers, out: int) -> Floats:
        total = np.full(len(values), _NEVER)
        intervals = np.minimum(values, widths[-1])
        kinds = np.searchsorted(widths, intervals)
        for kind, arm in enumerate(arms):
            own = np.flatnonzero(kinds == kind)
            if len(own) and 0 <= out <= arm.upper:
                distinct, back = np.unique(intervals[own], return_inverse=True)
                total[own] = np.log(np.array(likelihood(arm, out, distinct.tolist())))[back]
        return total

    return chance


def _away(one: Integers, other: Integers) -> Floats:
    """Kilometres between towns, by their indices.  # (one, other)"""
    places = np.array(france().positions)
    apart = on_globe(places[one])[:, None] - on_globe(places[other])
    distances: Floats = np.linalg.norm(apart, axis=2)
    return distances
