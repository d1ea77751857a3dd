"""The decoded tags are the best valid ones: compared with all sequences."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.sequences import best_tags, constraints, marginals

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


@given(rows, st.none() | matrix)
def test_marginals_are_those_of_all_valid_sequences(
    rows: list[list[float]], learned: list[list[float]] | None
) -> None:
    scores = np.array(rows, np.float32)
    start, steps = constraints(TAGS)
    if learned is not None:
        steps = steps + np.array(learned, np.float32)
    wanted = np.zeros(scores.shape)
    for tags in filter(valid, product(range(5), repeat=len(rows))):
        score = start[tags[0]] + sum(scores[i, t] for i, t in enumerate(tags))
        wanted[range(len(tags)), tags] += np.exp(
            score + sum(steps[a, b] for a, b in pairwise(tags))
        )
    found = marginals(scores, start, steps)
    assert found == pytest.approx(wanted / wanted.sum(1, keepdims=True), abs=1e-5)


def test_marginals_of_a_tag_that_may_not_stand_there() -> None:
    start, steps = constraints(TAGS)
    scores = np.zeros((2, 5), np.float32)
    scores[:, 2] = 1e6  # I-DATE, beyond what a float can weigh
    found = marginals(scores, start, steps)
    assert found.sum(1) == pytest.approx([1, 1])
    assert found[0, 2] == 0
    assert found[0, 1] == found[1, 2] == pytest.approx(1)
