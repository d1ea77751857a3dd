"""No command destroys what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.write import keep_apart


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text("{}")
    return tmp_path / "in" / "a.jsonl"


def test_files_apart_are_well(notes: Path, tmp_path: Path) -> None:
    keep_apart((notes, None), tmp_path / "out", None, notes.parent / "b")
    keep_apart((), notes, Path("/dev/null"), Path("/dev/null"))


@pytest.mark.parametrize("name", ["in/a.jsonl", "in/../in/a.jsonl", "link"])
def test_an_input_is_no_output_by_any_name(name: str, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(notes)
    with pytest.raises(UsageError, match="is an input"):
        keep_apart((notes,), tmp_path / name)


def test_hard_links_are_one_file(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "hard").hardlink_to(notes)
    with pytest.raises(UsageError, match="is an input"):
        keep_apart((notes,), tmp_path / "hard")
    with pytest.raises(UsageError, match="named twice"):
        keep_apart((), notes, tmp_path / "hard")


def test_nothing_is_written_into_a_folder_that_is_read(notes: Path) -> None:
    with pytest.raises(UsageError, match="lies in one"):
        keep_apart((notes.parent,), notes.parent / "out.jsonl")


@pytest.mark.parametrize("name", ["in", "none/out.jsonl"])
def test_a_place_where_nothing_can_be_written_is_told_first(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(UsageError, match="cannot write"):
        keep_apart((), tmp_path / "ok", tmp_path / name)


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="named twice"):
        keep_apart((), tmp_path / "a", tmp_path / "b", tmp_path / "a")
