"""Text files: one note each."""

from __future__ import annotations

from typing import BinaryIO

from dpdeid.document import Document
from dpdeid.formats.encodings import decoded
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.rows import Row


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a text file; its text stands in it as it is, but for a byte order mark."""
    text, encoding = decoded(file.read())
    note = Document(origin.note, text)
    return Row(origin.file, origin.note, note, place="file 1", encoding=encoding)
