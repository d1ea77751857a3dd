"""The births and the read dates of a record as points of a timeline.

One birth is one event for each person. The patient's is the hospital's, else the first whole birth
date of the notes, else the first that tells its year, else what the first age says. A birth date
that agrees with it in all that both print, and an age that fits it, are that event and cost nothing
more. An age of the past ("à l'âge de 12 ans") is not a birth but a day of the patient's life.
Anything else is another person: a birth of its own. No date of the notes lies before the patient's
birth, unless they give the patient's age in months, weeks or days: the notes of a newborn tell of
the pregnancy.

What kind of point a date is, which dates are a range and which are days of a list, follows from
labels and from the text around them, never from their days.
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Final

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.labels import Label, Role
from dpdeid.privacy.timeline.modes import Kind, Point
from dpdeid.privacy.timeline.points import UNIT_SPANS
from dpdeid.substitute.dates.ages import ReadAge
from dpdeid.substitute.dates.date_parser import DateRange, Part, PartialDate, Precision, parse
from dpdeid.substitute.dates.reading import Read, Reference, canonical, complete, printed

_OTHERS = (Role.RELATIVE, Role.STAFF)


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
    patient = _patient(record, written, ages, against, reads)
    units = {
        mention.document: age.unit
        for mention, age, _, _ in ages
        if age.unit in UNIT_SPANS
        and _is_own(mention)
        and patient is not None
        and age.fits(patient[0], against[mention.document].day)
    }
    points: dict[str, Point] = {}
    named: dict[Mention, str] = {}
    past: dict[str, Point] = {}
    then: dict[Mention, str] = {}

    def add(
        mention: Mention, person: str, day: dt.date, precision: Precision, unit: str = ""
    ) -> None:
        name = named[mention] = f"{person}/{canonical(day, precision)}"
        if person == "patient":
            unit = units.get(mention.document, "")
        span, first = UNIT_SPANS.get(unit, 0), person == "patient" and not units
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
            add(mention, "patient", *own)
            continue
        if own is not None:
            beside = _beside(record, reads, mention)
            told = next((r.names[-1] for r in beside if age.fits(own[0], r.days[-1])), None)
            if told is None and _PAST.search(text_before(record.documents, mention, _LOOKED_AT)):
                day = age.reached(own[0])
                told = f"aged {canonical(day, Precision.YEAR)}"
                birth = f"patient/{canonical(*own)}"
                aged = Point(told, day.toordinal(), Kind.AGED, mention.document, birth)
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
"""A date and an age that stand together, or two dates, have no more characters between them."""


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


_TO: Final = re.compile(r"\s{0,2}(?:-|–|—|→|>|à|a|(?:jusqu['’])?au)\s{0,2}", re.IGNORECASE)
"""What stands between the two dates of a range that are two spans: "du 3 au 7 mai"."""
_AND: Final = re.compile(r"\s{1,2}et\s{1,2}(?:l[ea]s?\s{1,2}|l['’])?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bentre\s{1,2}(?:l[ea]s?\s{1,2}|l['’])?\Z", re.IGNORECASE)
_LISTED: Final = re.compile(
    r"(?:\s(?:matin|midi|soir))?\s{0,2}(?:,|;|/|\bet\b|\bou\b|,?\s?\bpuis\b)\s{0,2}"
    r"(?:les?\s{1,2})?",
    re.IGNORECASE,
)
"""What stands between two days of a list: "les 3, 5 et 7 mai"."""
_THEN: Final = re.compile(
    r"[^;!?\n]{0,30}\b(?:puis|ensuite|revoir|repris\w{0,2}|sorti\w{0,2}|report[ée]e?s?|d[ée]cal[ée]e?s?)\b[^.;!?\n\d]{0,20}",
    re.IGNORECASE,
)
"""Words between two dates of which the second comes later."""
_TIMED: Final = r"(?:\s(?:à\s)?\d{1,2}\s?[h:]\s?(?:\d\d)?)?"
_OUT: Final = re.compile(
    _TIMED + r"[\s,;.:|/()–—-]{0,6}(?:et\s|puis\s)?(?:la\s)?(?:date\s)?(?:de\s)?(?:sortie?s?|fin)\b"
    r"(?:\s(?:prévue|le|du|au|en|à))*[\s:=]{0,4}",
    re.IGNORECASE,
)
_IN: Final = re.compile(
    r"\b(?:entrée?s?|admise?s?|admission|hospitalisée?s?|hospitalisation|arrivée?s?|début)\b"
    r"[^.;!?\n\d]{0,20}\Z",
    re.IGNORECASE,
)
_WEEKLY: Final = re.compile(
    r"(?:\s(?:matins?|midis?|soirs?))?\s{0,2}(?:[,;/+–-]|\bet\b|\bou\b|\bau\b|\bà\b)\s{0,2}"
    r"(?:les?\s{1,2})?",
    re.IGNORECASE,
)
"""What stands between two weekdays of a list: "lundi, mercredi et vendredi"."""


def read_points(
    record: Record, reads: Sequence[Read], births: Births, against: Sequence[Reference]
) -> tuple[Point, ...]:
    """The distinct days of a record in release order: note dates, births, then all others.

    A note without a date of its own has the date that it is read against.
    """
    anchors: list[Point] = []
    events: list[Point] = []
    noted: set[int] = set()
    for point, read in _dated(record, reads):
        name, kind, note = point.name, point.kind, point.note
        if kind is Kind.NOTE:
            anchors.append(point)
            noted.add(note)
            continue
        if note not in noted and not read.yearless and name == against[note].name:
            anchors.append(point)
            noted.add(note)
            continue
        events.append(point)
    return (*anchors, *births.points, *dict.fromkeys((*events, *births.past)))


def _dated(record: Record, reads: Sequence[Read]) -> list[tuple[Point, Read]]:
    """Every day of every date but births, with its mention, in the order of the notes."""
    told = {last: first for first, last in reversed(_ranges(record, reads, stays=True))}
    found = []
    for read in reads:
        mention = read.mention
        if mention.span.label is Label.BIRTH_DATE:
            continue
        kind = Kind.YEARLESS if read.yearless else Kind.EVENT
        if mention.where == "note_date":
            kind = Kind.NOTE
        for name, day, part in zip(read.names, read.days, read.written.dates, strict=True):
            first, last = printed(day, part.precision)
            spread = None if first == last else (first.toordinal(), last.toordinal())
            start = told.get(name, "")
            point = Point(name, day.toordinal(), kind, mention.document, start, printed=spread)
            found.append((point, read))
    return found


def read_ranges(record: Record, reads: Sequence[Read]) -> tuple[tuple[str, str], ...]:
    """The names of the two days of each range that the text tells, whose order it therefore tells:
    "du 3 au 7 mai", "entre le 3 et le 7", "entrée le 3 mai, sortie le 7", "le 3, puis le 7"; and of
    each two days of a list under one month, "les 3, 5 et 7 mai", which counts up.
    """
    return _ranges(record, reads, stays=False)


def _ranges(record: Record, reads: Sequence[Read], *, stays: bool) -> tuple[tuple[str, str], ...]:
    """The ranges that the text tells.

    Args:
        stays: without those of which it only says that one day comes after the other.
    """
    pairs = [(read.names[0], read.names[-1]) for read in reads if len(read.names) > 1]
    pairs += [
        (first.names[0], last.names[-1])
        for first, last in pairwise(reads)
        if (between := _gap(record, first, last)) is not None
        and (
            _TO.fullmatch(between) is not None
            or _is_told(record, first, between)
            or (not stays and _THEN.fullmatch(between) is not None)
            or _is_listed(first, last, between)
        )
    ]
    return tuple(pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1])


def read_weeks(record: Record, reads: Sequence[Read]) -> tuple[tuple[int, ...], ...]:
    """The indices of the dates of each list of weekdays, all of them different: "lundi, mercredi et
    vendredi".
    """
    weeks: list[list[int]] = []
    for at, read in enumerate(reads):
        if not (isinstance(read.written, PartialDate) and read.written.bare_weekday):
            continue
        between = _gap(record, reads[at - 1], read) if weeks and weeks[-1][-1] == at - 1 else None
        if between is not None and _WEEKLY.fullmatch(between) is not None:
            weeks[-1].append(at)
        else:
            weeks.append([at])
    lists = (week for week in weeks if len(week) > 1)
    return tuple(tuple(w) for w in lists if len({reads[at].names for at in w}) == len(w))


def _is_told(record: Record, first: Read, between: str) -> bool:
    """Whether the words before and between two dates say that they begin and end something."""
    before = text_before(record.documents, first.mention, _FURTHEST)
    return (_AND.fullmatch(between) is not None and _BETWEEN.search(before) is not None) or (
        _OUT.fullmatch(between) is not None and _IN.search(before) is not None
    )


def _is_listed(first: Read, last: Read, between: str) -> bool:
    """Whether two dates side by side are days of a list, of which one says no month."""
    days = [date for read in (first, last) for date in read.written.dates]
    return (
        _LISTED.fullmatch(between) is not None
        and all(day.day is not None for day in days)
        and any(day.bare_day for day in days)
    )


def _gap(record: Record, first: Read, last: Read) -> str | None:
    """What stands between two dates, None where they are no neighbours of one text; with the text
    at their own ends, which a detector took in: "3 au".
    """
    if len(first.days + last.days) > 2 or {first.mention.label, last.mention.label} != {Label.DATE}:
        return None
    text = text_between(record.documents, first.mention, last.mention, _FURTHEST)
    if text is None:
        return None
    ends = first.written.dates[0].shape[-1], last.written.dates[0].shape[0]
    head, tail = (piece.style if piece.part is Part.TEXT else "" for piece in ends)
    return head + text + tail
