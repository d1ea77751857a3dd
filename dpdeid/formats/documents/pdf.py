"""The texts of PDF files, whole or their bodies alone, which are released as texts.

A page is header, body, margins and footer, read in that order, rows of a table as lines with tabs.
A page that is an image is read by OCR, in its place. Nothing else of a file is read: no properties,
no annotations, no files that are attached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Final

from dpdeid.document import Document
from dpdeid.formats.documents.layout import UNKNOWN, Page, text_of
from dpdeid.formats.documents.pdf_pages import pages
from dpdeid.formats.kinds import Origin, Reading, of_one_note
from dpdeid.formats.rows import Row
from dpdeid.formats.scans import recognised

_UNREADABLE: Final = 0.1


@of_one_note
def read(file: BinaryIO, origin: Origin, how: Reading) -> Row:
    """The row of a file."""
    data, sure = file.read(), None
    laid = pages(data)
    if images := _images(laid):
        try:
            scans = recognised.pages(data, images, len(laid))
        except ValueError as error:
            which = "no text in it, only images"
            if len(images) < len(laid):
                which = f"page {images[0] + 1} is an image"
            raise ValueError(f"{which}: {error}") from None
        sure = recognised.surely(scans, how.ocr_floor)
        for at, scan in zip(images, scans, strict=True):
            laid[at] = scan.page
    _check_fonts(laid)
    note = Document(origin.note, text_of(laid, body=how.body))
    return Row(origin.file, origin.note, note, place="file 1", ocr=sure)


def _images(laid: Sequence[Page]) -> list[int]:
    """The numbers of the pages that are images, from 0: all where no page has text."""
    if not any(page.lines for page in laid):
        return [*range(len(laid))]
    return [at for at, page in enumerate(laid) if page.is_image]


def _check_fonts(laid: Sequence[Page]) -> None:
    """Nothing, if what stands on pages can be read.

    Raises:
        ValueError: it cannot.
    """
    whole = [line.text for page in laid for line in page.lines]
    if sum(text.count(UNKNOWN) for text in whole) > _UNREADABLE * sum(map(len, whole)):
        raise ValueError("its fonts do not say which letters they show: have its text recognised")
