"""The alignment is a longest common subsequence: as long as the textbook's, and in order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.medicine.changes import atoms, common

TEXTS = st.text("abc", max_size=12)


def longest(one: str, other: str) -> int:
    """By the table of Wagner and Fischer."""
    row = [0] * (len(other) + 1)
    for a in one:
        above, row = row, [0]
        for j, b in enumerate(other):
            row.append(above[j] + 1 if a == b else max(row[j], above[j + 1]))
    return row[-1]


@given(TEXTS, TEXTS)
def test_no_common_subsequence_is_longer(one: str, other: str) -> None:
    pairs = common(one, other)
    assert len(pairs) == longest(one, other)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(i < next_i and j < next_j for (i, j), (next_i, next_j) in pairwise(pairs))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Hb 12,3 g/dl", ["Hb", "12", ",", "3", "g", "/", "dl"]),
        ("le 12nov,\n né", ["le", "12", "nov", ",", "né"]),
        ("NM_0013", ["NM", "_", "0013"]),
        ("", []),
    ],
)
def test_atoms_are_letters_digits_or_one_mark(text: str, parts: list[str]) -> None:
    assert [atom.text for atom in atoms(text)] == parts
    assert all(text[atom.start : atom.end] == atom.text for atom in atoms(text))
