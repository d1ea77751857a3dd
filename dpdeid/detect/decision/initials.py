"""Where initials may stand: short words at the end of a line or cell, and whose they could be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from dpdeid.document import Document, Span
from dpdeid.labels import NAMES
from dpdeid.normalize import fold

INITIALS: Final = ("at an end", "share at ends", "initials of a name")
"""Whether a short word closes a line or a cell, how many of those that read alike do, and whether
its letters begin the parts of a name in the note."""
_SHORT: Final = range(2, 5)
_ENDS: Final = re.compile(r"\.?[ \t]*(?:[|;\t\n\r]|\Z)|\.?[ \t]{2,}")
_BESIDE: Final = 2
"""Characters between two parts of a name, at most."""
_PART: Final = re.compile(r"[^\W\d_]+")
Array = np.ndarray[Any, np.dtype[np.float32]]


def short_words(doc: Document, votes: Sequence[Span]) -> tuple[Array, list[int]]:
    """Of each token what `INITIALS` say, (N, 3); and the tokens that may be initials: short words
    at an end, those that read as one that is, and those that begin the parts of a name.
    """
    tokens = doc.tokens
    found = np.zeros((len(tokens), len(INITIALS)), np.float32)
    named = {one for name in _names(doc, votes) for one in _initials(name)}
    inside = {at for span in votes for at in tokens.over(span.start, span.end)}
    alike: dict[str, list[int]] = {}
    for at, word in enumerate(tokens.folded):
        if len(word) in _SHORT and word.isalpha():
            alike.setdefault(word, []).append(at)
            found[at, 0] = _ENDS.match(doc.text, tokens.ends[at]) is not None
            found[at, 2] = word in named and at not in inside
    asked = []
    for own in alike.values():
        found[own, 1] = found[own, 0].mean()
        if found[own, 0].any() or found[own, 2].any():
            asked += own
    return found, asked


def _names(doc: Document, votes: Sequence[Span]) -> Iterator[list[str]]:
    """The folded parts of each name of two parts or more."""
    parts: list[str] = []
    end = -1
    for span in sorted(votes):
        if span.label not in NAMES:
            continue
        own = [fold(part) for part in _PART.findall(doc.text, span.start, span.end)]
        if 0 <= span.start - end <= _BESIDE:
            parts += own
        else:
            yield parts
            parts = own
        end = span.end
    yield parts


def _initials(parts: Sequence[str]) -> Iterator[str]:
    """How the initials of a name may stand: "jmd", "dj" and "jd" of "Jean-Marc Durand"."""
    if len(parts) < _SHORT.start or max(map(len, parts)) < _SHORT.stop - 1:
        return
    letters = "".join(part[0] for part in parts)
    yield from (letters, letters[1:] + letters[0], letters[-1] + letters[:-1])
    yield from (letters[0] + letters[-1], letters[-1] + letters[0])
