"""Whose birth a birth date or an age speaks of: one event for each person.

The patient's birth is the hospital's, else the first whole birth date of the notes, else the first
that tells its year, else what the first age says. A birth date that agrees with it in all that both
print, and an age that fits it, are that event and cost nothing more. An age of the past ("à l'âge
de 12 ans") is not a birth but a day of the patient's life. Anything else is another person: a birth
of its own. No date of the notes lies before the patient's birth, unless they give the patient's age
in months, weeks or days: the notes of a newborn tell of the pregnancy.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from dpdeid.document import Mention, Record
from dpdeid.labels import Label, Role
from dpdeid.privacy.points import UNIT_SPANS
from dpdeid.privacy.timeline import Kind, Point
from dpdeid.substitute.ages import WrittenAge
from dpdeid.substitute.calendar import parse
from dpdeid.substitute.completion import canonical, complete
from dpdeid.substitute.reading import Read, Reference
from dpdeid.substitute.written import DateRange, PartialDate, Precision

_OTHERS = (Role.RELATIVE, Role.STAFF)
_ANY_DAY: Final = (dt.date.min.toordinal(), dt.date.max.toordinal())
"""An age of the past tells its day only with a birth: nothing that is printed does."""


@dataclass(frozen=True, slots=True)
class Births:
    """The births of a record, in release order, and which mention speaks of which.

    Args:
        past: the days on which the patient had an age of the past.
        then: of ages of the past, the name of that day.
    """

    points: tuple[Point, ...]
    named: Mapping[tuple[int, int], str] = field(repr=False)
    past: tuple[Point, ...] = ()
    then: Mapping[tuple[int, int], str] = field(default_factory=dict, repr=False)

    def of(self, mention: Mention) -> str | None:
        """The name of the birth that a mention speaks of."""
        return self.named.get((mention.document, mention.span.start))

    def past_of(self, mention: Mention) -> str | None:
        """The name of the past day on which a mention gives an age."""
        return self.then.get((mention.document, mention.span.start))


def read_births(
    record: Record,
    reads: Sequence[Read],
    ages: Sequence[tuple[Mention, WrittenAge]],
    against: Sequence[Reference],
) -> Births:
    """The births that birth dates and ages speak of."""
    written = [
        (read.mention, read.written, read.days[0])
        for read in reads
        if read.mention.span.label is Label.BIRTH_DATE and isinstance(read.written, PartialDate)
    ]
    newborn = any(age.unit in UNIT_SPANS and m.span.role not in _OTHERS for m, age in ages)
    points: dict[str, Point] = {}
    named: dict[tuple[int, int], str] = {}

    patient = _patient(record, written, ages, against, reads)
    past: dict[str, Point] = {}
    then: dict[tuple[int, int], str] = {}

    def add(
        mention: Mention, person: str, day: dt.date, precision: Precision, unit: str = ""
    ) -> None:
        name = f"{person}/{canonical(day, precision)}"
        span = UNIT_SPANS.get(unit, 0)
        first = person == "patient" and not newborn
        if name not in points:
            ordinal, note = day.toordinal(), mention.document
            points[name] = Point(name, ordinal, Kind.BIRTH, note, "", span, first)
        named[mention.document, mention.span.start] = name

    for mention, date, day in written:
        own = mention.span.role not in _OTHERS
        if own and patient is not None and _agrees(date, *patient):
            add(mention, "patient", *patient)
        elif date.year is not None:
            add(mention, "patient" if own else mention.span.role, day, date.precision)
    for mention, age in ages:
        reference = against[mention.document].day
        own = mention.span.role not in _OTHERS
        if own and patient is not None and age.fits(patient[0], reference):
            add(mention, "patient", *patient, age.unit)
        elif (
            own and patient is not None and (told := _told(record, reads, mention, age, patient[0]))
        ):
            add(mention, "patient", *patient)
            then[mention.document, mention.span.start] = told
        elif own and patient is not None and (at := _then(record, mention, age, patient[0])):
            add(mention, "patient", *patient)
            name = f"aged {canonical(at, Precision.YEAR)}"
            past.setdefault(
                name,
                Point(name, at.toordinal(), Kind.EVENT, mention.document, printed=_ANY_DAY),
            )
            then[mention.document, mention.span.start] = name
        elif (born := age.birth(reference)) is not None:
            person = "somebody" if own else mention.span.role
            add(mention, person, born, Precision.YEAR, age.unit)
    ordered = sorted(points.values(), key=attrgetter("note"))
    return Births(tuple(ordered), named, tuple(past.values()), then)


_PAST: Final = re.compile(r"(?:l['’]\s?[âa]ge\s+de|\b[àÀ])\s{1,3}$", re.IGNORECASE)
_LOOKED_AT: Final = 20


def _told(
    record: Record,
    reads: Sequence[Read],
    mention: Mention,
    age: WrittenAge,
    birth: dt.date,
) -> str | None:
    """The name of the date beside an age on which the patient had it: "en 2010, à 52 ans"."""
    told = _beside(record, reads, mention)
    return next((read.names[-1] for read in told if age.fits(birth, read.days[-1])), None)


def _beside(record: Record, reads: Sequence[Read], mention: Mention) -> Iterator[Read]:
    """The dates that an age stands beside, with nothing but such words between them."""
    text = record.documents[mention.document].text
    here = (mention.document, mention.span.start)
    at = bisect_left(reads, here, key=lambda read: (read.mention.document, read.mention.span.start))
    for read in reads[max(at - 1, 0) : at + 1]:
        date = read.mention
        if date.document != mention.document or date.where != "text" or read.yearless:
            continue
        if date.label is not Label.DATE:
            continue
        first, second = (date, mention) if date.span < mention.span else (mention, date)
        between = text[first.span.end : second.span.start]
        if (_AGE_AFTER if first is date else _DATE_AFTER).fullmatch(between):
            yield read


_AGE_AFTER: Final = re.compile(
    r"[\s,(:–-]{1,3}(?:(?:elle|il)\savait\s|[àÀ]\s(?:l['’]\s?[âa]ge\s+de\s)?)?", re.IGNORECASE
)
_DATE_AFTER: Final = re.compile(r"[\s,(:–-]{1,3}(?:(?:en|le|au)\s)?", re.IGNORECASE)


def _then(record: Record, mention: Mention, age: WrittenAge, birth: dt.date) -> dt.date | None:
    """The day on which the patient had an age of the past: "opéré à l'âge de 12 ans"."""
    start = mention.span.start
    before = record.documents[mention.document].text[max(start - _LOOKED_AT, 0) : start]
    if mention.where != "text" or _PAST.search(before) is None:
        return None
    return age.reached(birth)


def _patient(
    record: Record,
    written: Sequence[tuple[Mention, PartialDate, dt.date]],
    ages: Sequence[tuple[Mention, WrittenAge]],
    against: Sequence[Reference],
    reads: Sequence[Read],
) -> tuple[dt.date, Precision] | None:
    """The patient's birth and how exactly it is known: from an age of today, failing that from one
    that is told beside a date.
    """
    for doc, reference in zip(record.documents, against, strict=True):
        for text in doc.known.get(Label.BIRTH_DATE, ()):
            known = parse(text)
            if known is None or isinstance(known, DateRange) or known.year is None:
                continue
            day = complete(known, reference.day, ahead=0)
            if day is not None:
                return day, known.precision
    births = [
        (day, date.precision)
        for mention, date, day in written
        if mention.span.role not in _OTHERS and date.year is not None
    ]
    if births:
        return next((birth for birth in births if birth[1] is Precision.DAY), births[0])
    then: dt.date | None = None
    for mention, age in ages:
        if mention.span.role in _OTHERS:
            continue
        told = next(_beside(record, reads, mention), None)
        if told is not None:
            then = then or age.birth(told.days[-1])
        elif (imputed := age.birth(against[mention.document].day)) is not None:
            return imputed, Precision.YEAR
    return None if then is None else (then, Precision.YEAR)


def _agrees(date: PartialDate, birth: dt.date, known: Precision) -> bool:
    """Whether every field that both print is the same. What the birth does not print stands in the
    middle of its year: whether a date is that day must not show.
    """
    year = birth.year % 100 if date.short_year else birth.year
    return (
        date.holiday is None
        and date.precision in (Precision.DAY, Precision.MONTH, Precision.YEAR)
        and (date.day in (None, birth.day) or known is not Precision.DAY)
        and (date.month in (None, birth.month) or known not in _WITH_MONTH)
        and date.year in (None, year)
    )


_WITH_MONTH: Final = (Precision.DAY, Precision.MONTH)
