"""`dpdeid fasdim` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.fasdim import review
from dpdeid.errors import PolicyError, UsageError
from dpdeid.fasdim.detector import _loaded

ROWS = [
    {"id": "a", "text": "Mme Durand : plakounite franche, plakounite à 12 zorgs."},
    {"id": "b", "text": "plakounite, vue par Gwenvael"},
]


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["fasdim", *map(str, args)], env={"DPDEID_KEY": None})


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def released(notes: Path, folder: Path) -> str:
    """The second note as it comes out, in a process that has not read the lists yet."""
    _loaded.cache_clear()
    result = invoke("apply", notes, "--lists", folder, "--keep-ids")
    rows = {row["id"]: row["text"] for row in map(json.loads, result.stdout.splitlines())}
    return str(rows["b"])


def test_from_nothing_to_released_notes(tmp_path: Path, notes: Path) -> None:
    folder, table = tmp_path / "lists", tmp_path / "table.csv"
    assert invoke("init", folder).exit_code == 0
    assert invoke("extract", notes, "--lists", folder).exit_code == 0
    assert released(notes, folder) == "*****, vue par *****"
    assert invoke("review", folder, "--notes", notes, "--to-csv", table).exit_code == 0
    assert stat.S_IMODE(table.stat().st_mode) == 0o600
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert rows[0]["word"] == "plakounite"
    assert "[plakounite]" in rows[0]["context"]
    rows[0]["verdict"] = "authorized"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    assert invoke("review", folder, "--from-csv", table).exit_code == 0
    assert released(notes, folder) == "plakounite, vue par *****"
    status = " ".join(invoke("status", folder).stdout.split())
    assert "words authorized │ 1" in status
    assert "2 notes" in status


def test_the_keyboard(tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lists"
    invoke("init", folder)
    invoke("extract", notes, "-l", folder)
    keys = iter("caqx")
    monkeypatch.setattr(review, "at_terminal", lambda: True)
    monkeypatch.setattr("typer.getchar", lambda: next(keys))
    result = invoke("review", folder, "--notes", notes, "--source", "ours")
    assert result.exit_code == 0
    assert "plakounite  (3 times in 2 notes)" in result.stdout
    assert "[plakounite]" in result.stdout
    words = (folder / "words.tsv").read_text(encoding="utf-8").splitlines()
    assert words[1:] == ["plakounite\tauthorized\t\tours"]
    last = json.loads((folder / "lists.log").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["what"], last["decided"]) == ("review", 1)
    assert "plakounite" not in json.dumps(last)


def test_an_interrupted_review_keeps_what_was_decided(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keys() -> str:
        if (folder / "words.tsv").read_text(encoding="utf-8").count("\n") > 1:
            raise KeyboardInterrupt
        return "f"

    folder = tmp_path / "lists"
    invoke("init", folder)
    invoke("extract", notes, "-l", folder)
    monkeypatch.setattr(review, "at_terminal", lambda: True)
    monkeypatch.setattr("typer.getchar", keys)
    assert invoke("review", folder).exit_code == 130
    assert "plakounite\tforbidden" in (folder / "words.tsv").read_text(encoding="utf-8")
    assert '"decided": 1' in (folder / "lists.log").read_text(encoding="utf-8").splitlines()[-1]


def test_lists_of_other_sites_without_their_names(tmp_path: Path) -> None:
    ours, theirs, shared = (tmp_path / name for name in ("ours", "theirs", "shared"))
    for folder, line in ((ours, "omi\tauthorized"), (theirs, "gwenvael\tforbidden")):
        invoke("init", folder)
        with (folder / "words.tsv").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    assert invoke("init", shared, "--add", ours, "--add", theirs, "--authorized").exit_code == 0
    text = (shared / "words.tsv").read_text(encoding="utf-8")
    assert "omi" in text
    assert "gwenvael" not in text
    bare = tmp_path / "bare"
    invoke("init", bare, "--empty")
    invoke("init", tmp_path / "copy", "--empty", "--add", bare, "--authorized")
    assert "empty" in (tmp_path / "copy" / "words.tsv").read_text(encoding="utf-8")
    invoke("init", ours, "--add", theirs)
    assert "gwenvael\tforbidden" in (ours / "words.tsv").read_text(encoding="utf-8")


def test_what_is_refused(tmp_path: Path, notes: Path) -> None:
    folder = tmp_path / "lists"
    assert isinstance(invoke("status", folder).exception, PolicyError)
    invoke("init", folder, "--empty")
    assert isinstance(invoke("init", folder).exception, PolicyError)
    assert "extract first" in str(invoke("review", folder).exception)
    invoke("extract", notes, "-l", folder)
    refused = invoke("review", folder).exception
    assert isinstance(refused, UsageError)
    assert "needs a terminal" in str(refused)
    assert released(notes, folder) == "*****, *****"
