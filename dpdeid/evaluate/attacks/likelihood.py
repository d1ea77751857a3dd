"""The likelihood of a release for each candidate record, and the bounds that are proved on it.

A Bayes attacker names the record that makes a release most likely. The likelihoods are exact for
draws that are released as they are (but for clamps at the ends of a domain). Released days that
were decoded, and towns, which are snapped to a list, are scored as if they were the draws
themselves, so that an attacker who undoes that may find more.

The bounds hold for every attacker and for records with one skeleton; between records that read
differently there is none. L(x, x′) is the pure loss of the whole record, the sum over all its
noised coordinates: it bounds the log-ratio of the probabilities of any release of x and x′.

- One release, n candidates, each as likely to be its original: the right one is named with a
  probability of at most max_i 1 / (1 + Σ_{j≠i} exp(−L(x_i, x_j))), which is e^ε / (e^ε + n − 1)
  where L = ε for all pairs.
- n releases of n records in random order, of which one is the target's: at most
  1 / (1 + Σ_{j≠t} exp(−2 L(x_t, x_j))). Exchanging the releases of t and j changes two of them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdeid.assurance.audit import france
from dpdeid.evaluate.attacks.patients import Alike, Drawn
from dpdeid.evaluate.attacks.traces import on_globe
from dpdeid.privacy.audit import chord_km
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm
from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.mechanisms.proportional import PER_STEP
from dpdeid.privacy.mechanisms.window import PriorWindow
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.decoding import likelihood
from dpdeid.privacy.timeline.drawing import Arm
from dpdeid.privacy.timeline.modes import Metric, Shift, Strict

_STRETCH = 1.0034
"""A geodesic is at most so much longer than the chord it is computed from, over 1,800 km."""


def right_guess_bound(losses: Floats, changed: int = 1) -> float:
    """1 / (1 + Σ_j exp(−changed · L_j)) for the losses between one record and each other one."""
    return float(1 / (1 + np.exp(-changed * losses).sum()))


def one_release_bound(losses: Iterable[Floats]) -> float:
    """The bound of the first game, from each record's losses to all others."""
    return max(map(right_guess_bound, losses))


def many_releases_bound(losses: Floats) -> float:
    """The bound of the second game, from the target's losses to all others."""
    return right_guess_bound(losses, 2)


def losses(policy: Drawn, records: Alike, at: int) -> Floats | None:
    """The losses that a policy states between one record and each other one, as it stands.

    None where it states none for a coordinate that differs.
    """
    others = np.arange(len(records)) != at
    gaps = _coordinates(policy, records.gaps)
    dates = _of_dates(policy, gaps[others], gaps[at])
    towns = _of_towns(policy, records.towns[others], records.towns[at].tolist())
    return None if dates is None or towns is None else dates + towns


def _of_dates(policy: Drawn, others: Integers, own: Integers) -> Floats | None:
    """From the gaps that differ; what is over a cap has no draw of its own."""
    mode, apart = policy.timeline, np.abs(others - own)
    if isinstance(mode, Metric):
        steps = [mode.noise(Role.FIRST), *[mode.noise(Role.BEFORE)] * (own.shape[0] - 1)]
        total = np.zeros(len(others))
        for column, noise in list(enumerate(steps))[: mode.cap]:
            at = np.array(noise.table.of)
            true = (np.minimum(gaps[..., column], noise.upper) for gaps in (others, own))
            one, other = (at[gap] for gap in true)
            total += float(PER_STEP) * np.abs(one - other)
        return total
    if isinstance(mode, Strict):
        changed: Floats = (apart[:, : mode.cap] != 0).sum(axis=1).astype(np.float64)
        return float(mode.epsilon) * changed
    return None if apart.any() else np.zeros(len(apart))


def _of_towns(policy: Drawn, others: NDArray[np.int64], own: list[int]) -> Floats | None:
    total = np.zeros(len(others))
    if policy.places is None or not (others != own).any():
        return total
    stated = [draw.loss for draw in policy.places.draws()]
    if not all(isinstance(loss, Epsilon | EpsilonPerKm) for loss in stated):
        return None
    per_km = sum(float(loss.amount) for loss in stated if isinstance(loss, EpsilonPerKm))
    fixed = sum(float(loss.amount) for loss in stated if isinstance(loss, Epsilon))
    positions = france().positions
    for column, town in list(enumerate(own))[: getattr(policy.places, "cap", None)]:
        away = np.array([chord_km(positions[town], position) for position in positions])
        total += np.where(
            others[:, column] == town, 0, fixed + per_km * _STRETCH * away[others[:, column]]
        )
    return total


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LogLikelihood = Callable[[Integers, int], Floats]
"""Log of P(one output | each of these values), up to a constant: (values, output)."""

_NEVER = -1e6
"""The log-likelihood of what cannot be."""


def scores(policy: Drawn, records: Alike, releases: Alike, dates: int, towns: int) -> Floats:
    """Log P(release | record), up to a constant, from the first dates and towns of each.

    # (records, releases)
    """
    total = np.zeros((len(records), len(releases)))
    truth, given = _coordinates(policy, records.gaps), _coordinates(policy, releases.gaps)
    for column, log_likelihood in enumerate(_likelihoods(policy, truth.shape[1])[:dates]):
        for at in range(len(releases)):
            total[:, at] += log_likelihood(truth[:, column], int(given[at, column]))
    for column in range(towns if policy.per_km else 0):
        total -= policy.per_km * _away(records.towns[:, column], releases.towns[:, column])
    return total


def _coordinates(policy: Drawn, gaps: Integers) -> Integers:
    """Gaps as they are drawn: but for a shift, each to the date after it."""
    if isinstance(policy.timeline, Shift):
        return gaps
    chain = np.diff(gaps[:, 1:], axis=1, prepend=0)
    return np.concatenate([gaps[:, :1], chain], axis=1)


def _likelihoods(policy: Drawn, dates: int) -> list[LogLikelihood]:
    """One for each date. A date over the cap has none of its own."""
    mode = policy.timeline
    if isinstance(mode, Metric):
        rate, middle = float(mode.epsilon_per_day), mode.shift_days / 2
        first: LogLikelihood = lambda values, out: _shifted(values + middle - out, rate, middle)  # noqa: E731
        return [first, *[_drawn(mode.arm(Role.BEFORE))] * (dates - 1)][: mode.cap]
    if isinstance(mode, Strict):
        one, other = (_drawn(mode.arm(role)) for role in (Role.FIRST, Role.BEFORE))
        return [one, *[other] * (dates - 1)][: mode.cap]
    if isinstance(mode, Shift):
        moved: LogLikelihood = lambda values, out: _if(np.abs(values - out) <= mode.days)  # noqa: E731
        return [moved, *[lambda values, out: _if(values == out)] * (dates - 1)]
    arms = [BoundedLaplace(epsilon=mode.epsilon / dates, upper=width) for width in mode.categories]
    return [_after_the_note(arms[0]), *[_published(arms)] * (dates - 1)]


def _if(possible: NDArray[np.bool_]) -> Floats:
    return np.where(possible, 0.0, _NEVER)


def _shifted(apart: NDArray[np.floating[Any]], rate: float, shift: float) -> Floats:
    """Log of the sum of exp(−rate · |apart − s|) over the shifts s = −shift, −shift + 1 … shift."""
    distance: Floats = np.abs(apart).astype(np.float64)
    if not shift:
        return -rate * distance
    inside = np.minimum(distance, shift)
    near = 2 - np.exp(-rate * (shift + inside + 1)) - np.exp(-rate * (shift - inside + 1))
    near = np.log(near / -math.expm1(-rate) - 1)
    whole = math.log(math.expm1(-rate * (2 * shift + 1)) / math.expm1(-rate))
    return np.where(distance <= shift, near, whole - rate * (distance - shift))


def _drawn(arm: Arm) -> LogLikelihood:
    """The likelihood of an arm; an output between two of its entries counts as the later one."""
    mechanism = arm.mechanism
    table = mechanism.table if isinstance(mechanism, PriorWindow) else mechanism.domain
    entries = sorted(set(table))

    def log_likelihood(values: Integers, out: int) -> Floats:
        entry = entries[min(bisect_left(entries, out), len(entries) - 1)]
        own = np.clip(values, entries[0], entries[-1])
        distinct, back = np.unique(own, return_inverse=True)
        found: Floats = np.log(likelihood(mechanism, entry, distinct))[back]
        return found

    return log_likelihood


def _after_the_note(arm: BoundedLaplace) -> LogLikelihood:
    """The published design counts from the note's own date, and draws this interval of 0 too."""
    weights = np.log(np.array(arm.pmf(0), dtype=np.float64))

    def log_likelihood(values: Integers, out: int) -> Floats:
        moved = out - values
        fits = (moved >= 0) & (moved < len(weights))
        return np.where(fits, weights[np.where(fits, moved, 0)], _NEVER)

    return log_likelihood


def _published(arms: Sequence[BoundedLaplace]) -> LogLikelihood:
    """Bounded Laplace in the smallest category that holds a value."""
    widths = [arm.upper for arm in arms]

    def log_likelihood(values: Integers, out: int) -> Floats:
        total = np.full(len(values), _NEVER)
        intervals = np.minimum(values, widths[-1])
        kinds = np.searchsorted(widths, intervals)
        for kind, arm in enumerate(arms):
            own = np.flatnonzero(kinds == kind)
            if len(own) and 0 <= out <= arm.upper:
                distinct, back = np.unique(intervals[own], return_inverse=True)
                total[own] = np.log(likelihood(arm, out, distinct))[back]
        return total

    return log_likelihood


def _away(one: Integers, other: Integers) -> Floats:
    """Kilometres between towns, by their indices.  # (one, other)"""
    places = np.array(france().positions)
    apart = on_globe(places[one])[:, None] - on_globe(places[other])
    distances: Floats = np.linalg.norm(apart, axis=2)
    return distances
