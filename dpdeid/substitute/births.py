"""Whose birth a birth date or an age speaks of: one event for each person.

The patient's birth is the hospital's, else the first whole birth date of the notes, else what the
first age says. A birth date whose printed fields agree with it, and an age that fits it, are that
event and cost nothing more. Anything else is another person, or the patient at another time, which
cannot be told apart here: a birth of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpdeid.document import Mention, Record
from dpdeid.labels import Label, Role
from dpdeid.privacy.timeline import Kind, Point
from dpdeid.substitute.ages import WrittenAge
from dpdeid.substitute.calendar import parse
from dpdeid.substitute.completion import canonical, complete
from dpdeid.substitute.reading import Read, Reference
from dpdeid.substitute.written import DateRange, PartialDate, Precision

_OTHERS = (Role.RELATIVE, Role.STAFF)


@dataclass(frozen=True, slots=True)
class Births:
    """The births of a record, in release order, and which mention speaks of which."""

    points: tuple[Point, ...]
    named: Mapping[tuple[int, int], str] = field(repr=False)

    def of(self, mention: Mention) -> str | None:
        """The name of the birth that a mention speaks of."""
        return self.named.get((mention.document, mention.span.start))


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
        if read.mention.label is Label.BIRTH_DATE and isinstance(read.written, PartialDate)
    ]
    patient = _patient(record, written, ages, against)
    points: dict[str, Point] = {}
    named: dict[tuple[int, int], str] = {}

    def add(mention: Mention, person: str, day: dt.date, precision: Precision) -> None:
        name = f"{person}/{canonical(day, precision)}"
        points.setdefault(name, Point(name, day.toordinal(), Kind.BIRTH, mention.document))
        named[mention.document, mention.span.start] = name

    for mention, date, day in written:
        own = mention.span.role not in _OTHERS
        if own and patient is not None and _agrees(date, patient[0]):
            add(mention, "patient", *patient)
        elif date.year is not None:
            add(mention, "patient" if own else mention.span.role, day, date.precision)
    for mention, age in ages:
        reference = against[mention.document].day
        own = mention.span.role not in _OTHERS
        if own and patient is not None and age.fits(patient[0], reference):
            add(mention, "patient", *patient)
        elif (day_then := age.birth(reference)) is not None:
            add(mention, "somebody" if own else mention.span.role, day_then, Precision.YEAR)
    return Births(tuple(sorted(points.values(), key=lambda p: p.note)), named)


def _patient(
    record: Record,
    written: Sequence[tuple[Mention, PartialDate, dt.date]],
    ages: Sequence[tuple[Mention, WrittenAge]],
    against: Sequence[Reference],
) -> tuple[dt.date, Precision] | None:
    """The patient's birth and how exactly it is known."""
    for doc, reference in zip(record.documents, against, strict=True):
        for text in doc.known.get(Label.BIRTH_DATE, ()):
            known = parse(text)
            if known is None or isinstance(known, DateRange) or known.year is None:
                continue
            day = complete(known, reference.day, ahead=0)
            if day is not None:
                return day, known.precision
    for mention, date, day in written:
        if mention.span.role not in _OTHERS and date.year is not None:
            return day, date.precision
    for mention, age in ages:
        imputed = age.birth(against[mention.document].day)
        if mention.span.role not in _OTHERS and imputed is not None:
            return imputed, Precision.YEAR
    return None


def _agrees(date: PartialDate, birth: dt.date) -> bool:
    """Whether every field that is printed is that of the birth."""
    year = birth.year % 100 if date.short_year else birth.year
    return (
        date.holiday is None
        and date.precision in (Precision.DAY, Precision.MONTH, Precision.YEAR)
        and date.day in (None, birth.day)
        and date.month in (None, birth.month)
        and date.year in (None, year)
    )
