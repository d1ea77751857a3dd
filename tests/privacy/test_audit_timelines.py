"""Black-box audits of whole timelines: two records of one skeleton, their surrogates compared.

An event is chosen on one half of the samples and its odds are bounded from below on the other half
(Clopper and Pearson), so a bound above a stated ε refutes it, with an error of one in a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from scipy.stats import beta

from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import Kind, Paper, Point, Strict
from tests.privacy.making import E0, point

SAMPLES = 1_600
ALPHA = 0.0005
THRESHOLDS = (0, 7, 30, 61, 200, 660, 2_000, 8_000)
Sample = tuple[int, ...]
Event = Callable[[Sample], bool]


def samples(mode: Paper | Strict, points: list[Point]) -> list[Sample]:
    """Surrogate gaps to e0 of a record, under many keys."""
    found = []
    for n in range(SAMPLES):
        streams = Streams(n.to_bytes(32, "big"), "unit")
        released = mode.release(points, e0=E0, streams=streams)
        found.append(tuple(E0 - (got.day or 0) for got in released))
    return found


def events(width: int) -> Iterator[Event]:
    """Gaps to e0 and gaps between neighbours, on either side of public thresholds."""
    for at in range(width):
        for limit in THRESHOLDS:
            yield lambda s, at=at, limit=limit: s[at] > limit  # type: ignore[misc]
            yield lambda s, at=at, limit=limit: s[at] <= limit  # type: ignore[misc]
            if at:
                yield lambda s, at=at, limit=limit: abs(s[at] - s[at - 1]) > limit  # type: ignore[misc]
                yield lambda s, at=at, limit=limit: abs(s[at] - s[at - 1]) <= limit  # type: ignore[misc]


def bound(mode: Paper | Strict, one: list[Point], other: list[Point]) -> float:
    """A lower bound on the ε of a mode, from two records of one skeleton."""
    first, second = samples(mode, one), samples(mode, other)
    half = SAMPLES // 2
    event, a, b = max(
        (
            (event, *side)
            for event in events(len(one))
            for side in ((first, second), (second, first))
        ),
        key=lambda found: _lower(found[0], found[1][:half], found[2][:half]),
    )
    return _lower(event, a[half:], b[half:])


def _lower(event: Event, a: list[Sample], b: list[Sample]) -> float:
    """What ln P(event | a) − ln P(event | b) is at least."""
    hits, misses = sum(map(event, a)), sum(map(event, b))
    if hits == 0 or misses == len(b):
        return -math.inf
    likely = beta.ppf(ALPHA, hits, len(a) - hits + 1)
    return math.log(likely / beta.ppf(1 - ALPHA, misses + 1, len(b) - misses))


def record(*backs: int) -> list[Point]:
    """A note and the dates before it, by the days before e0."""
    return [
        point(-back, Kind.NOTE if at == 0 else Kind.EVENT, 0)._replace(name=f"date {at}")
        for at, back in enumerate(backs)
    ]


def strict(epsilon: Fraction, dates: int) -> Strict:
    return Strict(
        mechanism="prior_window", epsilon=epsilon / dates, birth_epsilon=Fraction(1), cap=dates
    )


@pytest.mark.parametrize("backs", [((50,), (700,)), ((400, 430), (400, 1_300))])
def test_the_paper_fails_across_categories_and_strict_passes(
    backs: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    """Same skeleton, stated ε = 1: the category that the chain chooses tells the records apart."""
    one, other = (record(*these) for these in backs)
    stated = Fraction(1)
    assert bound(Paper(epsilon=stated), one, other) > 3 * stated
    assert bound(strict(stated, len(one)), one, other) <= stated


def test_the_audit_has_power() -> None:
    """It finds most of an ε that is there, so passing it means something."""
    one, other = record(10), record(3_000)
    found = bound(strict(Fraction(2), 1), one, other)
    assert 0.6 * 2 < found <= 2


def test_the_paper_passes_within_one_category() -> None:
    """What it does promise: given the category, order and count, each interval is ε-LDP."""
    assert bound(Paper(epsilon=Fraction(1)), record(5), record(58)) <= 1
