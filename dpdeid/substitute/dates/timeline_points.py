"""The read dates of a record as points of a timeline.

What kind of point a date is, which dates are a range and which are days of a list, follows from
labels and from the text around them, never from their days.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.french.tables import rows
from dpdeid.labels import Label
from dpdeid.privacy.timeline.modes import Kind, Led, Point, Told
from dpdeid.privacy.timeline.points import NEXT, READ_ON
from dpdeid.protocols import HIDDEN
from dpdeid.substitute.dates.births import Births
from dpdeid.substitute.dates.forward import Reference
from dpdeid.substitute.dates.reading import Read
from dpdeid.substitute.dates.written.parser import Part, PartialDate, Precision

_FURTHEST: Final = 40
"""Two dates that stand together have no more characters between them."""
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
_SPANS: Final = tuple(
    re.compile(rf"(?is).*\b(?:(?P<on>{opens})|(?P<off>{closes}))\b[^.;!?\n\d]{{0,60}}\Z")
    for opens, closes in rows("spans")
)
"""The words of the two ends of a stay, and of anything else."""
_ROW: Final = re.compile(r"[;|\t]|,(?!\s)")
"""What stands between the cells of a row."""
_OPENS_LINE: Final = re.compile(r"[\s*•·–—>-]{0,6}(?:le\s)?", re.IGNORECASE)
_SAYS: Final = re.compile(rf"\s?[:,–—-]\s?([^.;,!?\n\d{HIDDEN}]{{1,60}})")
_LONGEST, _SAID, _ROWS = 2_000, 120, 40
"""Characters between the two ends of a stay and before a date, and rows below a head, at most."""
_WEEKLY: Final = re.compile(
    r"(?:\s(?:matins?|midis?|soirs?))?\s{0,2}(?:[,;/+–-]|\bet\b|\bou\b|\bau\b|\bà\b)\s{0,2}"
    r"(?:les?\s{1,2})?",
    re.IGNORECASE,
)
"""What stands between two weekdays of a list: "lundi, mercredi et vendredi"."""


def read_points(
    record: Record,
    reads: Sequence[Read],
    births: Births,
    against: Sequence[Reference],
    told: Mapping[str, Sequence[Told]],
) -> tuple[Point, ...]:
    """The distinct days of a record in release order: note dates, births, then all others.

    A note without a date of its own has the date that it is read against.

    Args:
        told: by its name, how far a date lies from another.
    """
    anchors: list[Point] = []
    events: list[Point] = []
    noted: set[int] = set()
    for point in _dated(record, reads, births, told):
        note, name = point.note, point.name
        own = point.kind is Kind.NOTE or (note not in noted and name == against[note].name)
        (anchors if own else events).append(point)
        noted.update([note] * own)
    asked = {*births.then.values(), *(tie.base for ties in told.values() for tie in ties)}
    past = (point for point in births.past if point.name in asked)
    born = (point._replace(told=tuple(told.get(point.name, ()))) for point in births.points)
    return (*anchors, *born, *dict.fromkeys((*events, *past)))


def _dated(
    record: Record,
    every: Sequence[Read],
    births: Births,
    told: Mapping[str, Sequence[Told]],
) -> list[Point]:
    """Every day of every date, in the order of the notes."""
    reads = [read for read in every if not births.is_birth(read)]
    starts = {last: first for first, last in reversed(_ranges(record, reads, stays=True))}
    tells = {every[r.partner].mention: r for r in every if r.partner is not None}
    found = []
    for read in reads:
        mention = read.mention
        kind = Kind.NOTE if mention.where == "note_date" else Kind.EVENT
        for name, day, part in zip(read.names, read.days, read.written.dates, strict=True):
            first, last = printed(day, part.precision)
            spread = None if first == last else (first.toordinal(), last.toordinal())
            point = Point(name, day.toordinal(), kind, mention.document, starts.get(name, ""))
            led = _led(read, every, tells.get(mention))
            found.append(point._replace(printed=spread, told=tuple(told.get(name, ())), led=led))
    return found


def _led(read: Read, reads: Sequence[Read], before: Read | None) -> Led | None:
    """From where a date has the year, or a bare day the month, that it does not print; or the date
    before it for which it tells the year: "de février à mars 2020".
    """
    if read.leader is not None and read.written.bare_day:
        return Led(reads[read.leader].names[-1], NEXT)
    if read.follows is not None:
        most = NEXT if read.written.bare_day else READ_ON
        return Led(reads[read.follows].names[-1], most, shared=read.shared)
    ends = () if before is None else (before.written.dates[-1], read.written.dates[-1])
    years = [end.year is not None for end in ends]
    in_part = any(end.precision is not Precision.DAY for end in ends)
    return Led(before.names[-1]) if before and in_part and years == [False, True] else None


def printed(date: dt.date, precision: Precision) -> tuple[dt.date, dt.date]:
    """The first and the last day that a date printed to this precision may mean.

    A season is its quarter of a year and the month before it, by which usage differs.

    >>> printed(dt.date(2023, 6, 15), Precision.MONTH)
    (datetime.date(2023, 6, 1), datetime.date(2023, 6, 30))
    """
    months = date.year * 12 + date.month - 1
    match precision:
        case Precision.DAY:
            return date, date
        case Precision.PART:
            first = _first_of(months)
            third = min((date.day - 1) // _THIRD, 2)
            last = first.replace(day=(third + 1) * _THIRD) if third < 2 else _last_of(months)
            return first.replace(day=third * _THIRD + 1), last
        case Precision.WEEK:
            first = date - dt.timedelta(days=date.weekday())
            return first, first + dt.timedelta(days=6)
        case Precision.SEASON:
            return _first_of(months - 2), _last_of(months + 1)
    size = _MONTHS.get(precision, 120)
    start = months - months % size
    return _first_of(start), _last_of(start + size - 1)


_THIRD: Final = 10
_MONTHS: Final = {Precision.MONTH: 1, Precision.PART_OF_YEAR: 4, Precision.YEAR: 12}


def _first_of(months: int) -> dt.date:
    return dt.date(months // 12, months % 12 + 1, 1)


def _last_of(months: int) -> dt.date:
    return _first_of(months + 1) - dt.timedelta(days=1)


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
    then = []
    spans = [*_spans(record, reads)]
    if stays:
        pairs += [(first.names[0], last.names[-1]) for first, last in spans]
    for first, last in pairwise(reads):
        if (between := _gap(record, first, last)) is None:
            continue
        pair = first.names[0], last.names[-1]
        before = text_before(record.documents, first.mention, _FURTHEST)
        told = _TO.fullmatch(between) or (_AND.fullmatch(between) and _BETWEEN.search(before))
        dates = (*first.written.dates, *last.written.dates)
        listed = all(date.day for date in dates) and any(date.bare_day for date in dates)
        if told or (first, last) in spans or (listed and _LISTED.fullmatch(between)):
            pairs.append(pair)
        elif not stays and _THEN.fullmatch(between) is not None:
            then.append(pair)
    pairs += then
    return _without_circles(pairs)


def _without_circles(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The pairs, each once, without one that comes back to a day before: of "du 3 au 7, puis du 3
    au 10" that the 3 comes behind the 7.
    """
    behind: dict[str, set[str]] = {}
    kept: dict[tuple[str, str], None] = {}
    for first, last in pairs:
        after = {last} | behind.get(last, set())
        if first not in after:
            kept[first, last] = None
            for one in (first, *(day for day, others in behind.items() if first in others)):
                behind.setdefault(one, set()).update(after)
    return tuple(kept)


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


def _spans(record: Record, reads: Sequence[Read]) -> Iterator[tuple[Read, Read]]:
    """The two ends of each stay: "entrée le … Il va mieux, et regagne son domicile le …"."""
    opened: dict[re.Pattern[str], Read] = {}
    for last, read, after in zip((None, *reads), reads, (*reads[1:], None), strict=False):
        words = _said_of(record, read.mention, last and last.mention)
        for found in filter(None, (span.match(words) for span in _SPANS)):
            first = opened.pop(found.re, None)
            if found["off"]:
                if first and text_between(record.documents, first.mention, read.mention, _LONGEST):
                    yield first, read
                    if found["off"][0] in "mtMT":  # a stay goes on behind a transfer
                        opened[found.re] = first
            elif after is None or not _TO.fullmatch(_gap(record, read, after) or ""):
                opened[found.re] = read


def _said_of(record: Record, mention: Mention, last: Mention | None) -> str:
    """The words of a date: before it, behind it if it opens a line, or the head of its column."""
    if mention.where != "text":
        return ""
    text, span = record.documents[mention.document].text, mention.span
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    before, row = text[start : span.start], text[start : None if end < 0 else end]
    if _OPENS_LINE.fullmatch(before) and (behind := _SAYS.match(text, span.end)):
        return behind[1]
    if column := len(_ROW.findall(before)):
        above = text[max(start - _ROWS * _SAID, 0) : start]
        for head in reversed(above.splitlines()[-_ROWS:]):
            cells = _ROW.split(head)
            if len(cells) == len(_ROW.split(row)) and HIDDEN not in cells[column]:
                return cells[column].replace("_", " ")
    here = None if last is None else text_between(record.documents, last, mention, _SAID)
    return (before[-_SAID:] if here is None else here).rpartition("\n")[2]


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
