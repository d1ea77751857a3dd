"""Codes before and after on examples small enough to count by hand."""

from __future__ import annotations

import datetime as dt
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.coding.codes import Code, Terminology
from dpdeid.evaluate.utility import Comparison, classes_of, compare, paired

ICD10, ATC = Terminology.ICD10, Terminology.ATC
CODES = st.lists(
    st.builds(
        Code,
        st.integers(0, 9),
        st.integers(10, 19),
        st.sampled_from(["E11", "I10", "Z491", "R739", "N02BE01"]),
        st.sampled_from([ICD10, ATC]),
    ),
    max_size=6,
)


def codes(*values: str) -> list[Code]:
    return [Code(0, 1, value, ATC if len(value) == 7 else ICD10) for value in values]


def test_the_worked_example_of_the_module() -> None:
    found = compare(codes("E11", "I10", "N02BE01"), codes("E11", "N02BE01", "A18"))
    assert found.all.recall == found.all.precision == pytest.approx(2 / 3)
    assert found.kept() == pytest.approx(
        {"all": 2 / 3, "icd10": 1 / 2, "icd10_diagnoses": 1 / 2, "atc": 1.0}
    )
    assert found.jaccard == (0.5,)


def test_a_code_given_twice_counts_once() -> None:
    assert compare(codes("E11", "E11"), codes("E11")).jaccard == (1.0,)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Z491", "icd10_procedures"),
        ("Z54", "icd10_procedures"),
        ("Z55", "icd10_diagnoses"),
        ("R739", "icd10_laboratory"),
        ("R89", "icd10_laboratory"),
        ("R90", "icd10_diagnoses"),
        ("E11", "icd10_diagnoses"),
    ],
)
def test_the_classes_of_fasdim(value: str, name: str) -> None:
    assert classes_of((ICD10, value)) == ("all", "icd10", name)


def test_notes_without_codes_are_counted_apart() -> None:
    total = compare(codes("E11"), codes()) + compare(codes(), codes())
    assert (total.jaccard, total.uncoded) == ((0.0,), 1)
    figures = compare([], []).as_json()
    assert figures["notes"] == figures["notes_without_codes"] == 1
    assert figures["kept"] == {"all": None, "atc": None, "icd10": None}
    assert math.isnan(Comparison().equal)


def test_the_histogram_has_hnfc_bins_and_cumulates_from_above() -> None:
    found = Comparison(jaccard=(0.0, 0.3, 0.35, 1.0)).histogram()
    notes = {each["from"]: each["notes"] for each in found if each["notes"]}
    assert notes == {0.0: 1, 0.3: 2, 0.9: 1}
    assert [each["cumulative"] for each in found] == [1, *[0.75] * 3, *[0.25] * 6]
    assert sum(each["share"] for each in found) == 1


@given(st.integers(1, 60), st.integers(0, 60))
def test_a_share_falls_into_its_own_tenth(whole: int, part: int) -> None:
    if part > whole:
        return
    bins = Comparison(jaccard=(part / whole,)).histogram()
    (at,) = [i for i, each in enumerate(bins) if each["notes"]]
    assert at == min(9, part * 10 // whole)  # exact integers


@given(CODES)
def test_equal_codes_are_all_kept(before: list[Code]) -> None:
    found = compare(before, before)
    assert set(found.jaccard) <= {1.0}
    assert found.all.fp == found.all.fn == 0


@given(CODES, CODES)
def test_before_and_after_swap_precision_and_recall(a: list[Code], b: list[Code]) -> None:
    one, other = compare(a, b).all, compare(b, a).all
    assert (one.tp, one.fp, one.fn) == (other.tp, other.fn, other.fp)
    assert compare(a, b).jaccard == compare(b, a).jaccard


@given(CODES, CODES)
def test_the_figures_are_json(a: list[Code], b: list[Code]) -> None:
    figures = compare(a, b).as_json()
    assert json.loads(json.dumps(figures, allow_nan=False)) == figures


def test_other_ids_are_refused_with_the_ids() -> None:
    a, b, c = (Document(name, "") for name in "abc")
    with pytest.raises(UsageError, match="only in BEFORE: a; only in AFTER: c"):
        list(paired([a, b], [b, c]))


def test_pairs_follow_before_and_share_what_both_know() -> None:
    day = dt.date(2020, 1, 1)
    before = [Document("a", "1", note_date=day), Document("b", "2", note_date=day)]
    after = [Document("b", "4", note_date=day), Document("a", "3")]
    (a, new_a), (b, new_b) = paired(before, after)
    assert [d.text for d in (a, new_a, b, new_b)] == ["1", "3", "2", "4"]
    assert a.note_date is new_a.note_date is None
    assert b.note_date == new_b.note_date == day
