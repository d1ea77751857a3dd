"""Suggestions made worse: as often as asked, in the ways asked, and never what cannot be shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.annotate.exchange import Design
from dpdeid.annotate.preannotation import KINDS, altered, check_kinds
from dpdeid.annotate.schemes import schemes
from dpdeid.annotate.units import Marked, Unit
from dpdeid.errors import UsageError
from dpdeid.tokens import tokenize
from tests.annotate.strategies import units

CHUV = schemes()["chuv"]
TEXT = "CT thoracique au CHUV le 18/03/2022 à 14h30 avec copie."
MARKS = (Marked(17, 21, "ORGANISATION"), Marked(25, 35, "DATE"), Marked(38, 43, "TEMPS"))
MANY = [Unit(f"n{number}#0", "n", "", 0, TEXT, MARKS) for number in range(600)]
DESIGN = Design("brat", "chuv", 5, "dp", perturbs=KINDS)


def worse(**asked: object) -> list[tuple[Marked, ...]]:
    design = replace(DESIGN, **asked)  # type: ignore[arg-type]
    return [altered(unit, CHUV, design).suggested or () for unit in MANY]


def share_of(found: list[tuple[Marked, ...]]) -> float:
    """Of the marks, those that are as they were."""
    return sum(len(set(MARKS) & set(one)) for one in found) / (len(MARKS) * len(MANY))


def test_all_are_shown_as_they_are_unless_asked_otherwise() -> None:
    assert worse() == [MARKS] * len(MANY)


def test_none_are_shown_and_that_is_not_the_same_as_no_suggestion() -> None:
    assert worse(retention=0.0) == [()] * len(MANY)


@pytest.mark.parametrize("retention", [0.2, 0.5, 0.8])
def test_so_many_are_shown(retention: float) -> None:
    assert share_of(worse(retention=retention)) == pytest.approx(retention, abs=0.045)  # 4 sigma


def test_what_is_shown_at_a_half_is_shown_at_more() -> None:
    pairs = zip(worse(retention=0.5), worse(retention=0.8), strict=True)
    assert all(set(few) <= set(more) for few, more in pairs)


@pytest.mark.parametrize("perturbation", [0.2, 0.4, 0.6, 0.8])
def test_so_many_are_altered(perturbation: float) -> None:
    """Table 4.5 of the thesis."""
    found = worse(perturbation=perturbation)
    assert all(len(one) == 3 for one in found)
    assert 1 - share_of(found) == pytest.approx(perturbation, abs=0.045)


def altered_pairs(*kinds: str) -> list[tuple[Marked, Marked]]:
    found = worse(perturbation=1.0, perturbs=kinds)
    return [(mark, new) for one in found for mark, new in zip(MARKS, one, strict=True)]


def test_a_category_becomes_a_similar_one() -> None:
    for mark, new in altered_pairs("category"):
        assert new[:2] == mark[:2]
        assert new.category in CHUV.similar(mark.category)
    dates = {new.category for mark, new in altered_pairs("category") if mark.category == "DATE"}
    assert dates == {"TEMPS", "ÂGE"}


def test_an_end_moves_by_a_token_and_the_category_stays() -> None:
    sides = Counter[tuple[bool, bool]]()
    for mark, new in altered_pairs("boundary"):
        assert new.category == mark.category
        sides[new.start != mark.start, new.end != mark.end] += 1
    assert sides.keys() == {(True, False), (False, True), (True, True)}
    assert min(sides.values()) / sides.total() > 0.25


def test_both_are_altered() -> None:
    for mark, new in altered_pairs("both"):
        assert new.category != mark.category
        assert new[:2] != mark[:2]


def test_the_kinds_have_equal_odds() -> None:
    kinds = Counter(
        (new.category != mark.category, new[:2] != mark[:2]) for mark, new in altered_pairs(*KINDS)
    )
    assert kinds.keys() == {(True, False), (False, True), (True, True)}
    assert max(kinds.values()) / kinds.total() < 0.37


def test_where_no_end_can_move_the_category_does() -> None:
    unit = Unit("n#0", "n", "", 0, "Anne", (Marked(0, 4, "PATIENT_E"),))
    design = replace(DESIGN, perturbation=1.0, perturbs=("boundary",))
    (new,) = altered(unit, CHUV, design).suggested or ()
    assert new == Marked(0, 4, "PERSONNEL_MÉDICAL")


def test_teams_of_one_seed_see_the_same() -> None:
    assert worse(perturbation=0.5) == worse(perturbation=0.5)
    assert worse(perturbation=0.5) != worse(perturbation=0.5, seed=6)


@given(units(), st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_what_is_shown_can_be_shown(
    asked: list[Unit], retention: float, perturbation: float, seed: int
) -> None:
    design = replace(DESIGN, retention=retention, perturbation=perturbation, seed=seed)
    for unit in asked:
        marks = altered(unit, CHUV, design).suggested or ()
        edges = {0, len(unit.text), *tokenize(unit.text).starts, *tokenize(unit.text).ends}
        edges |= {at for mark in unit.suggested or () for at in mark[:2]}
        end = 0
        for mark in marks:
            assert end <= mark.start < mark.end <= len(unit.text)
            assert {mark.start, mark.end} <= edges
            assert mark.category in CHUV.categories
            end = mark.end
        assert len(marks) <= len(unit.suggested or ())


def test_an_unknown_kind_is_told_with_those_that_there_are() -> None:
    assert check_kinds(()) == KINDS
    assert check_kinds(["both"]) == ("both",)
    with pytest.raises(UsageError, match="no such perturbation: all; allowed: category, boundary"):
        check_kinds(["all"])
