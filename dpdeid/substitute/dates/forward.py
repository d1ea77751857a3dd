"""From which date before it a date without its year has it, as one reads forward.

"Accouchement le 3 avril 2016, sortie le 7 avril" tells one year, a heading "2012 :" that of all
that stands under it. So the last date with a year of the sentence, line, list or section leads what
follows, and what is led leads on; no word in between draws it to the note, but where it says so
("ce jour", "prochain rendez-vous le"); what may lie in a range right before it does. A year alone
leads its sentence or section, a month that heads lines the days below it, the note's own day
nothing, and a date with its weekday says enough. Which date is led follows from the text and from
the order of the dates: the note does not lie between the two. So does the day that a note is read
against.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold
from dpdeid.substitute.dates.written.completing import complete, in_year
from dpdeid.substitute.dates.written.parser import PartialDate, Precision, Written

_LEADING: Final = (Precision.DAY, Precision.MONTH, Precision.YEAR)
_DAY: Final = dt.timedelta(days=1)
_MONTHS: Final = 63
"""Days among which there is one of each number."""
_LEAP: Final = 9
"""Years within which there is a 29 February."""
_SAID: Final = 60
"""Characters before a date that may draw it to the note."""
_LONGEST: Final = 400
"""Characters between a date and the one that leads it, at most."""
_TODAY: Final = re.compile(
    r"\b(?:ce\s+jour|aujourd|hier|demain|rdv|rendez[- ]vous|prochaine?s?|revoir|reverr\w+"
    r"|convoqu\w+|programm\w+|actuel\w*|à\s+venir)\b[^.;\n]*\Z",
    re.IGNORECASE,
)
"""What draws a date to the note."""
_EXPECTED: Final = re.compile(
    r"\b(?:terme|DPA|attendue?|accouchement\s+pr[ée]vu)\b[^.;,\n]{0,20}\Z", re.IGNORECASE
)
"""What stands before the day on which a birth is expected."""
_HEADING: Final = re.compile(r"[ \t]{0,4}[:–—-]|[ \t]*\n")
"""What stands behind a date that heads what follows."""
_OPENS: Final = re.compile(r"(?:\A|\n)[ \t*•·–—>-]{0,6}\Z")
_WRAPPED: Final = re.compile(r"\n[ \t]*[a-zà-ÿ(]")
_BLANK: Final = re.compile(r"\n[ \t]*\n")
_ENDED: Final = re.compile(r"[.;!?]\s|\n")
_JOINS: Final = 12
_TO: Final = re.compile(r"\s?(?:-|–|→|>|(?:jusqu['’])?au|à)\s?(?:le\s)?", re.IGNORECASE)


class Lead(NamedTuple):
    """What a date follows.

    Args:
        at: the index of the mention that leads it.
        day: which day it is then.
        shared: whether the two are of one year.
    """

    at: int
    day: dt.date
    shared: bool


class _Last(NamedTuple):
    """The date that leads, while one reads on: the first day that it may mean."""

    at: int
    day: dt.date
    year: int | None
    heads: bool
    opens: bool
    own: bool = False
    """Whether it may be the note's own: then it leads only what lies nearest behind it."""
    since: dt.date | None = None
    """The first day, where it is the last of a range: what follows may lie in it."""


def leads(
    kept: Sequence[tuple[Mention, Written]],
    against: Sequence[tuple[dt.date, str | None]],
    record: Record,
    told: Set[int],
) -> Mapping[int, Lead]:
    """By index, what each date without its year follows.

    Args:
        kept: the dates, sorted by document and start.
        against: the day that each note is read against, and its name, None if it is no date of
            the record.
        told: the indices of those that have their year or month from a date right behind them.
    """
    found: dict[int, Lead] = {}
    last: _Last | None = None
    for at, (mention, date) in enumerate(kept):
        if mention.where != "text" or (
            mention.label is not Label.DATE and date.dates[-1].year is not None
        ):
            continue
        (note, named), end = against[mention.document], date.dates[-1]
        whole = end.weekday is None and (end.bare_day or end.month or end.holiday)
        loose = whole and end.precision in (Precision.DAY, Precision.MONTH)
        before = text_before(record.documents, mention, _LONGEST)
        opens = _OPENS.search(before[-8:]) is not None
        if last is not None and not _goes_on(record, kept[last.at][0], mention, last, opens):
            last = None
        if end.year is not None and _EXPECTED.search(before[-_SAID:]):
            continue  # a term leads nothing: what is told behind it lies before it
        if end.year is not None:
            last = _leading(at, mention, date, note, record, opens)
            if last is not None:
                last = last._replace(since=_first_day(kept, at, record, last.day))
        elif last is None or not loose or at in told or not (named or last.heads):
            continue
        elif _TODAY.search(before[-_SAID:]):
            last = None
        elif (day := _led(end, last, note if named else None)) is not None:
            found[at] = Lead(last.at, day, last.year is not None)
            day = day if end.precision is Precision.DAY else day.replace(day=1)
            since = _first_day(kept, at, record, day) if date.dates[-1].month else None
            last = last._replace(at=at, day=day, opens=opens, since=since)
    return found


def _first_day(
    kept: Sequence[tuple[Mention, Written]], at: int, record: Record, day: dt.date
) -> dt.date | None:
    """The first day of a range that ends on a day: "du 20/12 au 08/01/2023"."""
    (mention, last), (before, first) = kept[at], kept[at - 1]
    start = last.dates[0]
    if len(last.dates) == 1:
        between = text_between(record.documents, before, mention, _JOINS) if at else None
        start = first.dates[-1]
        if between is None or not _TO.fullmatch(between):
            return None
    if start.bare_day:
        days = (day - back * _DAY for back in range(_MONTHS))
        return next((one for one in days if one.day == start.day), None)
    found = complete(start, day)
    return found if found is None or found <= day else in_year(start, day.year - 1)


def _goes_on(record: Record, first: Mention, second: Mention, last: _Last, opens: bool) -> bool:
    """Whether two dates stand in one sentence, line, list or section."""
    if first.document != second.document:
        return False
    between = record.documents[first.document].text[first.span.end : second.span.start]
    if len(between) > _LONGEST or _BLANK.search(between):
        return False
    in_rows = last.heads or (opens and last.opens)
    if last.year is not None and not last.heads and _ENDED.search(between):
        return False
    return "\n" not in between or in_rows or _WRAPPED.search(between) is not None


def _leading(
    at: int, mention: Mention, date: Written, note: dt.date, record: Record, opens: bool
) -> _Last | None:
    """A date that prints its year, if it leads: the note's own does not."""
    end = date.dates[-1]
    day = complete(end, note)
    if day is None or end.precision not in _LEADING:
        return None
    own = day == note and end.precision is Precision.DAY
    if own and record.documents[mention.document].note_date is not None:
        return None
    behind = record.documents[mention.document].text[mention.span.end : mention.span.end + 8]
    whole = end.precision is Precision.YEAR
    parted = end.precision is not Precision.DAY
    heads = opens and parted and _HEADING.match(behind) is not None
    if whole:
        return _Last(at, day.replace(month=1, day=1), day.year, heads, opens)
    if parted:
        day = day.replace(day=1)
    return _Last(at, day, None, heads, opens, own)


def _led(date: PartialDate, last: _Last, note: dt.date | None) -> dt.date | None:
    """The next day of its name from the one that leads it on; None if the note lies between."""
    whole = date.precision is Precision.DAY
    least = last.day if whole else last.day.replace(day=1)
    days: Iterable[dt.date | None] = (in_year(date, least.year + ahead) for ahead in range(_LEAP))
    if last.since is not None and whole and not date.bare_day:
        within = (in_year(date, year) for year in (last.since.year, last.day.year))
        if inner := next((d for d in within if d and last.since <= d <= last.day), None):
            return inner
    if last.year is not None:
        days, least = [in_year(date, last.year)], dt.date.min
    elif date.bare_day:
        days = (least + ahead * _DAY for ahead in range(_MONTHS))
        days = (day for day in days if day is not None and day.day == date.day)
    day = next((day for day in days if day is not None and day >= least), None)
    if day is None or last.own:  # "Lettre du 28/03/2021. Opéré le 3" tells of what lies behind
        return day if day == complete(date, last.day) and not date.bare_day else None
    first = day if whole else day.replace(day=1)
    return None if note is not None and last.day <= note < first else day


@dataclass(frozen=True, slots=True)
class Reference:
    """The date against which a note is read.

    Args:
        name: its canonical name if it is a date of the record, None if it is e0.
        written: whether the note says that it was written on it, so that it tells of days before.
    """

    day: dt.date = field(repr=False)
    name: str | None = field(default=None, repr=False)
    written: bool = False


def references(
    record: Record, written: Sequence[tuple[Mention, Written | None]], e0: dt.date
) -> tuple[Reference, ...]:
    """The reference of each note of the record.

    It is found by where a date stands, never by which day it is: the chain begins at it, and a
    choice by the day would tell what no draw protects. A note without a date of its own most often
    begins with it, or says that it was written on it ("Courrier du …"), and never on the first day
    of a pregnancy or a marriage. A note of somebody's first days that has none is read against the
    birth. Where no day of the record has its year, the first is the last such day before e0, and
    its weekday says nothing.
    """
    own = [doc.note_date for doc in record.documents]
    born: list[dt.date | None] = [None] * len(own)
    rank = [3 if day is not None else 0 for day in own]
    loose: list[dt.date | None] = [None] * len(own)
    for mention, date in written:
        at = mention.document
        if date is None:
            continue
        last = date.dates[-1]
        if mention.span.label is not Label.DATE:
            if born[at] is None and tells_day(last) and _is_newborn(record, mention):
                born[at] = complete(last, e0, ahead=0)
            continue
        if tells_day(last):
            before = fold(text_before(record.documents, mention, _BESIDE))
            told = 2 if _is_own(record, mention, before) else int(not _BEGINS.search(before))
            if (own[at] is None or told > rank[at]) and rank[at] < 2:
                own[at], rank[at] = complete(last, e0, ahead=0), told
        elif last.precision is Precision.DAY and (last.month or last.holiday):
            loose[at] = loose[at] or _last_before(last, e0)
    own = [day or birth for day, birth in zip(own, born, strict=True)]
    if not any(own):
        own = loose
    of_record = next(filter(None, own), None)
    days = [day or of_record for day in own]
    named = [None if day is None else canonical(day, Precision.DAY) for day in days]
    said = [rank[at] > 1 and own[at] is not None for at in range(len(own))]
    found = zip(days, named, said, strict=True)
    return tuple([Reference(day or e0, name, own) for day, name, own in found])


_BESIDE: Final = 40
_OWN: Final = re.compile(
    r"(?:(?<!votre )(?<!son )\b(?:lettre|courrier|compte[- ]rendu|crh?|certificat|dictee?"
    r"|redigee?|tapee?|validee?|signee?|editee?|imprimee?|fait(?: a [a-z-]+)?)(?: dictee?)?,? ?:?"
    r" ?(?:du|le)|(?:\A|\n)[ \w\ufffc-]{1,30}, le|(?:\A|\n) ?consultation (?:du|le)) ?:? ?\Z"
)
"""What stands before the day on which a note was written."""
_ALONE: Final = re.compile(r"(?:\A|\n)[ \t]*(?:le )?\Z")
_ENDS: Final = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_BEGINS: Final = re.compile(
    r"\b(?:ddr|dpa|ddg|terme|conception|regles|mariee?s?|pacsee?s?|divorcee?s?|veu(?:f|ve)|depuis)\b"
    r"[^.;\n]{0,20}\Z"
)
"""What stands before the first day of a pregnancy, or of what has lasted: "Mariés le"."""


_FIRST_DAYS: Final = re.compile(r"(?i)nouveaux?[- ]n[ée]|\bnn\b|\bb[ée]b[ée]\b|apgar|guthrie")
_NEAR: Final = 80


def _is_newborn(record: Record, birth: Mention) -> bool:
    """Whether the words around a birth are of somebody's first days."""
    text, span = record.documents[birth.document].text, birth.span
    around = text[max(span.start - _NEAR, 0) : span.end + _NEAR]
    return bool(_FIRST_DAYS.search(around)) and birth.span.role not in (Role.RELATIVE, Role.STAFF)


def _is_own(record: Record, mention: Mention, before: str) -> bool:
    """Whether a note says that it was written on this day, or has it alone on one of its first
    lines, given the folded words before it.
    """
    text, span = record.documents[mention.document].text, mention.span
    alone = _ALONE.search(before) is not None and _ENDS.match(text, span.end) is not None
    heads = alone and text.count("\n", 0, span.start) < _HEAD
    return heads or _OWN.search(before) is not None


_HEAD: Final = 12
"""Lines of the head of a letter, at most."""


def tells_day(date: PartialDate) -> bool:
    return date.precision is Precision.DAY and date.year is not None


def _last_before(date: PartialDate, e0: dt.date) -> dt.date | None:
    """The last day before e0 that a date without its year may mean; 29 February skips years."""
    days = (in_year(date, e0.year - back) for back in range(9))
    return next((day for day in days if day is not None and day <= e0), None)


def canonical(date: dt.date, precision: Precision) -> str:
    """The name of a date for its draw: equal for equal days printed to the same precision."""
    return f"{date.isoformat()}/{precision}"
