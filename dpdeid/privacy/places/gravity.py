"""Further places of a record, by public gravity around the one that was drawn: nothing is spent.

People live, work and are treated near one place: what comes after the drawn towns of a unit is
taken by people × e^(−d / 25 km) around the first released one, among those places of the list that
the text around it leaves. Only public lists, kept text and what was released are read, so no true
place can show. Integers, so that every machine draws the same place.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Final

from dpdeid.privacy.exact import BITS, SCALE, exp_below
from dpdeid.privacy.places.place_list import MM_PER_KM, PlaceList
from dpdeid.privacy.rng import Source

SCALE_KM: Final = 25
"""Within so many kilometres the pull of a town falls by a factor of e."""


FEW: Final = 500
"""Of fewer places the nearest to a drawn one is the true one too often: they pull from further off,
by as much as they lie further apart than so many.
"""


def further(
    places: PlaceList, taken: Sequence[int], source: Source, among: frozenset[int] = frozenset()
) -> int:
    """A place near the first of those `taken`, and none of these unless they are half of all.

    Args:
        among: the places that may come out, by index; all if empty.
    """
    passed = sorted({at for at in taken if not among or at in among})
    if 2 * len(passed) >= (len(among) or len(places.positions)):
        passed = []
    return _pulled(places, taken[0] if taken else None, source, among, passed)


def settled(places: PlaceList, index: int, source: Source, among: frozenset[int]) -> int:
    """Where a drawn place comes to lie `among` those that the text leaves: of many the nearest, of
    few one that pulls it.

    Of what was drawn and of public places only: post-processing.
    """
    if 0 < len(among) < FEW:
        return _pulled(places, index, source, among, ())
    return nearest_among(places, index, among)


@lru_cache(maxsize=4096)
def nearest_among(places: PlaceList, index: int, among: frozenset[int]) -> int:
    """The place itself if it is `among` those that may come out, else the nearest of these."""
    if not among or index in among:
        return index
    x, y = places.locate(*places.positions[index])
    near = (place for place in places.distinct() if place[0] in among)
    return min(((east - x) ** 2 + (north - y) ** 2, other) for other, east, north in near)[1]


def _pulled(
    places: PlaceList,
    centre: int | None,
    source: Source,
    among: frozenset[int],
    passed: Sequence[int],
) -> int:
    """A place by its pull towards the centre, none of those that are passed by (in order)."""
    sums = _sums(places, centre, among)
    rank = source.randbelow(sums[-1] - sum(sums[at + 1] - sums[at] for at in passed))
    for at in passed:
        if rank >= sums[at]:
            rank += sums[at + 1] - sums[at]
    return bisect_right(sums, rank) - 1


@lru_cache(maxsize=256)
def _sums(places: PlaceList, centre: int | None, among: frozenset[int]) -> tuple[int, ...]:
    """The weights of the places before each, around one of them, and of all."""
    middle = (0, 0) if centre is None else places.locate(*places.positions[centre])
    reach = math.isqrt(SCALE_KM**2 * FEW // min(len(among) or FEW, FEW))
    weights = [0] * len(places.positions)
    for index, *point in places.distinct():
        if among and index not in among:
            continue
        pull = SCALE if centre is None else _pull(int(math.dist(middle, point)) // MM_PER_KM, reach)
        weights[index] = max((places.people[index] if places.people else 1) * pull >> _SPARE, 1)
    return tuple(accumulate(weights, initial=0))


_SPARE: Final = BITS - 38  # 2^26 people of 2^38 each fit into a word


@lru_cache(maxsize=4096)
def _pull(kilometres: int, reach: int) -> int:
    return SCALE * SCALE // exp_below(Fraction(kilometres, reach)) if kilometres else SCALE
