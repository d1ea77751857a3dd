"""A release appears whole where it was asked for, and file names tell nothing."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Deidentified
from dpdeid.errors import InputError, UsageError
from dpdeid.formats.rows import Row
from dpdeid.formats.targets import ERRORS, OCR, Target, file_name
from dpdeid.privacy.ledger import Ledger

RESULT = Deidentified("a", "Mme Été", None, Ledger(), ())
ROW = Row("row 1", "a")


@dataclass(frozen=True)
class Shouted:
    """A form of files in capitals."""

    ending: str = ".loud"

    def written(self, result: Deidentified, released_id: str) -> bytes:
        if "Z" in released_id:
            raise InputError("no such id")
        return f"{released_id} {result.text.upper()}".encode()


def lines(*pieces: dict[str, object]) -> Iterator[bytes]:
    return (json.dumps(piece).encode() + b"\n" for piece in pieces)


def folder(tmp_path: Path) -> tuple[Path, Target]:
    path = tmp_path / "out"
    path.mkdir()
    return path, Target.of(path, [])


def test_rows_have_the_text_and_what_is_kept() -> None:
    target = Target.of(None, [])
    assert target.piece(ROW, RESULT, "x", {"ward": 3}) == {"id": "x", "text": "Mme Été", "ward": 3}


def test_a_file_is_written_in_its_form() -> None:
    target = Target(None, Path("out"))
    plain = target.piece(ROW, RESULT, "x", {})
    loud = target.piece(Row("row 1", "a", form=Shouted()), RESULT, "x", {})
    assert (plain["ending"], b64decode(plain["content"])) == (".txt", "Mme Été".encode())
    assert (loud["ending"], b64decode(loud["content"])) == (".loud", "x MME ÉTÉ".encode())


def test_what_cannot_be_written_is_an_error_of_its_row() -> None:
    with pytest.raises(InputError, match="no such id"):
        Target(None, Path("out")).piece(Row("row 1", "a", form=Shouted()), RESULT, "Z", {})


def test_a_folder_has_a_file_a_note_and_a_row_for_each_that_failed(tmp_path: Path) -> None:
    path, target = folder(tmp_path)
    with target.opened() as write:
        piece = target.piece(ROW, RESULT, "x", {})
        write(lines(dict(piece), {"id": "y", "error": "row 2: no text"}))
        assert not any(path.iterdir())  # until all is well
    assert {file.name: file.read_text() for file in path.iterdir()} == {
        "x.txt": "Mme Été",
        ERRORS: '{"id": "y", "error": "row 2: no text"}\n',
    }


def test_a_run_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    path, target = folder(tmp_path)

    def stopped() -> Iterator[bytes]:
        yield from lines(dict(target.piece(ROW, RESULT, "x", {})))
        raise KeyError

    with pytest.raises(KeyError), target.opened() as write:
        write(stopped())
    assert [*tmp_path.iterdir()] == [path]
    assert not any(path.iterdir())


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "of yesterday").touch()
    with pytest.raises(UsageError, match="not empty"):
        Target.of(tmp_path, [])


def test_a_folder_becomes_a_folder(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "new", [tmp_path])
    with target.opened() as write:
        write(lines(dict(target.piece(ROW, RESULT, "x", {}))))
    assert [*(tmp_path / "new").iterdir()] == [tmp_path / "new" / "x.txt"]
    assert Target.of(tmp_path / "new.jsonl", [tmp_path]).is_of_rows
    assert Target.of(tmp_path / "rows", [tmp_path / "a.jsonl"]).is_of_rows


@pytest.mark.parametrize("sources", [[], ["a.jsonl"], ["notes"]])
def test_one_note_is_asked_for_of_one_note_only(sources: list[str], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is one note"):
        Target.of(tmp_path / "out.txt", [tmp_path / name for name in sources])


def test_a_file_of_one_note(tmp_path: Path) -> None:
    target = Target.of(tmp_path / "out.txt", [tmp_path / "in.txt"])
    with target.opened() as write:
        write(lines(dict(target.piece(ROW, RESULT, "x", {}))))
    assert (tmp_path / "out.txt").read_text() == "Mme Été"
    with (
        pytest.raises(UsageError, match="nothing is released: file 1: damaged"),
        target.opened() as write,
    ):
        write(lines({"id": "x", "error": "file 1: damaged"}))
    with (
        pytest.raises(UsageError, match="more than one note"),
        target.opened() as write,
    ):
        write(lines(*[dict(target.piece(ROW, RESULT, "x", {}))] * 2))
    assert (tmp_path / "out.txt").read_text() == "Mme Été"


@given(st.text(min_size=1, max_size=30).filter(lambda t: t.isprintable()))
def test_the_name_of_a_file_stays_in_its_folder(note: str) -> None:
    try:
        name = file_name(note, ".txt")
    except InputError:
        return
    assert Path("folder", name).parent == Path("folder")
    assert not name.startswith(".")
    assert name.lower() != ERRORS
    assert "/" not in name
    assert "\\" not in name


@given(st.sets(st.text(st.sampled_from("a.%/E2"), min_size=1, max_size=6), min_size=2, max_size=2))
def test_two_notes_have_two_files(notes: set[str]) -> None:
    assert len({file_name(note, ".txt") for note in notes}) == 2


def test_no_note_is_called_as_the_file_of_errors() -> None:
    assert file_name("errors", ".jsonl") != ERRORS
    assert file_name("ocr", ".jsonl") != OCR
    with pytest.raises(InputError, match="too long"):
        file_name("a" * 300, ".txt")
