"""The lines of pages of a PDF file, as they are laid out, within bounds.

pdfminer reads the pages. It unpacks whatever a file asks it to, so streams are measured as they are
parsed, and characters and figures are counted as they are drawn; lines, paths and images never are.
Errors are `ValueError`, say why a file is refused and repeat nothing of it.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from pdfminer.ascii85 import ascii85decode, asciihexdecode
from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTContainer, LTPage, LTTextLine
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSKeyword

from dpdeid.formats.documents.layout import UNKNOWN, Line, Page

logging.getLogger("pdfminer").setLevel(logging.CRITICAL + 1)  # its warnings repeat what they read

SIZE: Final = 256 << 20
PAGES: Final = 2_000
CHARACTERS: Final = 100_000
"""On one page."""
FIGURES: Final = 2_000
UNPACKED: Final = 128 << 20
"""Bytes of one stream."""
LZW: Final = 64 << 10
"""Packed bytes of a stream in LZW, of which one may be three thousand."""
FIELDS: Final = 5_000


def pages(data: bytes) -> list[Page]:
    """The pages of a file.

    Raises:
        ValueError: it is no such file, encrypted, damaged, or beyond a bound.
    """
    if len(data) > SIZE:
        raise ValueError("larger than 256 MB")
    if b"%PDF-" not in data[:1024]:
        raise ValueError("damaged, or no .pdf file")
    try:
        return list(_pages(data))
    except _RefusedError as error:
        raise ValueError(str(error)) from None
    except (PDFPasswordIncorrect, PDFEncryptionError):
        raise ValueError(_ENCRYPTED) from None
    except Exception:  # whatever a damaged file makes the reader stumble over
        raise ValueError("damaged: its pages cannot be read") from None


_ENCRYPTED: Final = "encrypted or protected: save it without"


class _RefusedError(Exception):
    """Why a file is not read."""


def _pages(data: bytes) -> Iterator[Page]:
    document = PDFDocument(_Parser(BytesIO(data)), caching=False)
    if document.encryption is not None:
        raise _RefusedError(_ENCRYPTED)
    if _is_filled_in(resolve1(document.catalog.get("AcroForm"))):
        raise _RefusedError("holds a form that is filled in: print it into another PDF first")
    resources = PDFResourceManager(caching=True)
    layout = LAParams(boxes_flow=None, all_texts=True)
    for number, page in enumerate(PDFPage.create_pages(document), 1):
        if number > PAGES:
            raise _RefusedError(f"more than {PAGES:,} pages")
        device = _Device(resources, laparams=layout)
        PDFPageInterpreter(resources, device).process_page(page)
        laid = device.get_result()
        covered = min(1.0, device.pictured / max(1.0, laid.width * laid.height))
        yield Page(laid.width, laid.height, tuple(_lines(laid)), covered, device.drawn)


def _lines(laid: LTPage) -> Iterator[Line]:
    inside: list[Any] = [laid]
    while inside:
        one = inside.pop()
        if isinstance(one, LTTextLine):
            text = one.get_text().strip()
            if text:
                yield Line(text, one.x0, one.y0, one.x1, one.y1)
        elif isinstance(one, LTContainer):
            inside.extend(one)


def _is_filled_in(form: Any) -> bool:
    """Whether a form has values that stand on no page. Signatures are none."""
    if not isinstance(form, dict):
        return False
    if form.get("XFA"):
        return True
    fields: list[Any] = list(resolve1(form.get("Fields")) or [])
    for number, one in enumerate(fields):  # grows as it is read
        if number > FIELDS:
            raise _RefusedError(f"more than {FIELDS:,} fields of a form")
        found = resolve1(one)
        if isinstance(found, dict):
            kind = getattr(resolve1(found.get("FT")), "name", "")
            value = resolve1(found.get("V"))
            if kind != "Sig" and value and getattr(value, "name", "") != "Off":
                return True
            fields.extend(resolve1(found.get("Kids")) or [])
    return False


class _Device(PDFPageAggregator):
    """Takes texts of a page, so many at most, how much its images cover, and how much is drawn."""

    characters = figures = drawn = 0
    pictured = 0.0

    def paint_path(self, *given: Any) -> None:
        """Draws nothing; counts the lines and curves."""
        self.drawn += len(given[-1])

    def render_image(self, *given: Any) -> None:
        """Draws nothing; adds what the image covers, in points squared."""
        self.pictured += float(self.cur_item.width * self.cur_item.height)

    def begin_figure(self, *given: Any) -> None:
        self.figures += 1
        if self.figures > FIGURES:
            raise _RefusedError(f"more than {FIGURES:,} figures on a page")
        super().begin_figure(*given)

    def render_char(self, *given: Any, **named: Any) -> float:
        self.characters += 1
        if self.characters > CHARACTERS:
            raise _RefusedError(f"more than {CHARACTERS:,} characters on a page")
        return float(super().render_char(*given, **named))

    def handle_undefined_char(self, *given: Any) -> str:
        return UNKNOWN


class _Parser(PDFParser):
    """Measures each stream before anything unpacks it."""

    def do_keyword(self, pos: int, token: PSKeyword) -> None:
        super().do_keyword(pos, token)
        if token is self.KEYWORD_STREAM and self.curstack:
            stream = self.curstack[-1][1]
            if isinstance(stream, PDFStream):
                _measure(stream)


def _measure(stream: PDFStream) -> None:
    data = stream.get_rawdata() or b""
    filters = stream.get_any(("F", "Filter"), [])
    names = [getattr(one, "name", "?") for one in (filters if type(filters) is list else [filters])]
    for number, name in enumerate(names, 1):
        if name in ("FlateDecode", "Fl"):
            try:
                data = zlib.decompressobj().decompress(data, UNPACKED + 1)
            except zlib.error:
                if number < len(names):
                    raise
                return
        elif name in ("ASCII85Decode", "A85"):
            data = ascii85decode(data)
        elif name in ("ASCIIHexDecode", "AHx"):
            data = asciihexdecode(data)
        elif name in ("LZWDecode", "LZW", "RunLengthDecode", "RL"):
            most = LZW if name.startswith("L") else UNPACKED // 64
            if len(data) > most or number < len(names):
                raise _RefusedError(_BOMB)
        elif name == "?":  # named in another object, which cannot be read meanwhile
            raise _RefusedError("a stream does not name its filters")
        else:
            return
        if len(data) > UNPACKED:
            raise _RefusedError(_BOMB)


_BOMB: Final = "a stream is far larger than a page's (a bomb?)"
