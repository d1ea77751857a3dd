"""Further places of a record, by public gravity around the one that was drawn: nothing is spent.

People live, work and are treated near one place: what comes after the drawn towns of a unit is
taken by people × e^(−d / 25 km) around the first released one. Only public lists and what was
released are read, so no true place can show. Integers, so that every machine draws the same place.
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


def further(places: PlaceList, taken: Sequence[int], source: Source) -> int:
    """A place near the first of those `taken`, and none of these unless they are half of all."""
    sums = _sums(places, taken[0] if taken else None)
    passed = sorted(set(taken)) if 2 * len(set(taken)) < len(sums) - 1 else []
    rank = source.randbelow(sums[-1] - sum(sums[at + 1] - sums[at] for at in passed))
    for at in passed:
        if rank >= sums[at]:
            rank += sums[at + 1] - sums[at]
    return bisect_right(sums, rank) - 1


@lru_cache(maxsize=256)
def _sums(places: PlaceList, centre: int | None) -> tuple[int, ...]:
    """The weights of the places before each, around one of them, and of all."""
    middle = (0, 0) if centre is None else places.locate(*places.positions[centre])
    weights = [0] * len(places.positions)
    for index, *point in places.distinct():
        pull = SCALE if centre is None else _pull(int(math.dist(middle, point)) // MM_PER_KM)
        weights[index] = max((places.people[index] if places.people else 1) * pull >> _SPARE, 1)
    return tuple(accumulate(weights, initial=0))


_SPARE: Final = BITS - 38  # 2^26 people of 2^38 each fit into a word


@lru_cache(maxsize=4096)
def _pull(kilometres: int) -> int:
    return SCALE * SCALE // exp_below(Fraction(kilometres, SCALE_KM)) if kilometres else SCALE
