"""JSON lines: {"id", "text", "patient_id"?, "note_date"?, "patient"?, …} a note. Keys are told as
columns are: facts may stand beside "patient", in letters of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from io import TextIOWrapper
from itertools import islice
from typing import Any, BinaryIO, Final, cast

from dpdeid.errors import InputError
from dpdeid.formats.encodings import file_encoding, told
from dpdeid.formats.json_lines import DAMAGED, json_lines, unpacked
from dpdeid.formats.kinds import Origin, Piece, Reading
from dpdeid.formats.rows import Row, row_of
from dpdeid.formats.write import json_line

_LOOKED_AT: Final = 1_000
"""Rows whose keys `columns` tells."""


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of a file, packed by gzip or not; in UTF-8, UTF-16 or Windows-1252, as tables."""
    lines, encoding = _lines(unpacked(file))
    for row in rows_of(lines, origin, how):
        yield replace(row, encoding=encoding)
        encoding = ""


def _lines(file: BinaryIO) -> tuple[Iterable[bytes], str]:
    """The lines of a file in UTF-8, and what its encoding is called; what is damaged is met where
    it is read.
    """
    codec = "utf-8"
    with suppress(*DAMAGED):
        codec = file_encoding(file)
    file.seek(0)
    if codec.startswith("utf-8"):
        return file, ""
    return _recoded(file, codec), told(codec)


def _recoded(file: BinaryIO, codec: str) -> Iterator[bytes]:
    """Lines in UTF-8; a byte that is none in its codec stays what it was."""
    errors = "replace" if codec.startswith("utf-16") else "surrogateescape"
    with TextIOWrapper(cast(Any, file), codec, errors, newline="\n") as lines:
        yield from (line.encode("utf-8", "surrogateescape") for line in lines)


def rows_of(lines: Iterable[bytes], origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of lines that are read already."""
    for number, parsed in json_lines(lines):
        where = origin.row(number)
        if isinstance(parsed, str):
            yield Row(where, None, None, f"{where}: {parsed}")
            continue
        try:
            yield row_of(how.renamed(parsed), number, where)
        except InputError as error:
            yield Row(where, None, None, f"{where}: {error}")


def columns(file: BinaryIO, origin: Origin, how: Reading) -> Mapping[str, str]:
    """What each key of the first rows is: a key of ours, or ""."""
    rows = (row for _, row in islice(json_lines(_lines(unpacked(file))[0]), _LOOKED_AT))
    names = dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row)
    return {name: how.key(name) for name in names}


def write(pieces: Iterable[Piece], file: BinaryIO) -> None:
    """Writes a line a note."""
    file.writelines(json_line(piece).encode() for piece in pieces)
