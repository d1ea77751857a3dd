"""From what was matched to what is coded: names out, overlaps decided."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from dpdeid.evaluate.coding.contract import Code

_TITLE: Final = re.compile(
    r"(?:\b(?:M|MM|Mme|Mlle|Dr|Drs|Pr|Me|Mr)\.?|\b(?:Monsieur|Madame|Mademoiselle|Docteur|Professeur|"
    r"Ma[îi]tre|M[ée]decin|Nom|Pr[ée]nom)s?)\s*:?\s+(?:[A-ZÀ-Ý](?:\.|[\w'’-]{0,30})\s+){0,2}$"
)
_BACK: Final = 80


def is_name(text: str, code: Code) -> bool:
    """Whether the words of a code are somebody's name: capitalised, after a title.

    >>> from dpdeid.evaluate.coding.contract import Terminology
    >>> is_name("Mme Rougeole", Code(4, 12, "B05", Terminology.ICD10))
    True
    """
    if not text[code.start].isupper():
        return False
    return _TITLE.search(text[max(0, code.start - _BACK) : code.start]) is not None


def settled(text: str, found: Iterable[Code]) -> tuple[Code, ...]:
    """The codes that stay, sorted and disjoint, with the longest words first, then the earliest.

    What is given first stays where two are of equal words.
    """
    kept: list[Code] = []
    taken = bytearray(len(text))
    for code in sorted(found, key=lambda c: (c.start - c.end, c.start)):
        if not any(taken[code.start : code.end]) and not is_name(text, code):
            taken[code.start : code.end] = b"\1" * (code.end - code.start)
            kept.append(code)
    return tuple(sorted(kept))
