"""Names out, overlaps decided."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.coding.codes import Code, Terminology, is_name, settled

ICD10 = Terminology.ICD10


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("Mme Rougeole est vue", "Rougeole", True),
        ("Dr Zona", "Zona", True),
        ("M. Jean Goutte", "Goutte", True),
        ("Madame GOUTTE", "GOUTTE", True),
        ("Mme a une goutte", "goutte", False),
        ("Mme Petit. Goutte du pied", "Goutte", False),
        ("Goutte du pied", "Goutte", False),
        ("Monsieur a la rougeole", "rougeole", False),
    ],
)
def test_is_name(text: str, word: str, name: bool) -> None:
    start = text.index(word)
    assert is_name(text, Code(start, start + len(word), "B05", ICD10)) is name


def test_the_longest_words_win_then_what_was_given_first() -> None:
    text = "diabète de type 2"
    long, short = Code(0, 17, "E11", ICD10), Code(0, 7, "E14", ICD10)
    other = Code(0, 17, "E10", ICD10)
    assert settled(text, [short, long, other]) == (long,)


@given(st.lists(st.tuples(st.integers(0, 18), st.integers(1, 9)), max_size=8))
def test_what_stays_is_sorted_and_disjoint_and_covers_what_was_found(
    places: list[tuple[int, int]],
) -> None:
    text = "a" * 30
    found = [Code(start, start + size, "E11", ICD10) for start, size in places]
    kept = settled(text, found)
    assert set(kept) <= set(found)
    assert all(a.end <= b.start for a, b in pairwise(kept))
    assert all(any(k.start < c.end and c.start < k.end for k in kept) for c in found)
