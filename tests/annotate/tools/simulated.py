"""What each tool writes when an annotator accepts all that is suggested.

brat: its server writes back the .ann as it is (https://brat.nlplab.org/standoff.html).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def brat(sent: Path, into: Path) -> Path:
    """The server checks each T line against the text, as `verify_textbound` of brat does."""
    del into
    for ann in sent.glob("*.ann"):
        text = ann.with_suffix(".txt").read_text(encoding="utf-8")
        for line in ann.read_text(encoding="utf-8").splitlines():
            _, where, stated = line.split("\t", 2)
            stretches = [one.split() for one in where.partition(" ")[2].split(";")]
            assert stated == " ".join(text[int(a) : int(b)] for a, b in stretches)
    return sent


RETURNS: dict[str, Callable[[Path, Path], Path]] = {"brat": brat}
"""Of each tool what makes its export of a folder that was sent, into another folder."""
