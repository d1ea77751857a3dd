"""`dpdeid evaluate utility` as a user runs it, with the coder of the base install."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError

STAY = "Hospitalisée du 01/02/2023 au 04/02/2023. IDM le {}."
BEFORE = {
    "a": "Mme Durand, 70 ans, HTA, acte HHFA016, sous paracétamol. " + STAY.format("30/01/2023"),
    "b": "Rien à signaler.",
}
AFTER = {
    "a": "Mme Petit, 70 ans, acte HHFA016, sous paracétamol. " + STAY.format("30/11/2022"),
    "b": "Rien à signaler.",
}


def written(folder: Path, name: str, notes: dict[str, str]) -> Path:
    path = folder / f"{name}.jsonl"
    rows = [json.dumps({"id": key, "text": text}) for key, text in notes.items()]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def invoke(before: Path, after: Path, *more: object) -> Result:
    command = ["evaluate", "utility", str(before), str(after), "--coder", "light"]
    return CliRunner().invoke(app, [*command, *map(str, more)])


def figures(folder: Path, *more: object) -> dict[str, Any]:
    out = folder / "out.json"
    result = invoke(written(folder, "b", BEFORE), written(folder, "a", AFTER), "--json", out, *more)
    assert result.exit_code == 0, result.exception
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_the_keys_and_figures(tmp_path: Path) -> None:
    found = figures(tmp_path)
    assert found["kept"]["icd10"] == 0.5
    assert found["kept"]["atc"] == 1
    assert found["kept"]["all"] == found["recall"] == pytest.approx(2 / 3)
    assert "ccam" not in found["kept"]
    assert found["precision"] == 1
    assert found["jaccard"]["equal"] == 0
    assert len(found["jaccard"]["histogram"]) == 10
    assert (found["notes"], found["notes_without_codes"]) == (2, 1)
    assert found["coder"]["name"] == "light"
    assert found["coder"]["planted"]["all"]["recall"] > 0.8


def test_what_dates_cost_is_told_apart(tmp_path: Path) -> None:
    timed = figures(tmp_path)["timed"]
    assert timed["kept"]["icd10"] == 0  # I21 has become I25.2
    assert timed["kept"]["stay"] == timed["kept"]["age"] == 1


def test_ccam_from_a_file(tmp_path: Path) -> None:
    ccam = tmp_path / "ccam.tsv"
    ccam.write_text("HHFA016\tAppendicectomie\n", encoding="utf-8")
    assert figures(tmp_path, "--ccam", ccam)["kept"]["ccam"] == 1


def test_the_classifier(tmp_path: Path) -> None:
    found = figures(tmp_path, "--classifier")["classifier"]
    assert set(found) == {"before→before", "before→after", "after→before", "after→after"}


def test_it_prints_the_coder_beside_the_result(tmp_path: Path) -> None:
    before = written(tmp_path, "b", BEFORE)
    out = invoke(before, before).stdout
    assert "of planted codes" in out
    assert "Jaccard = 1 in 1 note (100.0 %)" in out
    assert "–" not in out.split("by dates")[0]


def test_other_ids_are_refused(tmp_path: Path) -> None:
    other = written(tmp_path, "o", {"a": "", "c": ""})
    result = invoke(written(tmp_path, "b", BEFORE), other)
    assert isinstance(result.exception, UsageError)
    assert "only in BEFORE: b; only in AFTER: c" in str(result.exception)


def test_bad_rows_are_refused_and_not_dropped(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "a", "text": "x"}\n{"id": "b", "error": "row 2: no text"}\n{')
    result = invoke(written(tmp_path, "b", BEFORE), broken)
    assert isinstance(result.exception, UsageError)
    assert "AFTER: row 2: no text; row 3: not valid JSON" in str(result.exception)
    empty = written(tmp_path, "e", {})
    assert "BEFORE: no notes" in str(invoke(empty, empty).exception)


def test_wrong_usage(tmp_path: Path) -> None:
    before = written(tmp_path, "b", BEFORE)
    unknown = invoke(before, before, "--coder", "best")
    assert "full, labels, light" in str(unknown.exception)
    both = CliRunner().invoke(app, ["evaluate", "utility", "-", "-"])
    assert isinstance(both.exception, UsageError)
