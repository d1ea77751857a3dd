"""One likely block of entries among equally unlikely ones: the draw of all windows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpdeid.privacy.domains import WORD
from dpdeid.privacy.exact import SCALE, exp_below, log_above
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.rng import Source


@dataclass(frozen=True, slots=True)
class TwoWeights:
    """Integer weights `outside` and `outside + more` with a ratio ≤ exp(ε).

    A draw takes a flat rank with a total of `flat` (all entries at `outside`), else one of the
    block's `more`; `total`, at most a word, is the same wherever the block starts.
    """

    outside: int
    more: int
    flat: int
    total: int

    def draw(self, start: int, source: Source) -> int:
        """An entry, the block starting at `start`."""
        rank = source.randbelow(self.total)
        if rank < self.flat:
            return rank // self.outside
        return start + (rank - self.flat) // self.more

    @property
    def inside(self) -> int:
        """The weight of an entry of the block."""
        return self.outside + self.more

    def loss(self) -> Epsilon:
        """ln of the two weights."""
        return Epsilon(log_above(self.inside, self.outside))


@lru_cache(maxsize=256)
def two_weights(epsilon: Fraction, entries: int, block: int) -> TwoWeights:
    """The weights for `entries` of which `block` are likely, as large as a word allows.

    Their ratio is below exp(ε) by about entries / 2^64, and by more only where exp(ε) itself leaves
    no room, which is the safe side.
    """
    gain = exp_below(epsilon) - SCALE
    outside = max(WORD * SCALE // (entries * SCALE + gain * block), 1)
    flat = outside * entries
    more = min(outside * gain // SCALE, (WORD - flat) // block)
    return TwoWeights(outside, more, flat, flat + more * block)
