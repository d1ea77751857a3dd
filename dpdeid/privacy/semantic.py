"""A distance between places that is more than kilometres: how far apart their classes are, too.

The distance of two places is their kilometres + what the steps between their public classes count
in km: `class_km` a step of size (village, town, city), `density_km` a step of the country around
them (rural, between, urban), `region_km` if their regions differ. Each class is drawn on its own,
the ordered ones by a clamped geometric mechanism, the region by randomised response, with the loss
ε × km a step, and the place as ever; what is printed is the place nearest to the drawn place among
those that agree with most of the drawn classes. Independent draws and post-processing: the loss is
at most ε × the distance. So a surrogate can keep "rural" or its region more often than chance
without costing more kilometres of error.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.response import KRandomisedResponse
from dpdeid.privacy.rng import Source

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
def mechanism(kind: str, loss: Fraction, most: int) -> ClampedGeometric | KRandomisedResponse:
    """What draws a class of 0..`most`, `loss` being that of a step, or of another region."""
    if kind in ORDERED:
        return ClampedGeometric(epsilon_per_day=loss, lower=0, upper=most)
    return KRandomisedResponse(epsilon=loss, options=most + 1)


@lru_cache(maxsize=4096)
def _nearest_alike(places: PlaceList, index: int, wanted: tuple[tuple[str, int], ...]) -> int:
    x, y = places.locate(*places.positions[index])

    def unlike(place: tuple[int, int, int]) -> tuple[int, int, int]:
        other, east, north = place
        missing = sum(places.classes[kind][other] != level for kind, level in wanted)
        return missing, (east - x) ** 2 + (north - y) ** 2, other

    return min(map(unlike, places.distinct()))[2]
