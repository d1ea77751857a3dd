"""The decoded tags are the best valid ones: compared with all sequences."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.viterbi import best_tags, constraints

TAGS = ("O", "B-DATE", "I-DATE", "B-CITY", "I-CITY")
rows = st.lists(
    st.lists(st.floats(-5, 5, width=32), min_size=5, max_size=5), min_size=1, max_size=5
)
matrix = st.lists(
    st.lists(st.floats(-2, 2, width=32), min_size=5, max_size=5), min_size=5, max_size=5
)


def valid(tags: tuple[int, ...]) -> bool:
    names = ["O", *(TAGS[t] for t in tags)]
    return all(not tag.startswith("I-") or before[2:] == tag[2:] for before, tag in pairwise(names))


@given(rows, st.none() | matrix)
def test_it_is_the_best_valid_sequence(
    rows: list[list[float]], learned: list[list[float]] | None
) -> None:
    scores = np.array(rows, np.float32)
    start, steps = constraints(TAGS)
    if learned is not None:
        steps = steps + np.array(learned, np.float32)

    def total(tags: tuple[int, ...]) -> float:
        return float(
            start[tags[0]]
            + sum(scores[i, t] for i, t in enumerate(tags))
            + sum(steps[a, b] for a, b in pairwise(tags))
        )

    found = tuple(int(t) for t in best_tags(scores, start, steps))
    assert valid(found)
    best = max(total(tags) for tags in product(range(5), repeat=len(rows)) if valid(tags))
    assert total(found) == pytest.approx(best, abs=1e-3)


def test_nothing_gives_nothing() -> None:
    start, steps = constraints(TAGS)
    assert best_tags(np.zeros((0, 5), np.float32), start, steps).tolist() == []
