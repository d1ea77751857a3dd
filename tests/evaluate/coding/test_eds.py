"""The coder over edsnlp: what it adds to terms."""

from __future__ import annotations

import pytest

from dpdeid.document import Document
from dpdeid.errors import UsageError
from dpdeid.evaluate.coding.coders import EdsCoder
from dpdeid.evaluate.coding.codes import Coder, Terminology
from dpdeid.evaluate.coding.planted import on_planted

LABELS = {
    Terminology.ICD10: (("B05", "Rougeole"), ("E119", "Diabète sans complication")),
    Terminology.ATC: (("B01AF02", "ELIQUIS"),),
}
"""Short lists: the full ones take half a minute to load."""


@pytest.fixture(scope="module")
def full() -> EdsCoder:
    pytest.importorskip("edsnlp", reason="needs the extra utility")
    return EdsCoder(LABELS)


def coded(coder: Coder, text: str) -> list[tuple[str, str]]:
    return [(c.value, text[c.start : c.end]) for c in coder(Document("n", text))]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Rougeole et HTA", [("B05", "Rougeole"), ("I10", "HTA")]),
        ("Traité par Eliquis.", [("B01AF02", "Eliquis")]),
        ("Insuffisances cardiaques", [("I50", "Insuffisances cardiaques")]),
        ("DP : E11.9", [("E119", "E11.9")]),
        ("Pas de rougeole.", []),
        ("Possible rougeole.", []),
        ("Sa mère a la rougeole.", []),
        ("Mme Rougeole, vue à 18 h puis à J10.", []),
        ("hta", []),
    ],
)
def test_codes(full: EdsCoder, text: str, codes: list[tuple[str, str]]) -> None:
    assert coded(full, text) == codes


def test_a_disorder_is_coded_where_no_term_is(full: EdsCoder) -> None:
    assert [value for value, _ in coded(full, "Ulcère peptique.")] == ["K27"]
    assert coded(full, "Pas d'ulcère peptique.") == []
    assert [value for value, _ in coded(full, "Bronchite chronique obstructive")] == ["J20"]


def test_every_span_gets_its_qualifiers(full: EdsCoder) -> None:
    """They skip what is out of order: terms and disorders are asked together."""
    text = "Pas de HTA. Pas de rougeole. Pas de démence. Pas de BPCO. Pas de HTA."
    assert coded(full, text) == []


def test_the_fast_one_takes_no_notice_of_negation() -> None:
    pytest.importorskip("edsnlp", reason="needs the extra utility")
    assert coded(EdsCoder(LABELS, full=False), "Pas de rougeole.") == [("B05", "rougeole")]


@pytest.mark.slow
def test_with_all_labels_it_finds_what_is_planted() -> None:
    pytest.importorskip("edsnlp", reason="needs the extra utility")
    found = on_planted(EdsCoder({}))["all"]
    assert found.precision > 0.95
    assert found.recall > 0.95


def test_without_edsnlp_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "edsnlp", None)
    with pytest.raises(UsageError, match=r"\.\[utility\]"):
        EdsCoder({**LABELS, Terminology.CCAM: ()})
