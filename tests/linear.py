"""How time grows with the length of the work, measured so that noise cannot fail a test."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

LIMIT: Final = 2.6
"""What twice the work may cost: 2 for linear work, and some slack."""
_ENOUGH: Final = 0.002
"""Seconds of processor time below which a ratio is noise."""

Work = Callable[[], object]


def spent(work: Work) -> float:
    """Seconds of processor time, the collector of garbage at rest (it is not linear)."""
    gc.collect(0)
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def growth(make: Callable[[int], Work], length: int = 2_000, most: int = 8_000) -> float:
    """time(2n)/time(n) of `make(n)`, n from `length` on and large enough to be measured.

    Least times of at least three runs in turn. A ratio over the limit is measured again from
    twice the length on over four times it, then over eight, as the mean growth of one doubling:
    noise of the clock fades with the root, what is not linear stays.
    """
    while spent(make(length)) < _ENOUGH and length < most:
        length *= 2
    found = float("inf")
    for doublings in (1, 2, 3):
        short, long = make(length), make(length * 2**doublings)
        best_short = best_long = float("inf")
        for times in range(7):
            best_short = min(best_short, spent(short))
            best_long = min(best_long, spent(long))
            each = (best_long / best_short) ** (1 / doublings)
            if times >= 2 and each <= LIMIT:
                return each
        found = min(found, each)
        length *= 2
    return found
