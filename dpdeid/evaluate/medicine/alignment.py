"""Which atoms of a text stand in another text as well, in the same order.

An atom is a run of letters, a run of digits or one mark. The pairs are a longest common subsequence
(bit-parallel: Hyyrö 2004), so that no alignment keeps more atoms; of several that keep as many one
is taken. Time grows with the product of the lengths over 64, memory too: 20,000 atoms on both sides
take 50 MB and a second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_ATOM: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")

Pairs = list[tuple[int, int]]
"""Indices on both sides, rising on both."""


class Atom(NamedTuple):
    """A stretch of a text: code points, half-open."""

    start: int
    end: int
    text: str


def atoms(text: str) -> list[Atom]:
    """The atoms of a text; only white space lies between them."""
    return [Atom(*match.span(), match[0]) for match in _ATOM.finditer(text)]


def common(one: Sequence[str], other: Sequence[str]) -> Pairs:
    """The pairs of a longest common subsequence.

    >>> common("abc", "axc")
    [(0, 0), (2, 2)]
    """
    head = _alike(one, other)
    rest, its_rest = one[head:], other[head:]
    tail = _alike(rest[::-1], its_rest[::-1])
    middle = _longest(rest[: len(rest) - tail], its_rest[: len(its_rest) - tail])
    return [
        *((at, at) for at in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(one) - at, len(other) - at) for at in range(tail, 0, -1)),
    ]


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items both begin with."""
    same = 0
    for item, its in zip(one, other, strict=False):
        if item != its:
            break
        same += 1
    return same


def _longest(one: Sequence[str], other: Sequence[str]) -> Pairs:
    """A row for each item of `one`: bit j is 0 where `other[: j + 1]` has one item more in common
    with `one` up to there than `other[:j]`.
    """
    places: dict[str, int] = {}
    for at, item in enumerate(other):
        places[item] = places.get(item, 0) | 1 << at
    full = (1 << len(other)) - 1
    row, rows = full, []
    for item in one:
        found = row & places.get(item, 0)
        row = (row + found | row - found) & full
        rows.append(row)
    pairs = []
    i, j = len(one), len(other)
    while i and j:
        if rows[i - 1] >> (j - 1) & 1:
            j -= 1
        else:
            i -= 1
            if not i or rows[i - 1] >> (j - 1) & 1:
                j -= 1
                pairs.append((i, j))
    return pairs[::-1]
