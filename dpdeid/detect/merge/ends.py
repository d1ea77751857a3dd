"""Where a find ends: before what leads on to the next one, and within its cell or column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.merge.form_words import NUMBERS
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.public_numbers import ALWAYS
from dpdeid.document import Span
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Label
from dpdeid.normalize import fold

_LEADS_ON: Final = re.compile(
    r"(?i)(?<=\w)(?: ?[-–/,;]| (?:au|aux|à|avec|chez|et|ou|par|pour|puis))+$"
)
_BLANK_LINE: Final = re.compile(r"(?<=\S)\s*?\n[ \t]*\r?\n")
_GOES_ON: Final = re.compile(
    r"(?i)(?<=\w)(?<!\bla)(?<!\bde)\s*,?\s(?:d'avance )?(?:merci|svp|cordialement|cdt)\Z"
    r"|(?<=\w),?\s(?:et|puis)\s(?:une?|son|sa|ses|des)\s"
)
"""What closes a line behind a body, or goes on with something else: "et une fracture"."""
_NEXT_SENTENCE: Final = re.compile(r"(?<=/\d\d)\.\s+[A-Z]\w{0,3}\Z")  # "le 18/12. O2 au masque"
_SHORT_TAIL: Final = re.compile(r"(?<=[a-zà-ÿ]) ([A-Z]{3,8})(?: ?\d{1,2})?\Z")
_VALUE_ABOVE: Final = re.compile(r"[\d.,]+[ \t]*\n(?=[^\W_]*\d)")
"""A number that ends a line of a table, before the room that begins the next."""
_SEX_SIGN: Final = re.compile(r"[♀♂⚥]\s*(?=\w)")
_COLUMN: Final = re.compile(r"(?<=\d)(?:[ \t]{2,}|\t)[^\d]*$")
"""The words of the next column, behind a wide gap."""
_LAST_LINE: Final = re.compile(r"(?<=\S)\s*\n[^\n\d]*\Z")
_MORE: Final = re.compile(r"(?<=\S)[ \t]*(?:\r?\n|\|)[^\n\dA-ZÀ-Þ|]*\Z")
"""The next line or cell, in small letters, behind a street."""
_COLON: Final = re.compile(r"[ \t]{0,24}:")
_AROUND_CLOCK: Final = 8
_BODIES: Final = (Label.ORGANIZATION, Label.HOSPITAL)


def without_tail(span: Span, text: str) -> Span:
    """The span without what stands at its end and is none of it, "du 9 au" before "15 mai", nor
    the sign of a sex before an age, nor the value above a room.
    """
    if span.label is Label.AGE and (sign := _SEX_SIGN.match(text, span.start, span.end)):
        span = replace(span, start=sign.end())
    value = _VALUE_ABOVE.match(text, span.start, span.end) if span.label is Label.ROOM else None
    if value is not None and text[: span.start].rpartition("\n")[2].strip():
        span = replace(span, start=value.end())
    inside = text[span.start : span.end]
    cut = _LEADS_ON.search(inside)
    if span.label in _BODIES:
        cut = _GOES_ON.search(inside) or cut
    short = _SHORT_TAIL.search(inside) if span.label in (*_BODIES, Label.LAST_NAME) else None
    if short and fold(short[1]) in voc.ABBREVIATIONS:
        cut = short  # "Institut Tzanck PIRADS 5", "Delmotte ECMES"
    if cut is None and (head := _LAST_LINE.search(inside)) and _COLON.match(text, span.end):
        named = [EVIDENCE[fold(word)] for word in re.findall(r"[^\W\d_]{3,}", head[0])]
        if named and all(one.word and not one.first_name for one in named):
            cut = head  # of a field on the next line, "CP / Ville :"
    if span.label is Label.DATE:
        cut = _NEXT_SENTENCE.search(inside) or cut
    if span.label is Label.STREET and (more := _MORE.search(inside)):
        words = [EVIDENCE[fold(word)] for word in re.findall(r"[^\W\d_]{3,}", more[0])]
        cut = more if words and all(w.word or w.medical for w in words) else cut
    cut = cut or _BLANK_LINE.search(inside)
    if cut is None and span.label in _NAMES and text[span.end : span.end + 1] in (";", "|", "\t"):
        cut = re.search(r"(?<=\S)\s*\n", inside)  # the first cell of the next row
    if cut is None and span.label is Label.STREET:
        cut = re.search(r"(?<=\S)\s*(?:[|\t]|\n\n)", inside)  # the next cell
    if cut is None and span.label.is_direct and inside[:1].isdigit():
        cut = _COLUMN.search(inside)
    if cut is not None:
        return replace(span, end=span.start + cut.start())
    if span.label in (Label.PHONE, Label.FAX):
        near = ALWAYS.finditer(
            text, max(span.start, span.end - _AROUND_CLOCK), span.end + _AROUND_CLOCK
        )
        reached = [m.start() for m in near if m.start() < span.end <= m.end()]
        if reached and reached[0] > span.start:
            return replace(span, end=reached[0])
    return span


_NAMES: Final = (Label.LAST_NAME, Label.FIRST_NAME)
_DIGITS: Final = 4
"""Digits of a number that a column may hold beside others."""


_IN_COLUMNS: Final = (*_NAMES, *_BODIES, Label.CITY, Label.AGE)
_DATED: Final = re.compile(
    r"(?<=\w) (?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:20)?\d\d\Z"
)
"""A day at the end of a number."""
_WIDE: Final = re.compile(r"\t[ \t]*|[ \t]{3,}")
_WIDER: Final = re.compile(r"\t[ \t]*|[ \t]{6,}")
"""What parts columns of numbers; groups of digits have less between them."""
LANDS: Final = gazetteers.countries().keys() | set(map(fold, words_by_key("foreign_towns")))


_LAND: Final = re.compile(r"\s(?:en|aux?)\s", re.IGNORECASE)
_BAR: Final = re.compile(r"[ \t]*[|;][ \t]*")
_IN_COLUMN: Final = re.compile(
    r"(?<![\w.,])\d{1,3}[.,]\d{1,2}(?=[ \t]{2})|[ \t]{2}\d{1,3}[.,]\d{1,2}(?![\w.,])"
)
"""A decimal in a column of its own, which is part of no number of somebody's."""
_FRACTION: Final = re.compile(r"(?<![\w.,])[<>+-]?\d{1,4}[.,]\d{1,3}(?![\w/:-]|[.,]\d)")
_FRACTIONS: Final = 2
"""Decimals on a line from which none is a day and its month."""


def is_fraction(span: Span, text: str) -> bool:
    """Whether it has no letter and begins within a decimal of a line with others: "02" of
    "4.11   3.02   73".
    """
    inside = text[span.start : span.end]
    if text[span.start - 1 : span.start] not in (".", ",") or any(map(str.isalpha, inside)):
        return False
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.start)
    row = [*_FRACTION.finditer(text, start, end if end >= 0 else len(text))]
    return len(row) >= _FRACTIONS and any(one.start() < span.start < one.end() for one in row)


_BOX: Final = 2
"""Characters in a box of a form, at most, but for the year of a date."""


def parted(span: Span, text: str) -> Iterator[Span]:
    """A name, age, body or number in its columns, which a tab or blanks part; no name is without
    letters, no number of few digits or with a decimal, and no body is a word of the next column.
    What bars part, unless these are the boxes of a form. A town and the land it is said to lie in,
    "Katowice EN POLOGNE"; a number and the day behind it, "lot A12 05/04/22".
    """
    start = span.start
    bars = [*_BAR.finditer(text, start, span.end)]
    if bars and not _is_boxed(text[start : span.end]):
        for bar in (*bars, None):
            end = bar.start() if bar else span.end
            counted = str.isdigit if span.label in NUMBERS else str.isalnum
            least = _DIGITS if span.label in NUMBERS else 1 if span.label in _NAMES else _BOX + 1
            if sum(map(counted, text[start:end])) >= least:
                yield from parted(replace(span, start=start, end=end), text)
            start = bar.end() if bar else end
        return
    lies = _LAND.search(text, start, span.end) if span.label is Label.CITY else None
    if lies and fold(text[lies.end() : span.end]) in LANDS:
        yield replace(span, end=lies.start())
        yield replace(span, start=lies.end(), label=Label.COUNTRY)
        return
    if span.label in NUMBERS and (dated := _DATED.search(text, span.start, span.end)):
        yield replace(span, end=dated.start())
        yield replace(span, start=dated.start() + 1, label=Label.DATE)
        return
    wide = _WIDE if span.label in _IN_COLUMNS else _WIDER if span.label in NUMBERS else None
    gaps = wide.finditer(text, span.start, span.end) if wide else ()
    if span.label in NUMBERS and _IN_COLUMN.search(text, start, span.end):
        return
    ends = [(gap.start(), gap.end()) for gap in gaps]
    for end, following in (*ends, (span.end, span.end)):
        if not ends or _is_column(span, text[start:end], first=start == span.start):
            yield replace(span, start=start, end=end)
        start = following


def _is_boxed(text: str) -> bool:
    """Whether bars stand between the boxes of a form: a character or two in each, or a date."""
    boxes = [box.strip() for box in _BAR.split(text)]
    single = all(len(box) <= 1 for box in boxes) or "".join(boxes).replace("/", "").isdigit()
    return single and sum(map(len, boxes)) >= _DIGITS and max(map(len, boxes)) <= 2 * _BOX


def _is_column(span: Span, text: str, *, first: bool) -> bool:
    if span.label in NUMBERS:
        return sum(map(str.isdigit, text)) >= _DIGITS
    words = re.findall(r"[^\W\d_]+", text)
    if not words or first or span.label not in (*_BODIES, Label.CITY):
        return bool(words)
    return not all(
        EVIDENCE[w].word or w in voc.ABBREVIATED_ROLES or voc.TRAITS[w] & (voc.TITLE | voc.ROLE)
        for w in map(fold, words)
    )
