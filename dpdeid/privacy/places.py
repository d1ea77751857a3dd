"""Surrogates for all places of one record: positions in, indices of a list out, no names.

A place whose position is not known cannot be drawn: its surrogate is the caller's fixed public one
(which depends on nothing but the list), it costs nothing and must not be passed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, Self

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_upper
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import Epsilon, EpsilonPerKm, positive
from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.planar import (
    PlanarLaplace,
    checked_rate,
    planar_name,
    rounding_loss,
    rounding_name,
)
from dpdeid.privacy.rng import Streams

_PURPOSE: Final = "places"


@dataclass(frozen=True, slots=True)
class Spot:
    """One distinct place of a record.

    Args:
        name: its canonical value; equal names are one place. It names the random stream and is
            never released.
        latitude, longitude: degrees.
        places: the list its surrogate comes from, part of the skeleton.
    """

    name: str = field(repr=False)
    latitude: float = field(repr=False)
    longitude: float = field(repr=False)
    places: PlaceList


@dataclass(frozen=True, slots=True)
class Placed:
    """The index of the surrogate in its list and what it cost; None over the cap."""

    index: int | None
    charges: tuple[Charge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarNearest:
    """Planar Laplace, then the nearest place of the list: HNFC Algorithm 1 in exact form.

    Each distinct place of a record is one draw with two charges under one event: ε per kilometre,
    and the loss of about 0.1415 of moving its position onto the lattice.

    Args:
        epsilon_per_km: > 0, exact.
        cap: at most how many places a unit draws, by position; the others are not released.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_km: Fraction
    cap: int = 5

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon_per_km", checked_rate(self.epsilon_per_km))
        checked_upper(self.cap, "cap")

    @classmethod
    def within(cls, level: Fraction, radius_km: Fraction, cap: int) -> Self:
        """The same, from the loss that two places `radius_km` apart may have."""
        level, radius_km = positive(level, "level"), positive(radius_km, "radius_km")
        return cls(epsilon_per_km=level / radius_km, cap=cap)

    def draws(self) -> tuple[Draw, ...]:
        rounding = "for moving two places onto the lattice, whatever their distance"
        return (
            Draw("places", planar_name(self.epsilon_per_km), self._losses[0], self.cap),
            Draw("places", rounding_name(self.epsilon_per_km), self._losses[1], self.cap, rounding),
        )

    @property
    def _losses(self) -> tuple[EpsilonPerKm, Epsilon]:
        return EpsilonPerKm(self.epsilon_per_km), rounding_loss(self.epsilon_per_km)

    def release(self, spots: Sequence[Spot], *, streams: Streams) -> tuple[Placed, ...]:
        """The surrogate of each spot, in their order; None over the cap."""
        placed: dict[tuple[str, str], Placed] = {}
        for spot in spots:
            key = (spot.places.name, spot.name)
            if key in placed:
                continue
            placed[key] = self.draw(spot, streams) if len(placed) < self.cap else Placed(None)
        return tuple(placed[spot.places.name, spot.name] for spot in spots)

    def draw(self, spot: Spot, streams: Streams) -> Placed:
        """The surrogate of one spot, whatever the cap.

        Raises:
            ValueError: not a position in degrees.
        """
        mechanism = _mechanism(self.epsilon_per_km, spot.places)
        name = (_PURPOSE, "place", str(mechanism), spot.places.name, spot.name)
        index = mechanism.randomise(spot.latitude, spot.longitude, streams.stream(*name))
        event, (rate, rounding) = streams.event(*name), self._losses
        return Placed(
            index,
            (
                Charge(streams.unit, event, name[2], rate),
                Charge(streams.unit, event, rounding_name(self.epsilon_per_km), rounding),
            ),
        )


@lru_cache(maxsize=64)
def _mechanism(epsilon_per_km: Fraction, places: PlaceList) -> PlanarLaplace:
    return PlanarLaplace(epsilon_per_km=epsilon_per_km, places=places)
