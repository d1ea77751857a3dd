"""Surrogates for all places of one record: positions in, indices of a list out, no names.

Three mechanisms with one `release`: `PlanarNearest` is the published one made exact, for any list
and ε; `QPWeighted` draws from shipped weights and charges no rounding; `Exponential` is the
textbook's, for comparison. Each distinct place of a record is one draw.

A place whose position is not known cannot be drawn: its surrogate is the caller's fixed public one
(which depends on nothing but the list), it costs nothing and must not be passed here.

Semantic distance (`class_km`, `density_km`, `region_km`): a step between two public classes counts
as kilometres, too. Each class is drawn on its own, the ordered ones by a clamped geometric
mechanism, the region by randomised response, with the loss ε × km a step; what is printed is the
place nearest to the drawn one among those that agree with most of the drawn classes. Independent
draws and post-processing: the loss is at most ε × the distance.

What the text keeps around a place may leave only some of a list (`Spot.among`): the drawn place
settles among these then, and a further one is drawn among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Final

from dpdeid.privacy.exact import MAX_EPSILON, text
from dpdeid.privacy.leakage import bits
from dpdeid.privacy.ledger import Charge, Draw
from dpdeid.privacy.losses import EpsilonPerKm, Loss, positive
from dpdeid.privacy.mechanisms.contract import checked_upper
from dpdeid.privacy.mechanisms.falling import ClampedGeometric
from dpdeid.privacy.mechanisms.window import Window
from dpdeid.privacy.places.gravity import further, settled
from dpdeid.privacy.places.leakage import Inputs, of_town
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import (
    PlanarLaplace,
    checked_rate,
    rounding_loss,
    with_rate,
)
from dpdeid.privacy.places.weighted import (
    WeighedPlaces,
    exponential,
    qp_weighted,
    shipped_rates,
)
from dpdeid.privacy.rng import Source, Streams

POPULATION: Final = "population"
DENSITY: Final = "density"
REGION: Final = "region"
ORDERED: Final = frozenset({POPULATION, DENSITY})


def printed(
    index: int,
    own: Mapping[str, int],
    losses: Mapping[str, Fraction],
    places: PlaceList,
    source: Source,
) -> int:
    """The index of the place that is printed for a drawn place and the true classes of the input.

    Args:
        own: the classes of the input by kind, on the scale of the list.
        losses: what a step costs, by kind; other kinds are neither looked at nor kept.

    Raises:
        ValueError: the list has no such classes.
    """
    drawn = []
    for kind, loss in losses.items():
        if kind not in places.classes:
            raise ValueError(f"the places {places.name} have no classes by {kind}")
        if most := max(places.classes[kind]):
            drawn.append((kind, mechanism(kind, loss, most).randomise(own[kind], source)))
    return _nearest_alike(places, index, tuple(drawn)) if drawn else index


@lru_cache(maxsize=64)
def mechanism(kind: str, loss: Fraction, most: int) -> ClampedGeometric | Window:
    """What draws a class of 0..`most`, `loss` being that of a step, or of another region."""
    if kind in ORDERED:
        return ClampedGeometric(epsilon_per_day=loss, lower=0, upper=most)
    return Window(epsilon=loss, upper=most, width=1)


@lru_cache(maxsize=4096)
def _nearest_alike(places: PlaceList, index: int, wanted: tuple[tuple[str, int], ...]) -> int:
    x, y = places.locate(*places.positions[index])

    def unlike(place: tuple[int, int, int]) -> tuple[int, int, int]:
        other, east, north = place
        missing = sum(places.classes[kind][other] != level for kind, level in wanted)
        return missing, (east - x) ** 2 + (north - y) ** 2, other

    return min(map(unlike, places.distinct()))[2]


_PURPOSE: Final = "places"
_LEAST_STEP: Final = Fraction(1, 10**9)
_KINDS: Final = {
    "class_km": (POPULATION, "a step between the classes of two places"),
    "density_km": (DENSITY, "a step between the densities around two places"),
    "region_km": (REGION, "another region"),
}
"""Option → the kind of class it weighs, and how a charge says so."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One distinct place of a record.

    Args:
        name: its canonical value; equal names are one place. It names the random stream and is
            never released.
        latitude, longitude: degrees.
        places: the list its surrogate comes from, part of the skeleton.
        classes: its classes by kind, on the scale of the list, for mechanisms that look at them.
        among: the places of the list that may come out, by index, part of the skeleton; all if
            empty.
    """

    name: str = field(repr=False)
    latitude: float = field(repr=False)
    longitude: float = field(repr=False)
    places: PlaceList
    classes: Mapping[str, int] = field(default_factory=dict, repr=False)
    among: frozenset[int] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class Placed:
    """The index of the surrogate in its list and what it cost: nothing over the cap."""

    index: int
    charges: tuple[Charge, ...] = ()


def beside(
    places: PlaceList,
    name: str,
    taken: Sequence[int],
    streams: Streams,
    among: frozenset[int] = frozenset(),
) -> int:
    """The index for a place that is not drawn: by gravity around the first of those released."""
    return further(places, taken, streams.stream(_PURPOSE, "gravity", places.name, name), among)


Cost = tuple[str, Loss, str]
"""Name, loss and note of a charge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlaceMechanism:
    """What the mechanisms share: options, the cap, and one draw and its charges for each place.

    Args:
        epsilon_per_km: > 0, exact.
        cap: at most how many places a unit draws, by position; the others come from public
            gravity around the first released one of their list, and cost nothing.
        class_km, density_km, region_km: what a step between the sizes of two places, or between
            the densities around them, and another region count in km; by default
            classes are neither looked at nor kept.

    `charged` is what the mechanism is called in charges, `costs` what one draw is charged, the
    mechanism itself first; `losses` is what a step of each kind of class costs.

    Raises:
        ValueError: an option is out of range.
    """

    charged: ClassVar[str]

    epsilon_per_km: Fraction
    cap: int = 5
    class_km: Fraction | None = None
    density_km: Fraction | None = None
    region_km: Fraction | None = None
    costs: tuple[Cost, ...] = field(init=False, repr=False, compare=False)
    losses: dict[str, Fraction] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon_per_km", checked_rate(self.epsilon_per_km))
        checked_upper(self.cap, "cap")
        for option in _KINDS:
            if (kilometres := getattr(self, option)) is not None:
                exact = positive(kilometres, option)
                if not _LEAST_STEP <= exact * self.epsilon_per_km <= MAX_EPSILON:
                    raise ValueError(f"{option} × epsilon_per_km must lie between 1e-9 and 1000")
                object.__setattr__(self, option, exact)
        losses = {kind: self.epsilon_per_km * step for kind, step in self.steps.items()}
        object.__setattr__(self, "losses", losses)
        object.__setattr__(self, "costs", self._costs())

    @property
    def steps(self) -> dict[str, Fraction]:
        """What a step counts in km, by the kind of class that is looked at."""
        options = ((kind, getattr(self, option)) for option, (kind, _) in _KINDS.items())
        return {kind: kilometres for kind, kilometres in options if kilometres is not None}

    def draws(self) -> tuple[Draw, ...]:
        """What a unit may draw, for `check`."""
        return tuple(Draw("places", name, loss, self.cap, note) for name, loss, note in self.costs)

    def _costs(self) -> tuple[Cost, ...]:
        name, notes, steps = with_rate(self.charged, self.epsilon_per_km), [], self.steps
        for option, (kind, meaning) in _KINDS.items():
            if kind in steps:
                kilometres = text(steps[kind])
                name = f"{name[:-1]}, {option}={kilometres})"
                notes.append(f"{meaning} counts {kilometres} km")
        return (name, EpsilonPerKm(self.epsilon_per_km), "; ".join(notes)), *self._rounding()

    def release(
        self,
        spots: Sequence[Spot],
        *,
        streams: Streams,
        past: Mapping[tuple[str, str], Placed] | None = None,
    ) -> tuple[Placed, ...]:
        """The surrogate of each spot, in their order.

        Args:
            past: name of a list and of a spot → what was released of this unit before; it stays.
        """
        placed = dict(past or {})
        for spot in spots:
            key = (spot.places.name, spot.name)
            if key in placed:
                continue
            if sum(bool(one.charges) for one in placed.values()) < self.cap:
                placed[key] = self.draw(spot, streams)
            else:
                taken = [one.index for (listed, _), one in placed.items() if listed == key[0]]
                placed[key] = Placed(beside(spot.places, spot.name, taken, streams, spot.among))
        return tuple(placed[spot.places.name, spot.name] for spot in spots)

    def draw(self, spot: Spot, streams: Streams) -> Placed:
        """The surrogate of one spot, whatever the cap.

        Raises:
            ValueError: not a position in degrees, or nothing to draw from for this list.
        """
        costs = self.costs
        name = (_PURPOSE, "place", costs[0][0], spot.places.name, spot.name)
        stream, event = streams.named(*name)
        index = self._on(spot.places).randomise(spot.latitude, spot.longitude, stream)
        if self.losses:
            index = printed(index, spot.classes, self.losses, spot.places, stream)
        index = settled(spot.places, index, stream, spot.among)
        charges = tuple(Charge(streams.unit, event, what, loss) for what, loss, _ in costs)
        return Placed(index, charges)

    def leakage(self, places: PlaceList, inputs: Inputs) -> float:
        """The bits that one draw from a list tells at most, `inputs` being all that may be true."""
        steps = ((kind, loss, max(places.classes[kind])) for kind, loss in self.losses.items())
        classes = sum(bits(mechanism(*step)) for step in steps if step[2])
        return of_town(self._on(places), inputs, classes)

    def _rounding(self) -> tuple[Cost, ...]:
        return ()

    def _on(self, places: PlaceList) -> PlanarLaplace | WeighedPlaces:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarNearest(_PlaceMechanism):
    """Planar Laplace, then the nearest place of the list: HNFC Algorithm 1 in exact form.

    Two charges under one event: ε per kilometre, and the loss of about 0.1415 of moving a position
    onto the lattice.
    """

    name: ClassVar[str] = "planar_nearest"
    charged: ClassVar[str] = "planar-laplace"

    def _rounding(self) -> tuple[Cost, ...]:
        note = "for moving two places onto the lattice, whatever their distance"
        name = with_rate("lattice-rounding", self.epsilon_per_km)
        return ((name, rounding_loss(self.epsilon_per_km), note),)

    def _on(self, places: PlaceList) -> PlanarLaplace | WeighedPlaces:
        return _planar(self.epsilon_per_km, places)


@dataclass(frozen=True, slots=True, kw_only=True)
class QPWeighted(_PlaceMechanism):
    """Weighted sites, certified in true kilometres over all known places; one charge, no rounding.

    For the lists and the ε (0.05 and 0.1 per km) that tables are shipped for.
    """

    name: ClassVar[str] = "qp_weighted"
    charged: ClassVar[str] = "qp-weighted"

    def __post_init__(self) -> None:
        _PlaceMechanism.__post_init__(self)  # super() does not see through slots
        if self.epsilon_per_km not in shipped_rates():
            rates = ", ".join(text(rate) for rate in sorted(shipped_rates()))
            raise ValueError(f"epsilon_per_km must be one that tables are shipped for: {rates}")

    def _on(self, places: PlaceList) -> PlanarLaplace | WeighedPlaces:
        return qp_weighted(self.epsilon_per_km, places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponential(_PlaceMechanism):
    """The exponential mechanism at ε / 2, for comparison: any list and ε, one charge."""

    name: ClassVar[str] = "exponential"
    charged: ClassVar[str] = "exponential"

    def _on(self, places: PlaceList) -> PlanarLaplace | WeighedPlaces:
        return exponential(self.epsilon_per_km, places)


@lru_cache(maxsize=64)
def _planar(epsilon_per_km: Fraction, places: PlaceList) -> PlanarLaplace:
    return PlanarLaplace(epsilon_per_km=epsilon_per_km, places=places)
