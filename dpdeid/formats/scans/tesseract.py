"""The lines of an image by Tesseract with its French data, within bounds.

It is run as a command, a page at a time and through pipes, so that no page lies on the disk. Errors
are `ValueError`, and repeat nothing that was read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from dpdeid.formats.documents.layout import Line, Page

if TYPE_CHECKING:
    from PIL.Image import Image

SECONDS: Final = 120
"""Of a page, after which it is given up."""
NEEDED: Final = (
    "to read it takes Tesseract with its French data (Debian: apt install tesseract-ocr-fra) and "
    "the extra ocr: pip install '.[ocr]' in a checkout of dpdeid"
)
_COMMAND: Final = "tesseract"
_LANGUAGE: Final = "fra"
_WORD: Final = "5"
"""The level of rows that are words."""
_COLUMNS: Final = 11
"""Before that of the text."""
_TURNED: Final = re.compile(r"^Rotate: (90|180|270)$", re.MULTILINE)
_DARK: Final = 128
"""Shades of grey, of 256, from which a point is no ink."""
_INK: Final = 0.0003
"""Share of dark points under which a page without words is blank: a short word has more."""
_SMALL: Final = 400
"""Pixels of the shorter side that no page has less of (A4 at 50 dpi)."""


class _Word(NamedTuple):
    """A word and its box, in points from the upper left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Scan:
    """A page that was read.

    Args:
        sure: how sure Tesseract is of each word, in percent.
        is_blank: whether hardly anything is dark on it.
        is_mark: whether it has no words and is too small for a page: a logo, a signature.
    """

    page: Page
    sure: Sequence[float] = field(repr=False)
    is_blank: bool = False
    is_mark: bool = False

    @property
    def mean(self) -> float:
        """How sure it is of a word, in percent; 0 if there is none."""
        return sum(self.sure) / len(self.sure) if self.sure else 0.0


def check() -> None:
    """Nothing, if Tesseract is there with its French data.

    Raises:
        ValueError: it is not; names the packages.
    """
    command = shutil.which(_COMMAND)
    if command is None or _LANGUAGE not in _languages(command):
        raise ValueError(NEEDED)


@cache
def _languages(command: str) -> frozenset[str]:
    done = subprocess.run([command, "--list-langs"], capture_output=True, text=True, check=False)
    return frozenset(done.stdout.split())


def recognise(image: Image, dpi: float) -> Scan:
    """The page that an image shows upright.

    Args:
        image: in shades of grey.
        dpi: its pixels an inch.

    Raises:
        ValueError: Tesseract fails, or takes too long.
    """
    told = _run(image, dpi, "-l", _LANGUAGE, "--psm", "3", "tsv")
    lines, sure = defaultdict[tuple[str, ...], list[_Word]](list), list[float]()
    scale = 72 / dpi
    for row in told.split("\n")[1:]:
        level, *cells = row.split("\t", _COLUMNS)
        if level != _WORD or not cells[-1].strip():
            continue
        try:
            left, top, width, height = (int(cell) * scale for cell in cells[5:9])
            sure.append(float(cells[9]))
        except (ValueError, IndexError):
            raise ValueError("Tesseract cannot read it") from None
        word = _Word(cells[-1].strip(), left, top, left + width, top + height)
        lines[*cells[:4]].append(word)
    high = image.height * scale
    page = Page(image.width * scale, high, tuple(_lines(lines.values(), high)))
    dark = sum(image.histogram()[:_DARK])
    is_blank = not sure and dark < _INK * image.width * image.height
    return Scan(page, sure, is_blank, not sure and min(image.size) < _SMALL)


def turn(image: Image, dpi: float) -> int:
    """By how many degrees an image is to be turned clockwise to stand upright; 0 where that cannot
    be told.
    """
    try:
        found = _TURNED.search(_run(image, dpi, "-l", "osd", "--psm", "0"))
    except ValueError:
        return 0
    return int(found[1]) if found else 0


def _run(image: Image, dpi: float, *options: str) -> str:
    image.save(file := BytesIO(), "PPM")
    command = [_COMMAND, "-", "-", "--dpi", str(round(dpi)), *options]
    one = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # several are five times slower
    try:
        done = subprocess.run(
            command,
            input=file.getvalue(),
            capture_output=True,
            timeout=SECONDS,
            env=one,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"a page takes more than {SECONDS} s to be recognised") from None
    except (OSError, subprocess.CalledProcessError):
        raise ValueError("Tesseract cannot read it") from None
    return done.stdout.decode("utf-8", "replace")


def _lines(lines: Iterable[Sequence[_Word]], high: float) -> Iterable[Line]:
    """Lines in stretches, which a gap as wide as the line is high parts."""
    for line in lines:
        top, bottom = min(word.top for word in line), max(word.bottom for word in line)
        wide = bottom - top
        ends = [n for n, (a, b) in enumerate(pairwise(line), 1) if b.left - a.right > wide]
        for first, last in pairwise((0, *ends, len(line))):
            words = line[first:last]
            text = " ".join(word.text for word in words)
            yield Line(text, words[0].left, high - bottom, words[-1].right, high - top)
