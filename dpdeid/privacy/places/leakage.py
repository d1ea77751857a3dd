"""The bits that one drawn town tells at most, over all places that may be the true one.

A bound for the lattice (`of_planar`): the outputs part its points into cells. Within an area A of
n points, cells of k places, each with its most weight wherever the input lies, hold no more than k
times the n / k largest weights, since sums of the largest are concave in their number. A point
outside A has at most the weight of its distance to the nearest input, and the flat part is the same
for all. Whichever A is best is taken, A being all blocks within some steps of the inputs; or, for
inputs close together, what the metric says: a tenth for each cell from their middle.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.privacy.places.place_list import MM_PER_KM
from dpdeid.privacy.places.planar import (
    CELLS_PER_UNIT,
    FLOOR,
    RADIUS,
    PlanarLaplace,
    offsets,
    weight,
)
from dpdeid.privacy.places.weighted import DEPTH, SLACK, WeighedPlaces

_CELLS: Final = 8
_KM: Final = 8
"""The side of a block: so many cells of the lattice, or so many km where these are more."""
_TOGETHER: Final = 512
_ROUNDING: Final = 1e-8
"""Bits for sums in floats of what is drawn by integers, none of which is below e^−16."""

Inputs = Collection[tuple[float, float]]
"""Positions in degrees."""


def of_town(
    mechanism: PlanarLaplace | WeighedPlaces, inputs: Inputs, classes: float = 0.0
) -> float:
    """The bits of one draw and of those of its `classes`: no more than of its inputs or outputs."""
    if isinstance(mechanism, PlanarLaplace):
        most, sources = of_planar(mechanism, inputs), len(set(inputs))
    else:
        points = [mechanism.point(one) for one in mechanism.inputs]
        points = points or [mechanism.locate(*one) for one in inputs]
        most, sources = of_weighed(mechanism, points), len(set(points))
    return min(most + classes, math.log2(min(sources, len(mechanism.places.distinct()))))


def of_weighed(mechanism: WeighedPlaces, points: Collection[tuple[int, int]]) -> float:
    """The bits of weighted sites, exact but for `SLACK` mm. `points` in mm of the plane."""
    sites = mechanism.sites
    order = np.argsort(sites.outputs, kind="stable")
    outputs = np.array(sites.outputs)[order]
    starts = np.flatnonzero(np.diff(outputs, prepend=-1))
    places = np.array(sites.points, dtype=np.float64)[order]
    weights = np.array([float(one) for one in sites.weights])[order]
    rate, tip, inputs = float(sites.rate), float(sites.tip), np.array(list(points), np.float64)
    likeliest = np.zeros(len(starts))
    for at in range(0, len(inputs), _TOGETHER):
        east, north = inputs[at : at + _TOGETHER].T[:, :, None]
        away = np.sqrt((east - places[:, 0]) ** 2 + (north - places[:, 1]) ** 2 + tip * tip) - tip
        found = np.maximum(np.exp(-rate * away), math.exp(-DEPTH)) * weights
        found = np.add.reduceat(found, starts, axis=1)
        likeliest = np.maximum(likeliest, (found / found.sum(1, keepdims=True)).max(0))
    return math.log2(math.fsum(likeliest)) + rate * SLACK / math.log(2) + _ROUNDING


def of_planar(mechanism: PlanarLaplace, inputs: Inputs) -> float:
    """A bound on the bits of the lattice and the nearest place."""
    side = max(_CELLS, math.ceil(_KM * MM_PER_KM / mechanism.cell_mm))
    sizes, beyond = [], []
    seen: set[tuple[int, int]] = set()
    cells = [mechanism.cell(*one) for one in inputs]
    middle = tuple((min(axis) + max(axis)) // 2 for axis in zip(*cells, strict=True))
    radius = max(math.dist(middle, cell) for cell in cells)
    ring = {(x // side, y // side) for x, y in cells}
    for away in range(RADIUS // side + 3):
        seen |= ring
        sizes.append(len(ring) * side * side)
        # what lies so many blocks off is at least one block less away from every input
        beyond.append(sizes[-1] * (weight((max(away - 1, 0) * side) ** 2) - FLOOR))
        around = ((x + i, y + j) for x, y in ring for i in (-1, 0, 1) for j in (-1, 0, 1))
        ring = set(around) - seen
    count = len(mechanism.places.distinct())
    sums = _largest()
    ranks = np.arange(len(sums))
    flat = FLOOR * (2 * mechanism.reach + 1) ** 2
    least = min(
        count * float(np.interp(size / count, ranks, sums)) + sum(beyond[at:])
        for at, size in enumerate(accumulate(sizes), 1)
    )
    near = radius / CELLS_PER_UNIT / math.log(2)
    return min(near, math.log2((flat + least) / mechanism.total)) + _ROUNDING


@lru_cache(maxsize=1)
def _largest() -> NDArray[np.float64]:
    """The sums of the 0, 1, 2 … largest weights of an offset, less the floor."""
    table = offsets()
    quarter = [after - before for before, after in pairwise((0, *table.sums))]
    weights = np.array([table.centre, *quarter * 4], dtype=np.float64)
    return np.concatenate([[0.0], np.cumsum(-np.sort(-weights))])
