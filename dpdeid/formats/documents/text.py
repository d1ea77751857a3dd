"""Text files: one note each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from dpdeid.document import Document
from dpdeid.formats.encodings import decoded
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row


def read(file: BinaryIO, origin: Origin, how: Reading) -> Iterator[Row]:
    """The row of a text file; its text stands in it as it is, but for a byte order mark."""
    try:
        text, encoding = decoded(file.read())
    except ValueError as error:
        yield Row(origin.file, origin.note, None, f"{origin.file}: {error}", place="file 1")
        return
    document = Document(origin.note, text)
    yield Row(origin.file, origin.note, document, place="file 1", encoding=encoding)
