"""Scans in TIFF, PNG and JPEG files, which are released as texts."""

from __future__ import annotations

from collections import Counter
from typing import BinaryIO, Final

from dpdeid.document import Document
from dpdeid.formats.documents.layout import text_of
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.rows import Row
from dpdeid.formats.scans.recognised import images, needs, surely

__all__ = ["needs", "read"]


_WORDLESS: Final = "left out: no words in the picture"


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a file."""
    scans = images(file.read())
    if how.depth and all(scan.is_mark for scan in scans):
        return Row(origin.file, origin.note, Document(origin.note, ""), lost=Counter([_WORDLESS]))
    sure = surely(scans, how.ocr_floor)
    text = text_of([scan.page for scan in scans], body=how.body)
    return Row(origin.file, origin.note, Document(origin.note, text), place="file 1", ocr=sure)
