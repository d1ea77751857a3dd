"""`dpdeid run` from a file of any kind into one of any kind."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cohort.cohort import Cohort
from dpdeid.errors import UsageError
from dpdeid.formats.kinds import KINDS
from tests.conftest import KEY, OTHER_KEY

ROWS: list[dict[str, Any]] = [
    {
        "id": "17",
        "text": "Mme Zorglub, vue le 12/03/2021\nà Lyon.",
        "patient_id": "p",
        "note_date": "2021-03-14",
        "last_name": "Zorglub",
        "service": "cardio",
        "beds": 3,
    },
    {"id": "18", "text": "- Revue le 19/03/2021, = va bien", "patient_id": "p", "service": "réa"},
    {"id": "19", "text": "=SOMME(A1)", "patient_id": "q", "last_name": "", "beds": 4},
]
NAMES = ("id", "text", "patient_id", "note_date", "last_name", "service", "beds")


def invoke(*args: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(
        app, [str(a) for a in args], env={"DPDEID_KEY": KEY.hex()}, input=stdin
    )


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """The rows as a file of the kind that its ending names."""
    if path.suffix == ".parquet":
        pa = pytest.importorskip("pyarrow", reason="needs the extra formats")
        columns = {name: [row.get(name) for row in rows] for name in NAMES}
        pytest.importorskip("pyarrow.parquet").write_table(pa.table(columns), path)
        return path
    if ".jsonl" in path.name:
        facts = [{**r, "patient": {"last_name": r.get("last_name")}} for r in rows]
        data = "".join(json.dumps(row) + "\n" for row in facts).encode()
    else:
        file = io.StringIO(newline="")
        out = csv.DictWriter(file, NAMES, delimiter="\t" if ".tsv" in path.name else ";")
        out.writeheader()
        out.writerows(rows)
        data = file.getvalue().encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def content(path: Path) -> list[dict[str, Any]]:
    """The rows of a released file, empty cells left out."""
    if path.suffix == ".parquet":
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    else:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        if ".jsonl" in path.name:
            return [json.loads(line) for line in text.split("\n") if line]
        delimiter = "\t" if ".tsv" in path.name else ","
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    return [{k: v for k, v in row.items() if v not in (None, "")} for row in rows]


PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
ENDINGS = ("jsonl", "csv", "csv.gz", "tsv", "tsv.gz", "parquet")


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_rows_give_the_same_release(ending: str, tmp_path: Path) -> None:
    source, out = table(tmp_path / f"n.{ending}", ROWS), tmp_path / "out.jsonl"
    assert invoke("run", source, "-o", out, "--keep", "service", "-p", "dp").exit_code == 0
    plain, expected = table(tmp_path / "m.jsonl", ROWS), tmp_path / "expected.jsonl"
    invoke("run", plain, "-o", expected, "--keep", "service", "-p", "dp")
    given = [{k: v for k, v in row.items() if v not in (None, "")} for row in content(out)]
    assert given == content(expected)
    assert "Zorglub" not in out.read_text(encoding="utf-8")


@settings(max_examples=5)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=5))
def test_any_texts_give_the_same_release(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra formats")
    folder = tmp_path_factory.mktemp("any")
    rows = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    releases = []
    for ending in ("jsonl", "csv", "parquet"):
        out = folder / f"out.{ending}.jsonl"
        invoke("run", table(folder / f"n.{ending}", rows), "-o", out, "-p", "redact")
        releases.append(content(out))
    assert releases[0] == releases[1] == releases[2]
    assert len(releases[0]) == len(rows)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_release_in_every_kind(ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="needs the extra formats")
    source, out = table(tmp_path / "n.jsonl", ROWS), tmp_path / f"out.{ending}"
    result = invoke("run", source, "-o", out, "-p", "redact", "--keep", "beds")
    assert result.exit_code == 0, result.output
    rows = {row["id"]: row for row in content(out)}
    assert [*rows] == sorted(Cohort(KEY).released_id(row["id"]) for row in ROWS)
    first, second, third = (rows[Cohort(KEY).released_id(row["id"])] for row in ROWS)
    assert first["text"] == "Mme [LAST_NAME], vue le [DATE]\nà [CITY]."
    mark = "" if ending in ("jsonl", "parquet") else "'"
    assert second["text"] == f"{mark}- Revue le [DATE], = va bien"
    assert third["text"] == f"{mark}=SOMME(A1)"
    typed = ending in ("jsonl", "parquet")
    assert (first["beds"], third["beds"]) == ((3, 4) if typed else ("3", "4"))
    assert "beds" not in {k for k, v in second.items() if v is not None}


def test_columns_are_named_by_options(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra formats")
    source, out = tmp_path / "notes.csv", tmp_path / "out.parquet"
    source.write_text(
        "NOTE_ID;note;service;NOM\n17;Zorglub va bien;cardio;Zorglub\n18;x\n", encoding="utf-8"
    )
    options = ("--text-column", "note", "--column", "id=NOTE_ID", "--column", "last_name=NOM")
    result = invoke("run", source, "-o", out, *options, "--keep", "service", "-p", "redact")
    assert result.exit_code == 3
    assert content(out) == [
        {"id": Cohort(KEY).released_id("17"), "text": "[LAST_NAME] va bien", "service": "cardio"},
        {"error": "row 2: 2 cells, and there are 4 columns"},
    ]


def test_keys_of_json_lines_are_named_by_options(tmp_path: Path) -> None:
    source, out = tmp_path / "n.jsonl", tmp_path / "out.csv"
    row = {"NOTE_ID": 17, "note": "M. Zorglub va bien", "NOM": "Zorglub", "content": "lit"}
    source.write_text(json.dumps(row) + "\n", encoding="utf-8")
    options = ("--text-column", "note", "--column", "id=NOTE_ID", "--column", "last_name=NOM")
    invoke("run", source, "-o", out, *options, "--keep", "content", "-p", "redact", "--keep-ids")
    assert content(out) == [{"id": "17", "text": "M. [LAST_NAME] va bien", "content": "lit"}]


def test_a_table_without_texts_is_refused_and_nothing_written(tmp_path: Path) -> None:
    source, out = tmp_path / "n.csv", tmp_path / "out.csv"
    source.write_text("id,note\n1,x\n", encoding="utf-8")
    error = invoke("run", source, "-o", out, "-p", "redact").exception
    assert isinstance(error, UsageError)
    assert str(error) == (
        "n.csv: no column is called text; there are id, note. Say which is what: "
        "--text-column NAME, --column KEY=NAME"
    )
    assert not out.exists()


def test_a_folder_of_tables_is_read_and_names_of_files_are_not_released(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out.csv"
    folder.mkdir()
    (folder / "DURAND.csv").write_text("text\nx\ny,z\n", encoding="utf-8")
    (folder / "LEGOFF.tsv").write_text("id\ttext\n1\ttoux\n", encoding="utf-8")
    assert invoke("run", folder, "-o", out, "-p", "redact").exit_code == 3
    rows = content(out)
    assert sorted(row.get("text", "") for row in rows) == ["", "toux", "x"]
    assert rows[-1] == {"error": "file 1, row 2: 2 cells, and there are 1 columns"}
    assert "DURAND" not in out.read_text(encoding="utf-8")


def test_a_table_from_standard_input() -> None:
    result = invoke("run", "-", "--format", "csv", "-p", "redact", stdin=b"id;text\n1;x\n")
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("{")]
    assert json.loads(line) == {"id": Cohort(KEY).released_id("1"), "text": "x"}


def test_rows_by_another_name_are_no_file_of_one_note(tmp_path: Path) -> None:
    source, out = tmp_path / "notes.txt", tmp_path / "out.txt"
    source.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    result = invoke("run", source, "--format", "jsonl", "-o", out, "-p", "redact")
    assert isinstance(result.exception, UsageError)
    assert str(result.exception).startswith(f"{out} is one note")
    assert not out.exists()


def test_a_page_by_another_name_becomes_a_page(tmp_path: Path) -> None:
    source, out = tmp_path / "notes.dat", tmp_path / "out.html"
    source.write_text("<p>état stable</p><!-- Zorglub -->", encoding="utf-8")
    assert invoke("run", source, "--format", "html", "-o", out, "-p", "redact").exit_code == 0
    assert out.read_text(encoding="utf-8") == "<p>état stable</p>"


def test_standard_output_is_in_utf_8_whatever_the_locale() -> None:
    command = (sys.executable, "-m", "dpdeid", "run", "-", "-p", "redact")
    env = {**os.environ, "DPDEID_KEY": KEY.hex(), "PYTHONIOENCODING": "ascii"}
    row = b'{"id": "a", "text": "\xc3\xa9tat stable"}\n'
    done = subprocess.run(command, input=row, env=env, capture_output=True, check=True)
    assert json.loads(done.stdout)["text"] == "état stable"


def test_released_tables_lead_back(tmp_path: Path) -> None:
    """What defuses formulas is taken off again, or the texts would not be those of the mapping."""
    source, out, seal = table(tmp_path / "n.csv", ROWS), tmp_path / "out.csv", tmp_path / "seal"
    (tmp_path / "seal.key").write_bytes(OTHER_KEY)
    (tmp_path / "seal.key").chmod(0o600)
    sealed = ("--seal", seal, "--seal-key-file", tmp_path / "seal.key")
    assert invoke("run", source, "-o", out, "-p", "dp", *sealed).exit_code == 0
    result = invoke("restore", out, *sealed)
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    texts = {row["id"]: row["text"] for row in rows}
    assert texts == {row["id"]: row["text"] for row in ROWS}


def test_the_page_says_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra formats")
    monkeypatch.chdir(tmp_path)
    Path("notes.csv").write_text("NOTE_ID,note,NOM,service\n17,x,y,n\n", encoding="utf-8")
    section = PAGE.partition("## Tables")[2].partition("\n## ")[0]
    commands = [line for line in section.splitlines() if line.startswith("dpdeid run ")]
    assert commands
    for command in commands:
        assert invoke(*shlex.split(command)[1:]).exit_code == 0, command
    assert [row["service"] for row in content(Path("released.parquet"))] == ["n"]


def test_every_kind_of_table_is_on_the_page_and_in_the_help() -> None:
    shown = invoke("run", "--help").output
    for kind in KINDS:
        if kind.module.startswith("tables."):
            assert kind.name in shown
            assert all(f"`{ending}`" in PAGE for ending in kind.endings), kind.name


@pytest.mark.parametrize("name", ["o.pdf", "o.msg", "o.doc", "o.2024"])
@pytest.mark.parametrize("look", [(), ("--dry-run",)])
def test_an_ending_that_is_not_written_is_refused(
    name: str, look: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "in.txt").write_text("RAS")
    (tmp_path / "in.pdf").write_bytes(b"%PDF-1.4")
    for source in ("in.txt", "in.pdf"):
        result = invoke("run", tmp_path / source, "-p", "redact", "-o", tmp_path / name, *look)
        assert isinstance(result.exception, UsageError), result.output
        assert f"{tmp_path / name}" in str(result.exception)
    assert not (tmp_path / name).exists()
