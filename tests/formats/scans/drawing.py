"""Letters as scans, drawn by PDFium from pages of `test_pdf`; tests are skipped where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest

pytest.importorskip("pdfminer", reason="needs the extra formats")
pytest.importorskip("reportlab")
pdfium = pytest.importorskip("pypdfium2", reason="needs the extra ocr")
images = pytest.importorskip("PIL.Image", reason="needs the extra ocr")
from dpdeid.formats.scans.tesseract import check  # noqa: E402
from tests.formats.documents.test_pdf import drawn  # noqa: E402 - needs pdfminer


def _has_french() -> bool:
    with suppress(ValueError):
        check()
        return True
    return False


needs_tesseract = [
    pytest.mark.ocr,
    pytest.mark.skipif(not _has_french(), reason="needs Tesseract with its French data"),
]


def scans(*draw: Callable[[Any], None], dpi: int = 200) -> list[Any]:
    """An image in shades of grey for each page."""
    file = pdfium.PdfDocument(drawn(*draw))
    try:
        return [page.render(scale=dpi / 72, grayscale=True).to_pil().convert("L") for page in file]
    finally:
        file.close()


def saved(pages: Sequence[Any], kind: str = "TIFF", dpi: float = 200, **more: Any) -> bytes:
    """The images as a file."""
    out = BytesIO()
    first, *rest = pages
    several = {"save_all": True, "append_images": rest} if rest else {}
    first.save(out, kind, dpi=(dpi, dpi), **several, **more)
    return out.getvalue()
