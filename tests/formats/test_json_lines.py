"""JSON lines: every line that is not blank has its outcome, and no outcome repeats the line."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.formats.json_lines import file_lines, json_lines
from dpdeid.formats.kinds import ANY, Origin
from dpdeid.formats.sources import look, read
from dpdeid.formats.tables.json_rows import read as read_rows
from tests.conftest import altered_gzip


def test_each_line_has_its_number_and_outcome() -> None:
    lines = [
        b'\xef\xbb\xbf{"id": 1}\n', b" \r\n", b'{"id": 2}\r\n', b"{\n", b"[1]\n", b'"a\xff"\n',
        b"[" * 100_000 + b"\n", b'{"id": 3}',
    ]  # fmt: skip
    assert list(json_lines(lines)) == [
        (1, {"id": 1}),
        (3, {"id": 2}),
        (4, "not valid JSON"),
        (5, "not a JSON object"),
        (6, "not UTF-8 (byte 2)"),
        (7, "not valid JSON"),
        (8, {"id": 3}),
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_its_first_bytes_say_whether_a_file_is_packed(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(b'{"id": 1}\n'))
    assert list(file_lines(path)) == [(1, {"id": 1})]


@pytest.mark.parametrize("data", [b"", b"\x1f", b"\n\n", gzip.compress(b"", mtime=0)])
def test_a_file_without_rows_has_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    assert [row for _, row in file_lines(path) if isinstance(row, dict)] == []


def test_a_damaged_file_ends_with_a_line_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1}\n' * 9)[:-9])
    *good, (number, error) = file_lines(path)
    assert all(row == {"id": 1} for _, row in good)
    assert number == len(good) + 1
    assert error == "damaged file (EOFError)"
    path.write_bytes(altered_gzip(b'{"id": 1}\n'))
    assert str(list(file_lines(path))[-1][1]).startswith("damaged file (")


def test_a_file_that_cannot_be_opened_is_one_bad_line(tmp_path: Path) -> None:
    assert list(file_lines(tmp_path)) == [(1, "the file cannot be opened (Is a directory)")]


@given(st.lists(st.binary(max_size=30)))
def test_any_bytes_have_an_outcome_for_each_line(lines: list[bytes]) -> None:
    numbers = [number for number, _ in json_lines(lines)]
    assert numbers == [n for n, line in enumerate(lines, 1) if line.strip()]


ROW = '{"id": "a", "text": "Vue à l’hôpital, 45 €\u2028suite"}\n'


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("codec", "told"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("cp1252", "Windows-1252"),
        ("utf-8", ""),
        ("utf-8-sig", ""),
    ],
)
def test_rows_are_read_in_the_encodings_of_tables(
    codec: str, told: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    line = ROW if codec != "cp1252" else ROW.replace("\u2028", " ")
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack((line + line.replace('"a"', '"b"')).encode(codec)))
    found = list(read(str(path), BytesIO()))
    assert [row.encoding for row in found] == [told, ""]
    texts = [row.document and row.document.text for row in found]
    assert texts == [json.loads(line)["text"]] * 2
    assert look(str(path)).columns(ANY) == {"id": "id", "text": "text"}


def test_a_byte_that_is_no_letter_is_an_error_of_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"id": 1, "text": "été"}\n{"id": 2, "text": "\x81"}'.encode("latin-1"))
    assert [row.error for row in read(str(path), BytesIO())] == ["", "row 2: not UTF-8 (byte 19)"]


class Piecemeal(BytesIO):
    """A file that gives little at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(512)

    read1 = read


def test_a_long_line_in_another_encoding_is_put_together_once() -> None:
    """Before, each piece that was read copied all of the line before it."""
    file = Piecemeal(('{"id": 1, "text": "' + "é" * 4_000_000 + '"}').encode("utf-16"))
    began = time.process_time()
    assert len([*read_rows(file, Origin("", "a"), ANY)]) == 1
    assert time.process_time() - began < 3
