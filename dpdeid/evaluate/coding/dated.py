"""The dates, births and ages of a note, as somebody who codes it would understand them.

The patterns of the package find them and the readers of its strategies complete them (a year that
is not printed is the nearest to the note); nothing here is told what was replaced.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from dpdeid.cohort import DEFAULT_E0
from dpdeid.detect.patterns import Patterns
from dpdeid.document import Document, Mention, Record, Span
from dpdeid.labels import Label
from dpdeid.substitute.ages import WrittenAge, parse_age
from dpdeid.substitute.reading import Read, read_dates

_BEFORE: Final = 48
_ENTRY: Final = re.compile(
    r"(?i)(?:hospitalis\w{1,4}|entrée?|admis\w{0,2}|admission|séjour)[^.\n\d]{0,40}$"
)
_EXIT: Final = re.compile(r"(?i)(?:\bsortie?|rentrée? (?:à|au) domicile)[^.\n\d]{0,30}$")
_UNTIL: Final = re.compile(r"\s{0,2}(?:au|jusqu'au|-|→)\s{0,2}")
_NEAR: Final = 40
_BREAK: Final = re.compile(r"\n|[.;](?=\s)")
"""What parts a disease from a date that is not its own."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A date of the note: where it stands and which day it is (of a range, its two days)."""

    start: int
    end: int
    days: tuple[dt.date, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Chronology:
    """What a note says of time; what it does not say is None or empty.

    Args:
        dates: in the order of the text.
        birth: of the patient.
        age: the first age of the text.
        stay: its first and last day.
        reference: the first day of the stay, else the note's own date, else its latest full date.
    """

    dates: tuple[Dated, ...] = ()
    birth: dt.date | None = field(default=None, repr=False)
    age: WrittenAge | None = field(default=None, repr=False)
    stay: tuple[dt.date, dt.date] | None = field(default=None, repr=False)
    reference: dt.date | None = field(default=None, repr=False)

    def of(self, text: str, start: int, end: int) -> dt.date | None:
        """The day of what stands at [start, end): the date close behind it, else close before."""
        for date in self.dates:
            if 0 <= date.start - end <= _NEAR and not _BREAK.search(text, end, date.start):
                return date.days[0]
        for date in reversed(self.dates):
            if 0 <= start - date.end <= _NEAR and not _BREAK.search(text, date.end, start):
                return date.days[0]
        return None


def chronology(doc: Document) -> Chronology:
    """What a note says of time."""
    spans = _apart(Patterns()(doc))
    mentions = [
        Mention(0, span, doc.text[span.start : span.end])
        for span in spans
        if span.label in (Label.DATE, Label.BIRTH_DATE)
    ]
    reads, references = read_dates(mentions, Record("", (doc,)), DEFAULT_E0)
    birth = next((read for read in reads if read.mention.label is Label.BIRTH_DATE), None)
    # a later birth date is the same day told of something else: an entry on the day of birth
    dates = tuple(_dated(read) for read in reads if read is not birth)
    ages = (parse_age(doc.text[s.start : s.end]) for s in spans if s.label is Label.AGE)
    stay = _stay(doc.text, dates)
    known = references[0].day if references[0].name is not None else None
    return Chronology(
        dates,
        birth.days[0] if birth else None,
        next((age for age in ages if age is not None), None),
        stay,
        stay[0] if stay else known,
    )


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Spans of time that do not overlap: births first, then the longest."""
    timed = (s for s in spans if s.label in (Label.DATE, Label.BIRTH_DATE, Label.AGE))
    kept: list[Span] = []
    for span in sorted(timed, key=lambda s: (s.label is not Label.BIRTH_DATE, -len(s), s.start)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept)


def _dated(read: Read) -> Dated:
    return Dated(read.mention.span.start, read.mention.span.end, read.days)


def _stay(text: str, dates: tuple[Dated, ...]) -> tuple[dt.date, dt.date] | None:
    """The first stay that is told: "hospitalisée du … au …", or an entry and a leaving."""
    entry = leaving = None
    for at, date in enumerate(dates):
        before = text[max(0, date.start - _BEFORE) : date.start]
        if entry is None and _ENTRY.search(before):
            if len(date.days) == 2:
                return date.days[0], date.days[1]
            entry = date.days[0]
            after = dates[at + 1] if at + 1 < len(dates) else None
            if after is not None and _UNTIL.fullmatch(text, date.end, after.start):
                leaving = after.days[0]
        elif leaving is None and _EXIT.search(before):
            leaving = date.days[0]
    if entry is None or leaving is None or leaving < entry:
        return None
    return entry, leaving
