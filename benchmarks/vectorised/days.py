"""The mechanisms on whole days for arrays: the same integers as one draw after the other.

For a whole column of values under one source.
Words are taken from the source in order, and a word that the scalar draw would refuse is refused
here, so the outputs, and where the source stands afterwards, are those of

    [mechanism.randomise(value, source) for value in values]
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric, Falling
from dpdeid.privacy.mechanisms.window import PriorWindow, TwoWeights, Window


class WordSource(Protocol):
    """Anything that gives many uniform integers at once."""

    def words(self, count: int) -> bytes:
        """`count` uniform 64-bit words, big-endian."""


class SystemSource:
    """The operating system's randomness, for draws that need not be repeated."""

    def words(self, count: int) -> bytes:
        """`count` 64-bit words."""
        return secrets.token_bytes(8 * count)


Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
Days = BoundedLaplace | ClampedGeometric | PriorWindow | Window

_CHUNK: Final = 1 << 14
_LEAST_BUCKETS: Final = 12  # bits
_MOST_BUCKETS: Final = 20


def randomise_all(mechanism: Days, values: Integers, source: WordSource) -> Integers:
    """One output for each value (int64), drawn with the weights of `mechanism.pmf(value)`.

    Raises:
        ValueError: a value that `mechanism.randomise` refuses.
    """
    drawn = np.empty(len(values), dtype=np.int64)
    draw = _drawer(mechanism)
    for first in range(0, len(values), _CHUNK):
        part = slice(first, first + _CHUNK)
        drawn[part] = draw(np.asarray(values[part], dtype=np.int64), source)
    return drawn


@lru_cache(maxsize=32)
def _drawer(mechanism: Days) -> Callable[[Integers, WordSource], Integers]:
    match mechanism:
        case Window():
            return _window(mechanism)
        case PriorWindow():
            return _prior_window(mechanism)
        case ClampedGeometric():
            return _geometric(mechanism)
        case _:
            return _falling(mechanism.falling)


def _words(source: WordSource, count: int) -> Words:
    return np.frombuffer(source.words(count), dtype=">u8").astype(np.uint64)


def _ranks(source: WordSource, total: int, count: int) -> Words:
    """`count` ranks below a total that is more than half a word."""
    if total == 1 << 64:
        return _words(source, count)
    ranks = _words(source, count)
    ranks = ranks[ranks < total]
    while len(ranks) < count:
        more = _words(source, count - len(ranks))
        ranks = np.concatenate([ranks, more[more < total]])
    return ranks


def _entries(weights: TwoWeights, starts: Integers, source: WordSource) -> Integers:
    """What `weights.draw` returns, for each start."""
    ranks = _ranks(source, weights.total, len(starts))
    flat = ranks < weights.flat
    entries = ranks // np.uint64(weights.outside)
    if weights.more:
        beyond = (ranks - np.uint64(weights.flat)) // np.uint64(weights.more)
        entries = np.where(flat, entries, beyond + starts.astype(np.uint64))
    return entries.astype(np.int64)


def _window(mechanism: Window) -> Callable[[Integers, WordSource], Integers]:
    def draw(values: Integers, source: WordSource) -> Integers:
        latest = mechanism.upper + 1 - mechanism.size
        starts = np.clip(values - mechanism.size // 2, 0, latest)
        return _entries(mechanism.weights, starts, source)

    return draw


def _prior_window(mechanism: PriorWindow) -> Callable[[Integers, WordSource], Integers]:
    table = np.array(mechanism.table, dtype=np.int64)
    lower = int(table[0])
    days = np.arange(lower, int(table[-1]) + 1)
    middles = (np.searchsorted(table, days) + np.searchsorted(table, days, side="right")) // 2
    starts = np.clip(middles - mechanism.size // 2, 0, len(table) - mechanism.size)

    def draw(values: Integers, source: WordSource) -> Integers:
        clipped = np.clip(values, lower, table[-1])
        return table[_entries(mechanism.weights, starts[clipped - lower], source)]

    return draw


def _geometric(mechanism: ClampedGeometric) -> Callable[[Integers, WordSource], Integers]:
    noise, lower, upper = mechanism.noise, mechanism.lower, mechanism.upper
    search = _search(noise.sums)
    fallen, centre = np.uint64(noise.sums[-1] if noise.sums else 0), np.uint64(noise.centre)

    def draw(values: Integers, source: WordSource) -> Integers:
        ranks = _ranks(source, noise.total, len(values))
        sided = ranks - centre
        signs = 1 - 2 * (sided & np.uint64(1)).astype(np.int64)
        halves = sided >> np.uint64(1)
        near = search(halves)
        flat = ((halves - fallen) // np.uint64(noise.floor)).astype(np.int64) + len(noise.sums)
        distances = 1 + np.where(halves < fallen, near, flat)
        moves = np.where(ranks < centre, 0, signs * distances)
        moves = np.clip(moves, lower - upper, upper - lower)
        return np.clip(np.clip(values, lower, upper) + moves, lower, upper)

    return draw


def _falling(falling: Falling) -> Callable[[Integers, WordSource], Integers]:
    sums, search = np.array(falling.sums, dtype=np.uint64), _search(falling.sums)
    rights = sums[:0:-1]
    totals = [falling.total(value) for value in range(falling.upper + 1)]
    shares = np.array([(1 << 64) // total for total in totals], dtype=np.uint64)
    limits = [(1 << 64) // total * total for total in totals]

    def draw(values: Integers, source: WordSource) -> Integers:
        values = np.clip(values, 0, falling.upper)
        ranks = _accepted(values, limits, source) // shares[values]
        right = rights[values]
        to_right = ranks < right
        distances = search(np.where(to_right, ranks, ranks - right + sums[1])) - 1
        return values + np.where(to_right, distances, -distances)

    return draw


def _accepted(values: Integers, limits: Sequence[int], source: WordSource) -> Words:
    """A word below its limit for each value; each value takes words until one is accepted.

    A refused word moves all later ones by one value, so the few that any value could refuse are
    gone through one by one, each beside the value whose turn it is.
    """
    suspect = min(limits) - 1  # fits into a word, and no limit refuses less
    kept = _words(source, len(values))
    looked_at = 0
    while True:
        refused: list[int] = []
        for at in (np.flatnonzero(kept[looked_at:] > suspect) + looked_at).tolist():
            if int(kept[at]) >= limits[values[at - len(refused)]]:
                refused.append(at)
        if not refused:
            return kept
        looked_at = len(kept) - len(refused)
        kept = np.concatenate([np.delete(kept, refused), _words(source, len(refused))])


def _search(sums: Sequence[int]) -> Callable[[Words], Integers]:
    """`bisect_right(sums, rank)` for arrays of ranks below the last of `sums`, which ascend.

    A guide table gives the answer for most ranks from their leading bits; only ranks in a bucket
    that some sum divides are searched.
    """
    table = np.array(sums, dtype=np.uint64)
    if not len(table):
        return lambda ranks: np.zeros(len(ranks), dtype=np.int64)
    bits = min(max(len(table).bit_length() + 4, _LEAST_BUCKETS), _MOST_BUCKETS)
    shift = np.uint64(max(int(sums[-1]).bit_length() - bits, 0))
    buckets = np.arange((int(sums[-1]) >> int(shift)) + 1, dtype=np.uint64)
    firsts = np.searchsorted(table, buckets << shift, side="right")
    ends = (buckets << shift) + np.uint64((1 << int(shift)) - 1)
    divided = np.searchsorted(table, ends, side="right") > firsts
    guide = np.where(divided, -1, firsts)

    def search(ranks: Words) -> Integers:
        found: Integers = guide[np.minimum(ranks >> shift, buckets[-1]).astype(np.int64)]
        unsure = np.flatnonzero(found < 0)
        found[unsure] = np.searchsorted(table, ranks[unsure], side="right")
        return found

    return search
