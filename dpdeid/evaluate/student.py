"""Student's t test for two sets of runs, in a few lines instead of a dependency."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TTest:
    """Of equal means in two groups of equal variance.

    Args:
        t: the statistic; nan where no run differs from the others of its group.
        df: degrees of freedom.
        p: two-sided.
    """

    t: float
    df: int
    p: float


def t_test(a: Sequence[float], b: Sequence[float]) -> TTest:
    """Student's two-sample test with the pooled variance, as the AP-HP study uses it.

    Raises:
        ValueError: a group has fewer than two runs.
    """
    if min(len(a), len(b)) < 2:
        raise ValueError("a t test needs two runs or more on each side")
    df = len(a) + len(b) - 2
    pooled = ((len(a) - 1) * statistics.variance(a) + (len(b) - 1) * statistics.variance(b)) / df
    if not pooled > 0:
        return TTest(math.nan, df, math.nan)
    t = (statistics.fmean(a) - statistics.fmean(b)) / math.sqrt(pooled / len(a) + pooled / len(b))
    return TTest(t, df, 1.0 - inside(abs(t), df))


def inside(t: float, df: int) -> float:
    """The probability of (−t, t) under Student's distribution: a finite sum for whole `df`.

    Abramowitz and Stegun 1964, 26.7.3 and 26.7.4.
    """
    theta = math.atan(t / math.sqrt(df))
    sine, cosine = math.sin(theta), math.cos(theta)
    odd = df % 2
    term, total = cosine if odd else 1.0, 0.0
    for j in range(1, df // 2 + 1):
        total += term
        term *= cosine**2 * (2 * j / (2 * j + 1) if odd else (2 * j - 1) / (2 * j))
    return 2 / math.pi * (theta + sine * total) if odd else sine * total
