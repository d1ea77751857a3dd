"""The read dates of a record as points of a timeline: what anchors a note, what is a range.

What kind of point a date is follows from labels and from the text around it, never from its day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from dpdeid.document import Record
from dpdeid.labels import Label
from dpdeid.privacy.timeline import Kind, Point
from dpdeid.substitute.births import Births
from dpdeid.substitute.completion import printed
from dpdeid.substitute.reading import Read, Reference
from dpdeid.substitute.written import DateRange, Part, PartialDate, Precision

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
    starts: dict[str, str] = {}
    for point, _ in dated:
        if point.name not in starts:
            starts[point.name] = point.start
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
        for name, day, precision in zip(read.names, read.days, _precisions(read), strict=True):
            what = kind if start in ("", name) else Kind.END
            begins = start if what is Kind.END else ""
            first, last = printed(day, precision)
            spread = None if first == last else (first.toordinal(), last.toordinal())
            point = Point(name, day.toordinal(), what, mention.document, begins, printed=spread)
            found.append((point, read))
            start = name
        if read.partner is not None and _is_range(record, read, reads[read.partner]):
            ends[read.partner] = read.names[0]
    return found


def _precisions(read: Read) -> tuple[Precision, ...]:
    """How much of each day of a date is printed."""
    written = read.written
    if isinstance(written, DateRange):
        return written.first.precision, written.last.precision
    return (written.precision,)


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
    if first.mention.where != "text":
        return False
    start = first.mention.span.start
    before = record.documents[first.mention.document].text[max(start - _FURTHEST, 0) : start]
    return (
        (_AND.fullmatch(between) is not None and _BETWEEN.search(before) is not None)
        or (_OUT.fullmatch(between) is not None and _IN.search(before) is not None)
        or _THEN.fullmatch(between) is not None
    )


def _is_listed(first: Read, last: Read, between: str) -> bool:
    """Whether two dates side by side are days of a list, of which one says no month."""
    if _LISTED.fullmatch(between) is None:
        return False
    days = [read.written for read in (first, last) if isinstance(read.written, PartialDate)]
    return all(day.day is not None for day in days) and any(day.bare_day for day in days)


def _is_range(record: Record, first: Read, last: Read) -> bool:
    """Whether two dates side by side are the two ends of one range."""
    between = _gap(record, first, last)
    return between is not None and _TO.fullmatch(between) is not None


def _gap(record: Record, first: Read, last: Read) -> str | None:
    """What stands between two dates, None where they are no neighbours of one text."""
    if isinstance(first.written, DateRange) or isinstance(last.written, DateRange):
        return None
    if last.mention.label is not Label.DATE or first.mention.label is not Label.DATE:
        return None
    one, other = first.mention, last.mention
    if (one.document, one.where) != (other.document, other.where):
        return None
    text = record.documents[one.document].text[one.span.end : other.span.start]
    return None if len(text) > _FURTHEST else _text(first, -1) + text + _text(last, 0)


def _text(read: Read, at: int) -> str:
    """The text at an end of a date, which a detector took in: "3 au"."""
    if isinstance(read.written, DateRange) or read.written.shape[at].part is not Part.TEXT:
        return ""
    return read.written.shape[at].style
