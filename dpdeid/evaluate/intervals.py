"""Intervals of shares over notes, never narrower than their bootstrap nor than an exact one.

The bootstrap alone gives [100, 100] where nothing was missed, and the spread of two notes for the
truth. Words of one note are missed together, so that an exact interval on words would be too
narrow. What is exact here is Clopper and Pearson's on an effective number of trials, as Korn and
Graubard (1998) do it for clustered samples: p (1 − p) over the variance of the figure, which the
bootstrap over notes gives, less what few notes cost (Student's quantile in the place of the normal
one). Every note counts as one trial, as if its words were all missed or all found together, where
the samples do not vary (nothing missed, or nothing found), and where fewer than nine notes cannot
tell how they vary (eight degrees of freedom, as the standards of the U.S. National Center for
Health Statistics ask for, Parker et al. 2017).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np

from dpdeid.evaluate.bootstrap import LEVEL, interval
from dpdeid.evaluate.student import inside
from dpdeid.evaluate.table import Floats
from dpdeid.privacy.audit import at_least

_TAIL: Final = (1 - LEVEL) / 2
_ENOUGH: Final = 9
"""Fewer notes do not tell how notes vary."""
_ROUNDING: Final = 1e-9
"""What floats may be off: counts are whole numbers, and their ratios are not."""


def share_interval(values: Floats, notes: int) -> tuple[float, float]:
    """The interval of a share at `bootstrap.LEVEL`: bootstrap and exact one united; nan of nothing.

    Args:
        values: the share over all notes, then over each sample.
        notes: how many notes say anything of it.
    """
    share, (low, high) = float(values[0]), interval(values)
    if math.isnan(low) or math.isnan(share):
        return low, high
    exact = _exact(share, _trials(share, values[1:], notes))
    return min(low, exact[0]), max(high, exact[1])


def _trials(share: float, samples: Floats, notes: int) -> int:
    """As many independent trials as the notes are worth."""
    spread = float(np.nanvar(samples))
    if spread <= _ROUNDING**2 or notes < _ENOUGH:
        return notes
    unbiased = spread * notes / (notes - 1)
    few = _quantile(notes - 1) / _quantile(None)
    return max(1, math.floor(share * (1 - share) / (unbiased * few**2)))


def _exact(share: float, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's, of the hits below and above where they are no whole number."""
    hits = share * trials
    low = at_least(math.floor(hits + _ROUNDING), trials, _TAIL)
    high = 1 - at_least(trials - math.ceil(hits - _ROUNDING), trials, _TAIL)
    return low, high


@cache
def _quantile(df: int | None) -> float:
    """The two-sided quantile of Student's distribution at `LEVEL`; None for the normal one."""
    low, high = 0.0, 1_000.0
    for _ in range(60):
        middle = (low + high) / 2
        below = math.erf(middle / math.sqrt(2)) if df is None else inside(middle, df)
        low, high = (middle, high) if below < LEVEL else (low, middle)
    return high
