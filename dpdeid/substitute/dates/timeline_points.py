"""The read dates of a record as points of a timeline, and the released days of its ranges in order.

What kind of point a date is follows from labels and from the text around it, never from its day.

Under noise the two ends of "du 12/03 au 18/03" may come out in the wrong order or on one day, where
they are two draws: the end may also be the date of the note, or stand further up. `in_order` is
post-processing: it reads released days, which names are a range by the words around them, and which
days anchor a note. It never reads a true day.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from dpdeid.document import Record, text_before, text_between
from dpdeid.labels import Label
from dpdeid.privacy.timeline.modes import Kind, Point, Released
from dpdeid.substitute.dates.births import Births
from dpdeid.substitute.dates.date_parser import Part, PartialDate
from dpdeid.substitute.dates.reading import Read, Reference, is_yearless, printed

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
_FURTHEST: Final = 40
"""The two dates of a range have no more characters between them."""


def read_points(
    record: Record, reads: Sequence[Read], births: Births, against: Sequence[Reference]
) -> tuple[Point, ...]:
    """The distinct days of a record in release order: note dates, births, then all others.

    A note without a date of its own has the date it is read against as its anchor; where that is
    the end of a range, the start of it, so that the range stays a start and a length.
    """
    anchors: list[Point] = []
    events: list[Point] = []
    noted: set[int] = set()
    dated = _dated(record, reads)
    starts = {point.name: point.start for point, _ in reversed(dated)}
    for point, read in dated:
        name, kind, note = point.name, point.kind, point.note
        if kind is Kind.NOTE:
            anchors.append(point)
            noted.add(note)
            continue
        if note not in noted and not read.yearless:
            reference = against[note].name
            if name == ((reference and starts.get(reference)) or reference):
                anchors.append(point._replace(kind=Kind.EVENT, start=""))
                noted.add(note)
                continue
        events.append(point)
    return (*anchors, *births.points, *dict.fromkeys((*events, *births.past)))


def _dated(record: Record, reads: Sequence[Read]) -> list[tuple[Point, Read]]:
    """Every day of every date but births, with its mention, in the order of the notes."""
    ends: dict[int, str] = {}
    found = []
    for at, read in enumerate(reads):
        mention = read.mention
        if mention.span.label is Label.BIRTH_DATE:
            continue
        kind = Kind.YEARLESS if read.yearless else Kind.EVENT
        if mention.where == "note_date":
            kind = Kind.NOTE
        start = ends.get(at, "")
        for name, day, part in zip(read.names, read.days, read.written.dates, strict=True):
            what = kind if start in ("", name) else Kind.END
            begins = start if what is Kind.END else ""
            first, last = printed(day, part.precision)
            spread = None if first == last else (first.toordinal(), last.toordinal())
            point = Point(name, day.toordinal(), what, mention.document, begins, printed=spread)
            found.append((point, read))
            start = name
        if read.partner is not None:
            between = _gap(record, read, reads[read.partner])
            if between is not None and _TO.fullmatch(between) is not None:
                ends[read.partner] = read.names[0]
    return found


def read_ranges(record: Record, reads: Sequence[Read]) -> tuple[tuple[str, str], ...]:
    """The names of the two days of each range that the text tells, whose order it therefore tells:
    "du 3 au 7 mai", "entre le 3 et le 7", "entrée le 3 mai, sortie le 7", "le 3, puis le 7"; and of
    each two days of a list under one month, "les 3, 5 et 7 mai", which counts up.
    """
    pairs = [(read.names[0], read.names[-1]) for read in reads if len(read.names) > 1]
    pairs += [
        (first.names[0], last.names[-1])
        for first, last in pairwise(reads)
        if (between := _gap(record, first, last)) is not None
        and (
            _TO.fullmatch(between) is not None
            or _is_told(record, first, between)
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
    """Whether the words before and between two dates say that the second comes later."""
    before = text_before(record.documents, first.mention, _FURTHEST)
    return (
        (_AND.fullmatch(between) is not None and _BETWEEN.search(before) is not None)
        or (_OUT.fullmatch(between) is not None and _IN.search(before) is not None)
        or _THEN.fullmatch(between) is not None
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


_Key = tuple[str, str]


def in_order(
    released: Mapping[_Key, Released],
    points: Sequence[Point],
    ranges: Sequence[tuple[str, str]],
) -> dict[_Key, Released]:
    """The released days, each last day of a range at least one day after its first, or in another
    part, month, season or year where no more is printed.

    The last day moves, unless it is the anchor of a note, from which gaps are counted and which e0
    bounds, or was moved before one: then the first one does, not before the patient's birth. Two
    anchors stay.

    Args:
        released: by the key of their points.
        points: in release order, as they were released.
        ranges: the names of the first and last day of each range.
    """
    anchors: dict[int, str] = {}
    for point in points:
        if point.kind in (Kind.NOTE, Kind.EVENT):
            anchors.setdefault(point.note, point.name)
    pinned = set(anchors.values())
    days = {key: given.day for key, given in released.items() if given.day is not None}
    births = [days[p.key] for p in points if p.kind is Kind.BIRTH and p.first and p.key in days]
    pairs = [
        (("date", first), ("date", last))
        for first, last in ranges
        if {("date", first), ("date", last)} <= days.keys()
        and is_yearless(first) == is_yearless(last)
    ]
    for _ in pairs:  # as often as a chain of ranges is long
        before, held = dict(days), len(pinned)
        for first, last in pairs:
            step = _step(first[1], last[1])
            if _shown(days[first], step) < _shown(days[last], step):
                continue
            if last[1] not in pinned:
                days[last] = days[first] + step
            elif first[1] not in pinned:
                days[first] = max([days[last] - step, *births])
                pinned.add(first[1])
        if days == before and len(pinned) == held:
            break
    return {
        key: given._replace(day=days[key]) if key in days else given
        for key, given in released.items()
    }


def through_the_week(days: Sequence[dt.date]) -> tuple[dt.date, ...]:
    """Days on as many different weekdays, in the order of the week; more than seven stay.

    A list of weekdays is one of habits: "lundi, lundi et jeudi" would say none.
    """
    if len(days) > _WEEK:
        return tuple(days)
    weekdays: set[int] = set()
    for day in days:
        weekday = day.weekday()
        while weekday in weekdays:
            weekday = (weekday + 1) % _WEEK
        weekdays.add(weekday)
    return tuple(
        day + dt.timedelta(days=(weekday - day.weekday()) % _WEEK)
        for day, weekday in zip(days, sorted(weekdays), strict=True)
    )


_WEEK: Final = 7
_STEPS: Final = {"part": 11, "month": 31, "season": 92, "part of year": 123, "year": 366}
"""How far apart two days must at least lie to show another part, month, season or year."""


def shows_days(pair: tuple[str, str]) -> bool:
    """Whether two names of a range are not those of two parts of years, months or years."""
    return _step(*pair) == 1


def _step(first: str, last: str) -> int:
    """By how much two ends differ at least where they show the same: from their precision."""
    precision = last.rpartition("/")[2]
    return _STEPS.get(precision, 1) if precision == first.rpartition("/")[2] else 1


def _shown(day: int, step: int) -> int:
    """What is printed of a day, as a number that grows with it."""
    if step == 1:
        return day
    date = dt.date.fromordinal(day)
    months = date.year * 12 + date.month - 1
    if step == _STEPS["part"]:
        return months * 3 + min((date.day - 1) // 10, 2)
    return months // (step // 30)
