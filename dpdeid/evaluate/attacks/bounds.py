"""What is proved about linking records that read alike: two games, two bounds, one loss.

L(x, x′) is the pure loss of the whole record, the sum over all its noised coordinates however many
of them somebody knows. It bounds the log-ratio of the probabilities of any release of x and x′.

- One release, n candidates, each as likely to be its original: whatever the attacker does, the
  right one is named with a chance of at most max_i 1 / (1 + Σ_{j≠i} exp(−L(x_i, x_j))), which is
  e^ε / (e^ε + n − 1) where L = ε for all pairs.
- n releases of n records in random order, of which one is the target's: at most
  1 / (1 + Σ_{j≠t} exp(−2 L(x_t, x_j))). Exchanging the releases of t and j changes two of them.

Both are for records with one skeleton. Between records that read differently there is no bound.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from dpdeid.evaluate.attacks.alike import Alike
from dpdeid.evaluate.attacks.patients import Drawn, france
from dpdeid.privacy.audit import chord_km
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm
from dpdeid.privacy.timeline import Metric, Strict

Floats = NDArray[np.float64]

_STRETCH = 1.0034
"""A geodesic is at most so much longer than the chord it is computed from, over 1,800 km."""


def chance(losses: Floats, changed: int = 1) -> float:
    """1 / (1 + Σ_j exp(−changed · L_j)) for the losses between one record and each other one."""
    return float(1 / (1 + np.exp(-changed * losses).sum()))


def one_release(losses: Iterable[Floats]) -> float:
    """The bound of the first game, from each record's losses to all others."""
    return max(map(chance, losses))


def many_releases(losses: Floats) -> float:
    """The bound of the second game, from the target's losses to all others."""
    return chance(losses, 2)


def losses(policy: Drawn, records: Alike, at: int) -> Floats | None:
    """The losses that a policy states between one record and each other one, as it stands.

    None where it states none for a coordinate that differs.
    """
    others = np.arange(len(records)) != at
    dates = _of_dates(policy, np.abs(records.gaps[others] - records.gaps[at]))
    towns = _of_towns(policy, records.towns[others], records.towns[at].tolist())
    return None if dates is None or towns is None else dates + towns


def _of_dates(policy: Drawn, apart: NDArray[np.int64]) -> Floats | None:
    """From the days by which gaps differ; what is over a cap is drawn from public knowledge."""
    mode = policy.timeline
    if isinstance(mode, Metric):
        total: Floats = float(mode.epsilon_per_day) * apart[:, : mode.cap].sum(axis=1)
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
