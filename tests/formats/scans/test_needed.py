"""Without Tesseract, its French data or the extra a scan is refused, and all else is read."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.documents.layout import Page
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.rows import Row
from dpdeid.formats.scans import tesseract
from dpdeid.formats.scans.recognised import surely
from dpdeid.formats.scans.tesseract import NEEDED, Scan
from dpdeid.formats.sources import look, read
from tests.formats.documents.made_up import message


def opened(data: bytes, name: str) -> Row:
    kind = kind_of(name)
    assert kind is not None
    (row,) = kind.reader(BytesIO(data), Origin("", name), Reading())
    return row


@pytest.fixture(params=["no command", "no French", "no extra"])
def lacking(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that lacks one of what is needed."""
    there, languages = "/usr/bin/tesseract", frozenset({"eng", "fra"})
    if request.param == "no command":
        there = ""
    elif request.param == "no French":
        languages = frozenset({"eng"})
    else:
        for name in ("images", "rendered"):
            monkeypatch.setitem(sys.modules, f"dpdeid.formats.scans.{name}", None)
    monkeypatch.setattr(tesseract.shutil, "which", lambda name: there or None)
    monkeypatch.setattr(tesseract, "_languages", lambda command: languages)


@pytest.mark.usefixtures("lacking")
def test_what_is_needed_is_named(tmp_path: Path) -> None:
    assert "tesseract-ocr-fra" in NEEDED
    assert "pip install '.[ocr]'" in NEEDED
    for name in ("a.tif", "a.png", "a.jpeg"):
        assert opened(b"QUEMENEUR", name).error == f"file {name}: {NEEDED}"
    sent = message("OBX|1|ED|||^image^TIFF^Base64^SUkqAAAA").encode()
    assert opened(sent, "a.hl7").error == f"row 1 › OBX 1: {NEEDED}"
    (tmp_path / "a.png").write_bytes(b"x")
    (tmp_path / "b.txt").write_text("Toux.")
    assert [bool(row.error) for row in read(str(tmp_path), BytesIO())] == [True, False]


@pytest.mark.usefixtures("lacking")
def test_a_pdf_file_without_text_is_refused_as_ever() -> None:
    pytest.importorskip("pdfminer", reason="needs the extra formats")
    pytest.importorskip("reportlab")
    pillow = pytest.importorskip("PIL.Image")
    from reportlab.lib.utils import ImageReader

    from tests.formats.documents.test_pdf import BODY, drawn, page

    white = ImageReader(pillow.new("L", (80, 120), 255))

    def image(paper: object) -> None:
        paper.drawImage(white, 0, 0, 595, 842)  # type: ignore[attr-defined]

    error = opened(drawn(image), "a.pdf").error
    assert error == f"file a.pdf: no text in it, only images: {NEEDED}"
    error = opened(drawn(page(), image), "a.pdf").error
    assert error == f"file a.pdf: page 2 is an image: {NEEDED}"

    def outlined(paper: Any) -> None:  # "SCHAEFFLI", as no font says it
        path = paper.beginPath()
        path.moveTo(100, 700)
        for at in range(30):
            path.curveTo(100 + at, 710, 104 + at, 690, 106 + at, 700)
        paper.drawPath(path)

    error = opened(drawn(page(), outlined), "a.pdf").error
    assert error == f"file a.pdf: page 2 is an image: {NEEDED}"

    def framed(paper: Any) -> None:
        paper.rect(20, 20, 500, 700)
        paper.line(20, 400, 520, 400)

    assert not opened(drawn(page(), framed), "a.pdf").error
    row = opened(drawn(page(), lambda paper: None), "a.pdf")
    assert row.document is not None  # a blank page is none
    assert BODY[0] in row.document.text
    assert row.ocr is None


def test_languages_are_those_that_the_command_lists(tmp_path: Path) -> None:
    told = tmp_path / "tesseract"
    told.write_text("#!/bin/sh\nprintf 'List of available languages (2):\\neng\\nfra\\n'\n")
    told.chmod(0o700)
    assert {"eng", "fra"} <= tesseract._languages(str(told))


def test_a_command_that_fails_is_told_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    images = pytest.importorskip("PIL.Image")
    white = images.new("L", (80, 120), 255)

    def fails(*given: object, **named: object) -> None:
        raise subprocess.CalledProcessError(1, "tesseract", stderr=b"QUEMENEUR")

    monkeypatch.setattr(tesseract.subprocess, "run", fails)
    with pytest.raises(ValueError, match="Tesseract cannot read it"):
        tesseract.recognise(white, 300)
    assert tesseract.turn(white, 300) == 0


def test_words_stand_in_lines_with_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    images = pytest.importorskip("PIL.Image")
    rows = [
        "level\tpage\tblock\tpar\tline\tword\tleft\ttop\twidth\theight\tconf\ttext",
        "4\t1\t1\t1\t1\t0\t300\t300\t900\t40\t-1\t",
        "5\t1\t1\t1\t1\t1\t300\t300\t150\t40\t96.5\tVa",
        "5\t1\t1\t1\t1\t2\t465\t305\t100\t35\t90.5\tbien",
        "5\t1\t1\t1\t1\t3\t900\t305\t300\t35\t80\t'a\"b",
        "5\t1\t1\t1\t1\t4\t1300\t305\t30\t35\t10\t ",
        "5\t1\t1\t1\t2\t1\t300\t400\t30\t35\t93\tLe",
    ]
    done = subprocess.CompletedProcess("", 0, "\n".join(rows).encode())
    monkeypatch.setattr(tesseract.subprocess, "run", lambda *given, **named: done)
    scan = tesseract.recognise(images.new("L", (3000, 6000), 255), 300)
    assert (scan.page.width, scan.page.height) == (720, 1440)
    assert [line.text for line in scan.page.lines] == ["Va bien", "'a\"b", "Le"]
    first = scan.page.lines[0]
    assert (first.x0, first.x1) == pytest.approx((72, 565 * 0.24))
    assert (first.y0, first.y1) == pytest.approx((1440 - 340 * 0.24, 1440 - 72))
    assert scan.mean == pytest.approx((96.5 + 90.5 + 80 + 93) / 4)


def test_confidence_is_that_of_the_page_that_is_least_sure() -> None:
    paper = Page(595, 842, ())
    few, many = Scan(paper, [70.0, 80.0]), Scan(paper, [95.0] * 300)
    blank, unread = Scan(paper, [], is_blank=True), Scan(paper, [])
    assert surely([few, many, blank], 75) == 75
    with pytest.raises(ValueError, match=r"a confidence of 75.0 %, under --ocr-floor 75.5"):
        surely([few, many], 75.5)
    with pytest.raises(ValueError, match="a page is an image in which no words are recognised"):
        surely([many, unread], 0)
    with pytest.raises(ValueError, match="only images in which no words are recognised"):
        surely([unread, blank], 0)
    assert surely([blank], 90) is None


def test_files_that_may_be_scans_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    assert not look(str(tmp_path), Reading()).may_be_scanned(Reading())
    assert not look("-", Reading()).may_be_scanned(Reading())
    assert look("-", Reading(format="png")).may_be_scanned(Reading(format="png"))
    (tmp_path / "a.jpg").touch()
    assert look(str(tmp_path), Reading()).may_be_scanned(Reading())
    with pytest.raises(UsageError):
        look(str(tmp_path / "b.jpg"), Reading()).may_be_scanned(Reading())
