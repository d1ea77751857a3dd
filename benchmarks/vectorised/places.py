"""The mechanisms on places for arrays: the same indices as one draw after the other.

Words are taken and refused as single draws take and refuse them:
the outputs, and where the source stands afterwards, are those of

    [mechanism.randomise(*position, source) for position in positions]

Positions are projected one by one, each distinct one once, since the last bit of a float must be
that of the single draw; everything after that is integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.planar import FLOOR, PlanarLaplace, offsets
from dpdeid.privacy.places.weighted import WeighedPlaces
from dpdeid.privacy.rng import WIDE, Stream

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
Position = tuple[float, float]

_CHUNK: Final = 1 << 15
_LOW: Final = (1 << 64) - 1
_FAR_MM: Final = 1_200_000_000  # beyond, squares would not fit into 64 bits
_GROUP_MM: Final = 20_000_000


def randomise_places(
    mechanism: PlanarLaplace | WeighedPlaces, positions: Sequence[Position], source: Stream
) -> Integers:
    """The index of a place (int64) for each (latitude, longitude) in degrees.

    Raises:
        ValueError: not a position in degrees.
    """
    draw = _planar if isinstance(mechanism, PlanarLaplace) else _weighed
    drawn = np.empty(len(positions), dtype=np.int64)
    for first in range(0, len(positions), _CHUNK):
        part = slice(first, first + _CHUNK)
        drawn[part] = draw(mechanism, positions[part], source)  # type: ignore[arg-type]
    return drawn


def _weighed(mechanism: WeighedPlaces, positions: Sequence[Position], source: Stream) -> Integers:
    """Ranks in order; then, for each input, its sites are gone through once for all its ranks."""
    sites = mechanism.sites
    inputs = {position: mechanism.known(*position) for position in set(positions)}
    points = {known: mechanism.point(known) for known in set(inputs.values())}
    totals = {
        known: mechanism.inputs.get(known) or sites.total(*point) for known, point in points.items()
    }
    wide = _wide_words(source, len(positions))
    ranks = []
    for at, position in enumerate(positions):
        known = inputs[position]
        total = totals[known]
        share = WIDE // total
        while (rank := next(wide) // share) >= total:
            pass
        ranks.append((known, rank, at))
    drawn = np.empty(len(positions), dtype=np.int64)
    for known, group in groupby(sorted(ranks), key=lambda ranked: ranked[0]):
        below, met = sites.flat, sites.around(*points[known])
        site = -1
        for _, rank, at in group:
            if rank < sites.flat:
                drawn[at] = sites.spread(rank)
                continue
            while rank >= below:
                site, more = next(met)
                below += more
            drawn[at] = sites.outputs[site]
    return drawn


def _wide_words(source: Stream, count: int) -> Iterator[int]:
    """Integers of two words, `count` at once and any further one singly."""
    words = source.words(2 * count)
    for at in range(0, len(words), 16):
        yield int.from_bytes(words[at : at + 16], "big")
    while True:
        yield int.from_bytes(source.words(2), "big")


def _planar(mechanism: PlanarLaplace, positions: Sequence[Position], source: Stream) -> Integers:
    cells = {position: mechanism.cell(*position) for position in set(positions)}
    here = np.array([cells[position] for position in positions], dtype=np.int64).reshape(-1, 2)
    noisy = _noisy(mechanism, here, source)
    over, under = mechanism.cell_mm.numerator, mechanism.cell_mm.denominator
    steps, back = np.unique(noisy, return_inverse=True)
    millimetres = np.array([int(step) * over // under for step in steps], dtype=np.int64)
    return _nearest(mechanism.places, millimetres[back].reshape(-1, 2))


def _noisy(mechanism: PlanarLaplace, cells: Integers, source: Stream) -> Integers:
    """What `mechanism.noisy` returns for each cell.

    Instead of dividing a rank of 128 bits by the share of words that each rank has, the borders
    between ranks are multiplied by it.
    """
    table, side = offsets(), 2 * mechanism.reach + 1
    share = WIDE // mechanism.total
    high, low = _accepted(share * mechanism.total, len(cells), source)
    flat = _below(high, low, side * side * FLOOR * share)
    number = high // np.uint64(share * FLOOR >> 64)  # FLOOR is a whole word
    spread = np.stack([number // np.uint64(side), number % np.uint64(side)], axis=1)
    noisy = spread.astype(np.int64) - mechanism.reach
    turns = [side * side * FLOOR + table.centre + turn * table.sums[-1] for turn in range(4)]
    starts = [start * share for start in turns]
    turn = sum((~_below(high, low, start)).astype(np.int64) for start in starts) - 1
    moved = ~flat
    noisy[moved] = cells[moved]
    for which, start in enumerate(starts):
        chosen = np.flatnonzero(turn == which)
        place = _quadrant(share)(*_less(high[chosen], low[chosen], start))
        noisy[chosen] += _turned(place, which)
    return noisy


def _accepted(limit: int, count: int, source: Stream) -> tuple[Words, Words]:
    """The high and low words of `count` integers below a limit of nearly 2^128."""
    found = np.empty((0, 2), dtype=np.uint64)
    while len(found) < count:
        words = np.frombuffer(source.words(2 * (count - len(found))), dtype=">u8")
        more = words.astype(np.uint64).reshape(-1, 2)
        found = np.concatenate([found, more[_below(more[:, 0], more[:, 1], limit)]])
    return found[:, 0], found[:, 1]


def _below(high: Words, low: Words, limit: int) -> NDArray[np.bool_]:
    """Which pairs of words are below a limit of at most 2^128."""
    if limit == WIDE:
        return np.ones(len(high), dtype=bool)
    top, rest = np.uint64(limit >> 64), np.uint64(limit & _LOW)
    below: NDArray[np.bool_] = (high < top) | ((high == top) & (low < rest))
    return below


def _less(high: Words, low: Words, amount: int) -> tuple[Words, Words]:
    """Pairs of words less an amount that none of them is below."""
    top, rest = np.uint64(amount >> 64), np.uint64(amount & _LOW)
    return high - top - (low < rest).astype(np.uint64), low - rest


@lru_cache(maxsize=8)
def _quadrant(share: int) -> Callable[[Words, Words], Integers]:
    """`bisect_right` of a pair of words in the borders of the quadrant × `share`."""
    scaled = [border * share for border in offsets().sums]
    tops = np.array([border >> 64 for border in scaled], dtype=np.uint64)

    def search(high: Words, low: Words) -> Integers:
        found = np.searchsorted(tops, high, side="left")
        for at in np.flatnonzero(tops[np.minimum(found, len(tops) - 1)] == high).tolist():
            whole = int(high[at]) << 64 | int(low[at])
            while found[at] < len(scaled) and scaled[found[at]] <= whole:
                found[at] += 1
        return found.astype(np.int64)

    return search


def _turned(places: Integers, turn: int) -> Integers:
    """The offsets at places of the quadrant, after so many quarter turns."""
    rows = np.array(offsets().rows, dtype=np.int64)
    row = np.searchsorted(rows, places, side="right") - 1
    i, j = row + 1, places - rows[row]
    return np.stack([(i, j), (-j, i), (-i, -j), (j, -i)][turn], axis=1)


def _nearest(places: PlaceList, points: Integers) -> Integers:
    """What `places.nearest` returns for each point in mm.

    Points are taken by squares of 20 km; only the places that can be nearest to some point of a
    square are compared, in the order of the list, of which the first of equals is kept.
    """
    listed = np.array([(index, x, y) for index, x, y in sorted(places.distinct())], dtype=np.int64)
    out = np.empty(len(points), dtype=np.int64)
    far = np.abs(points).max(axis=1, initial=0) > _FAR_MM
    for at in np.flatnonzero(far).tolist():
        out[at] = places.nearest(int(points[at, 0]), int(points[at, 1]))
    near = np.flatnonzero(~far)
    squares, which = np.unique(points[near] // _GROUP_MM, axis=0, return_inverse=True)
    order = near[np.argsort(which.ravel(), kind="stable")]
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(squares)))
    for square, first, end in zip(squares, (0, *ends[:-1]), ends, strict=False):
        group = order[first:end]
        middle = square * _GROUP_MM + _GROUP_MM // 2
        away = np.hypot(*(listed[:, 1:] - middle).T.astype(np.float64))
        able = listed[away <= away.min() + math.sqrt(2) * _GROUP_MM + 1]
        gaps = points[group][:, None, :] - able[None, :, 1:]
        out[group] = able[(gaps * gaps).sum(axis=2).argmin(axis=1), 0]
    return out
