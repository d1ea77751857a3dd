"""The draws of one note: a named stream of the seed, with the few shapes that the bank needs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp, log
from typing import Final, TypeVar

from dpdeid.privacy.rng import Stream, derive, tag

T = TypeVar("T")
_FINE: Final = 1 << 30


class Dice(Stream):
    """Uniform and weighted draws. Not frozen: every draw moves it on."""

    __slots__ = ()

    @classmethod
    def of(cls, seed: int, *name: str) -> Dice:
        """The dice called `name` under `seed`: equal names give equal draws in any process."""
        return cls(bytes.fromhex(tag(_key(seed), *name, size=32)))

    def chance(self, percent: int) -> bool:
        """True in `percent` of 100 draws."""
        return self.randbelow(100) < percent

    def between(self, low: int, high: int) -> int:
        """A uniform integer in [low, high]."""
        return low + self.randbelow(high - low + 1)

    def weighted(self, options: Sequence[T], sums: Sequence[int]) -> T:
        """One of `options` whose running sums of weights are `sums`."""
        return options[bisect_right(sums, self.randbelow(sums[-1]))]

    def by_rank(self, count: int) -> int:
        """A rank in [0, count), the first ones most often: uniform in the logarithm of rank + 9."""
        uniform = self.randbelow(_FINE) / _FINE
        return min(count - 1, int(exp(log(9) + uniform * (log(count + 9) - log(9)))) - 9)

    def digits(self, count: int) -> str:
        """`count` decimal digits."""
        return f"{self.randbelow(10**count):0{count}d}"

    def letters(self, count: int) -> str:
        """`count` capital letters."""
        return "".join(self.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(count))


def sums(weights: Sequence[int]) -> list[int]:
    """Running sums, as `Dice.weighted` wants them."""
    return list(accumulate(weights))


@lru_cache(8)
def _key(seed: int) -> bytes:
    return derive(b"dpdeid synth", str(seed))
