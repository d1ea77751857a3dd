"""From which date before it a date without its year has it, as one reads forward.

"Accouchement le 3 avril 2016, sortie le 7 avril" tells one year, a heading "2012 :" that of all
that stands under it. So the last date with a year of the sentence, line, list or section leads what
follows, and what is led leads on; no word in between draws it to the note, but where it says so
("ce jour", "prochain rendez-vous le"). What would lie behind the note when read so is none of
these, and the note's own day leads half a year.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record, text_before
from dpdeid.labels import Label
from dpdeid.privacy.timeline.points import READ_ON
from dpdeid.substitute.dates.completing import complete, in_year
from dpdeid.substitute.dates.written.parser import PartialDate, Precision, Written

_SOON: Final = 60
"""Days behind its note at which a date may lie that the note does not draw to itself."""
_HALF: Final = 183
_LONGEST: Final = 400
"""Characters between a date and the one that leads it, at most."""
_TODAY: Final = re.compile(
    r"\b(?:ce\s+jour|aujourd|hier|demain|rdv|rendez[- ]vous|prochaine?s?|revoir|reverr\w+"
    r"|convoqu\w+|programm\w+|actuel\w*|à\s+venir|prévue?s?)\b[^.;\n]*\Z",
    re.IGNORECASE,
)
"""What draws a date to the note."""
_HEADING: Final = re.compile(r"[ \t]{0,4}[:–—-]|[ \t]*\n")
"""What stands behind a date that heads what follows."""
_OPENS: Final = re.compile(r"(?:\A|\n)[ \t*•·–—>-]{0,6}\Z")
_WRAPPED: Final = re.compile(r"\n[ \t]*[a-zà-ÿ(]")
_BLANK: Final = re.compile(r"\n[ \t]*\n")
_ENDED: Final = re.compile(r"[.;!?]\s|\n")


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


def leads(
    kept: Sequence[tuple[Mention, Written]], notes: Sequence[dt.date | None], record: Record
) -> Mapping[int, Lead]:
    """By index, what each date without its year follows.

    Args:
        kept: the dates, sorted by document and start.
        notes: the day of each note, if any is known.
    """
    found: dict[int, Lead] = {}
    last: _Last | None = None
    for at, (mention, date) in enumerate(kept):
        if mention.where != "text" or mention.label is not Label.DATE:
            continue
        note, end = notes[mention.document], date.dates[-1]
        before = text_before(record.documents, mention, _LONGEST)
        opens = _OPENS.search(before[-8:] if len(before) > 8 else before or "\n") is not None
        if last is not None and not _goes_on(record, kept[last.at][0], mention, last, opens):
            last = None
        if end.year is not None:
            last = _leading(at, mention, date, note, record, opens)
        elif last is None or note is None or (end.month is None and end.holiday is None):
            continue
        elif (lead := _led(end, last, note)) is None or _TODAY.search(before[-60:]):
            last = None
        else:
            found[at] = lead
            last = _Last(at, lead.day, last.year, last.heads, opens)
    return found


def _goes_on(record: Record, first: Mention, second: Mention, last: _Last, opens: bool) -> bool:
    """Whether two dates stand in one sentence, line, list or section."""
    if first.document != second.document:
        return False
    between = record.documents[first.document].text[first.span.end : second.span.start]
    if len(between) > _LONGEST or _BLANK.search(between):
        return False
    in_rows = last.heads or (opens and last.opens)
    return "\n" not in between or in_rows or _WRAPPED.search(between) is not None


def _leading(
    at: int, mention: Mention, date: Written, note: dt.date | None, record: Record, opens: bool
) -> _Last | None:
    """A date that prints its year, if it leads: the note's own does not."""
    end = date.dates[-1]
    day = None if note is None else complete(end, note)
    if day is None or note is None or end.precision is Precision.DECADE:
        return None
    behind = record.documents[mention.document].text[mention.span.end : mention.span.end + 8]
    whole = end.precision is Precision.YEAR
    heads = opens and whole and _HEADING.match(behind) is not None
    if whole:
        return _Last(at, day.replace(month=1, day=1), day.year, heads, opens)
    if end.precision is not Precision.DAY:
        day = day.replace(day=1)
    return _Last(at, day, None, heads, opens)


def _led(date: PartialDate, last: _Last, note: dt.date) -> Lead | None:
    """The day that a date means behind the one that leads it, if one reads it so."""
    if last.year is not None:
        day = in_year(date, last.year)
    else:
        years = range(last.day.year - 1, last.day.year + 5)
        days = [day for year in years if (day := in_year(date, year)) is not None]
        least = last.day.replace(day=1) if date.precision is not Precision.DAY else last.day
        day = next((day for day in days if day >= least), None)
        earlier = next((day for day in reversed(days) if day < least), None)
        if day is not None and (day - last.day).days > READ_ON:
            day = earlier
    if day is None or (day - note).days > (_HALF if last.day == note else _SOON):
        return None
    near = complete(date, note)
    if date.weekday not in (None, day.weekday()) and near and near.weekday() == date.weekday:
        return None
    return Lead(last.at, day, last.year is not None)
