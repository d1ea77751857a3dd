"""Where a decided span ends: words that lead on to the next find, and what stands beside a number.

A tagger that is sure of a number takes the next column or "24/24" along.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from dpdeid.document import Span
from dpdeid.labels import Label

ALWAYS: Final = re.compile(r"(?i)\b(?:24 ?h?|7 ?j?) ?/ ?(?:24 ?h?|7 ?j?)\b")
"""Around the clock, every day: "24h/24", "7j/7"."""
_LEADS_ON: Final = re.compile(
    r"(?i)(?<=\w)(?: ?[-–/,;]| (?:au|aux|à|avec|chez|et|ou|par|pour|puis))+$"
)
_COLUMN: Final = re.compile(r"(?<=\d)(?:[ \t]{2,}|\t)[^\d]*$")
"""The words of the next column, behind a wide gap."""
_CALLED: Final = (Label.PHONE, Label.FAX)
_NEAR: Final = 8


def ended(span: Span, text: str) -> Span:
    """The span without what stands at its end and is none of it: "du 9 au" before "15 mai"."""
    inside = text[span.start : span.end]
    cut = _LEADS_ON.search(inside)
    if cut is None and span.label.is_direct and inside[:1].isdigit():
        cut = _COLUMN.search(inside)
    if cut is not None:
        return replace(span, end=span.start + cut.start())
    if span.label in _CALLED and (at := _always(span, text)) > span.start:
        return replace(span, end=at)
    return span


def _always(span: Span, text: str) -> int:
    """Where "24/24" begins that the span reaches into, behind a space; 0 where none does."""
    for match in ALWAYS.finditer(text, max(span.start, span.end - _NEAR), span.end + _NEAR):
        if match.start() < span.end <= match.end():
            return match.start()
    return 0
