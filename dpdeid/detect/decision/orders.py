"""Words that hold no name where they stand, told by what stands around: doses letter by letter, a
cross in one of two boxes.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document
from dpdeid.french import doses
from dpdeid.french.titles import TITLES
from dpdeid.normalize import fold

_MOST: Final = 24
"""Signs of the longest run that is asked."""
_NEAR: Final = 16
_BOXES: Final = re.compile(r"(?<![^\W_])[^\W\d_](?:[ _\[\]|]{1,6}[^\W\d_]){2}(?![^\W_])")
"""Three letters in boxes or on lines."""
_NAMED: Final = TITLES | {":", "nom", "prenom", "nommee", "nomme", "appelle"}


def is_order(doc: Document, first: int, stop: int) -> bool:
    """Whether tokens are single signs of a run that says a dose: "1 G" of "1 G A L INCISION"."""
    if not all(len(text) == 1 for text in doc.tokens.texts[first:stop]):
        return False
    while first > 0 and stop - first < _MOST and _is_apart(doc, first - 1, first):
        first -= 1
    while stop < len(doc.tokens) and stop - first < _MOST and _is_apart(doc, stop, stop - 1):
        stop += 1
    tokens = doc.tokens
    behind = tokens.folded[first - 1] if first and _gap(doc, first) == " " else ""
    signs = [sign for sign in tokens.folded[first:stop] if sign.isalnum()]
    if behind in _NAMED or "".join(signs) in gazetteers.surnames():
        return False
    return doses.is_order([*(behind if behind.isdigit() else ""), *signs])


def is_ticked(doc: Document, start: int, end: int) -> bool:
    """Whether a stretch of the text is letters of two boxes and a cross: "X" of "F___ M_X_"."""
    first = max(0, start - _NEAR)
    return any(
        boxes.start() <= start
        and end <= boxes.end()
        and doses.is_ticked([fold(c) for c in boxes[0] if c.isalpha()])
        for boxes in _BOXES.finditer(doc.text, first, end + _NEAR)
    )


def _is_apart(doc: Document, at: int, beside: int) -> bool:
    """Whether a token is one sign, or a slash, with a space between it and the one beside it."""
    text = doc.tokens.texts[at]
    one = len(text) == 1 and (text.isalnum() or text == "/")
    return one and _gap(doc, max(at, beside)) == " "


def _gap(doc: Document, at: int) -> str:
    return doc.text[doc.tokens.ends[at - 1] : doc.tokens.starts[at]]
