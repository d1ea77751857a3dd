"""Images of pages as pages: straightened, turned where they stand on a side or their head, read.

What draws images is imported when there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

from dpdeid.formats.scans.tesseract import NEEDED, Scan, check, recognise, turn

if TYPE_CHECKING:
    from PIL.Image import Image

PAGES: Final = 500
"""Of one file that are read so."""
_DOUBTFUL: Final = 70.0
"""Percent under which a page may stand on a side or its head."""


def needs() -> None:
    """Nothing, if all is there that reads image files.

    Raises:
        ValueError: it is not; names the packages.
    """
    check()
    with _installed():
        import_module("dpdeid.formats.scans.images")


def images(data: bytes) -> list[Scan]:
    """The pages of a TIFF, PNG or JPEG file.

    Raises:
        ValueError: they cannot be read, or what reads them is not installed.
    """
    needs()
    from dpdeid.formats.scans.images import frames

    return _recognised(frames(data))


def pages(data: bytes, numbers: Sequence[int], count: int) -> list[Scan]:
    """Those pages of a PDF file, from 0, which has so many.

    Raises:
        ValueError: they cannot be read, or what reads them is not installed.
    """
    check()
    with _installed():
        from dpdeid.formats.scans.rendered import rendered
    return _recognised(rendered(data, numbers, count))


def surely(scans: Iterable[Scan], floor: float) -> float | None:
    """How sure Tesseract is of a word of the page that it is least sure of, in percent; None if all
    pages are blank.

    Raises:
        ValueError: on a page something stands, and no word is recognised, or less surely than the
            floor.
    """
    means = [scan.mean for scan in scans if not scan.is_blank]
    if means and not all(means):
        which = "a page is an image" if any(means) else "no text in it, only images"
        raise ValueError(f"{which} in which no words are recognised")
    mean = round(min(means), 1) if means else None
    if mean is not None and mean < floor:
        raise ValueError(f"read by OCR with a confidence of {mean} %, under --ocr-floor {floor:g}")
    return mean


@contextmanager
def _installed() -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise ValueError(NEEDED) from None


def _recognised(drawn: Iterable[tuple[Image, float]]) -> list[Scan]:
    """The pages of images in shades of grey, each with its pixels an inch."""
    found = []
    for number, (image, dpi) in enumerate(drawn, 1):
        if number > PAGES:
            raise ValueError(f"more than {PAGES} pages to be read by OCR")
        found.append(_read(image, dpi))
    return found


def _read(image: Image, dpi: float) -> Scan:
    from dpdeid.formats.scans.straight import level

    scan = recognise(level(image), dpi)
    if scan.mean < _DOUBTFUL and (degrees := turn(image, dpi)):
        turned = image.rotate(-degrees, expand=True)
        scan = max(scan, recognise(level(turned), dpi), key=lambda one: one.mean)
    return scan
