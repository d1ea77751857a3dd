"""A paragraph in a language that is not read: what is written as names, dates and numbers are goes,
and no surrogate is made for it, since nothing says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.paragraphs import Stretch
from dpdeid.detect.languages.tables import unread
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.french.abroad import UNREAD
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import disjoint

_CASELESS: Final = re.compile(
    "[\u0590-\u10ff\u1100-\u13ff\u1780-\u18af\u3040-\ua63f\ua840-\ua8df\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufefc]"
)
"""Scripts that have no capitals: any word may be a name."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*|\d[\d./-]*")
_DATE: Final = re.compile(
    r"(?<![\d.,/])(?:\d{1,2}(?:\.|º|°)?[\W_]{1,3}(?:[^\W\d_]{1,12}[\W_]{1,3}){0,3}?)?"
    r"(?:[^\W\d_]{1,14}[\W_]{1,3})?(?:[^\W\d_]{1,12}[\W_]{1,2})?(?:19|20)\d\d(?!\d|[.,]\d)"
)
_DAY_MONTH: Final = re.compile(r"(?<![\d.,/])(?:\d{1,2}[\W_]{1,3}(?:[^\W\d_]{1,8}\s)?)([^\W\d_]{3,14})")
_NUMERIC: Final = re.compile(r"(?<![\d.,/])\d{1,4}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)")
_LONG_NUMBER: Final = re.compile(r"\+?\(?\d(?:[ ./()-]?\d){4,}")
_UNIT: Final = re.compile(
    r"[\s:=]{0,3}[<>≤≥]?\s?\d[\d.,/ ]{0,8}\s?(?:mg|g|kg|ml|l|dl|cl|cm|mm|%|mmol|µg|mcg|ng|u/l|ui|mmhg|°|мг|мл|г)(?![^\W\d_])|"
    r"[\s:=]{0,3}\d{1,3}[.,]\d(?!\d)|[\s:=]{0,3}\d{1,3}/\d{2,3}(?!\d)",
    re.IGNORECASE,
)
"""A value behind what is measured or given."""
_HOUSE: Final = re.compile(r",?\s{0,2}(?:n[ro°º]\.?\s?|№\s?|д\.\s?|no\.?\s?)?\d{1,4}(?:/\d{1,3})?[a-z]?(?!\w|[.,]\d)(?!\s?(?:mg|ml|g|%|mm|cm))")
_GAP: Final = re.compile(r"[ ,.'’-]{0,3}(?:[^\W\d_]{1,4}\s){0,2}|\s")
_SHORT_WORD: Final = 4


def taken(
    doc: Document, part: Stretch, spans: Sequence[Span], proposals: Sequence[Span]
) -> Iterator[Span]:
    """The spans of a paragraph: what the hospital told or has a form of its own as it was found, and
    whatever else may identify.
    """
    text = doc.text
    start, end = doc.tokens.starts[part.first], doc.tokens.ends[part.stop - 1]
    kept = [s for s in spans if _is_sure(text, s)]
    own = [*_dates(text, start, end), *_numbers(text, start, end), *_words(text, start, end)]
    own = [piece for piece in own if not any(k.start < piece.end and piece.start < k.end for k in kept)]
    apart = [
        piece
        for span in disjoint(own)
        for piece in _without(span, kept)
    ]
    yield from (*kept, *apart)


def _is_sure(text: str, span: Span) -> bool:
    """Whether a span has a form that is the same everywhere, or is what the hospital told."""
    inside = text[span.start : span.end]
    if span.label in (Label.EMAIL, Label.URL, Label.IP):
        return True
    if span.source.startswith(("metadata", "propagate")):
        return True
    digits = sum(map(str.isdigit, inside))
    if span.label in (Label.DATE, Label.BIRTH_DATE):
        return _NUMERIC.fullmatch(inside) is not None
    return span.label in (Label.PHONE, Label.FAX, Label.SSN) and digits > _LONG_DIGITS


_LONG_DIGITS: Final = 6


def _without(span: Span, kept: Sequence[Span]) -> Iterator[Span]:
    if not any(k.start < span.end and span.start < k.end for k in kept):
        yield span


def _span(start: int, end: int, label: Label) -> Span:
    return Span(start, end, label, 0.9, UNREAD)


def _dates(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _NUMERIC.finditer(text, start, end):
        yield _span(*found.span(), Label.DATE)
    for found in _DATE.finditer(text, start, end):
        yield _span(*found.span(), Label.DATE)
    months = unread("months")
    for found in _DAY_MONTH.finditer(text, start, end):
        if fold(found[1]) in months:
            yield _span(*found.span(), Label.DATE)


def _numbers(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _LONG_NUMBER.finditer(text, start, end):
        whole = found[0]
        if sum(map(str.isdigit, whole)) >= _FEWEST_DIGITS and not _is_value(text, found.end()):
            yield _span(found.start(), found.end(), Label.OTHER_ID)


_FEWEST_DIGITS: Final = 5


def _is_value(text: str, end: int) -> bool:
    return re.match(r"\s?(?:mg|g|ml|l|%|mmol|/mm|u/l|/µl)", text[end : end + 6], re.I) is not None


def _words(text: str, start: int, end: int) -> Iterator[Span]:
    """Words with a capital and all of scripts that have none, runs of them as one, with the street
    before and the number behind.
    """
    streets = unread("streets")
    words = [m for m in _WORD.finditer(text, start, end) if not m[0][0].isdigit()]
    said = [_may_name(text, m) for m in words]
    for at, word in enumerate(words):
        near = [x for x in range(max(0, at - 2), min(len(words), at + 3)) if x != at and said[x]]
        if not said[at] and fold(word[0]) in streets and near and not word[0].isupper():
            beside = min(near, key=lambda x: abs(x - at))
            between = text[min(word.end(), words[beside].end()) : max(word.start(), words[beside].start())]
            said[at] = len(between) < _NEAR
    run: list[re.Match[str]] = []
    for word, told in [*zip(words, said, strict=True), (None, False)]:
        if word is not None and told:
            gap = text[run[-1].end() : word.start()] if run else ""
            if run and not _GAP.fullmatch(gap):
                yield _run(text, run, end)
                run = []
            run.append(word)
    if run:
        yield _run(text, run, end)


_NEAR: Final = 14


def _run(text: str, run: Sequence[re.Match[str]], end: int) -> Span:
    last = run[-1].end()
    if (house := _HOUSE.match(text, last, end)) and not _UNIT.match(text, last, end):
        last = house.end()
    first = run[0].start()
    number = re.search(r"\d{1,4}[a-z]? \Z", text[max(0, first - 6) : first])
    if number and fold(run[0][0]) in unread("streets"):
        first -= len(number[0])
    return _span(first, last, Label.OTHER_ID)


def _may_name(text: str, word: re.Match[str]) -> bool:
    written = word[0]
    if _CASELESS.search(written):
        return True
    key = fold(written)
    if not written[0].isupper():
        return False
    if _UNIT.match(text, word.end()):
        known = EVIDENCE[key]
        return bool((known.first_name or known.surname > 1) and not (known.medical or known.drug))
    known = EVIDENCE[key]
    if written.isupper() and (known.shorthand or key in voc.ABBREVIATIONS):
        return False
    if known.first_name or known.surname > 1 or key in gazetteers.place_keys():
        return True
    return not (known.word or known.medical or known.drug)
