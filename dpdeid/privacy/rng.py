"""The one source of randomness: keyed BLAKE2 and SHAKE streams, or the operating system's.

A stream is named by what is drawn: equal names under one key give equal draws in any process, so no
table of originals is stored, and different names give independent ones. One keyed BLAKE2 digest a
name is parted into the tag of its event (8 bytes, which a ledger shows), the first bits of its
stream (24 bytes) and the seed of all further ones (32 bytes): parts of the output of a
pseudorandom function are independent, so that a tag tells nothing of a draw.

The guarantee of what is drawn from a keyed stream is computational (BLAKE2 keyed with a secret, and
SHAKE-128 behind one, are pseudorandom functions), and whoever holds the key can invert every
surrogate by enumeration: destroy it when the cohort closes.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, shake_128
from struct import Struct
from typing import Final, Protocol, Self, TypeVar

KEY_BYTES: Final = 32
WIDE: Final = 1 << 128
_TAG: Final = 8  # bytes of a keyed hash, if not asked otherwise
_PIECE: Final = 64  # bytes of one BLAKE2 digest
_PARTS: Final = Struct(f"{_TAG}s24s32s")  # of the digest of a name: event, first bytes, seed
_MARK: Final = "\0"
_BITS: Final = 8 * _PIECE
_FIRST: Final = 8  # pieces from BLAKE2; whoever takes more gets them from SHAKE
_BULK: Final = 128  # pieces of one SHAKE digest
T = TypeVar("T")


class Source(Protocol):
    """Anything that gives uniform integers."""

    def randbelow(self, n: int) -> int:
        """A uniform integer in [0, n), n ≥ 1."""


def wide_rank(total: int, source: Source) -> int:
    """A uniform integer below a total of at most 2^120, from two words (a refusal: two more)."""
    share = WIDE // total
    while (rank := source.randbelow(WIDE) // share) >= total:
        pass
    return rank


def derive(key: bytes, purpose: str) -> bytes:
    """A key of its own for one purpose; nothing about `key` can be learned from it."""
    if len(key) > _PIECE:  # the key of a BLAKE2 is no longer; keys that begin alike differ
        key = blake2b(key, person=b"dpdeid long key", digest_size=_PIECE).digest()
    return blake2b(purpose.encode(), key=key, digest_size=KEY_BYTES).digest()


def tag(key: bytes, *parts: str, size: int = _TAG) -> str:
    """A keyed hash of `parts` as `2 * size` hex digits. Parts cannot run into one another.

    Args:
        key: derived, so of at most 64 bytes.
    """
    return blake2b(_framed(*parts), key=key, digest_size=size).hexdigest()


_SMALL: Final = tuple(number.to_bytes(8, "big") for number in range(256))


def _framed(*parts: str) -> bytes:
    framed = b""
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        size = len(data)
        framed += (_SMALL[size] if size < 256 else size.to_bytes(8, "big")) + data
    return framed


class Stream:
    """Uniform integers from one named stream. Not frozen: it moves on with every draw.

    The first 512 bytes from the seed are keyed BLAKE2, quick to start for the few draws of one
    event; all further ones come in long digests of SHAKE-128 behind it (a strength of 128 bits),
    quick for columns.

    Args:
        seed: of as many bits as are asked for.
        head: uniform bytes that come before all others, independent of the seed.
    """

    __slots__ = ("_bits", "_block", "_bulk", "_left", "_piece", "_seed")

    def __init__(self, seed: bytes, head: bytes = b"") -> None:
        self._seed = seed
        self._piece = 0
        self._bits = int.from_bytes(head)
        self._left = 8 * len(head)
        self._block = -1
        self._bulk = b""

    def __repr__(self) -> str:
        return "Stream(…)"

    def _next(self) -> bytes:
        """The next piece of 64 bytes."""
        piece = self._piece
        self._piece = piece + 1
        if piece < _FIRST:
            return blake2b(_SMALL[piece], key=self._seed, digest_size=_PIECE).digest()
        block, at = divmod(piece - _FIRST, _BULK)
        if block != self._block:
            self._block, self._bulk = block, self._long(block)
        return self._bulk[_PIECE * at : _PIECE * (at + 1)]

    def _long(self, block: int) -> bytes:
        return shake_128(self._seed + block.to_bytes(8, "big")).digest(_PIECE * _BULK)

    def _pieces(self, count: int) -> bytes:
        """The next `count` pieces, whole digests at once."""
        parts = []
        end = self._piece + count
        while self._piece < end:
            block, at = divmod(self._piece - _FIRST, _BULK)
            if block >= 0 and at == 0 and end - self._piece >= _BULK:
                parts.append(self._long(block))
                self._piece += _BULK
            else:
                parts.append(self._next())
        return b"".join(parts)

    def randbelow(self, n: int) -> int:
        """A uniform integer in [0, n), n ≥ 1, by exact rejection."""
        if n < 1:
            raise ValueError("randbelow needs n >= 1")
        bits, left = (n - 1).bit_length(), self._left
        while True:
            while left < bits:
                self._bits = self._bits << _BITS | int.from_bytes(self._next(), "big")
                left += _BITS
            left -= bits
            drawn = self._bits >> left
            self._bits ^= drawn << left
            if drawn < n:
                self._left = left
                return drawn

    def words(self, count: int) -> bytes:
        """The next `count` 64-bit words, big-endian: what as many randbelow(2^64) would return."""
        bits = 64 * count
        pieces = max(-(-(bits - self._left) // _BITS), 0)
        whole = self._bits << _BITS * pieces | int.from_bytes(self._pieces(pieces), "big")
        self._left += _BITS * pieces - bits
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


@dataclass(frozen=True, slots=True)
class Streams:
    """Named streams of one privacy unit.

    Args:
        key: a derived key of at least 16 bytes.
        unit: the tag of the unit in its charges.
        scope: part of every name, so that units draw independently; by default the tag. A cohort
            gives its own, so that the key of the ledger changes no draw.

    Key and scope are hashed once; every name goes on from a copy of that hash.
    """

    key: bytes = field(repr=False)
    unit: str
    scope: str = ""
    _opened: blake2b = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        scope = self.scope or self.unit
        opened = blake2b(_framed("draw", scope), key=self.key, digest_size=_PIECE)
        object.__setattr__(self, "scope", scope)
        object.__setattr__(self, "_opened", opened)

    def __reduce__(self) -> tuple[type[Streams], tuple[bytes, str, str]]:
        return type(self), (self.key, self.unit, self.scope)

    @classmethod
    def fresh(cls, unit: str) -> Self:
        """Streams that no later call repeats, under a key of the operating system that is kept
        nowhere. The tags of their events are keyed by it: each call's draws are charged anew.
        """
        return cls(secrets.token_bytes(KEY_BYTES), unit)

    def stream(self, *name: str) -> Stream:
        """The stream called `name`: purpose first, then mechanism, parameters, anchor, value."""
        return self.named(*name)[0]

    def event(self, *name: str) -> str:
        """A keyed hash of a draw's name, for its charge."""
        return self._digest(name)[:_TAG].hex()

    def named(self, *name: str) -> tuple[Stream, str]:
        """The stream and the event of one name, for the price of one of them."""
        event, head, seed = _PARTS.unpack(self._digest(name))
        return Stream(seed, head), event.hex()

    def _digest(self, name: tuple[str, ...]) -> bytes:
        """64 bytes for a name. Its parts are joined by a mark that no text holds; where one does,
        their lengths follow, behind a byte that no UTF-8 holds.
        """
        joined = _MARK.join(name)
        framed = joined.encode("utf-8", "surrogatepass")
        if joined.count(_MARK) >= len(name):
            framed += b"\xff%a" % [*map(len, name)]
        digest = self._opened.copy()
        digest.update(framed)
        return digest.digest()

    def shared(self) -> Streams:
        """Streams that all units of the cohort share (for staff and hospitals)."""
        return Streams(self.key, "cohort")
