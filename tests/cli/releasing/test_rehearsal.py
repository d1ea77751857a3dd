"""`dpdeid run --dry-run`: it says what a run says of reading, refuses what it refuses, and leaves
every byte where it was.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.releasing import rehearsal
from dpdeid.cohort import manifest
from tests.conftest import KEY, OTHER_KEY

RULES = """
name: rules
unit: patient
detectors: [patterns]
merge: union
strategies:
  - dates: {labels: [DATE], timeline: {metric: {epsilon_per_day: 0.05, cap: 20, shift_days: 3650}}}
default: {redact: {form: label}}
"""
TABLE = """\
NUM;TEXTE;IPP;note_date;service
1;Mme Zorguelec, vue le 12/03/2021;7;2021-03-12;A
2;RAS;7;2045-03-01;A
3;RAS;8;12/13/2099;B
4;RAS;;2021-03-12;B
"""
READ = ("--text-column", "TEXTE", "--column", "patient_id=IPP", "--column", "id=NUM")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with notes, a policy and a cohort that has released one of its own."""
    monkeypatch.chdir(tmp_path)
    Path("rules.yaml").write_text(RULES, encoding="utf-8")
    Path("notes.csv").write_text(TABLE, encoding="utf-8")
    Path("first.jsonl").write_text('{"id": "0", "patient_id": "6", "text": "le 12/03/2021"}\n')
    ended("cohort", "new", "c", "--policy", "rules.yaml")
    ended("run", "first.jsonl", "-c", "c", "-o", "first.out.jsonl")
    return tmp_path


def invoke(*args: object, stdin: bytes | None = None) -> Result:
    env = {"DPDEID_KEY": None, "COLUMNS": "200"}
    return CliRunner().invoke(app, [str(one) for one in args], env=env, input=stdin)


def ended(*args: object, code: int = 0, stdin: bytes | None = None) -> str:
    result = invoke(*args, stdin=stdin)
    assert result.exit_code == code, (result.output, result.exception)
    return result.stdout


def cells(shown: str) -> dict[str, str]:
    """The table that is printed, by the first cell of each row."""
    rows = re.findall(r"^│ (.+?) +│ (.*?) +│$", shown, re.MULTILINE)
    return dict(rows)


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """What lies in a folder, with the time of its last change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_it_says_what_is_there_and_writes_nothing(folder: Path) -> None:
    private = ("--spans", "s.jsonl", "--mapping", "m.jsonl", "--ledger", "first.out.jsonl")
    asked = ("run", "notes.csv", "-c", "c", "-o", "o.csv", "--keep", "service", *READ, *private)
    before = everything(folder)
    shown = ended(*asked, "--dry-run", code=3)
    assert everything(folder) == before
    told = cells(shown)
    assert told["policy"].startswith("rules (")
    assert told["key"].endswith("of the cohort")
    assert told["cohort"].startswith("c: open; 1 charge on 1 unit, 1 unit in the vault, 0 patients")
    assert told["input"] == "notes.csv: 1 file of csv"
    assert [told[f"column {name}"] for name in ("NUM", "TEXTE", "IPP", "note_date")] == [
        f"is read as {key}" for key in ("id", "text", "patient_id", "note_date")
    ]
    assert told["kept"] == "service"
    assert "not released" not in told
    assert told["rows"] == "4"
    assert told["notes"] == "3 notes of 1 patient; 1 without patient_id, 3 with note_date"
    assert told["cannot be read"] == "1 row"
    assert told["would fail"].startswith("2 notes: ")
    assert told["output"] == "o.csv: new (csv)"
    assert told["spans (private)"] == "s.jsonl: new"
    assert told["ledger (private)"] == "first.out.jsonl: replaced"
    assert told["charges, vault"] == "added to c/charges.jsonl and c/vault.sqlite"
    assert "row 3: note_date is not a date" in shown
    assert "row 2: note_date lies after" in shown
    assert shown.endswith(f"{rehearsal.NOTHING}\n")
    assert "orguelec" not in shown


def test_a_run_finds_what_was_told(folder: Path) -> None:
    asked = ("run", "notes.csv", "-c", "c", "-o", "o.jsonl", *READ)
    told = cells(ended(*asked, "--dry-run", code=3))
    ended(*asked, code=3)
    rows = [json.loads(line) for line in (folder / "o.jsonl").read_text().splitlines()]
    failed = sum("error" in row for row in rows)
    assert failed == 1 + 2
    assert told["cannot be read"] == "1 row"
    assert told["would fail"].startswith("2 notes")
    assert len(rows) == int(told["rows"])


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["-o", "notes.csv"], "is an input"),
        (["-o", "o.jsonl", "--policy", "redact"], "the cohort was made with policy"),
        (["-o", "full"], "is not empty"),
        (["-o", "o.jsonl", "--key-file", "wide.key"], "a cohort has its own key"),
        (["--resume"], "--resume needs an output"),
        (["--exclude", "who.txt"], "no row is of the patient of line 2"),
        (["--seal", "seal", "--seal-key-file", "other.key"], "sealed under"),
        (["--seal", "seal"], "go together"),
        (["--column", "text=NOTHING"], "no column is called NOTHING"),
        (["--engine", "spark", "-o", "new"], "is not for --engine spark"),
        (["--keep", "patient_id"], "never released"),
    ],
)
def test_what_a_run_refuses_is_refused(more: list[str], why: str, folder: Path) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "file").touch()
    (folder / "who.txt").write_text("7\nnobody\n")
    for name, key in (("own.key", KEY), ("other.key", OTHER_KEY)):
        (folder / name).write_text(key.hex())
        (folder / name).chmod(0o600)
    ended("run", "first.jsonl", "-c", "c", "-o", "again.jsonl", *SEAL)
    before = everything(folder)
    read = () if "--column" in more else READ
    asked = ("run", "notes.csv", "-c", "c", *read, *more)
    told = str(invoke(*asked, "--dry-run").exception)
    assert why in told
    assert everything(folder) == before
    if "spark" not in more:
        assert str(invoke(*asked).exception) == told


SEAL = ("--seal", "seal", "--seal-key-file", "own.key")


def test_a_key_that_others_may_read_is_refused(folder: Path) -> None:
    wide = folder / "wide.key"
    wide.write_text(KEY.hex())
    wide.chmod(0o644)
    result = invoke("run", "notes.csv", "--dry-run", "-k", wide, "-p", "rules.yaml", *READ)
    assert "chmod 600" in str(result.exception)


def test_a_folder_without_the_right_to_write(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal.os, "access", lambda _, mode: mode == os.R_OK)
    result = invoke("run", "notes.csv", "--dry-run", "-c", "c", "-o", "o.jsonl", *READ)
    assert "cannot write o.jsonl" in str(result.exception)


def test_a_closed_cohort_is_refused(folder: Path) -> None:
    ended("cohort", "close", "c", "--yes")
    result = invoke("run", "notes.csv", "--dry-run", "-c", "c", *READ)
    assert "is closed since" in str(result.exception)


def test_ids_that_were_merged_are_one_patient(folder: Path) -> None:
    Path("two.jsonl").write_text(
        '{"id": "a", "patient_id": "6", "text": "RAS"}\n'
        '{"id": "b", "patient_id": "5", "text": "RAS"}\n'
    )
    asked = ("run", "two.jsonl", "-c", "c", "-o", "o.jsonl", "--dry-run")
    assert cells(ended(*asked))["notes"].startswith("2 notes of 2 patients")
    ended("vault", "merge", "c", "5", "6", "--yes")
    assert cells(ended(*asked))["notes"].startswith("2 notes of 1 patient;")


def test_whoever_was_forgotten_or_objects_is_left_out(folder: Path) -> None:
    ended("forget", "7", "-c", "c", code=4)
    Path("who.txt").write_text("8\n")
    told = ended("run", "notes.csv", "-c", "c", "--exclude", "who.txt", "--dry-run", *READ, code=4)
    assert "2 rows of forgotten patients left out" in told
    assert "1 row of 1 patient left out" in told
    assert "no patient_id, and --exclude must know whose note it is" in told


def test_a_folder_of_files(folder: Path) -> None:
    notes = folder / "in"
    notes.mkdir()
    (notes / "a.txt").write_bytes("Vu en été.".encode("cp1252"))
    (notes / "b.txt").write_text("RAS")
    (notes / "c.html").write_text("<p>RAS</p>")
    (notes / "d.mp4").touch()
    result = invoke("run", "in", "-p", "rules.yaml", "--dry-run", "-o", "out")
    told = cells(result.stdout)
    assert result.exit_code == 0
    assert told["input"] == "in: 2 files of txt, 1 file of html"
    assert told["not UTF-8"] == "1 file read as Windows-1252"
    assert told["output"] == "out: a new folder, a file a note"
    assert told["key"].endswith("for one run only")
    assert "1 file of in not read (1 .mp4" in result.stderr
    assert not (folder / "out").exists()


def test_standard_input_has_no_columns_to_tell(folder: Path) -> None:
    rows = b'{"id": "a", "text": "RAS", "ward": "A"}\n{"id": "a", "text": "RAS"}\n'
    shown = ended("run", "-", "-p", "rules.yaml", "--dry-run", stdin=rows, code=3)
    told = cells(shown)
    assert told["input"] == "standard input"
    assert not any(name.startswith("column") for name in told)
    assert told["no patient_id"].startswith("each such note is a patient of its own")
    assert "row 2: same id as row 1" in shown


def test_no_more_than_some_rows_are_listed(folder: Path) -> None:
    shown = ended("run", "-", "-p", "rules.yaml", "--dry-run", stdin=b'{"id": 1}\n' * 25, code=4)
    assert shown.count(": no text") == rehearsal.SHOWN
    assert "and 5 rows more" in shown


def test_a_part_of_a_cohort_has_the_rows_that_its_run_has(folder: Path) -> None:
    rows = [json.dumps({"id": n, "patient_id": n, "text": "RAS"}) for n in range(20)]
    Path("many.jsonl").write_text("\n".join(rows))
    found = []
    for shard in ("1/2", "2/2"):
        asked = ("run", "many.jsonl", "-c", "c", "-o", "o.jsonl", "--shard", shard)
        told = cells(ended(*asked, "--dry-run"))
        ended(*asked)
        assert len((folder / "o.jsonl").read_text().splitlines()) == int(told["rows"])
        assert told["charges, vault"].startswith(f"added to c/charges.{shard[0]}-of-2.jsonl")
        found.append(int(told["rows"]))
    assert sum(found) == 20
    assert all(found)


def test_a_vault_that_is_looked_at_cannot_be_written(folder: Path) -> None:
    with manifest.vault(folder / "c", look=True) as vault:
        assert vault.counts() == (1, 0)
        with pytest.raises(Exception, match="readonly"):
            vault.forget("6")
