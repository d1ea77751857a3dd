"""`dpdeid evaluate detection` as a user runs it."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.testing import marked

CANARY = "Zyxwvutel"
LINES = (
    f"Mme «FIRST_NAME:Anne» «LAST_NAME:{CANARY}», née le «BIRTH_DATE:02/11/1958»",
    f"vue le «DATE:12/03» à «CITY:{CANARY}»",
)


def files(folder: Path, *, drop: str = "") -> tuple[Path, Path]:
    """A gold file and predictions without the text and without one label."""
    gold, predicted = folder / "gold.jsonl", folder / "predicted.jsonl"
    golds, found = [], []
    for number, line in enumerate(LINES):
        text, spans = marked(line)
        rows = [{"start": s.start, "end": s.end, "label": s.label} for s in spans]
        golds.append({"id": number, "text": text, "doc_type": "lettre", "entities": rows})
        found.append({"id": number, "entities": [row for row in rows if row["label"] != drop]})
    gold.write_text("\n".join(map(json.dumps, golds)))
    predicted.write_text("\n".join(map(json.dumps, found)))
    return gold, predicted


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["evaluate", "detection", *map(str, args)])


def test_it_prints_what_matters_first_and_writes_all_of_it(tmp_path: Path) -> None:
    gold, predicted = files(tmp_path, drop="CITY")
    report = tmp_path / "report.json"
    result = invoke(gold, predicted, "--json", report, "--resamples", 50)
    assert result.exit_code == 0, result.exception
    assert CANARY not in result.stdout
    titles = ["What is covered", "What was found", "By label", "By category", "Most frequent"]
    assert sorted(titles, key=result.stdout.index) == titles
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    found = json.loads(report.read_text())
    assert found["direct"]["redacted"] == 1
    assert found["all"]["fully_redacted"] == 0.5
    assert found["labels"]["CITY"]["exact"]["fn"] == 1
    assert found["types"]["lettre"]["notes"] == 2
    assert found["scheme"] is None
    assert found["sources"]["predicted"] == [
        {"format": "jsonl", "label_names": "ours", "spans": 4, "left_out": 0}
    ]
    assert CANARY not in report.read_text()


def test_two_systems_of_two_runs(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    gold, predicted = files(tmp_path)
    _, worse = files(tmp_path / "b", drop="CITY")
    report = tmp_path / "report.json"
    options = ["--against", worse, "--against", worse, "--json", report, "--resamples", 20]
    result = invoke(gold, predicted, worse, *options)
    assert result.exit_code == 0, result.exception
    assert "PRED less --against" in result.stdout
    assert "run 2" in result.stdout
    found = json.loads(report.read_text())
    assert found["comparison"]["all"]["redacted"]["student"]["df"] == 2
    assert found["spread"]["labels"]["CITY"]["redacted"]["values"] == [1, 0]


def test_classes_and_own_labels(tmp_path: Path) -> None:
    text = f"Mme Anne {CANARY} à Brest"
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    labels, report = tmp_path / "labels.yaml", tmp_path / "report.json"
    gold.write_text(json.dumps({"id": 1, "text": text, "label": [[4, 18, "PER"], [21, 26, "X"]]}))
    entities = [
        {"start": 4, "end": 8, "label": "FIRST_NAME"},
        {"start": 9, "end": 18, "label": "LAST_NAME"},
    ]
    predicted.write_text(json.dumps({"id": 1, "entities": entities}))
    labels.write_text("X: null")
    result = invoke(gold, predicted, "--labels", labels)
    assert result.exit_code == 0, result.exception
    assert "1 left out by --labels" in result.stdout
    assert "--scheme" in result.stdout
    result = invoke(gold, predicted, "--labels", labels, "--scheme", "hnfc", "--json", report)
    assert result.exit_code == 0, result.exception
    assert "One side has one label" not in result.stdout
    assert json.loads(report.read_text())["labels"]["PER"]["exact"]["f1"] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"id": 0, "entities": []}', "gold notes without a prediction: 1 (1)"),
        ('{"id": 0, "error": "row 1: no text"}', "the row is an error): 1 (0)"),
        ('{"id": 0, "text": "Zyxwvutel", "entities": []}', "another text than the gold note's"),
        ('{"id": 0, "entities": [{"start": 0, "end": 999, "label": "CITY"}]}', "lies outside"),
        ('{"id": 0, "entities": [{"start": 0, "end": 3, "label": "TOWN"}]}', "label (TOWN;"),
        ('{"id": 0, "entities": [{"start": 0, "end": 3, "label": "CITY", "text": "Zyxwvutel"}]}',
         "does not hold the text"),
        ('{"id": "Zyxwvutel', "not valid JSON: 1 (row 1)"),
    ],
)  # fmt: skip
def test_bad_predictions_are_refused_before_anything_is_scored(
    row: str, message: str, tmp_path: Path
) -> None:
    gold, predicted = files(tmp_path)
    predicted.write_text(row)
    result = invoke(gold, predicted)
    assert isinstance(result.exception, UsageError)  # exit code 2, see cli.main
    assert message in str(result.exception)
    assert CANARY not in str(result.exception) + result.stdout
    assert not result.stdout


def test_a_wrong_scheme_or_format_is_refused(tmp_path: Path) -> None:
    gold, predicted = files(tmp_path)
    for option in ("--scheme", "--format"):
        result = invoke(gold, predicted, option, "zzz")
        assert isinstance(result.exception, UsageError)
        assert "zzz; allowed: " in str(result.exception)


def test_what_detect_writes_is_read(tmp_path: Path) -> None:
    gold, predicted = files(tmp_path)
    done = CliRunner().invoke(app, ["detect", str(gold), "-o", str(predicted)])
    assert done.exit_code == 0, done.exception
    result = invoke(gold, predicted, "--resamples", 0)
    assert result.exit_code == 0, result.exception
    assert "[brackets]" not in result.stdout
