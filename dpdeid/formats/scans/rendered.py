"""Pages of PDF files drawn as images, by PDFium."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pypdfium2 as pdfium
from PIL.Image import Image

from dpdeid.formats.scans.images import PIXELS, SIDE

DPI: Final = 300
_DEEP: Final = 64
"""Forms in one another in which images are looked at: more than PDFium draws."""
_LETTERS: Final = 200
"""More than a page has that is read as an image."""
_UNTOLD: Final = "damaged: its pages cannot be told"
_IMAGE: Final = pdfium.raw.FPDF_PAGEOBJ_IMAGE


def rendered(data: bytes, numbers: Iterable[int], count: int) -> Iterator[tuple[Image, float]]:
    """Those pages of a file, from 0, in shades of grey, each with its pixels an inch.

    Args:
        count: pages that the file has, as whoever numbered them counts.

    Raises:
        ValueError: one cannot be drawn, or holds an image beyond a bound, or it has other pages.
    """
    try:
        file = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        raise ValueError("damaged: its pages cannot be drawn") from None
    try:
        if len(file) != count:
            raise ValueError(_UNTOLD)
        for number in numbers:
            yield _drawn(file, number)
    finally:
        file.close()


def _drawn(file: pdfium.PdfDocument, number: int) -> tuple[Image, float]:
    try:
        page = file[number]
        for one in page.get_objects((_IMAGE,), max_depth=_DEEP):
            wide, high = one.get_px_size()
            if wide * high > PIXELS:
                raise ValueError("an image is far larger than a page's (a bomb?)")
        if page.get_textpage().count_chars() > _LETTERS:
            raise ValueError(_UNTOLD)  # it is another page than was read
        dpi = min(DPI, SIDE / max(1.0, *page.get_size()) * 72)
        drawn = page.render(scale=dpi / 72, grayscale=True, draw_annots=False)
        return drawn.to_pil().convert("L"), dpi
    except (pdfium.PdfiumError, IndexError):
        raise ValueError("damaged: its pages cannot be drawn") from None
