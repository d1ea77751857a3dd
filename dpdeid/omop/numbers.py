"""Released ids: keyed permutations of whole numbers, so that no two ids come out as one.

A Feistel network (Luby and Rackoff 1988) with ten rounds of keyed BLAKE2. Ids below 2^52, which
all but hashed ones are, are permuted among themselves: R and pandas keep them exactly, even where
they make floating-point numbers of integers. All others of 64 bits are permuted among themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

_ROUNDS: Final = 10
_HALF, _WIDE_HALF = 26, 32
_EXACT: Final = 1 << 2 * _HALF
_WIDE: Final = 1 << 2 * _WIDE_HALF


@dataclass(frozen=True, slots=True)
class Numbers:
    """Keyed numbers for ids of one kind.

    Args:
        key: of 16 to 64 bytes, for this kind alone.
    """

    key: bytes = field(repr=False)

    def __call__(self, number: int) -> int:
        """The released number of an id.

        Raises:
            ValueError: it has more than 64 bits.
        """
        if 0 <= number < _EXACT:
            return self._mixed(number, _HALF)
        if not -_WIDE // 2 <= number < _WIDE // 2:
            raise ValueError("an id has more than 64 bits")
        number %= _WIDE
        while (number := self._mixed(number, _WIDE_HALF)) < _EXACT:
            pass
        return number if number < _WIDE // 2 else number - _WIDE

    def _mixed(self, number: int, half: int) -> int:
        mask = (1 << half) - 1
        left, right = number >> half, number & mask
        for turn in range(_ROUNDS):
            data = bytes((half, turn)) + right.to_bytes(4, "big")
            mixed = int.from_bytes(blake2b(data, key=self.key, digest_size=4).digest(), "big")
            left, right = right, left ^ (mixed & mask)
        return left << half | right


def rank(number: int) -> bytes:
    """Bytes that sort as numbers of 64 bits do."""
    return (number + _WIDE // 2).to_bytes(8, "big")
