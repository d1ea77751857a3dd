"""A paragraph in a language that is not read: what is written as names, dates and numbers are goes,
and no surrogate is made for it, since nothing says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.paragraphs import Stretch, is_alien
from dpdeid.detect.languages.tables import unread
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.labels import NAMES, Label
from dpdeid.normalize import fold
from dpdeid.spans import UNREAD, by_size, disjoint

_CASELESS: Final = re.compile(
    "[\u0590-\u10ff\u1100-\u13ff\u1780-\u18af\u3040-\ua63f\ua840-\ua8df\uac00-\ud7ff"
    "\uf900-\ufaff\ufb1d-\ufefc]"
)
"""Scripts that have no capitals: any word may be a name."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*|\d[\d./-]*")
_NO_UNIT: Final = r"(?! ?(?:mg|ml|g|%|cm|mm|µg|ui|u/l)(?!\w))"
_DATE: Final = re.compile(
    rf"(?<![\d.,/])(?:(?:0?[1-9]|[12]\d|3[01])(?:\.|º|°)?{_NO_UNIT}[\W_]{{1,3}}"
    r"(?:[^\W_]{1,12}[\W_]{1,3}){0,3}?)?(?:[^\W\d_]{1,14}[\W_]{1,3})?"
    r"(?:[^\W\d_]{1,12}[\W_]{1,2})?"
    rf"(?:19|20)\d\d(?!\d|[.,]\d){_NO_UNIT}"
)
"""A year, with what stands before it from a day on: "15 de agosto de 1958", "maju 2019"."""
_DAY_MONTH: Final = re.compile(
    r"(?<![\d.,/])(?:\d{1,2}[\W_]{1,3}(?:[^\W\d_]{1,8}\s)?)([^\W\d_]{3,14})"
)
_NUMERIC: Final = re.compile(r"(?<![\d.,/])\d{1,4}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)")
_LONG_NUMBER: Final = re.compile(r"\+?\(?\d(?:[ ./()-]?\d){4,}")
_UNIT: Final = re.compile(
    r"[\s:=]{0,3}(?:[<>≤≥]?\s?\d[\d.,/ ]{0,8}\s?(?:mg|g|kg|ml|l|dl|cl|cm|mm|%|mmol|µg|mcg|ng|u/l|ui"
    r"|mmhg|°|мг|мл|г)(?![^\W\d_])|\d{1,3}[.,]\d(?!\d)|\d{1,3}/\d{2,3}(?!\d))",
    re.IGNORECASE,
)
"""A value behind what is measured or given."""
_HOUSE: Final = re.compile(
    r"[.,]?\s{0,2}(?:n[ro°º]\.?\s?|№\s?|д\.\s?)?\d{1,4}(?:/\d{1,3})?[a-z]?"
    rf"(?!\w|[.,]\d){_NO_UNIT}"
)
_GAP: Final = re.compile(r"[ ,.'’-]{0,3}(?:[^\W\d_]{1,4}\s){0,2}|\s")


def taken(
    doc: Document, part: Stretch, spans: Sequence[Span], known: frozenset[str]
) -> Iterator[Span]:
    """The spans of a paragraph: what the hospital told or has a form of its own as it was found,
    and whatever else may identify.

    Args:
        known: folded words of names that the note has elsewhere.
    """
    text = doc.text
    start, end = doc.tokens.starts[part.first], doc.tokens.ends[part.stop - 1]
    kept = [s for s in spans if _is_sure(text, s, known)]
    own = [*_dates(text, start, end), *_numbers(text, start, end), *_words(text, start, end)]
    yield from disjoint((*kept, *own), rank=_rank)


def _rank(span: Span) -> tuple[object, ...]:
    """What is sure first, then dates, then the larger."""
    return (span.source == UNREAD, span.label is not Label.DATE, by_size(span))


def _is_sure(text: str, span: Span, known: frozenset[str]) -> bool:
    """Whether a span has a form that is the same everywhere, or is what the hospital told."""
    inside = text[span.start : span.end]
    if span.label in (Label.EMAIL, Label.URL, Label.IP):
        return True
    if span.source.startswith(("metadata", "site", "propagate")):
        return True
    if span.label in NAMES:
        return all(word in known for word in fold(inside).replace("-", " ").split())
    digits = sum(map(str.isdigit, inside))
    if span.label in (Label.DATE, Label.BIRTH_DATE):
        return _NUMERIC.fullmatch(inside) is not None
    return span.label in (Label.PHONE, Label.FAX, Label.SSN) and digits > _LONG_DIGITS


_LONG_DIGITS: Final = 6


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
        value = _PRESSURE.fullmatch(whole) or _is_value(text, found.end())
        if sum(map(str.isdigit, whole)) >= _FEWEST_DIGITS and not value:
            yield _span(found.start(), found.end(), Label.OTHER_ID)


_FEWEST_DIGITS: Final = 5
_PRESSURE: Final = re.compile(r"\d{2,3} ?/ ?\d{2,3}")


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
            between = text[
                min(word.end(), words[beside].end()) : max(word.start(), words[beside].start())
            ]
            said[at] = len(between) < _NEAR
        if fold(word[0]) in streets:  # whatever a street is called after
            behind = next(
                (x for x in range(at + 1, min(len(words), at + 4)) if words[x][0][0].isupper()), at
            )
            said[behind] = said[behind] or text[word.end() : words[behind].start()].count(".") < 2
    run: list[re.Match[str]] = []
    for word in compress(words, said):
        if run and not _GAP.fullmatch(text[run[-1].end() : word.start()]):
            yield _run(text, run, end)
            run = []
        run.append(word)
    if run:
        yield _run(text, run, end)


_NEAR: Final = 14


def _run(text: str, run: Sequence[re.Match[str]], end: int) -> Span:
    first, last = run[0].start(), run[-1].end()
    street = any(fold(word[0]) in unread("streets") for word in run)
    number = re.search(r"\d{1,4}[a-z]? \Z", text[max(0, first - _NUMBER) : first])
    if number and street:
        first -= len(number[0])
    house = None if _UNIT.match(text, last, end) else _HOUSE.match(text, last, end)
    if house and (street or not _CASELESS.search(run[-1][0])):
        return _span(first, house.end(), Label.STREET)
    return _span(first, last, Label.STREET if number and street else Label.OTHER_ID)


_NUMBER: Final = 6
"""Characters of the number of a house that stands before its street."""


def _may_name(text: str, word: re.Match[str]) -> bool:
    written = word[0]
    if _CASELESS.search(written):
        return True
    key = fold(written)
    if not written[0].isupper():
        return False
    known = EVIDENCE[key]
    valued = _UNIT.match(text, word.end()) is not None
    if written.isupper() and (valued or known.shorthand or key in voc.ABBREVIATIONS):
        return False
    if valued:
        return bool((known.first_name or known.surname > 1) and not (known.medical or known.drug))
    if is_alien(written):
        return True
    if known.first_name or known.surname > 1 or key in gazetteers.place_keys():
        return True
    return not (known.word or known.medical or known.drug)
