"""The span algebra: sorted, disjoint, covers the union, order-independent, idempotent."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Span
from dpdeid.labels import Label
from dpdeid.spans import Overlaps, covered, disjoint, trim
from dpdeid.testing.strategies import spans


@given(st.lists(spans()))
def test_result_is_sorted_and_disjoint(proposed: list[Span]) -> None:
    assert all(a.end <= b.start for a, b in pairwise(disjoint(proposed)))


@given(st.lists(spans()))
def test_result_covers_exactly_the_union(proposed: list[Span]) -> None:
    assert covered(disjoint(proposed)) == covered(proposed)


@given(st.lists(spans()), st.randoms(use_true_random=False))
def test_result_does_not_depend_on_the_order(proposed: list[Span], random: object) -> None:
    shuffled = list(proposed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert disjoint(shuffled) == disjoint(proposed)


@given(st.lists(spans()))
def test_placing_the_result_again_changes_nothing(proposed: list[Span]) -> None:
    once = disjoint(proposed)
    assert disjoint(once) == once


@given(st.lists(spans()))
def test_every_piece_comes_from_a_proposal(proposed: list[Span]) -> None:
    for piece in disjoint(proposed):
        assert any(
            p.start <= piece.start and piece.end <= p.end and p.label == piece.label
            for p in proposed
        )


@given(st.lists(spans(), min_size=1))
def test_the_largest_stays_whole(proposed: list[Span]) -> None:
    size = max(map(len, proposed))
    assert any(len(s) == size for s in disjoint(proposed))


def test_the_loser_keeps_its_remainder_on_both_sides() -> None:
    outer = Span(0, 10, Label.STREET)
    inner = Span(4, 6, Label.DATE)
    assert disjoint([inner, outer]) == (outer,)
    left, right = Span(0, 4, Label.CITY), Span(3, 12, Label.DATE)
    assert disjoint([left, right]) == (Span(0, 3, Label.CITY), right)


def test_a_small_middle_splits_a_loser_of_rank() -> None:
    """Under another rank a small winner leaves both ends of the loser covered."""
    long, short = Span(0, 9, Label.STREET), Span(3, 5, Label.CITY)
    placed = disjoint([long, short], rank=len)
    assert placed == (Span(0, 3, Label.STREET), short, Span(5, 9, Label.STREET))


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 1)])
def test_a_span_needs_an_extent(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="0 <= start < end"):
        Span(start, end, Label.DATE)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_score_lies_between_zero_and_one(score: float) -> None:
    with pytest.raises(ValueError, match="score"):
        Span(0, 1, Label.DATE, score)


def test_trim_drops_white_space_and_nothing_else() -> None:
    assert trim(Span(0, 7, Label.CITY), "  Lyon ") == Span(2, 6, Label.CITY)
    assert trim(Span(0, 2, Label.CITY), "  Lyon ") is None


@given(
    spans=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9))),
    start=st.integers(0, 40),
    length=st.integers(0, 9),
)
def test_overlaps_are_those_that_share_a_character(
    spans: list[tuple[int, int]], start: int, length: int
) -> None:
    every = [Span(at, at + size, Label.DATE) for at, size in spans]
    expected = sorted(s for s in every if s.start < start + length and s.end > start)
    assert sorted(Overlaps(every).over(start, start + length)) == expected
