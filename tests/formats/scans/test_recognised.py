"""Scans are read by Tesseract: images, pages of PDF files, and what envelopes hold."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.document import Deidentified
from dpdeid.formats.kinds import Origin, Reading, kind_of
from dpdeid.formats.rows import Row
from tests.formats.documents.made_up import attachment, base64, message, reference
from tests.formats.documents.test_cda import with_body
from tests.formats.envelopes.test_zips import zipped
from tests.formats.scans.drawing import images, needs_tesseract, saved, scans

pytest.importorskip("pdfminer", reason="needs the extra formats")
pytest.importorskip("reportlab")
from tests.formats.documents.test_pdf import BODY, drawn, page

pytestmark = needs_tesseract

LETTER = [
    line.replace(" ", "")
    for line in (
        "CHU de Brest - Pneumologie",
        "M. DUPONT Jean, né le 12/03/1958",
        *BODY,
        "Pr Paul MARTIN",
        "Dr Zoé LEROY",
        "02 98 22 33 44",
        "IPP 8001234567 Page 1/1",
    )
]
"""What stands on a page, without its blanks."""


def opened(data: bytes, name: str = "scan.tif", **how: Any) -> Row:
    kind = kind_of(name)
    assert kind is not None
    (row,) = kind.reader(BytesIO(data), Origin("", name), Reading(**how))
    return row


def lines(row: Row) -> list[str]:
    assert row.document is not None, row.error
    return row.document.text.splitlines()


@pytest.fixture(scope="module")
def letter() -> Any:
    """The image of a page."""
    (image,) = scans(page())
    return image


def on_glass(image: Any) -> Any:
    """The image black on nothing."""
    clear = images.new("RGBA", image.size, (0, 0, 0, 0))
    clear.putalpha(image.point(lambda shade: 255 - shade))
    return clear


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.tif", lambda image: saved([image])),
        ("a.tiff", lambda image: saved([image.convert("1")], compression="group4")),
        ("a.PNG", lambda image: saved([on_glass(image)], "PNG")),
        ("a.jpg", lambda image: saved([image.convert("CMYK")], "JPEG", quality=90)),
        ("a.png", lambda image: saved([image.rotate(3, fillcolor=255)], "PNG")),
        ("a.png", lambda image: saved([image.rotate(90, expand=True)], "PNG")),
        ("a.png", lambda image: saved([image.rotate(180)], "PNG")),
        ("a.png", lambda image: saved([image], "PNG", dpi=0.01)),
    ],
    ids=["grey", "fax", "clear", "cmyk", "askew", "side", "head", "untold"],
)
def test_a_scan_reads_as_its_page(name: str, make: Callable[[Any], bytes], letter: Any) -> None:
    row = opened(make(letter), name)
    told = [line.replace(" ", "") for line in lines(row)]
    assert len(told) == len(LETTER)
    assert sum(map(str.__eq__, told, LETTER)) >= len(LETTER) - 1  # a digit may be another
    assert row.ocr is not None
    assert 85 <= row.ocr <= 100
    assert (row.form, row.extra) == (None, {})


def test_a_photo_is_turned_as_it_says(letter: Any) -> None:
    exif = images.Exif()
    exif[0x0112] = 6
    data = saved([letter.rotate(90, expand=True)], "JPEG", exif=exif)
    assert [line.replace(" ", "") for line in lines(opened(data, "a.jpeg"))] == LETTER


def test_pixels_of_a_fax_are_made_square(letter: Any) -> None:
    out = BytesIO()
    letter.resize((letter.width, letter.height // 2)).save(out, "TIFF", dpi=(200, 100))
    assert lines(opened(out.getvalue()))[2:5] == list(BODY)


def test_all_pages_are_read_and_bodies_told(letter: Any) -> None:
    whole = [page(1, 2), page(2, 2, BODY[::-1])]
    data = saved([*scans(*whole), letter.resize((40, 60))])
    assert lines(opened(data))[-1] == "IPP 8001234567 Page 2/2"
    assert lines(opened(data, body=True)) == [*BODY, *BODY[::-1]]


def test_a_row_of_a_table_is_a_line() -> None:
    def table(paper: Any) -> None:
        for at, row in enumerate((("Sodium", "142"), ("Potassium", "4,1"))):
            for column, cell in enumerate(row):
                paper.drawString(100 + 150 * column, 600 - 20 * at, cell)

    assert lines(opened(saved(scans(table, dpi=300), dpi=300))) == [
        "Sodium\t142",
        "Potassium\t4,1",
    ]


def pictured(image: Any, stamp: str = "") -> Callable[[Any], None]:
    """A page of a PDF file that is an image, with a stamp over it."""
    from reportlab.lib.utils import ImageReader

    def draw(paper: Any) -> None:
        paper.drawImage(ImageReader(image), 0, 0, 595, 842)
        paper.drawString(300, 400, stamp)

    return draw


def test_pages_of_a_pdf_file_that_are_images_are_read_in_their_place(letter: Any) -> None:
    text = ["Toux ancienne.", "Va bien."]
    data = drawn(page(1, 3, text), pictured(letter, "Fax 2"), page(3, 3, text))
    row = opened(data, "a.pdf")
    told = "\n".join(lines(row))
    first, last = told.index(text[0]), told.rindex(text[0])
    assert first < told.index(BODY[0]) < told.index("Fax 2") < last
    assert row.ocr is not None


def test_a_page_of_a_pdf_file_with_text_is_not_read_so(letter: Any) -> None:
    def over(paper: Any) -> None:
        pictured(letter)(paper)
        page(1, 1, ["Voir au dos.", *BODY])(paper)

    row = opened(drawn(over, lambda paper: None), "a.pdf")
    assert "Voir au dos." in lines(row)
    assert row.ocr is None


def test_a_blank_back_of_a_letter_is_no_page_that_cannot_be_read(letter: Any) -> None:
    white = images.new("L", letter.size, 255)
    row = opened(drawn(page(), pictured(white)), "a.pdf")
    assert BODY[0] in "\n".join(lines(row))
    assert row.ocr is None
    assert opened(saved([letter, white])).ocr is not None
    filled = images.new("L", letter.size, 90)
    error = opened(saved([letter, filled])).error
    assert error.endswith("a page is an image in which no words are recognised")


def mailed(picture: bytes) -> bytes:
    sent = EmailMessage()
    sent["From"] = "a@b.example"
    sent.set_content("Vue ce jour.")
    sent.add_attachment(picture, "image", "png", filename="QUEMENEUR.png")
    return sent.as_bytes()


def test_a_picture_without_words_is_no_part_that_cannot_be_read(letter: Any) -> None:
    logo = images.new("L", (180, 120), 90)
    sent = mailed(saved([logo], "PNG"))
    row = opened(sent, "m.eml")
    assert lines(row)[:1] == ["Vue ce jour."]
    assert row.document is not None
    assert row.lost == {"left out: no words in the picture": 1}
    assert row.ocr is None
    assert row.form is not None
    written = row.form.written(Deidentified("a", row.document.text), "x1")
    assert b"image" not in written
    archive = zipped({"a.txt": b"Vue", "m.eml": sent})
    assert opened(archive, "a.zip").lost == row.lost
    other = reference(content=[{"attachment": {"data": base64(saved([logo], "PNG"))}}])
    assert opened(json.dumps(other).encode(), "a.json").error.endswith("content 1: no text in it")
    error = opened(mailed(saved([images.new("L", letter.size, 90)], "PNG")), "m.eml").error
    assert error.endswith("no text in it, only images in which no words are recognised")
    assert "no words" in opened(saved([logo], "PNG"), "a.png").error


def test_a_pdf_file_whose_pages_are_counted_twice_is_refused(letter: Any) -> None:
    data = drawn(page(), pictured(letter))
    first, second = re.findall(rb"\d+ 0 R", re.search(rb"/Kids \[([^]]*)", data)[1])  # type: ignore[index]
    twice = data.replace(first + b" " + second, first + b" " + first + b" " + second)
    assert twice != data
    error = opened(twice, "a.pdf").error
    assert error == "file a.pdf: page 2 is an image: damaged: its pages cannot be told"


def test_a_pdf_file_of_outlines_is_read() -> None:
    row = opened(drawn(lambda paper: paper.rect(50, 50, 300, 300)), "a.pdf")
    assert row.error == ("file a.pdf: no text in it, only images in which no words are recognised")


def test_what_is_not_sure_is_refused(letter: Any) -> None:
    blurred = saved([letter.resize((420, 594)).resize(letter.size)])
    row = opened(blurred)
    assert row.document is None
    assert "read by OCR with a confidence of" in row.error
    assert row.error.endswith("%, under --ocr-floor 85")
    assert not any(word in row.error for word in ("DUPONT", "Brest"))
    sure = opened(blurred, ocr_floor=0).ocr
    assert sure is not None
    assert opened(blurred, ocr_floor=sure).document is not None


def test_a_page_that_takes_too_long_is_given_up(
    letter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdeid.formats.scans.tesseract.SECONDS", 0.01)
    assert "takes more than 0.01 s" in opened(saved([letter])).error


def test_pages_are_bounded(letter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdeid.formats.scans.recognised.PAGES", 1)
    assert "more than 1 pages" in opened(saved([letter, letter])).error


def test_what_envelopes_hold_is_read(letter: Any) -> None:
    data = saved([letter])
    mail = EmailMessage()
    mail["From"] = "a@b.fr"
    mail.set_content("Voir le fax.")
    mail.add_attachment(data, "image", "tiff", filename="fax.TIFF")
    sent = message(f"OBX|1|ED|||^image^TIFF^Base64^{base64(data)}").encode()
    body = f"<text mediaType='image/tiff' representation='B64'>{base64(data)}</text>"
    packed = attachment("", "image/tiff") | {"data": base64(data)}
    held = json.dumps(reference(content=[{"attachment": packed}])).encode()
    for name, content in (
        ("a.eml", mail.as_bytes()),
        ("a.hl7", sent),
        ("a.xml", with_body(body)),
        ("a.json", held),
    ):
        row = opened(content, name)
        assert row.document is not None, row.error
        assert all(line in row.document.text for line in BODY), name
        assert row.ocr is not None
        assert row.ocr > 85


@pytest.fixture
def folder(tmp_path: Path, letter: Any) -> Path:
    """Two scans, one of which cannot be read, and a text."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "DUPONT.png").write_bytes(saved([letter], "PNG"))
    (source / "other.tif").write_bytes(saved([letter.resize((420, 594)).resize(letter.size)]))
    (source / "text.txt").write_text("Toux ancienne.")
    return source


def run(*given: object) -> Any:
    return CliRunner().invoke(app, ["run", *map(str, given), "-p", "redact"])


def test_rows_say_that_they_were_read_so(folder: Path, tmp_path: Path) -> None:
    done = run(folder, "-o", tmp_path / "a.jsonl", "--ledger", tmp_path / "ledger.json")
    assert done.exit_code == 3
    assert "1 note read by OCR, with a confidence of 9" in " ".join(done.stderr.split())
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    (sure,) = (row["ocr"] for row in rows if "ocr" in row)
    assert sum("error" in row for row in rows) == 1
    told = json.loads((tmp_path / "ledger.json").read_text())["ocr"]
    assert told == {"notes": 1, "mean": sure, "lowest": sure}
    assert run(folder, "-o", tmp_path / "a.csv", "--ocr-floor", "0").exit_code == 0
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        table = [*csv.DictReader(file)]
    assert [*table[0]] == ["id", "text", "ocr", "error"]
    assert sorted(bool(row["ocr"]) for row in table) == [False, True, True]
    assert f"{sure}" in {row["ocr"] for row in table}
    assert not any("DUPONT" in row["text"] for row in table)


def test_a_folder_has_a_file_that_says_so(folder: Path, tmp_path: Path) -> None:
    assert run(folder, "-o", tmp_path / "out").exit_code == 3
    told = [json.loads(line) for line in (tmp_path / "out/ocr.jsonl").read_text().splitlines()]
    (row,) = told
    assert row["ocr"] > 85
    text = (tmp_path / "out" / f"{row['id']}.txt").read_text()
    assert "amoxicilline 1 g" in text
    assert "DUPONT" not in text
