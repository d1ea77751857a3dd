"""What of a record can be linked: its days and its towns, as a file or a simulation gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdeid.privacy.rng import Stream

_EARTH_KM: Final = 6371.0

Position = tuple[float, float]
"""Latitude and longitude in degrees."""


@dataclass(frozen=True, slots=True)
class Event:
    """One dated thing that happened, and where, if that is known."""

    day: int = field(repr=False)
    town: Position | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """Days (ordinals) and towns of one record, or what somebody knows of them."""

    days: tuple[int, ...] = field(repr=False)
    towns: tuple[Position, ...] = field(default=(), repr=False)


def known_of(events: Sequence[Event], count: int, stream: Stream) -> Trace:
    """The dates and towns of so many events, drawn at random; of all, where there are fewer."""
    drawn = stream.shuffled(events)[:count]
    towns = dict.fromkeys(event.town for event in drawn if event.town is not None)
    return Trace(tuple(sorted(event.day for event in drawn)), tuple(towns))


def on_globe(towns: ArrayLike) -> NDArray[np.float64]:
    """Positions as points in km, so that short distances are those over ground.  # (towns, 3)"""
    phi, lam = np.radians(np.array(towns, dtype=np.float64).reshape(-1, 2)).T
    points = np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=1)
    return np.asarray(_EARTH_KM * points)
