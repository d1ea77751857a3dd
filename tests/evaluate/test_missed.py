"""What is still in place, by readers: the interval covers the truth, whatever the truth is."""

from __future__ import annotations

import math
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from dpdeid.evaluate.missed import FAILURE, Asked, among, missed


@pytest.mark.parametrize("others", range(1, 13))
def test_it_covers_every_small_population(others: int) -> None:
    for drawn in range(others + 1):
        ends = [among(hits, drawn, others) for hits in range(drawn + 1)]
        for truth in range(others + 1):
            draws = sum(
                comb(truth, hits) * comb(others - truth, drawn - hits)
                for hits, (low, high) in enumerate(ends)
                if low <= truth <= high
            )
            assert draws >= (1 - FAILURE) * comb(others, drawn)


@given(st.integers(1, 20_000), st.data())
def test_the_ends_are_those_of_scipy(others: int, data: st.DataObject) -> None:
    drawn = data.draw(st.integers(1, min(others, 500)))
    hits = data.draw(st.integers(0, drawn))
    low, high = among(hits, drawn, others)
    likeliest = min((others + 1) * hits // drawn, others)
    assert hits <= low <= likeliest <= high <= others - (drawn - hits)
    tail, near = FAILURE / 2, 1e-6
    assert hypergeom.cdf(hits, others, high, drawn) > tail - near
    assert hypergeom.cdf(hits, others, high + 1, drawn) <= tail + near or high == others - (
        drawn - hits
    )
    assert hypergeom.sf(hits - 1, others, low, drawn) > tail - near
    assert low == hits or hypergeom.sf(hits - 1, others, low - 1, drawn) <= tail + near


def test_all_read_is_known_and_nothing_drawn_is_open() -> None:
    assert among(3, 40, 40) == (3, 3)
    assert among(0, 0, 40) == (0, 40)
    assert among(0, 0, 0) == (0, 0)


def test_both_parts_together() -> None:
    found = missed(Asked(50, 7), Asked(100, 2), 1_000)
    low, high = among(2, 100, 1_000)
    assert (found.likely, found.low, found.high) == (7 + 20, 7 + low, 7 + high)


def test_open_answers_widen_both_ways() -> None:
    known = missed(Asked(50, 7), Asked(100, 2), 1_000)
    wide = missed(Asked(50, 7, open=4), Asked(100, 2, open=1), 1_000)
    assert (wide.likely, wide.low) == (7 + 2 * 1_000 / 99, known.low)
    assert wide.high == 7 + 4 + among(3, 100, 1_000)[1]


def test_recall_falls_with_what_is_missed() -> None:
    found = missed(Asked(10, 10), Asked(), 0)
    assert found.recall(90) == (0.9, 0.9, 0.9)
    found = missed(Asked(10, 1), Asked(10, 1), 100)
    best, low, high = found.recall(89)
    assert best == 0.89
    assert low < best < high
    assert all(map(math.isnan, missed(Asked(), Asked(), 0).recall(0)))


def test_about_how_many_to_draw() -> None:
    """The rule of docs/review.md."""
    for others, drawn in ((12_000, 300), (40_000, 1_000), (100_000, 300)):
        assert among(0, drawn, others)[1] == pytest.approx(3.7 * others / drawn, rel=0.03)
