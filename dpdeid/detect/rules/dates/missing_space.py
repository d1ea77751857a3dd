"""Dates and telephone numbers that a letter touches on the left: "Hospitaliséle12/03/2021".

The rows that begin with a number are tried only at free-standing ones, because most numbers that
touch a letter belong to a code. Here only forms are taken that no code has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from dpdeid.detect.rules.timewords import real_day
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_DATE_END: Final = re.compile(r"/(\d{1,2})/(?:19|20)\d\d(?!\d)")
_DAY: Final = re.compile(r"(?<=[^\W\d_])\d{1,2}\Z")
_PHONE: Final = re.compile(r"0[1-9](?:(?:\d\d){4}|([ .-])\d\d(?:\1\d\d){3})(?![\w/]|[.,-]\d)")
_WORD: Final = re.compile(r"[a-zà-ÿ]\Z")


def touched_numbers(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The dates and numbers behind a letter; `spans` are not looked at."""
    text = doc.text
    for end in _DATE_END.finditer(text):
        day = _DAY.search(text, max(0, end.start() - 3), end.start())
        if day is not None and real_day(int(day[0]), int(end[1])):
            yield Span(day.start(), end.end(), Label.DATE, 0.9, "patterns/date.touched")
    for number in _PHONE.finditer(text):
        if _WORD.search(text, max(0, number.start() - 1), number.start()):
            yield Span(*number.span(), Label.PHONE, 0.9, "patterns/contact.touched")
