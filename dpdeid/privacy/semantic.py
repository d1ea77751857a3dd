"""A distance between places that is more than kilometres: how far apart their classes are, too.

The distance of two places is their kilometres + `class_km` × the steps between their public classes
(ordered: village, town, city). The class is drawn by a clamped geometric mechanism with the loss
ε × class_km a step, the place as ever, and what is printed is the place of the drawn class nearest
to the drawn place. Two independent draws and post-processing: the loss is at most ε × the distance.
So a surrogate can keep "rural" more often than chance without costing more kilometres of error.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.nearest import PlaceList
from dpdeid.privacy.rng import Source


def printed(index: int, level: int, step_loss: Fraction, places: PlaceList, source: Source) -> int:
    """The index of the place that is printed for a drawn place and the true class of the input.

    Raises:
        ValueError: the list has no classes.
    """
    if not places.classes:
        raise ValueError(f"the places {places.name} have no classes")
    most = max(places.classes)
    if most == 0:
        return index
    mechanism = ClampedGeometric(epsilon_per_day=step_loss, lower=0, upper=most)
    return _nearest_of_class(places, index, mechanism.randomise(level, source))


@lru_cache(maxsize=4096)
def _nearest_of_class(places: PlaceList, index: int, level: int) -> int:
    x, y = places.locate(*places.positions[index])
    best: tuple[int, int] | None = None
    for other, position in enumerate(places.positions):
        if places.classes[other] == level:
            east, north = places.locate(*position)
            found = ((east - x) ** 2 + (north - y) ** 2, other)
            best = found if best is None else min(best, found)
    assert best is not None  # classes have no gap
    return best[1]
