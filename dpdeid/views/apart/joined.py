"""Lines that an export joined, apart again: "1160 Auderghem Mutualité : Partena NIR 2 61 11 …".

Where a note is one long line, a word of the language with a capital that leads to a colon, and what
an identifier is called, name the next field; two blanks were a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.titles import TITLES
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit

_LEAST: Final = 300
"""Characters of a note that hardly was one line."""
_FIELD: Final = re.compile(
    r"(?<=[^\s:]) {1,40}(?=(?P<word>[A-ZÀ-Þ][^\W\d_]{2,24})"
    r"(?:(?:[ /-]|[ /-]?[dl]')[^\W\d_]{1,20}\.?){0,3} ?:(?: |\d))"
)
"""What opens with a capital and leads to a colon, behind something else than a colon."""
_NUMBER: Final = re.compile(
    r"(?<=\S) {1,40}(?=(?:NIR|IPP|NIP|NDA|IEP|INS|AVS|NISS|NAM|RPPS|ADELI|FINESS|DDN|SIRET|IBAN)"
    r" ?(?::|n°|EJ|ET)? ?[A-Z]{0,4}\d[A-Z]?[\d /.-]{3})"
)
_PARAGRAPH: Final = re.compile(r"(?<=[^\s]) {2}(?=[^\s])")
_WIDE: Final = "   "
_JOINS: Final = frozenset(
    ("de", "du", "des", "d", "la", "le", "les", "l", "a", "au", "aux", "en", "et", "par", "pour")
)
_BEFORE: Final = re.compile(r"([^\W\d_]+)\.?\Z")
_NEAR: Final = 24


def edits(text: str) -> Iterator[Edit]:
    """The ends of lines before fields and for blank lines."""
    if len(text) < _LEAST or "\n" in text.strip():
        return
    ends = {m.span() for m in _NUMBER.finditer(text)}
    if _WIDE not in text:
        ends |= {m.span() for m in _PARAGRAPH.finditer(text)}
    ends |= {m.span() for m in _FIELD.finditer(text) if _opens(text, m)}
    yield from (Edit(*gap, "\n", hollow=True) for gap in sorted(ends))


def _opens(text: str, field: re.Match[str]) -> bool:
    """Whether a word of the language names the field, and nothing before it leads to it."""
    if fold(field["word"]) not in gazetteers.words():
        return False
    before = _BEFORE.search(text, max(0, field.start() - _NEAR), field.start())
    return before is None or fold(before[1]) not in TITLES | _JOINS
