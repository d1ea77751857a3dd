"""`dpdeid monitor` as cron sees it: files in, an exit code out."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app

DAY = "2020-01-31"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["monitor", *map(str, arguments)])


def spans(path: Path, notes: int, dates: int) -> Path:
    """So many notes with 1 to `dates` dates each."""
    rows = [
        {
            "id": f"secret-{at}",
            "entities": [{"start": 0, "end": 1, "label": "DATE"}] * (1 + at % dates),
        }
        for at in range(notes)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    path = tmp_path / "baseline.json"
    made = call(spans(tmp_path / "old.jsonl", 200, 4), "-b", path, "--new-baseline", DAY)
    assert made.exit_code == 0
    assert "200 notes" in made.stdout
    return path


def test_a_baseline_is_private_and_holds_counts_alone(baseline: Path) -> None:
    assert stat.S_IMODE(baseline.stat().st_mode) == 0o600
    data = json.loads(baseline.read_text(encoding="utf-8"))
    assert (data["notes"], data["evaluated"]) == (200, DAY)
    assert data["tallies"]["DATE"]["total"] == 500
    assert "secret" not in baseline.read_text(encoding="utf-8")


def test_the_same_kind_of_notes_passes(baseline: Path, tmp_path: Path) -> None:
    result = call(spans(tmp_path / "new.jsonl", 60, 4), "-b", baseline, "--years", 1000)
    assert result.exit_code == 0
    assert "ALARM" not in result.stdout


def test_a_drift_fails_and_says_what(baseline: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    source = spans(tmp_path / "new.jsonl", 60, 12)
    result = call(source, "-b", baseline, "--years", 1000, "--json", figures)
    assert result.exit_code == 1
    assert "ALARM: DATE: 2.50 → 6.50 a note" in result.stdout
    data = json.loads(figures.read_text(encoding="utf-8"))
    assert data["alarm"]
    assert not data["overdue"]
    date = data["figures"]["DATE"]
    assert date["alarm"]
    assert (date["difference"], date["ratio"]) == (4.0, 2.6)
    assert re.search(r"DATE .* 2\.50 .* 6\.50 .* \+4\.00 .* × 2\.60 ", result.stdout)


def test_a_share_of_notes_moves_by_points(tmp_path: Path) -> None:
    """25 of 300 notes had no span, 51 of 300 have none now: .08 → .17 is twice as many."""

    def batch(name: str, without: int) -> Path:
        path = spans(tmp_path / name, 300, 4)
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for row in rows[:without]:
            row["entities"] = []
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    call(batch("old.jsonl", 25), "-b", tmp_path / "b.json", "--new-baseline", DAY)
    told = call(batch("new.jsonl", 51), "-b", tmp_path / "b.json", "--years", 1000).stdout
    (row,) = (line for line in told.splitlines() if "17.0 %" in line and "│" in line)
    shown = ["8.3 %", "17.0 %", "+8.7 points", "× 2.04"]
    assert [" ".join(cell.split()) for cell in row.split("│")[2:6]] == shown
    assert "ALARM: notes without a span: 8.3 % → 17.0 % of all notes" in told


def test_an_old_evaluation_fails(baseline: Path, tmp_path: Path) -> None:
    result = call(spans(tmp_path / "new.jsonl", 60, 4), "-b", baseline)
    assert result.exit_code == 1
    assert f"last evaluation: {DAY}" in result.stdout
    assert "older than 3 years" in result.stdout


def test_few_notes_are_said_to_be_few(baseline: Path, tmp_path: Path) -> None:
    result = call(spans(tmp_path / "new.jsonl", 5, 4), "-b", baseline, "--years", 1000)
    assert "only 5 notes" in result.stdout


def test_no_note_at_all(baseline: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"id": "1", "error": "row 1"}\n', encoding="utf-8")
    assert call(empty, "-b", baseline).exit_code == 4


def test_an_evaluation_of_tomorrow_is_refused(tmp_path: Path) -> None:
    source = spans(tmp_path / "new.jsonl", 5, 4)
    result = call(source, "-b", tmp_path / "b.json", "--new-baseline", "2999-01-01")
    assert result.exception is not None
    assert "still to come" in str(result.exception)
