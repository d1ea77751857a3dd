"""Pages of TIFF, PNG and JPEG files as images.

All pages of a TIFF file are read, and the one image of others. Nothing else is: no properties, no
thumbnails. What is larger than Pillow opens without a warning is refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image as Images
from PIL import ImageOps
from PIL.Image import Image

SIZE: Final = 256 << 20
PIXELS: Final = 89_478_485
"""Of an image; beyond, Pillow warns."""
SIDE: Final = 5_000
"""Pixels of the longer side of an image that is read; a larger one is shrunk."""
_DEEP: Final = (1 << 16) - 1
_INCHES: Final = 8.27
"""The shorter side of a page whose image does not say how large it is (A4)."""
_LEAST, _MOST = 3.0, 24.0
"""Inches that the longer side of a page may have, or what an image says of itself is not so."""
_KIND: Final = 254
"""The tag of a page of a TIFF file that says what it is for."""
_SMALL: Final = 1


def frames(data: bytes) -> Iterator[tuple[Image, float]]:
    """The pages of a file in shades of grey, each with its pixels an inch.

    Raises:
        ValueError: it is no image, damaged, or beyond a bound.
    """
    if len(data) > SIZE:
        raise ValueError("larger than 256 MB")
    with _told():
        image = Images.open(BytesIO(data), formats=("TIFF", "PNG", "JPEG"))
    at = 0
    while at == 0 or image.format == "TIFF":
        with _told():
            try:
                image.seek(at)
            except EOFError:
                return
            page = None if _is_thumbnail(image) else _page(image)
        if page:
            yield page
        at += 1


@contextmanager
def _told() -> Iterator[None]:
    """A block in which Pillow reads something; its own messages repeat what they read.

    Raises:
        ValueError: that cannot be read, or is beyond a bound.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Images.DecompressionBombWarning)
        try:
            yield
        except (Images.DecompressionBombError, Images.DecompressionBombWarning):
            raise ValueError("an image is far larger than a page's (a bomb?)") from None
        except Exception:  # whatever a damaged file makes it stumble over
            raise ValueError("damaged, or no image") from None


def _is_thumbnail(image: Image) -> bool:
    return bool(int(getattr(image, "tag_v2", {}).get(_KIND, 0)) & _SMALL)


def _page(image: Image) -> tuple[Image, float]:
    """An image as it is meant to be seen, upright, on white, with pixels as wide as high; and its
    pixels an inch.
    """
    if image.width * image.height > PIXELS:
        raise Images.DecompressionBombError
    wide, high = _resolution(image)
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):  # of 16 bits, which Pillow cuts off
        upright = Images.fromarray((np.asarray(upright).clip(0, _DEEP) // 257).astype(np.uint8))
    if upright.has_transparency_data:
        paper = Images.new("RGBA", upright.size, "white")
        paper.alpha_composite(upright.convert("RGBA"))
        upright = paper
    if upright.size != image.size:
        wide, high = high, wide
    grey, dpi = upright.convert("L"), max(wide, high)
    sides = grey.width * dpi / wide, grey.height * dpi / high
    shrunk = min(1.0, SIDE / max(sides))
    size = round(sides[0] * shrunk), round(sides[1] * shrunk)
    return grey if size == grey.size else grey.resize(size), dpi * shrunk


def _resolution(image: Image) -> tuple[float, float]:
    """The pixels an inch of an image, across and down, as it says or as if it were a page."""
    wide, high = (float(one) for one in image.info.get("dpi", (0, 0)))
    if min(wide, high) > 0 and _LEAST < max(image.width / wide, image.height / high) < _MOST:
        return wide, high
    return (min(image.size) / _INCHES,) * 2
