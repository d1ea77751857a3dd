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

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.labels import Label, Role
from dpdeid.privacy.timeline.anchored import UNIT_SPANS
from dpdeid.privacy.timeline.modes import Kind, Point
from dpdeid.substitute.dates.ages import ReadAge
from dpdeid.substitute.dates.date_parser import DateRange, PartialDate, Precision, parse
from dpdeid.substitute.dates.reading import Read, Reference, canonical, complete

_OTHERS = (Role.RELATIVE, Role.STAFF)
_ANY_DAY: Final = (dt.date.min.toordinal(), dt.date.max.toordinal())
"""An age of the past tells its day only with a birth: nothing that is printed does."""


@dataclass(frozen=True, slots=True)
class Births:
    """The births of a record, in release order, and which mention speaks of which.

    Args:
        named: of mentions of a birth date or an age, the name of the birth.
        past: the days on which the patient had an age of the past.
        then: of ages of the past, the name of that day.
    """

    points: tuple[Point, ...]
    named: Mapping[Mention, str] = field(repr=False)
    past: tuple[Point, ...] = ()
    then: Mapping[Mention, str] = field(default_factory=dict, repr=False)


def read_births(
    record: Record, reads: Sequence[Read], ages: Sequence[ReadAge], against: Sequence[Reference]
) -> Births:
    """The births that birth dates and ages speak of."""
    written = [
        (read.mention, read.written, read.days[0])
        for read in reads
        if read.mention.span.label is Label.BIRTH_DATE and isinstance(read.written, PartialDate)
    ]
    newborn = any(age.written.unit in UNIT_SPANS and _is_own(age.mention) for age in ages)
    patient = _patient(record, written, ages, against, reads)
    points: dict[str, Point] = {}
    named: dict[Mention, str] = {}
    past: dict[str, Point] = {}
    then: dict[Mention, str] = {}

    def add(
        mention: Mention, person: str, day: dt.date, precision: Precision, unit: str = ""
    ) -> None:
        name = named[mention] = f"{person}/{canonical(day, precision)}"
        span, first = UNIT_SPANS.get(unit, 0), person == "patient" and not newborn
        point = Point(name, day.toordinal(), Kind.BIRTH, mention.document, "", span, first)
        points.setdefault(name, point)

    for mention, date, day in written:
        own = patient if _is_own(mention) else None
        if own is not None and _agrees(date, *own):
            add(mention, "patient", *own)
        elif date.year is not None:
            person = "patient" if _is_own(mention) else mention.span.role
            add(mention, person, day, date.precision)
    for mention, age, _, _ in ages:
        reference = against[mention.document].day
        own = patient if _is_own(mention) else None
        if own is not None and age.fits(own[0], reference):
            add(mention, "patient", *own, age.unit)
            continue
        if own is not None:
            beside = _beside(record, reads, mention)
            told = next((r.names[-1] for r in beside if age.fits(own[0], r.days[-1])), None)
            if told is None and _PAST.search(text_before(record.documents, mention, _LOOKED_AT)):
                day = age.reached(own[0])
                told = f"aged {canonical(day, Precision.YEAR)}"
                aged = Point(told, day.toordinal(), Kind.EVENT, mention.document, printed=_ANY_DAY)
                past.setdefault(told, aged)
            if told is not None:
                add(mention, "patient", *own)
                then[mention] = told
                continue
        if (born := age.birth(reference)) is not None:
            person = "somebody" if _is_own(mention) else mention.span.role
            add(mention, person, born, Precision.YEAR, age.unit)
    ordered = sorted(points.values(), key=attrgetter("note"))
    return Births(tuple(ordered), named, tuple(past.values()), then)


_PAST: Final = re.compile(r"(?:l['’]\s?[âa]ge\s+de|\b[àÀ])\s{1,3}$", re.IGNORECASE)
"""What stands before an age of the past: "opéré à l'âge de 12 ans"."""
_LOOKED_AT: Final = 20
_AGE_AFTER: Final = re.compile(
    r"[\s,(:–-]{1,3}(?:(?:elle|il)\savait\s|[àÀ]\s(?:l['’]\s?[âa]ge\s+de\s)?)?", re.IGNORECASE
)
_DATE_AFTER: Final = re.compile(r"[\s,(:–-]{1,3}(?:(?:en|le|au)\s)?", re.IGNORECASE)
_FURTHEST: Final = 40
"""Characters between a date and an age that stand together."""


def _is_own(mention: Mention) -> bool:
    """Whether a mention may speak of the patient."""
    return mention.span.role not in _OTHERS


def _beside(record: Record, reads: Sequence[Read], mention: Mention) -> Iterator[Read]:
    """The dates that an age stands beside: "en 2010, à 52 ans"."""
    here = (mention.document, mention.span.start)
    at = bisect_left(reads, here, key=lambda read: (read.mention.document, read.mention.span.start))
    for read in reads[max(at - 1, 0) : at + 1]:
        date = read.mention
        if read.yearless or date.label is not Label.DATE:
            continue
        first, second = (date, mention) if date.span < mention.span else (mention, date)
        between = text_between(record.documents, first, second, _FURTHEST) or ""
        if (_AGE_AFTER if first is date else _DATE_AFTER).fullmatch(between):
            yield read


def _patient(
    record: Record,
    written: Sequence[tuple[Mention, PartialDate, dt.date]],
    ages: Sequence[ReadAge],
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
        if _is_own(mention) and date.year is not None
    ]
    if births:
        return next((birth for birth in births if birth[1] is Precision.DAY), births[0])
    then: dt.date | None = None
    for mention, age, _, _ in ages:
        if not _is_own(mention):
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
