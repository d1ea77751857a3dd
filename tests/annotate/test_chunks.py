"""Lines of notes as units: nothing is lost, and the order tells nothing."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.annotate.chunks import drawn, per_type_of, units_of
from dpdeid.annotate.units import Unit
from dpdeid.document import Document
from tests.annotate.strategies import texts


@given(texts, st.booleans())
def test_all_that_is_no_white_space_stands_in_a_unit_at_its_place(text: str, whole: bool) -> None:
    units = list(units_of(Document("n", text), whole=whole))
    for unit in units:
        assert text[unit.start : unit.start + len(unit.text)] == unit.text == unit.text.strip()
    assert "".join("".join(unit.text.split()) for unit in units) == "".join(text.split())


def test_lines_are_numbered_and_blank_ones_are_none() -> None:
    text = "  Vu par Anne\r\n\r\n\t\nle 12/03\rà Brest\x0cfin"
    units = list(units_of(Document("n1", text), "letter"))
    assert [(u.id, u.start, u.text) for u in units] == [
        ("n1#0", 2, "Vu par Anne"),
        ("n1#1", 19, "le 12/03"),
        ("n1#2", 28, "à Brest"),
        ("n1#3", 36, "fin"),
    ]
    assert {(u.document, u.doc_type) for u in units} == {("n1", "letter")}


def many(notes: int = 30, lines: int = 20) -> list[Unit]:
    return [
        Unit(f"n{note}#{line}", f"n{note}", "ab"[note % 3 == 0], 0, "x")
        for note in range(notes)
        for line in range(lines)
    ]


def test_the_order_follows_from_the_seed_and_not_from_the_input() -> None:
    units = many()
    assert drawn(units, 1) == drawn(units[::-1], 1)
    assert drawn(units, 1) != drawn(units, 2)
    assert sorted(u.id for u in drawn(units, 1)) == sorted(u.id for u in units)


def test_lines_of_a_note_are_scattered() -> None:
    order = drawn(many(), 3)
    beside = sum(a.document == b.document for a, b in pairwise(order))
    assert beside < 0.08 * len(order)  # one of 30 by chance, 95 of 100 in the order of the notes


def test_equal_numbers_of_each_type() -> None:
    units = many()
    few = per_type_of(drawn(units, 5), 40)
    assert Counter(unit.doc_type for unit in few) == {"a": 40, "b": 40}
    assert set(few) < set(per_type_of(drawn(units, 5), 90))


def test_a_type_that_has_fewer_gives_all() -> None:
    units = [*many(3, 2), Unit("z#0", "z", "rare", 0, "x")]
    assert Counter(unit.doc_type for unit in per_type_of(drawn(units, 0), 2)) == {
        "a": 2,
        "b": 2,
        "rare": 1,
    }


@pytest.mark.parametrize("per_type", [1, 7])
def test_a_subset_keeps_the_order(per_type: int) -> None:
    order = drawn(many(), 8)
    few = per_type_of(order, per_type)
    assert few == [unit for unit in order if unit in few]
