"""Image files within bounds: damaged ones, bombs and thumbnails. Nothing is recognised here."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from random import Random
from typing import Any

import numpy as np
import pytest

images = pytest.importorskip("PIL.Image", reason="needs the extra ocr")
from dpdeid.formats.scans.images import SIDE, frames  # noqa: E402 - needs Pillow
from dpdeid.formats.scans.straight import level  # noqa: E402 - needs Pillow
from tests.fuzz.mutations import of_bytes  # noqa: E402 - behind what may skip


def saved(*pages: Any, kind: str = "TIFF", **more: Any) -> bytes:
    out = BytesIO()
    several = {"save_all": True, "append_images": pages[1:]} if len(pages) > 1 else {}
    pages[0].save(out, kind, **several, **more)
    return out.getvalue()


def striped(width: int = 80, height: int = 120) -> Any:
    """A page with a line every eighth of it."""
    image = images.new("L", (width, height), 255)
    for at in range(height // 8, height, height // 8):
        image.paste(0, (width // 8, at, width * 7 // 8, at + 2))
    return image


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def bomb(width: int, height: int) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


PAGE = striped()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "damaged, or no image"),
        (b"%PDF-1.7 QUEMENEUR", "damaged, or no image"),
        (saved(PAGE, kind="GIF"), "damaged, or no image"),
        (saved(PAGE, kind="PNG")[:-40], "damaged, or no image"),
        (saved(PAGE.convert("RGB"), kind="JPEG")[:600], "damaged, or no image"),
        (bomb(10_000, 9_000), "far larger than a page's"),
        (bomb(60_000, 60_000), "far larger than a page's"),
    ],
)
def test_what_is_refused_says_why(data: bytes, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        list(frames(data))


def test_files_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdeid.formats.scans.images.SIZE", 10)
    with pytest.raises(ValueError, match="larger than 256 MB"):
        list(frames(saved(PAGE)))


def test_a_page_behind_the_first_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdeid.formats.scans.images.PIXELS", 80 * 120)
    pages = frames(saved(PAGE, striped(81, 120)))
    assert next(pages)[0].size == (80, 120)
    with pytest.raises(ValueError, match="far larger"):
        next(pages)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "CMYK"])
def test_a_page_is_in_shades_of_grey(mode: str) -> None:
    ((image, dpi),) = frames(saved(PAGE.convert(mode)))
    assert (image.mode, image.size) == ("L", (80, 120))
    assert image.getpixel((2, 2)) > 250
    assert image.getpixel((40, 16)) < 5
    assert dpi == pytest.approx(80 / 8.27)


@pytest.mark.parametrize("kind", ["TIFF", "PNG"])
def test_a_page_of_sixteen_bits_is_no_white_one(kind: str) -> None:
    grey = np.asarray(PAGE.convert("L")).astype(np.uint16) * 257
    images.fromarray(grey).save(file := BytesIO(), kind)
    ((image, _),) = frames(file.getvalue())
    assert image.getpixel((2, 2)) > 250
    assert image.getpixel((40, 16)) < 5


def test_a_large_page_is_shrunk_and_a_small_one_left() -> None:
    ((image, dpi),) = frames(saved(striped(4_960, 7_016), dpi=(600, 600)))
    assert image.height == SIDE
    assert dpi == pytest.approx(600 * SIDE / 7_016)
    ((image, dpi),) = frames(saved(striped(1_000, 1_400), dpi=(120, 120)))
    assert (image.size, round(dpi)) == ((1_000, 1_400), 120)
    ((image, dpi),) = frames(saved(striped(1_728, 1_143), dpi=(204, 98)))
    assert (image.size, round(dpi)) == ((1_728, 2_379), 204)


def test_thumbnails_are_no_pages_and_other_images_none() -> None:
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    small = ImageFileDirectory_v2()
    small[254] = 1
    assert len([*frames(saved(PAGE, PAGE))]) == 2
    assert [*frames(saved(PAGE, tiffinfo=small))] == []
    assert len([*frames(saved(PAGE, striped(81, 120), kind="PNG"))]) == 1  # moving


@pytest.mark.parametrize("angle", [-6.0, -2.0, 0.0, 0.8, 4.0])
def test_lines_are_made_level(angle: float) -> None:
    page = striped(600, 800).rotate(angle, fillcolor=255)
    new = level(page)
    rows = [min(new.crop((0, at, new.width, at + 1)).tobytes()) for at in range(new.height)]
    assert sum(shade < 128 for shade in rows) <= 7 * 10
    assert (new is page) == (angle == 0)


def test_a_page_without_lines_is_left_as_it_is() -> None:
    page = images.new("L", (600, 800), 255)
    assert level(page) is page


def test_damaged_files_are_read_or_refused() -> None:
    """Both happen, and no message repeats a file."""
    valid = [
        saved(PAGE, PAGE),
        saved(PAGE.convert("1"), compression="group4"),
        saved(PAGE, compression="tiff_lzw"),
        saved(PAGE.convert("RGBA"), kind="PNG"),
        saved(PAGE.convert("RGB"), kind="JPEG"),
    ]
    told = set()
    for number in range(300):
        dice = Random(number)
        try:
            list(frames(of_bytes(dice.choice(valid), dice)))
            told.add("")
        except ValueError as error:
            told.add(str(error))
    assert {"", "damaged, or no image"} <= told
    assert told <= {
        "", "damaged, or no image", "an image is far larger than a page's (a bomb?)"
    }  # fmt: skip
