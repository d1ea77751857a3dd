"""The coder of the base install."""

from __future__ import annotations

import pytest

from dpdeid.document import Document
from dpdeid.evaluate.coding.coders import LightCoder
from dpdeid.evaluate.coding.codes import Terminology

CODER = LightCoder({})
LISTED = LightCoder(
    {
        Terminology.ICD10: [("K352", "Appendicite aiguë avec péritonite"), ("E119", "Diabète")],
        Terminology.CCAM: [("HHFA016", "Appendicectomie, par abord direct")],
    }
)


def coded(text: str, coder: LightCoder = CODER) -> list[tuple[str, str]]:
    return [(c.value, text[c.start : c.end]) for c in coder(Document("n", text))]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("une hypertension artérielle", "I10"),
        ("HYPERTENSION ARTERIELLE", "I10"),
        ("maladies de Crohn", "K50"),
        ("maladie de  Crohn", "K50"),
        ("l’œdème aigu du poumon", "I501"),
        ("gastro-entérites", "A09"),
        ("insuffisance\ncardiaque", "I50"),
    ],
)
def test_case_accents_plurals_and_breaks_do_not_count(text: str, code: str) -> None:
    assert [value for value, _ in coded(text)] == [code]


def test_abbreviations_need_capitals() -> None:
    assert coded("SEP connue") == [("G35", "SEP")]
    assert coded("sept sep") == []


def test_what_only_looks_like_a_plural() -> None:
    drugs = LightCoder({Terminology.ATC: [("J07BD52", "PRIORIX")]})
    assert coded("a priori tous vont bien, Priorix", drugs) == [("J07BD52", "Priorix")]
    assert coded("toux et œdèmes pulmonaires") == []
    assert coded("Toux", LightCoder({Terminology.ICD10: [("R05", "Toux")]})) == [("R05", "Toux")]


def test_a_sentence_ends_a_term() -> None:
    assert coded("Insuffisance. Cardiaque") == []


def test_the_longest_term_is_coded() -> None:
    assert coded("AVC ischémique") == [("I63", "AVC ischémique")]
    assert coded("AVC") == [("I64", "AVC")]


def test_label_files_are_terms_too() -> None:
    text = "Appendicite aiguë avec péritonite, appendicectomie par abord direct, HHFA016"
    assert coded(text, LISTED) == [
        ("K352", "Appendicite aiguë avec péritonite"),
        ("HHFA016", "appendicectomie par abord direct"),
        ("HHFA016", "HHFA016"),
    ]


def test_a_list_of_codes_decides_what_is_one() -> None:
    assert coded("DP : E11.9, E11.8", LISTED) == [("E119", "E11.9")]


def test_other_hours_give_the_same_codes() -> None:
    """A shifted hour must not invent a tuberculosis."""
    texts = [f"HTA. Vu à {hour} h, à {hour}h30, à {hour}" for hour in range(24)]
    assert {tuple(value for value, _ in coded(text)) for text in texts} == {("I10",)}
