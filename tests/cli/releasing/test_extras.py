"""A folder of which some files need an extra that is not installed: the rest is released."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError

INSTALLS = "need pdfminer: pip install '.[formats]' in a checkout of dpdeid"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, where neither pdfminer nor openpyxl are installed."""
    for name in ("dpdeid.formats.documents.pdf", "dpdeid.formats.documents.pdf_pages"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delitem(sys.modules, "dpdeid.formats.tables.xlsx", raising=False)
    for name in [n for n in sys.modules if n.partition(".")[0] in ("pdfminer", "openpyxl")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "pdfminer", None)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Mme Durand, FEVG 45 %")
    for name in ("durand.pdf", "e.PDF"):
        (tmp_path / "in" / name).write_bytes(b"%PDF-1.4")
    return tmp_path / "in"


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, args), "-p", "redact"])


def test_the_rest_is_released_and_the_exit_code_says_that_something_was_left(folder: Path) -> None:
    out = folder.parent / "out"
    result = run(folder, "-o", out)
    assert result.exit_code == 3, result.output
    told = [line for line in result.stderr.splitlines() if "not read" in line]
    assert told == [f"dpdeid: 2 files of {folder} not read (2 .pdf): .pdf files {INSTALLS}"]
    assert result.stderr.count(INSTALLS) == 1
    assert "1 row released, 2 failed" in result.stderr
    released = [path for path in out.iterdir() if path.suffix == ".txt"]
    assert [path.read_text() for path in released] == ["Mme [LAST_NAME], FEVG 45 %"]
    errors = [json.loads(line) for line in (out / "errors.jsonl").read_text().splitlines()]
    assert {row["error"] for row in errors} == {
        f"file {at}: .pdf files {INSTALLS}" for at in (2, 3)
    }


def test_a_table_of_which_no_row_is_known_is_one_error(folder: Path) -> None:
    (folder / "t.xlsx").write_bytes(b"PK")
    result = run(folder)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 3
    (told,) = [row for row in rows if ".xlsx" in row.get("error", "")]
    assert told["id"] is None
    assert told["error"].startswith("file 4: .xlsx files need openpyxl: pip install '.[formats]'")


def test_an_extra_is_told_once_apart_from_what_is_never_read(folder: Path) -> None:
    (folder / "t.xlsx").write_bytes(b"PK")
    (folder / "b.mp4").touch()
    result = run(folder)
    never, told = (line for line in result.stderr.splitlines() if "not read" in line)
    assert never.startswith(f"dpdeid: 1 file of {folder} not read (1 .mp4); .csv")
    assert told.startswith(f"dpdeid: 3 files of {folder} not read (2 .pdf, 1 .xlsx): ")


def test_scans_without_tesseract_are_told_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    for name in ("a.png", "b.tif"):
        (folder / name).write_bytes(b"II*")
    for more in ((), ("--dry-run",)):
        result = run(folder, *more)
        assert result.exit_code == 3
        (told,) = (line for line in result.stderr.splitlines() if "(1 .png, 1 .tif)" in line)
        assert told.startswith(f"dpdeid: 2 files of {folder} not read (1 .png, 1 .tif): .png files")
        assert "tesseract-ocr-fra" in told


def test_a_folder_is_walked_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[Path] = []
    walk = Path.rglob

    def counted(path: Path, pattern: str) -> Iterator[Path]:
        walks.append(path)
        return walk(path, pattern)

    monkeypatch.setattr(Path, "rglob", counted)
    for more in ((), ("--dry-run",)):
        walks.clear()
        run(folder, *more)
        assert walks == [folder]


def test_a_dry_run_says_the_same(folder: Path) -> None:
    result = run(folder, "--dry-run")
    assert result.exit_code == 3, result.output
    assert f".pdf files {INSTALLS}" in result.stderr


def test_a_file_that_is_named_by_itself_ends_the_run(folder: Path) -> None:
    result = run(folder / "e.PDF")
    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == f".pdf files {INSTALLS}"


def test_a_column_that_is_called_as_that_of_ocr_is_not_overwritten(folder: Path) -> None:
    (folder / "n.csv").write_text("id,text,ocr\n1,RAS,DICTEE\n")
    assert '"ocr": "DICTEE"' in run(folder / "n.csv", "--keep", "ocr").stdout
    result = run(folder, "--keep", "ocr")
    assert "--keep ocr: where notes may be scans" in str(result.exception)
