"""Weights for the sites of one list of places: found by a quadratic programme, then certified.

Needs numpy and scipy; run once for each list and ε (`weigh.py`), and by the tests. What is found
here need not be trusted: `certificate` looks at the finished integers and at every pair of inputs,
and is the proof.

Sites are a public hexagonal lattice over the inputs and one ring around them, at most 2,500. With
K = kernel between sites, w ≥ 0 minimises ½ w'Kw − 1'w, which makes the sum Z of all weights equal
at all sites that are used. A kernel with a rounded tip keeps it nearly equal between them too. The
rate is the largest λ for which λ·d + |ln Z(x) − ln Z(x')| ≤ ε·d for every pair of inputs.
What a site prints is post-processing: the place with the least expected distance to an input that
is drawn with the given prior.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve
from scipy.spatial import cKDTree

from dpdeid.privacy.places.place_list import MM_PER_KM, PlaceList
from dpdeid.privacy.places.weighted import (
    DEGREE,
    DEPTH,
    SLACK,
    Position,
    Sites,
    WeighedPlaces,
    rounded,
)

Floats = NDArray[np.float64]

MAX_SITES: Final = 2_500
_FINEST: Final = 0.35  # spacing of the lattice × ε, below which nothing is gained
_TIP: Final = 0.3  # of the spacing
_NEIGHBOURS_KM: Final = 60.0
_SURE: Final = 1e-9  # relative, of float sums of exact weights
_WEIGHT_BITS: Final = 30
_AXIS_MM: Final = 6_378_137_000.0
_ECCENTRICITY_2: Final = 0.0066943799901413


def weigh(
    epsilon_per_km: Fraction,
    places: PlaceList,
    inputs: Sequence[Position],
    prior: Sequence[float],
    *,
    on_places: bool = False,
) -> WeighedPlaces:
    """The best certified table for these inputs, `prior` being how likely each of them is.

    With `on_places` the sites are the places of the list and not a lattice: better where the inputs
    are those places and no others, and far worse where they are not.

    Raises:
        ValueError: no rate keeps ε (the inputs reach too far beyond the sites).
    """
    points = _points(places, inputs)
    if on_places:
        sites, tip = np.unique(_points(places, inputs_at(places)), axis=0), 0
    else:
        sites = _lattice(points, float(epsilon_per_km))
        tip = round(_TIP * _spacing(sites))
    rate = _best_rate(float(epsilon_per_km), points, chords(inputs), sites, tip)
    for margin in (1.0, 0.999, 0.99, 0.97, 0.95, 0.9):
        found = _made(epsilon_per_km, places, inputs, prior, sites, tip, rate * margin)
        if certificate(found) <= float(epsilon_per_km):
            return found
    raise ValueError("no rate keeps epsilon_per_km for these inputs")


def certificate(weighed: WeighedPlaces) -> float:
    """The largest loss per true kilometre over all pairs of inputs, rounded up.

    Chords of the ellipsoid are used for kilometres: never longer than a geodesic.
    """
    inputs = sorted(weighed.inputs)
    points, through = _points(weighed.places, inputs), chords(inputs)
    logs = np.log(totals(weighed.sites, points))
    rate, worst = float(weighed.sites.rate), 0.0
    for first, plane, true in _pairs(points, through):
        rows = logs[first : first + len(plane), None]
        loss = rate * (plane + SLACK) + np.abs(rows - logs[None, first:]) + _SURE
        ratios = np.divide(loss, true, out=np.zeros_like(loss), where=true > 0)
        worst = max(worst, float(ratios.max()))
    return worst * MM_PER_KM * (1 + _SURE)


def totals(sites: Sites, points: Floats) -> Floats:
    """The sum of the integer weights of all sites for each point (mm), within one part in 1e12."""
    coarse = np.array(sites._coarse, dtype=np.float64)
    fine = np.array(sites._fine, dtype=np.float64)
    weights = np.array(sites.weights, dtype=np.float64)
    where = np.array(sites.points, dtype=np.float64)
    found = np.empty(len(points))
    for first in range(0, len(points), 512):
        part = slice(first, first + 512)
        away = np.sqrt(_squared(points[part], where) + float(sites.tip) ** 2) - sites.tip
        steps = np.minimum(away, (len(coarse) - 1) << 16).astype(np.int64)
        kernel = coarse[steps >> 16] * fine[(steps & 0xFFFF) >> 4] / fine[0]
        found[part] = np.maximum(kernel, float(sites.floor)) @ weights
    return found


def _pairs(points: Floats, through: Floats) -> Iterator[tuple[int, Floats, Floats]]:
    """Distances in the plane and through the earth, of a block of inputs to all later ones."""
    step = max(8_000_000 // len(points), 1)
    for first in range(0, len(points), step):
        part = slice(first, first + step)
        plane = np.sqrt(_squared(points[part], points[first:]))
        yield first, plane, np.sqrt(_squared(through[part], through[first:]))


def _squared(one: Floats, other: Floats) -> Floats:
    """Squared distances; by differences, since products would cancel for neighbours."""
    total: Floats = np.square(one[:, None, 0] - other[None, :, 0])
    for axis in range(1, one.shape[1]):
        total += np.square(one[:, None, axis] - other[None, :, axis])
    return total


def _points(places: PlaceList, inputs: Sequence[Position]) -> Floats:
    located = [places.locate(north / DEGREE, east / DEGREE) for north, east in inputs]
    return np.array(located, dtype=np.float64)


def chords(inputs: Sequence[Position]) -> Floats:
    """Positions in space on WGS 84, in mm."""
    north, east = np.radians(np.array(inputs, dtype=np.float64).T / DEGREE)
    normal = _AXIS_MM / np.sqrt(1 - _ECCENTRICITY_2 * np.sin(north) ** 2)
    across = normal * np.cos(north)
    up = normal * (1 - _ECCENTRICITY_2) * np.sin(north)
    return np.stack([across * np.cos(east), across * np.sin(east), up], axis=1)


def inputs_at(places: PlaceList) -> list[Position]:
    """The positions of a list, each once."""
    return sorted({rounded(*position) for position in places.positions})


def _lattice(points: Floats, epsilon: float) -> Floats:
    """Hexagonal sites within one spacing of an input, as fine as MAX_SITES allows."""
    tree = cKDTree(points)

    def sites(spacing: float) -> Floats:
        low, high = points.min(axis=0) - spacing, points.max(axis=0) + spacing
        rows = np.arange(math.floor(low[1] / spacing / 0.75**0.5), high[1] / spacing / 0.75**0.5)
        columns = np.arange(math.floor(low[0] / spacing) - 1, high[0] / spacing + 1)
        across, up = np.meshgrid(columns, rows)
        lattice = np.stack([(across + up % 2 / 2) * spacing, up * 0.75**0.5 * spacing], axis=-1)
        lattice = np.round(lattice.reshape(-1, 2))
        near, _ = tree.query(lattice)
        found: Floats = lattice[near <= spacing]
        return found

    spacing = _FINEST / epsilon * MM_PER_KM
    while len(found := sites(spacing)) > MAX_SITES:
        spacing *= 1.02
    return found


def _spacing(sites: Floats) -> float:
    near, _ = cKDTree(sites).query(sites, k=2)
    return float(np.median(near[:, 1]))


def _best_rate(epsilon: float, points: Floats, through: Floats, sites: Floats, tip: int) -> float:
    """The largest rate (per mm) for which neighbours, and a sample of all pairs, keep ε."""
    pairs = cKDTree(points).query_pairs(_NEIGHBOURS_KM * MM_PER_KM, output_type="ndarray")
    stride = max(len(points) // 1_000, 1)
    sampled = np.arange(0, len(points), stride)
    far = np.stack(np.triu_indices(len(sampled), 1), axis=1)
    pairs = np.concatenate([pairs, sampled[far]])
    one, other = pairs.T
    plane = np.linalg.norm(points[one] - points[other], axis=1)
    true = np.linalg.norm(through[one] - through[other], axis=1)
    distances = _squared(sites, sites)
    to_sites = _squared(points, sites)

    def excess(rate: float) -> float:
        weights = _solved(_kernel(distances, rate, tip))
        logs = np.log(_kernel(to_sites, rate, tip) @ weights)
        loss = rate * (plane + SLACK) + np.abs(logs[one] - logs[other])
        return float((loss / true).max()) * MM_PER_KM - epsilon

    low, high = 0.3 * epsilon / MM_PER_KM, epsilon / MM_PER_KM
    for _ in range(8):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return low


def _kernel(squared: Floats, rate: float, tip: int) -> Floats:
    exponents = rate * (np.sqrt(squared + float(tip) ** 2) - tip)
    kernel: Floats = np.exp(-np.minimum(exponents, DEPTH))
    return kernel


def _solved(kernel: Floats) -> Floats:
    """w ≥ 0 with the least ½ w'Kw − 1'w, by exchanging blocks of active constraints."""
    used = np.ones(len(kernel), dtype=bool)
    for _ in range(100):
        weights = np.zeros(len(kernel))
        index = np.flatnonzero(used)
        weights[index] = solve(kernel[np.ix_(index, index)], np.ones(len(index)), assume_a="sym")
        wrong = (weights < 0) | (~used & (kernel @ weights < 1 - 1e-9))
        if not wrong.any():
            return weights
        used ^= wrong
    return np.maximum(weights, 0)


def _made(
    epsilon_per_km: Fraction,
    places: PlaceList,
    inputs: Sequence[Position],
    prior: Sequence[float],
    sites: Floats,
    tip: int,
    rate: float,
) -> WeighedPlaces:
    """The table in integers, for one rate."""
    weights = _solved(_kernel(_squared(sites, sites), rate, tip))
    whole = np.round(weights / weights.max() * (1 << _WEIGHT_BITS)).astype(np.int64)
    kept = np.flatnonzero(whole > 0)
    order = kept[np.lexsort((sites[kept, 1], sites[kept, 0]))]
    sites, whole = sites[order], whole[order]
    points = _points(places, inputs)
    kernel = _kernel(_squared(points, sites), rate, tip) * whole
    shares = kernel / kernel.sum(axis=1, keepdims=True) * np.asarray(prior)[:, None]
    firsts: dict[tuple[int, int], int] = {}
    for index, position in enumerate(places.positions):
        firsts.setdefault(places.locate(*position), index)
    listed = np.array(list(firsts), dtype=np.float64)
    cost = shares.T @ np.sqrt(_squared(points, listed))
    outputs = np.array(list(firsts.values()))[cost.argmin(axis=1)]
    exact = Sites(
        Fraction(round(rate * 10**18), 10**18),
        tip,
        tuple((int(x), int(y)) for x, y in sites),
        tuple(whole.tolist()),
        tuple(outputs.tolist()),
    )
    totals = (exact.total(round(x), round(y)) for x, y in points)
    known = dict(zip(inputs, totals, strict=True))
    return WeighedPlaces("qp-weighted", epsilon_per_km, places, exact, known)
