"""`dpdeid annotate report` and `gold`, as somebody types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.annotate.units import Answer
from dpdeid.cli.app import app
from dpdeid.errors import AnnotationError
from tests.annotate.agreement.answers import DAY, FIRST_NAME, NAME, said


def written(path: Path, *answers: Answer) -> Path:
    path.write_text("".join(json.dumps(one.row()) + "\n" for one in answers), "utf-8")
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["annotate", *map(str, words)])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    pytest.importorskip("pygamma_agreement")
    return [
        written(tmp_path / "a.jsonl", said("anne", NAME, DAY), said("anne", of="m#0")),
        written(tmp_path / "b.jsonl", said("bruno", NAME), said("bruno", of="m#0")),
        written(tmp_path / "c.jsonl", said("carla", FIRST_NAME, DAY), said("carla", DAY, of="k#0")),
    ]


def test_a_report_is_printed_and_written_without_text(files: list[Path], tmp_path: Path) -> None:
    told, differing = tmp_path / "r.json", tmp_path / "d.jsonl"
    done = run("report", *files, "--json", told, "--disagreements", differing, "--samples", 4)
    assert done.exit_code == 0, done.output
    assert "3 units: 2 by two annotators or more, 1 without a mark, 0 corrected" in done.output
    assert "bruno" in done.output
    assert "Morel" not in done.output + told.read_text("utf-8")
    assert json.loads(told.read_text("utf-8"))["several"] == 2
    assert "Morel" in differing.read_text("utf-8")
    assert differing.stat().st_mode & 0o777 == 0o600


def test_gold_is_what_most_agree_on(files: list[Path], tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    done = run("gold", *files, "-o", gold, "--least", 2, "--samples", 0)
    assert done.exit_code == 0, done.output
    assert "2 units, 2 gold marks; 0 undecided, 1 left out with fewer annotators" in done.stderr
    rows = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["m#0", "n#0"]
    assert [e["label"] for e in rows[1]["entities"]] == ["NOM", "DATE"]
    assert gold.stat().st_mode & 0o777 == 0o600


def test_weighted_gold_runs(files: list[Path], tmp_path: Path) -> None:
    done = run("gold", *files, "-o", tmp_path / "g.jsonl", "--weighted", "--samples", 0)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("words", [("report",), ("gold", "-o", "g.jsonl")])
def test_no_answers_is_an_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    empty = written(tmp_path / "a.jsonl")
    done = run(words[0], empty, *words[1:])
    assert isinstance(done.exception, AnnotationError)
