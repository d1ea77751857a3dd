"""Numbers in words, which are taken whole or not at all: half of "quatre mille douze" tells both
that a number stood there and the rest of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dpdeid.detect.merge.form_words import NUMBERS
from dpdeid.document import Document, Span
from dpdeid.french.numerals import WORDS
from dpdeid.labels import Label

_GLUE: Final = frozenset(("-", "et"))
_WHOLE: Final = NUMBERS | {Label.FAX, Label.SSN}
"""What is taken whole; a date or a place that cuts a number is none."""
_HALF: Final = 0.5
_LONG: Final = 6
"""Words from which a number is hardly a result."""
_FEW: Final = 2


def number_at(doc: Document, at: int) -> range:
    """The tokens of the number in words that token `at` is part of; empty where it is none."""
    folded, text = doc.tokens.folded, doc.text
    if folded[at] not in WORDS and folded[at] not in _GLUE:
        return range(0)

    def goes_on(index: int, step: int) -> bool:
        first, second = sorted((index, index - step))
        gap = text[doc.tokens.ends[first] : doc.tokens.starts[second]]
        return gap in ("", " ") and (folded[index] in WORDS or folded[index] in _GLUE)

    first, last = at, at
    while first > 0 and goes_on(first - 1, -1):
        first -= 1
    while last + 1 < len(folded) and goes_on(last + 1, 1):
        last += 1
    while first <= last and folded[first] in _GLUE:
        first += 1
    while last >= first and folded[last] in _GLUE:
        last -= 1
    own = range(first, last + 1)
    return own if len(own) >= _FEW else range(0)


def whole(doc: Document, spans: Sequence[Span]) -> list[Span]:
    """The sorted spans with every number in words inside one, or outside all.

    Identifiers that take half of a number, or anything of a long one, take all of it as one; else
    what cuts it is left out.
    """
    found: list[Span] = []
    for span in spans:
        number = _cut(doc, span)
        if not number:
            found.append(span)
            continue
        start, end = doc.tokens.starts[number[0]], doc.tokens.ends[number[-1]]
        touching = [s for s in spans if s.start < end and start < s.end and s.label in _WHOLE]
        inside = {at for s in touching for at in doc.tokens.over(s.start, s.end)} & {*number}
        if not inside or (len(number) < _LONG and len(inside) < _HALF * len(number)):
            continue
        if span == max(touching, key=lambda s: (len(s), -s.start)):
            low, high = (f(x for s in touching for x in (s.start, s.end)) for f in (min, max))
            found.append(replace(span, start=min(low, start), end=max(high, end)))
    return found


def _cut(doc: Document, span: Span) -> range:
    """The tokens of the number that goes on outside a span, at one of its ends; or nothing."""
    own = doc.tokens.over(span.start, span.end)
    for end in (own[0], own[-1]) if own else ():
        number = number_at(doc, end)
        if number and (number[0] < own[0] or number[-1] > own[-1]):
            return number
    return range(0)
