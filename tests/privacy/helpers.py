"""Exact comparisons of probabilities, and a chi-square test that needs no library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from dpdeid.privacy.exact import SCALE, exp_below
from dpdeid.privacy.mechanisms.contract import Mechanism
from dpdeid.privacy.rng import Stream, Streams

HAIR = Fraction(1, 10**49)
"""`at_most_exp` errs by less on the safe side; for comparing a bound with what it was made from."""
STREAMS = Streams(bytes(range(32)), "unit")


def probabilities(mechanism: Mechanism, value: int) -> list[Fraction]:
    """The exact probability of each value of the domain."""
    weights = mechanism.pmf(value)
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights]


def mean_error(mechanism: Mechanism) -> float:
    """Mean distance between input and output in days, inputs uniform on the domain."""
    domain = mechanism.domain
    errors = (
        sum(p * abs(value - output) for output, p in zip(domain, row, strict=True))
        for value in domain
        for row in [probabilities(mechanism, value)]
    )
    return float(sum(errors) / len(domain))


def at_most_exp(ratio: Fraction, epsilon: Fraction) -> bool:
    """Whether ratio ≤ exp(epsilon), decided in integers."""
    return ratio * SCALE <= exp_below(epsilon)


def chi_square_fits(counts: Counter[int], expected: dict[int, Fraction]) -> bool:
    """Whether counts could come from these probabilities (five standard deviations).

    Outcomes expected less than ten times are pooled.
    """
    total = sum(counts.values())
    assert counts.keys() <= expected.keys()
    cells: list[tuple[int, float]] = []
    pooled, pooled_expected = 0, 0.0
    for outcome, probability in expected.items():
        mean = float(probability * total)
        if mean >= 10:
            cells.append((counts[outcome], mean))
        else:
            pooled, pooled_expected = pooled + counts[outcome], pooled_expected + mean
    if pooled_expected >= 1:
        cells.append((pooled, pooled_expected))
    statistic = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    freedom = len(cells) - 1
    return statistic <= freedom + 5 * math.sqrt(2 * freedom)


def sample(draw: Callable[[Stream], int], times: int) -> Counter[int]:
    """How often each outcome was drawn, from one fixed stream."""
    stream = STREAMS.stream("test")
    return Counter(draw(stream) for _ in range(times))


def worst_ratio(rows: Sequence[Sequence[Fraction]]) -> Fraction:
    """The largest quotient of two probabilities of one output, over all pairs of rows."""
    columns = zip(*rows, strict=True)
    return max((max(column) / min(column) for column in columns), default=Fraction(1))
