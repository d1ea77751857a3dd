"""Trees of a table: walked as by hand, and refused where they are damaged."""

from __future__ import annotations

import math
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.decision.decision import TREES, trees
from dpdeid.detect.decision.evidence import FEATURES
from dpdeid.detect.decision.trees import Trees

SMALL = """# A comment.
base\t0.5\t-1
0\t0\tword\t1.5\t1\t2\t
0\t0\t\t\t\t\t-2
0\t0\tscore\t0.25\t3\t4\t
0\t0\t\t\t\t\t0.75
0\t0\t\t\t\t\t3
0\t1\t\t\t\t\t0.125
1\t0\tscore\t0.5\t1\t2\t
1\t0\t\t\t\t\t-1
1\t0\t\t\t\t\t4
"""
COLUMNS = ("score", "word")


def by_hand(score: float, word: float) -> tuple[float, float]:
    first = -2 if word <= 1.5 else 0.75 if score <= 0.25 else 3
    odds = 0.5 + first + 0.125, -1 + (-1 if score <= 0.5 else 4)
    return 1 / (1 + math.exp(-odds[0])), 1 / (1 + math.exp(-odds[1]))


NUMBERS = st.sampled_from([0.0, 0.25, 0.26, 0.5, 0.51, 1.0, 1.5, 1.75, 9.0])


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=6))
def test_they_are_walked_as_by_hand(rows: list[tuple[float, float]]) -> None:
    read = Trees.of_text(SMALL, COLUMNS)
    found = read.chances(np.array(rows, np.float32).reshape(-1, 2))
    assert found.shape == (len(rows), 2)
    for row, told in zip(rows, found.tolist(), strict=True):
        assert told == pytest.approx(by_hand(*row))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("score", "colour"),  # no such column
        ("base\t0.5\t-1\n", ""),
        ("base\t0.5\t-1", "base\t0.5"),  # a head without base
        ("1.5\t1\t2\t", "high\t1\t2\t"),
        ("1.5\t1\t2\t", "1.5\t0\t2\t"),  # back to itself
        ("0.25\t3\t4\t", "0.25\t1\t4\t"),  # back to one above
        ("1\t0\tscore\t0.5\t1\t2\t", "1\t0\tscore\t0.5\t1\t3\t"),  # beyond its tree
        ("0\t0\t\t\t\t\t3", "0\t0\t\t\t\t\t"),
        ("0\t0\t\t\t\t\t3", "0\t0"),
        ("0\t0\t\t\t\t\t3", ""),
        (SMALL, ""),
        (SMALL, "base\t0.5\t-1\n"),  # no tree
    ],
)
def test_a_damaged_table_is_refused(old: str, new: str) -> None:
    assert old in SMALL
    with pytest.raises(ValueError):  # noqa: PT011
        Trees.of_text(SMALL.replace(old, new), COLUMNS)


def test_the_shipped_table_has_known_columns_and_two_heads() -> None:
    """`of_text` refuses columns that are none; most are asked."""
    own = trees()
    table = (files("dpdeid.detect.decision") / TREES).read_text(encoding="utf-8")
    nodes = [line.split("\t") for line in table.splitlines() if line[:1].isdigit()]
    asked = {node[2] for node in nodes if node[2]}
    assert len(FEATURES) == len(set(FEATURES))
    assert own.chances(np.zeros((1, len(FEATURES)), np.float32)).shape == (1, 2)
    assert {node[0] for node in nodes} == {"0", "1"}
    assert asked <= set(FEATURES)
    assert len(asked) > len(FEATURES) / 3
    assert {"voted", "transformer: names"} <= asked


@given(st.lists(st.floats(-5, 20, width=32), min_size=len(FEATURES), max_size=len(FEATURES)))
def test_chances_lie_between_none_and_certain(values: list[float]) -> None:
    found = trees().chances(np.array([values], np.float32))
    assert ((found > 0) & (found < 1)).all()
