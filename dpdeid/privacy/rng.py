"""The one source of randomness: keyed BLAKE2 streams, or the operating system's.

A stream is named by what is drawn: equal names under one key give equal draws in any process, so no
table of originals is stored, and different names give independent ones. The guarantee of what is
drawn from a keyed stream is computational (BLAKE2 keyed with a secret is a pseudorandom function),
and whoever holds the key can invert every surrogate by enumeration: destroy it when the cohort
closes.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Final, Protocol, Self, TypeVar

KEY_BYTES: Final = 32
T = TypeVar("T")


class Source(Protocol):
    """Anything that gives uniform integers."""

    def randbelow(self, n: int) -> int:
        """A uniform integer in [0, n), n ≥ 1."""


class WordSource(Protocol):
    """Anything that gives many uniform integers at once."""

    def words(self, count: int) -> bytes:
        """`count` uniform 64-bit words, big-endian."""


def derive(key: bytes, purpose: str) -> bytes:
    """A key of its own for one purpose; nothing about `key` can be learned from it."""
    return blake2b(purpose.encode(), key=key[:64], digest_size=KEY_BYTES).digest()


def tag(key: bytes, *parts: str, size: int = 8) -> str:
    """A keyed hash of `parts` as `2 * size` hex digits. Parts cannot run into one another."""
    return blake2b(_framed(*parts), key=key, digest_size=size).hexdigest()


def _framed(*parts: str) -> bytes:
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join([len(data).to_bytes(8, "big") + data for data in encoded])


_EVENT: Final = _framed("event")


class Stream:
    """Uniform integers from one named stream. Not frozen: it moves on with every draw."""

    __slots__ = ("_bits", "_block", "_left", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._bits = 0
        self._left = 0

    def __repr__(self) -> str:
        return "Stream(…)"

    def _take(self, bits: int) -> int:
        while self._left < bits:
            block = blake2b(self._block.to_bytes(8, "big"), key=self._seed, digest_size=64).digest()
            self._bits = self._bits << 512 | int.from_bytes(block, "big")
            self._left += 512
            self._block += 1
        self._left -= bits
        taken = self._bits >> self._left
        self._bits &= (1 << self._left) - 1
        return taken

    def randbelow(self, n: int) -> int:
        """A uniform integer in [0, n), n ≥ 1, by exact rejection."""
        if n < 1:
            raise ValueError("randbelow needs n >= 1")
        bits = (n - 1).bit_length()
        while (drawn := self._take(bits)) >= n:
            pass
        return drawn

    def words(self, count: int) -> bytes:
        """The next `count` 64-bit words, big-endian: what as many randbelow(2^64) would return."""
        bits = 64 * count
        blocks = max(-(-(bits - self._left) // 512), 0)
        numbers = range(self._block, self._block + blocks)
        block = partial(blake2b, key=self._seed, digest_size=64)
        drawn = b"".join([block(number.to_bytes(8, "big")).digest() for number in numbers])
        self._block += blocks
        whole = self._bits << 512 * blocks | int.from_bytes(drawn, "big")
        self._left += 512 * blocks - bits
        self._bits = whole & ((1 << self._left) - 1)
        return (whole >> self._left).to_bytes(8 * count, "big")

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, uniformly."""
        return options[self.randbelow(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """`options` in uniform order (Fisher–Yates)."""
        out = list(options)
        for last in range(len(out) - 1, 0, -1):
            other = self.randbelow(last + 1)
            out[last], out[other] = out[other], out[last]
        return out


class SystemSource:
    """The operating system's randomness, for draws that need not be repeated."""

    def randbelow(self, n: int) -> int:
        return secrets.randbelow(n)

    def words(self, count: int) -> bytes:
        """`count` 64-bit words."""
        return secrets.token_bytes(8 * count)


@dataclass(frozen=True, slots=True)
class Streams:
    """Named streams of one privacy unit.

    Args:
        key: a derived key of at least 16 bytes.
        unit: the tag of the unit in its charges.
        scope: part of every name, so that units draw independently; by default the tag. A cohort
            gives its own, so that the key of the ledger changes no draw.
    """

    key: bytes = field(repr=False)
    unit: str
    scope: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", self.scope or self.unit)

    @classmethod
    def fresh(cls, unit: str) -> Self:
        """Streams that no later call repeats, under a key of the operating system that is kept
        nowhere. The tags of their events are keyed by it: each call's draws are charged anew.
        """
        return cls(secrets.token_bytes(KEY_BYTES), unit)

    def stream(self, *name: str) -> Stream:
        """The stream called `name`: purpose first, then mechanism, parameters, anchor, value."""
        framed = _framed(self.scope, *name)
        return Stream(blake2b(framed, key=self.key, digest_size=KEY_BYTES).digest())

    def event(self, *name: str) -> str:
        """A keyed hash of a draw's name, for its charge."""
        return tag(self.key, "event", self.scope, *name)

    def named(self, *name: str) -> tuple[Stream, str]:
        """The stream and the event of one name, in less time than each alone."""
        framed = _framed(self.scope, *name)
        seed = blake2b(framed, key=self.key, digest_size=KEY_BYTES).digest()
        return Stream(seed), blake2b(_EVENT + framed, key=self.key, digest_size=8).hexdigest()

    def shared(self) -> Streams:
        """Streams that all units of the cohort share (for staff and hospitals)."""
        return Streams(self.key, "cohort")
