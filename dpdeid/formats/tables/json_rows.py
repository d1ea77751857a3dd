"""JSON lines: {"id", "text", "patient_id"?, "note_date"?, "patient"?, …} a note. Keys are told as
columns are: facts may stand beside "patient", in letters of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import BinaryIO, Final

from dpdeid.errors import InputError
from dpdeid.formats.json_lines import json_lines, unpacked
from dpdeid.formats.kinds import Origin, Piece, Reading
from dpdeid.formats.rows import Row, row_of
from dpdeid.formats.write import json_line

_LOOKED_AT: Final = 1_000
"""Rows whose keys `columns` tells."""


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The rows of a file, packed by gzip or not."""
    yield from rows_of(unpacked(file), origin, how)


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
    rows = (row for _, row in islice(json_lines(unpacked(file)), _LOOKED_AT))
    names = dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row)
    return {name: how.key(name) for name in names}


def write(pieces: Iterable[Piece], file: BinaryIO) -> None:
    """Writes a line a note."""
    file.writelines(json_line(piece).encode() for piece in pieces)
