"""PDF files are read whole, or their bodies alone; what cannot be read says why."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dpdeid.cli.releasing.run import run
from dpdeid.formats.kinds import Origin, Reading
from dpdeid.formats.rows import Row
from dpdeid.formats.sources import look

pytest.importorskip("pdfminer")
canvas = pytest.importorskip("reportlab.pdfgen.canvas")
from dpdeid.formats.documents.pdf import read  # noqa: E402 - needs pdfminer

WIDE, HIGH = 595, 842
BODY = (
    "Cher confrère, je vous remercie de m'avoir adressé ce patient de 65 ans pour une toux.",
    "L'examen est sans particularité, la fonction respiratoire est normale, VEMS 3,2 litres.",
    "Conclusion : bronchite, amoxicilline 1 g trois fois par jour pendant 6 jours, contrôle.",
)


def drawn(*draw: Callable[[Any], None], **given: Any) -> bytes:
    """A file with a page for each."""
    out = BytesIO()
    paper = canvas.Canvas(out, pagesize=(WIDE, HIGH), **given)
    for page in draw:
        page(paper)
        paper.showPage()
    paper.save()
    return out.getvalue()


def page(number: int = 1, of: int = 1, lines: Sequence[str] = BODY) -> Callable[[Any], None]:
    """A page of a letter: header, staff in the margin, body, footer."""

    def draw(paper: Any) -> None:
        paper.setFont("Helvetica", 9)
        paper.drawString(40, 810, "CHU de Brest - Pneumologie")
        paper.drawString(40, 798, "M. DUPONT Jean, né le 12/03/1958")
        for at, staff in enumerate(("Pr Paul MARTIN", "Dr Zoé LEROY", "02 98 22 33 44")):
            paper.drawString(40, 700 - 12 * at, staff)
        paper.setFont("Helvetica", 10)
        for at, line in enumerate(lines):
            paper.drawString(150, 700 - 14 * at, line)
        paper.setFont("Helvetica", 8)
        paper.drawString(40, 30, f"IPP 8001234567 Page {number}/{of}")

    return draw


def opened(data: bytes, *, body: bool = False) -> Row:
    return next(iter(read(BytesIO(data), Origin("", "note.pdf"), Reading(body=body))))


def text_of(data: bytes, *, body: bool = False) -> str:
    row = opened(data, body=body)
    assert row.document is not None, row.error
    return row.document.text


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_body_is_what_the_page_says_between_its_edges(count: int) -> None:
    texts = [[*"abcde"[at : at + 1] * (at + 1), *BODY] for at in range(count)]
    data = drawn(*(page(at, count, lines) for at, lines in enumerate(texts, 1)))
    assert text_of(data, body=True).splitlines() == [line for text in texts for line in text]


def test_all_of_a_page_is_header_body_margins_and_footer() -> None:
    assert text_of(drawn(page())).splitlines() == [
        "CHU de Brest - Pneumologie",
        "M. DUPONT Jean, né le 12/03/1958",
        *BODY,
        "Pr Paul MARTIN",
        "Dr Zoé LEROY",
        "02 98 22 33 44",
        "IPP 8001234567 Page 1/1",
    ]


def test_what_comes_again_amid_the_pages_is_no_header() -> None:
    pages = [[*(f"{name} {at}" for at in range(12)), "Constantes :", *BODY] for name in ("a", "b")]
    data = drawn(page(1, 2, [*pages[0], "fin"]), page(2, 2, ["suite", *pages[1][1:]]))
    assert text_of(data, body=True).splitlines() == [
        *pages[0], "fin", "suite", *pages[1][1:]
    ]  # fmt: skip


def test_a_first_line_that_stands_in_the_text_is_no_header() -> None:
    def bare(paper: Any) -> None:
        for at, line in enumerate(BODY):
            paper.drawString(60, 740 - 14 * at, line)

    assert text_of(drawn(bare), body=True).splitlines() == list(BODY)


def test_a_letterhead_of_the_first_page_goes_with_the_header_of_the_others() -> None:
    def first(paper: Any) -> None:
        paper.setFont("Helvetica", 9)
        paper.drawString(200, 815, "Hôpital de la Cavale Blanche")
        page(1, 2)(paper)

    assert "Cavale" not in text_of(drawn(first, page(2, 2, BODY[::-1])), body=True)


def test_a_row_of_a_table_is_a_line() -> None:
    def table(paper: Any) -> None:
        for at, row in enumerate((("Nom", "DUPONT"), ("Hb", "12,3 g/dL"))):
            for column, cell in enumerate(row):
                paper.drawString(100 + 150 * column, 600 - 20 * at, cell)

    assert text_of(drawn(table)) == "Nom\tDUPONT\nHb\t12,3 g/dL"


def test_properties_are_not_read() -> None:
    def secret(paper: Any) -> None:
        paper.setAuthor("ZORGLUB")
        paper.setTitle("ZORGLUB")
        paper.setSubject("ZORGLUB")
        paper.bookmarkPage("ZORGLUB")
        paper.addOutlineEntry("ZORGLUB", "ZORGLUB")
        page()(paper)

    row = opened(drawn(secret))
    assert row.document is not None
    assert "ZORGLUB" not in row.document.text
    assert (row.extra, row.document.known, row.form) == ({}, {}, None)


def test_a_file_is_released_as_a_text(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    (source / "DUPONT Jean.pdf").write_bytes(drawn(page(1, 2), page(2, 2, BODY[::-1])))
    (source / "broken.PDF").write_bytes(b"%PDF-1.7")
    (source / "macros.docm").touch()
    assert run(str(source), out, policy="dp", body=True) != 0
    released = {file.suffix: file.read_text() for file in out.iterdir()}
    assert released[".txt"].count("amoxicilline 1 g") == 2
    assert "DUPONT" not in released[".txt"]
    error = json.loads(released[".jsonl"])["error"]
    assert error == "file 2: damaged: its pages cannot be read"
    assert look(str(source)).skipped == {".docm": 1}


def image(paper: Any) -> None:
    paper.rect(50, 50, 300, 300)


def form(paper: Any) -> None:
    page()(paper)
    paper.acroForm.textfield(name="nom", value="DUPONT")


def swap(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new)


def streamed(content: bytes, filters: bytes, *more: bytes) -> bytes:
    """A file of one page whose content is that stream."""
    things = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), filters, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *more,
    ]
    out, places = b"%PDF-1.7\n", []
    for number, thing in enumerate(things, 1):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, thing)
    table = b"".join(b"%010d 00000 n \n" % at for at in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(things) + 1)
    tail = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
    return out + head + table + tail % (len(things) + 1, len(out))


FLATE = b"/Filter/FlateDecode"
TWICE = b"/Filter[/FlateDecode/FlateDecode]"
ONCE = zlib.compress(b" " * (300 << 20), 9)
TWELVE = tuple(
    b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>/Length 11>>"
    b"stream\n/X Do /X Do\nendstream" % (number + 1)
    for number in range(6, 18)
)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "damaged, or no .pdf file"),
        (b"PK\3\4", "damaged, or no .pdf file"),
        (drawn(page())[:900], "damaged"),
        (drawn(page(), encrypt="secret"), "encrypted"),
        (drawn(image), "only images"),
        (drawn(form), "a form that is filled in"),
        (streamed(ONCE, FLATE), "far larger than a page's"),
        (streamed(zlib.compress(ONCE, 9), TWICE), "far larger than a page's"),
        (streamed(b"\x80" * (1 << 17), b"/Filter/LZWDecode"), "far larger than a page's"),
        (streamed(b"BT /F 9 Tf (" + b"a" * 120_000 + b") Tj ET", b""), "more than 100,000 char"),
        (streamed(b"/X Do", b"", *TWELVE), "figures on a page"),
    ],
)
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    row = opened(data)
    assert row.document is None
    assert row.error.startswith("file note.pdf: ")
    assert error in row.error


def test_a_stream_that_is_asked_for_is_read() -> None:
    text = b"BT /F 9 Tf 50 700 Td (Toux) Tj ET"
    assert text_of(streamed(zlib.compress(zlib.compress(text)), TWICE)) == "Toux"


def test_pages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdeid.formats.documents.pdf_pages.PAGES", 2)
    assert "more than 2 pages" in opened(drawn(page(), page(), page())).error


def test_letters_that_no_font_names_are_not_guessed() -> None:
    font = (
        b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font"
        b"/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
        b"/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4>>>>]>>"
    )
    told = streamed(b"BT /F 9 Tf 50 700 Td (ABCDEF) Tj ET", b"")
    told = swap(told, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", font)
    assert "which letters" in opened(told).error
