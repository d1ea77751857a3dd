"""Codes that depend on days: each rule on both sides of its limit."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document
from dpdeid.evaluate.coding.codes import Terminology
from dpdeid.evaluate.coding.terms import edsnlp_labels
from dpdeid.evaluate.coding.timed import AGES, NIGHTS, RULES, Rule, TimedCoder, band, code_at

CODER = TimedCoder()
ENTRY = dt.date(2022, 6, 1)
STAY = "Hospitalisée du 01/06/2022 au 04/06/2022.\n"


def coded(text: str, kind: Terminology = Terminology.ICD10) -> list[str]:
    return [c.value for c in CODER(Document("n", text)) if c.terminology is kind]


def ago(days: int) -> str:
    return (ENTRY - dt.timedelta(days=days)).strftime("%d/%m/%Y")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"Infarctus du myocarde le {ago(28)}.", ["I21"]),
        (f"Infarctus du myocarde le {ago(29)}.", ["I252"]),
        (f"AVC ischémique le {ago(364)}.", ["I63"]),
        (f"AVC ischémique le {ago(365)}.", ["I693"]),
        (f"Née le {ago(27)}. Ictère.", ["P599"]),
        (f"Née le {ago(28)}. Ictère.", ["R17"]),
        (f"Née le {ago(9000)}. Ictère.", []),
        (f"Accouchement le {ago(42)}. Phlébite.", ["O871"]),
        (f"Accouchement le {ago(43)}. Phlébite.", ["I802"]),
        ("Phlébite.", []),
        ("Infarctus du myocarde ancien.", []),
    ],
)
def test_the_limits(text: str, code: list[str]) -> None:
    assert coded(STAY + text) == code


def test_groups() -> None:
    text = "Mme X, 79 ans. " + STAY
    assert coded(text, Terminology.AGE) == ["70-79"]
    assert coded(text, Terminology.STAY) == ["3"]
    assert coded(f"Née le {ago(400)}. " + STAY, Terminology.AGE) == ["0-1"]
    assert coded("Pas de date.", Terminology.STAY) == []


@given(st.integers(-9000, 9000), st.integers(0, 500), st.sampled_from(RULES))
def test_one_shift_of_all_dates_changes_no_code(shift: int, days: int, rule: Rule) -> None:
    moved, gap = dt.timedelta(days=shift), dt.timedelta(days=days)
    day, other = (ENTRY - gap, ENTRY) if rule.since == "event" else (ENTRY, ENTRY - gap)
    assert code_at(rule, day + moved, other + moved) == code_at(rule, day, other)
    if days <= rule.within:
        assert code_at(rule, day, other) == rule.early


@given(st.integers(0, 130), st.sampled_from([AGES, NIGHTS]))
def test_bands_part_the_numbers(value: int, limits: tuple[int, ...]) -> None:
    same = band(value, limits) == band(value + 1, limits)
    assert same == (value + 1 not in limits)


def test_the_codes_of_the_rules_exist() -> None:
    pytest.importorskip("edsnlp", reason="needs the extra utility")
    known = {code for code, _ in edsnlp_labels(Terminology.ICD10)}
    assert {code for rule in RULES for code in (rule.early, rule.late)} <= known
