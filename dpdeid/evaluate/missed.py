"""How many identifiers are still in place, by those who read: all of some words, a random sample of
the others. Exact for draws without replacement; of these words, not of others like them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

FAILURE: Final = 0.05
"""The interval misses the truth with at most this probability over the draw."""
_ROUNDING: Final = 1e-9
"""What a sum of floats may be off; it makes the interval wider."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Words that were to be read.

    Args:
        identifying: how many of them identify.
        open: how many were not answered, or not for sure.
    """

    words: int = 0
    identifying: int = 0
    open: int = 0


@dataclass(frozen=True, slots=True)
class Missed:
    """Identifiers in place: unbiased where no answer is open, and the interval of `FAILURE`.

    Args:
        likely: as if the open answers were like the others of the sample, and harmless of the rest.
    """

    likely: float
    low: int
    high: int

    def recall(self, taken: float) -> tuple[float, float, float]:
        """The share that was taken and its interval, if so many were taken; nan of nothing."""
        likely, low, high = (
            taken / (taken + left) if taken + left else math.nan
            for left in (self.likely, self.high, self.low)
        )
        return likely, low, high


def missed(riskiest: Asked, drawn: Asked, others: int) -> Missed:
    """What is in place.

    Args:
        drawn: at random from `others`, without replacement.
        others: all words but the riskiest. What is open counts as harmless at the low end and as
            identifying at the high one.
    """
    low, _ = among(drawn.identifying, drawn.words, others)
    _, high = among(drawn.identifying + drawn.open, drawn.words, others)
    sure = drawn.words - drawn.open
    likely = drawn.identifying * others / sure if sure else 0.0
    found = riskiest.identifying
    return Missed(found + likely, found + low, found + riskiest.open + high)


@lru_cache
def among(hits: int, drawn: int, others: int) -> tuple[int, int]:
    """How many there may be among all, if so many of the drawn are: the hypergeometric interval."""
    return others - _most(drawn - hits, drawn, others), _most(hits, drawn, others)


def _most(hits: int, drawn: int, others: int) -> int:
    """The most there can be that give so few hits with a chance over half of `FAILURE`."""
    counts = range(hits, others - (drawn - hits) + 1)
    tail = FAILURE / 2 - _ROUNDING
    above = bisect_left(counts, True, key=lambda n: _at_most(hits, drawn, others, n) <= tail)
    return counts[above - 1]


def _at_most(hits: int, drawn: int, others: int, all_hits: int) -> float:
    """P(at most `hits` of the drawn), if `all_hits` of the others are."""
    least = max(0, drawn - (others - all_hits))
    whole = _log_choices(others, drawn)
    return sum(
        math.exp(_log_choices(all_hits, n) + _log_choices(others - all_hits, drawn - n) - whole)
        for n in range(least, hits + 1)
    )


def _log_choices(of: int, taken: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(taken + 1) - math.lgamma(of - taken + 1)
