"""`dpdeid evaluate coherence`: counts, places without text, the difference and the gate."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from dpdeid.cli import app
from dpdeid.errors import UsageError

GOOD = "Mme Sophie Garnier, née le 12/03/1950, vue le mardi 12/03/2024."
BAD = "M. Sophie Garnier, née le 12/03/1950, vue le lundi 12/03/2024."


def notes(path: Path, *texts: str, patient: str | None = None) -> Path:
    rows = [{"id": f"n{at}", "text": text, "patient_id": patient} for at, text in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*args: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["evaluate", "coherence", *map(str, args)])
    return done.exit_code, done.output


def test_places_and_no_text(tmp_path: Path) -> None:
    code, said = run(notes(tmp_path / "a.jsonl", GOOD, BAD))
    assert code == 0
    assert "n1\tweekday_date\t45-50\t51-61" in said
    assert "n0" not in said
    assert "Garnier" not in said
    assert "2024" not in said


def test_text_when_asked_for(tmp_path: Path) -> None:
    _, said = run(notes(tmp_path / "a.jsonl", BAD), "--show")
    assert "'lundi' – '12/03/2024'" in said


def test_the_difference_and_its_gate(tmp_path: Path) -> None:
    new = notes(tmp_path / "new.jsonl", GOOD, BAD)
    old = notes(tmp_path / "old.jsonl", GOOD, GOOD)
    report = tmp_path / "report.json"
    code, said = run(new, "--original", old, "--most", 1, "--json", report)
    assert code == 1
    assert "more than 1" in said
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["kinds"]["weekday_date"] == {
        "released": 1,
        "originals": 0,
        "released_per_10": 5.0,
        "added_per_10": 5.0,
    }
    assert run(new, "--original", new, "--most", 0)[0] == 0


def test_spans_are_taken_as_they_are(tmp_path: Path) -> None:
    text = "Vu Zorglub Xavier. Zorglub habite Kervidou (29) avec 13005 Nantes."
    source = notes(tmp_path / "a.jsonl", text)
    spans = tmp_path / "spans.jsonl"
    row = {"id": "n0", "entities": [{"start": 3, "end": 10, "label": "LAST_NAME"}]}
    spans.write_text(json.dumps(row) + "\n", encoding="utf-8")
    code, said = run(source, "--spans", spans)
    assert code == 0
    assert "zip_town" in said


def test_two_names_over_the_notes_of_a_patient(tmp_path: Path) -> None:
    texts = ("Patient : GARNIER Luc, vu ce jour.", "Patient : ROUSSEAU Luc, vu ce jour.")
    _, said = run(notes(tmp_path / "a.jsonl", *texts, patient="p"))
    assert "n0\ttwo_names" in said
    assert "of n1" in said


def test_one_standard_input() -> None:
    done = CliRunner().invoke(app, ["evaluate", "coherence", "-", "--original", "-"])
    assert isinstance(done.exception, UsageError)
