"""Outlines of the countries whose places we know, drawn from the places alone: no map is read.

A country is where its places stand close: the triangles between them (Delaunay) whose circle is
small, as an alpha shape (Edelsbrunner et al. 1983). Holes are land without towns and are filled.
The rings around the triangles are thinned until a point moves by a few kilometres at most (Douglas
and Peucker 1973); what lies further out stands on an island of its own, a square around it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from scipy.spatial import Delaunay

CIRCLES: Final = {"FR": 18.0, "CH": 40.0, "BE": 18.0, "LU": 18.0}
"""Country → the largest circle, in km: where towns are far apart, a larger one."""
THINNED: Final = {"FR": 4.0, "CH": 3.0, "BE": 2.0, "LU": 0.8}
"""By how many km a point of the outline may move: some 50 to 200 points are left of each."""
OVERSEAS: Final = 3
"""Letters of the code of a department over sea, which no map beside the mainland shows."""
_ISLAND: Final = 12.0
_HALF: Final = 3.0
_KM: Final = 111.2
_FLAT: Final = math.cos(math.radians(47))

Point = tuple[float, float]
"""East and north in km, on a map that is true at 47° north."""


def outlines(rows: Iterable[str]) -> Iterator[str]:
    """Country, a tab, and the points of a ring (latitude,longitude), from lines of places.tsv."""
    places: dict[str, set[Point]] = defaultdict(set)
    for row in rows:
        _, _, country, _, department, _, _, _, north, east, _ = row.split("\t")
        if country != "FR" or len(department) != OVERSEAS:
            places[country].add((float(east) * _KM * _FLAT, float(north) * _KM))
    for country in sorted(CIRCLES):
        for ring in rings(sorted(places[country]), CIRCLES[country], THINNED[country]):
            told = (f"{north / _KM:.2f},{east / _KM / _FLAT:.2f}" for east, north in ring)
            yield f"{country}\t{' '.join(told)}"


def rings(places: Sequence[Point], circle: float, thinned: float) -> list[list[Point]]:
    """The outline of places: the largest ring first, then islands."""
    whole = [thin(ring, thinned) for ring in _around(places, circle)]
    kept = sorted((ring for ring in whole if len(ring) > 2), key=area, reverse=True)
    for place in places:
        if not any(inside(place, ring) or away(place, ring) < _ISLAND for ring in kept):
            kept.append(_square(place))
    return kept


def _around(places: Sequence[Point], circle: float) -> Iterator[list[Point]]:
    """The rings around the triangles with small circles, against the clock; holes are left out."""
    points = np.array(places)
    follows: dict[int, list[int]] = defaultdict(list)
    edges = set()
    for a, b, c in Delaunay(points).simplices.tolist():
        sides = [math.dist(places[i], places[j]) for i, j in ((a, b), (b, c), (c, a))]
        twice = abs(area([places[a], places[b], places[c]])) * 2
        if math.prod(sides) <= 2 * twice * circle:
            turned = (a, b, c) if area([places[a], places[b], places[c]]) > 0 else (a, c, b)
            edges |= {(turned[i], turned[(i + 1) % 3]) for i in range(3)}
    for start, end in sorted(edges):
        if (end, start) not in edges:
            follows[start].append(end)
    while follows:
        first = at = min(follows)
        ring = []
        while at in follows:
            ring.append(places[at])
            following = follows[at].pop()
            if not follows[at]:
                del follows[at]
            at = following
            if at == first:
                break
        if area(ring) > 0:
            yield ring


def thin(ring: Sequence[Point], most: float) -> list[Point]:
    """The ring with fewer points: none of those left out lies further than `most` from it."""
    far = max(range(len(ring)), key=lambda i: math.dist(ring[0], ring[i]))
    return [*_thin(ring[: far + 1], most)[:-1], *_thin([*ring[far:], ring[0]], most)[:-1]]


def _thin(line: Sequence[Point], most: float) -> list[Point]:
    off = [_off(point, line[0], line[-1]) for point in line]
    at = max(range(len(line)), key=off.__getitem__)
    if off[at] <= most:
        return [line[0], line[-1]]
    return [*_thin(line[: at + 1], most)[:-1], *_thin(line[at:], most)]


def _off(point: Point, start: Point, end: Point) -> float:
    """How far a point lies from a stretch."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = x * x + y * y
    along = ((point[0] - start[0]) * x + (point[1] - start[1]) * y) / length if length else 0.0
    share = min(max(along, 0.0), 1.0)
    return math.dist(point, (start[0] + share * x, start[1] + share * y))


def away(point: Point, ring: Sequence[Point]) -> float:
    """How far a point lies from a ring, in km."""
    return min(_off(point, *pair) for pair in zip(ring, [*ring[1:], ring[0]], strict=True))


def inside(point: Point, ring: Sequence[Point]) -> bool:
    """Whether a ring holds a point."""
    crossed = False
    for (x, y), (u, v) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y > point[1]) != (v > point[1]):
            crossed ^= point[0] < x + (point[1] - y) / (v - y) * (u - x)
    return crossed


def area(ring: Sequence[Point]) -> float:
    """In km², below 0 for a ring with the clock."""
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum(x * v - u * y for (x, y), (u, v) in pairs) / 2


def _square(place: Point) -> list[Point]:
    east, north = place
    return [(east + i * _HALF, north + j * _HALF) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
