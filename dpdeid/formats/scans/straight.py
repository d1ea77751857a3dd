"""Scans that lie askew, made level: Tesseract reads them worse from 3° on, and lines that rise by
more than their distance cannot be told apart.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from PIL.Image import Image, Resampling

_MOST: Final = 7.0
"""Degrees to either side that are looked for."""
_STEPS: Final = (0.5, 0.1)
"""Degrees."""
_LEAST: Final = 0.25
"""Degrees that are let be."""
_SIDE: Final = 800
"""Pixels of the longer side, on which the angle is told."""


def level(image: Image) -> Image:
    """An image in shades of grey with its lines level, on white; the same where they are."""
    small = image.copy()
    small.thumbnail((_SIDE, _SIDE))
    angle = 0.0
    around = _MOST
    for step in _STEPS:
        count = round(around / step)
        tried = [angle + step * at for at in range(-count, count + 1)]
        angle = max(tried, key=lambda one: (_edges(small, one), -abs(one)))
        around = step
    if abs(angle) < _LEAST or abs(angle) >= _MOST:
        return image
    return image.rotate(angle, Resampling.BICUBIC, expand=True, fillcolor=255)


def _edges(image: Image, angle: float) -> float:
    """How sharply lines and the white between them alternate, if an image is turned so."""
    ink = 255.0 - np.asarray(image.rotate(angle, fillcolor=255), dtype=np.float64)
    rows: Any = ink.sum(axis=1)
    return float(np.square(np.diff(rows)).sum())
