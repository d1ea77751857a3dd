"""Which words become terms."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.coding.codes import Terminology
from dpdeid.evaluate.coding.terms import aliases, cleaned, edsnlp_labels, label_file, terms
from dpdeid.formats.json_lines import BOM
from dpdeid.normalize import fold
from tests.conftest import altered_gzip

ICD10, ATC, CCAM = Terminology.ICD10, Terminology.ATC, Terminology.CCAM


@pytest.mark.parametrize(
    ("label", "clean"),
    [
        ("Goutte, sans précision", "Goutte"),
        ("Hypertension essentielle (primitive)", "Hypertension essentielle"),
        ("*** SU17 *** Obésité [IMC]", "Obésité"),
        ("Affection du foie, non classée ailleurs, sans précision", "Affection du foie"),
        ("Ulcère de siège non précisé", "Ulcère"),
        ("Zona", "Zona"),
    ],
)
def test_cleaned(label: str, clean: str) -> None:
    assert cleaned(label) == clean


def test_cleaning_twice_changes_nothing() -> None:
    for term in aliases():
        assert cleaned(cleaned(term.text)) == cleaned(term.text)


def test_of_labels_alike_the_shortest_code_keeps_the_term() -> None:
    found = list(terms([("M109", "Goutte, sans précision"), ("M10", "Goutte")], ICD10))
    assert [(term.code, term.text) for term in found] == [("M10", "Goutte")]


@pytest.mark.parametrize("label", ["DIANE", "FER", "sirop", "mag", "abc", "2024"])
def test_a_drug_that_is_a_name_or_an_everyday_word_is_no_term(label: str) -> None:
    assert not list(terms([("G03AA01", label)], ATC))


def test_everyday_diseases_are_terms_but_circumstances_are_not() -> None:
    assert [t.code for t in terms([("R05", "Toux"), ("R50", "Fièvre")], ICD10)] == ["R05", "R50"]
    assert not list(terms([("W19", "Chute"), ("Z71", "Conseil")], ICD10))


def test_labels_nobody_repeats_are_left_out() -> None:
    assert not list(terms([("A00", "un deux trois quatre cinq six sept huit")], ICD10))


def test_what_the_cleaning_leaves_without_a_head_is_left_out() -> None:
    assert not list(terms([("R268", "(Chutes) à répétition")], ICD10))
    assert not list(terms([("A13A", "toniques")], ATC))


def test_the_aliases_have_one_code_a_wording() -> None:
    codes: dict[tuple[str, bool], set[str]] = {}
    for term in aliases():
        codes.setdefault((fold(term.text), term.capitals), set()).add(term.code)
    assert {text: found for text, found in codes.items() if len(found) > 1} == {}


def test_the_aliases_are_codes_that_exist() -> None:
    pytest.importorskip("edsnlp", reason="needs the extra utility")
    known = {code for kind in (ICD10, ATC) for code, _ in edsnlp_labels(kind)}
    assert {term.code for term in aliases()} <= known


def test_only_abbreviations_need_capitals() -> None:
    capitals = {term.text for term in aliases() if term.capitals}
    assert {"HTA", "BPCO", "SEP"} <= capitals
    assert not {"Crohn", "grippe"} & capitals


@pytest.mark.parametrize("name", ["ccam.tsv", "ccam.tsv.gz"])
def test_label_file(tmp_path: Path, name: str) -> None:
    data = "code\tlibellé\nHHFA016\tAppendicectomie\n".encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert label_file(path, CCAM) == (("HHFA016", "Appendicectomie"),)


def test_atc_files_may_hold_groups(tmp_path: Path) -> None:
    path = tmp_path / "atc.tsv"
    path.write_text("N02BE\tAnilides\nN02BE01\tparacétamol\n", encoding="utf-8")
    assert [code for code, _ in label_file(path, ATC)] == ["N02BE", "N02BE01"]


def test_bad_label_files_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "icd10.tsv"
    path.write_text("E11.9\tDiabète\n\nn'importe quoi\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 3: no icd10 code"):
        label_file(path, ICD10)
    with pytest.raises(UsageError, match="cannot read"):
        label_file(tmp_path / "none.tsv", ICD10)
    path = tmp_path / "icd10.tsv.gz"
    path.write_bytes(altered_gzip("E11.9\tDiabète\n".encode()))
    with pytest.raises(UsageError, match="cannot read"):
        label_file(path, ICD10)


@pytest.mark.parametrize("text", ["", "code\tlibellé\n", "E11.9;Diabète\n"])
def test_a_label_file_without_a_label_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "icd10.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="holds no icd10 code"):
        label_file(path, ICD10)


def test_a_byte_order_mark_hides_no_label(tmp_path: Path) -> None:
    path = tmp_path / "icd10.tsv"
    path.write_bytes(BOM + "E11.9\tDiabète\n".encode())
    assert label_file(path, ICD10) == (("E119", "Diabète"),)


def test_without_edsnlp_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "edsnlp", None)
    with pytest.raises(UsageError, match=r"\.\[utility\]"):
        edsnlp_labels(ICD10)
