"""The dates of a record with their full values: what is printed, completed from around it.

A date that prints no year, month or day takes it from the date beside it ("du 3 au 7 mai", "8 ou 9
juin"), else so that it lies nearest to the reference of its note (`complete`): the note's date, or
the first full date in it, or in the record, or the cohort's e0. What cannot be read is left out.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record, text_before, text_between
from dpdeid.french.calendar import WEEKDAYS
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.protocols import HIDDEN
from dpdeid.substitute import abroad
from dpdeid.substitute.dates.forward import Lead, Reference, canonical, leads, references, tells_day
from dpdeid.substitute.dates.written.completing import AHEAD, complete
from dpdeid.substitute.dates.written.parser import (
    DateRange,
    PartialDate,
    Precision,
    Written,
    parse,
)

_BESIDE: Final = 10
"""Dates with no more characters between them are read together."""
_NEARBY: Final = 90
"""A bare day looks so many characters back for the date it continues."""
_FAR: Final = 400
"""The same of one that prints no year: it is of the days that are being told."""
LONGEST_LIST: Final = 31
"""A list of days is at most so long: no month has more."""


class Read(NamedTuple):
    """One date mention, understood.

    Args:
        days: its date, or the two of a range.
        names: their canonical names.
        partner: the index of the read date right after it, with which it makes a range or a list.
        leader: the index of the read date before it from which its month or year comes.
        follows: that of the date which it follows as one reads (`forward`).
        shared: whether these two are of one year.
    """

    mention: Mention
    written: Written
    days: tuple[dt.date, ...]
    names: tuple[str, ...]
    partner: int | None = None
    leader: int | None = None
    follows: int | None = None
    shared: bool = False

    def __repr__(self) -> str:
        return f"Read({self.mention!r})"


def read_dates(
    mentions: Sequence[Mention], record: Record, e0: dt.date
) -> tuple[tuple[Read, ...], tuple[Reference, ...]]:
    """The readable date mentions, in their order, and the reference of each note.

    Args:
        mentions: DATE and BIRTH_DATE mentions, sorted by document and start.
    """
    written = [(m, _parsed(m, record)) for m in mentions]
    told = any(doc.note_date for doc in record.documents) or any(
        date is not None and m.label is Label.DATE and tells_day(date.dates[-1])
        for m, date in written
    )
    if not told:
        written = [(m, _without_weekday(date)) for m, date in written]
    against = references(record, written, e0)
    weeks = _weeks(mentions, record)
    kept = [
        (m, date)
        for m, date in written
        if date is not None and m not in weeks and not _recurs(m, date, record)
    ]
    noted = [(one.day, one.name) for one in against]
    forward = leads(kept, noted, record, _told_behind(kept, record))
    near = [_near(at, kept, against, forward, record) for at in range(len(kept))]
    days, led = _complete(kept, near, record, forward)
    complete_ones = [at for at, given in enumerate(days) if given]
    index = {at: number for number, at in enumerate(complete_ones)}
    reads = []
    for at in complete_ones:
        (mention, date), given = kept[at], days[at] or ()
        partner = index.get(at + 1) if _is_led(kept, at, record) else None
        names = tuple([canonical(d, p.precision) for d, p in zip(given, date.dates, strict=True)])
        leader = index.get(led[at]) if led.get(at, at) < at else None
        lead = forward.get(at) if led.get(at, 0) <= at else None
        follows = None if lead is None else index.get(lead.at)
        shared = lead is not None and lead.shared
        reads.append(Read(mention, date, given, names, partner, leader, follows, shared))
    return tuple(reads), against


def _parsed(mention: Mention, record: Record) -> Written | None:
    """What a mention says, in the language of its paragraph."""
    in_year = len(mention.text) == 2 and _is_in_year(mention, record)
    return abroad.read(mention.text, mention.span.source) or parse(mention.text, in_year=in_year)


def _without_weekday(date: Written | None) -> Written | None:
    return date._replace(weekday=None) if isinstance(date, PartialDate) and date.month else date


_SAID: Final = 80
_WORKING: Final = (("lundi", "vendredi"), ("lundi", "samedi"))
_DAYS: Final = "|".join(map(fold, WEEKDAYS))
_REGULAR: Final = re.compile(
    r"\b(?:kines?|kinesitherapie|dialyses?|hemodialyses?|hdj|hopital de jour|aides? \w+"
    r"|auxiliaires?|passages|orthophonie|psychomotricite|ergotherapie|ateliers?|seances|permanences?|cattp|ecole"
    rf"|creche|portage|menage|accueil de jour)\b[^.;:\n\d]{{0,20}}\ble (?:(?:{HIDDEN}|{_DAYS})"
    r"(?: (?:matin|midi|soir|apres-midi))?(?:,| et|/)? (?:et )?(?:le )?)*\Z"
)
"""What comes on a weekday again and again: "kiné le lundi et le jeudi"."""
_EACH: Final = re.compile(r"\b(?:chaque|tous\s{1,2}les)\s{1,2}\Z", re.IGNORECASE)


def habits(mentions: Sequence[Mention], record: Record) -> list[Mention]:
    """The mentions that are weekdays of habits and no dates: "tous les lundis", "chaque jeudi",
    "du lundi au vendredi", "kiné le lundi et le jeudi".
    """
    weeks = _weeks(mentions, record)
    dates = ((m, _parsed(m, record)) for m in mentions)
    return [m for m, date in dates if date and (m in weeks or _recurs(m, date, record))]


def _weeks(mentions: Sequence[Mention], record: Record) -> set[Mention]:
    """The two ends of a working week: "du lundi au vendredi"."""
    return {
        one
        for pair in pairwise(mentions)
        if tuple(fold(mention.text) for mention in pair) in _WORKING
        and text_between(record.documents, *pair, _BESIDE) == " au "
        and text_before(record.documents, pair[0], _BESIDE).lower().endswith("du ")
        for one in pair
    }


def _recurs(mention: Mention, date: Written, record: Record) -> bool:
    if isinstance(date, DateRange) or not date.bare_weekday:
        return False
    plural = any(piece.style == "plural" for piece in date.shape)
    before = text_before(record.documents, mention, _SAID)
    return bool(plural or _EACH.search(before) or _REGULAR.search(fold(before)))


_IN_YEAR: Final = re.compile(r"\b(?:en|fin|d[ée]but|an|années?)\s{1,2}\Z", re.IGNORECASE)


def _is_in_year(mention: Mention, record: Record) -> bool:
    """Whether a number of two digits stands where a year does: "opéré en 03"."""
    return _IN_YEAR.search(text_before(record.documents, mention, _BESIDE)) is not None


_Kept = Sequence[tuple[Mention, Written]]


def _complete(
    kept: _Kept, around: Sequence[dt.date], record: Record, forward: Mapping[int, Lead]
) -> tuple[list[tuple[dt.date, ...] | None], dict[int, int]]:
    """The days of each mention, near a day `around`, and from which other one each took a field.

    First those beside a later date, from right to left; of bare days alone the last is read first.
    """
    days: list[tuple[dt.date, ...] | None] = [None] * len(kept)
    led: dict[int, int] = {}
    for at in range(len(kept) - 1, -1, -1):
        mention, date = kept[at]
        near, ahead = around[at], _ahead(mention, record)
        if at in forward and isinstance(date, PartialDate):
            date = date._replace(weekday=None)
        days[at] = _days(date, near, ahead)
        if date.dates[-1].year is not None:
            continue
        after = days[at + 1] if _is_led(kept, at, record) else None
        told = after and (at + 1 in led or _says_more(kept[at + 1][1], date))
        if told:
            led[at] = at + 1
        elif at in forward:
            continue
        elif (before := _before(kept, at, around, record)) is not None:
            led[at], near = before
            days[at] = _beside_it(date, near, ahead, 1)
            continue
        if after and (told or (date.bare_day and kept[at + 1][1].bare_day)):
            begins = _leads_to(record, mention, kept[at + 1][0])
            days[at] = found = _beside_it(date, after[0], ahead, -1, ranged=begins)
            if found and found[0].year > after[0].year and _is_listed(record, kept, at):
                days[at] = _days(date, after[0] - _HALF, ahead)
    return days, led


_UNTIL: Final = re.compile(
    r"(?i)(?:[-–—→>]|\b(?:à|a|(?:jusqu['’])?au|bis|tot|to|until|al))\s{0,2}(?:le\s{1,2})?\Z"
)


_HALF: Final = dt.timedelta(days=183)
_LISTED: Final = re.compile(
    r"(?i)\s{0,2}(?:[,;/&]|,?\s(?:et|ou|puis|und|and))\s{0,2}(?:(?:le|en|de|du|fin|d[ée]but)\s{1,2}){0,2}"
)


def _is_listed(record: Record, kept: _Kept, at: int) -> bool:
    """Whether a date and the next are parts of one list, whose year its last one prints: "février
    puis septembre 2023".
    """
    first, second = kept[at][0], kept[at + 1][0]
    text = record.documents[first.document].text[first.span.end : second.span.start]
    return _LISTED.fullmatch(text) is not None


def _leads_to(record: Record, first: Mention, second: Mention) -> bool:
    """Whether two dates are the two ends of a range: "du 12 au 18 mars"."""
    text = record.documents[first.document].text
    return _UNTIL.search(text[first.span.start : second.span.start]) is not None


def _beside_it(
    date: Written, other: dt.date, ahead: int, side: int, *, ranged: bool = False
) -> tuple[dt.date, ...] | None:
    """The days of a date that takes its month or year from another.

    Where days count up they share a month: "les 3 et 24 mai", "le 3 mai, puis le 24", whatever
    weekdays are printed: those of a date without its year are rarely those of the year it is given.
    The first date of a range lies before its last, however far. Else what lies nearest is meant.

    Args:
        side: −1 if it stands before the other date, 1 if behind it.
        ranged: whether the two are the ends of a range.
    """
    if isinstance(date, PartialDate):
        upwards = date.bare_day and side * ((date.day or 0) - other.day) >= 0
        if upwards:
            date = date._replace(weekday=None)
        for away in _AWAY if upwards or ranged else ():
            days = _days(date, other + dt.timedelta(days=side * away), ahead)
            if days is not None and side * (days[0] - other).days >= 0:
                return days
    return _days(date, other, ahead)


_BACK, _BACK_IN_MONTH = dt.timedelta(days=150), dt.timedelta(days=10)
"""So much less than half a year ahead, or of bare days half a month, such a day lies at most."""
_COMING: Final = re.compile(
    r"(?i)\b(?:rdv|r\.?v\b|rendez|prochain|re?voir|reverr|revu|revient|reprise|vacances|consult"
    r"|contr[ôo]le|t[ée]l[ée]consult|programm|pr[ée]v|jusqu|[àa] partir|avant le|d[èe]s le|attend"
    r"|terme\b|dans (?:\d|un|deux|trois|quatre|cinq|six)|retour|demande|bilan|envisag|compter"
    r"|convoqu|report|r[ée][ée]val|expir|valable|p[ée]rem|sera|seront|devra|doit|hdj\b|cs\b|fix[ée]"
    r"|suivante?|voyage|souhait|objectif|commenc|d[ée]butera|\w{3,}(?:rait|ront|dra)\b)[^.;\n]{0,60}\Z"
)
"""What stands before a day to come."""
_BY_THE_NOTE: Final = re.compile(
    r"(?i)\b(?:il y a|voici|voil[àa]|(?:avant-)?hier|ce (?:jour|matin|soir)|aujourd['’]hui"
    r"|demain)\b[^.;\n]{0,24}\Z"
)
"""What stands before a day that is told from that of the note: "il y a 4 jours, le 14"."""


def _near(
    at: int,
    kept: _Kept,
    against: Sequence[Reference],
    forward: Mapping[int, Lead],
    record: Record,
) -> dt.date:
    """The day near which a date lies that does not say it all: the reference of its note. A note
    that says when it was written tells of days before, but where words tell of what is to come.
    """
    mention, date = kept[at]
    reference = against[mention.document]
    if at in forward:
        return forward[at].day
    last = date.dates[-1]
    is_open = last.bare_day or (last.year is None and (last.month or last.holiday))
    if not (is_open and reference.written and mention.where == "text"):
        return reference.day
    before = text_before(record.documents, mention, _SAID)
    if _COMING.search(before) or _BY_THE_NOTE.search(before):
        return reference.day
    return reference.day - (_BACK_IN_MONTH if last.bare_day else _BACK)


def _before(
    kept: _Kept,
    at: int,
    around: Sequence[dt.date],
    record: Record,
) -> tuple[int, dt.date] | None:
    """The mention that an open date continues, and its date: "le 13/11, puis le 14"."""
    date = kept[at][1]
    if date.bare_day and _BY_THE_NOTE.search(text_before(record.documents, kept[at][0], _SAID)):
        return None
    reach = _FAR if date.bare_day else _BESIDE
    for back in range(at - 1, max(at - LONGEST_LIST, 0) - 1, -1):
        before = kept[back][0]
        if before.where != "text" or before.label is not kept[at][0].label:
            return None
        if not _beside(kept, back, reach, record):
            return None
        between = text_between(record.documents, before, kept[back + 1][0], reach) or ""
        if not date.bare_day and _ENDED.search(between):
            return None
        if _says_more(kept[back][1], date):
            if len(between) > _NEARBY and kept[back][1].dates[-1].year is not None:
                return None
            found = _days(kept[back][1], around[back], _ahead(before, record))
            return None if found is None else (back, found[-1])
    return None


def _beside(kept: _Kept, at: int, reach: int, record: Record) -> bool:
    """Whether the next mention stands in the same text, at most `reach` characters further."""
    if at + 1 >= len(kept):
        return False
    return text_between(record.documents, kept[at][0], kept[at + 1][0], reach) is not None


def _is_led(kept: _Kept, at: int, record: Record) -> bool:
    """Whether a date may take its month or year from the next mention of its sentence: what is no
    birth does not take them from one, "vu le 12 mars, né le 04/05/1950".
    """
    if not _beside(kept, at, _BESIDE, record):
        return False
    pair = kept[at][0], kept[at + 1][0]
    if _ENDED.search(text_between(record.documents, *pair, _BESIDE) or ""):
        return False
    return kept[at][0].label is Label.BIRTH_DATE or kept[at + 1][0].label is not Label.BIRTH_DATE


def _told_behind(kept: _Kept, record: Record) -> set[int]:
    """The dates that have their year or month from the date right behind them, or from its."""
    found: set[int] = set()
    for at in range(len(kept) - 2, -1, -1):
        date = kept[at][1]
        says_more = at + 1 in found or _says_more(kept[at + 1][1], date)
        if date.dates[-1].year is None and says_more and _is_led(kept, at, record):
            found.add(at)
    return found


_ENDED: Final = re.compile(r"[.;!?)]\s|\n")


def _ahead(mention: Mention, record: Record) -> int:
    """How many years after the reference a two-digit year may lie: of a birth in none, but where
    its line says that somebody was just born.
    """
    if mention.label is not Label.BIRTH_DATE:
        return AHEAD
    text, end = record.documents[mention.document].text, mention.span.end
    before = text_before(record.documents, mention, _LINE).rpartition("\n")[2]
    line = before + text[end : end + _LINE].partition("\n")[0]
    return AHEAD if _JUST_BORN.search(line) and not _OLDEST.search(line) else 0


def _days(date: Written, near: dt.date, ahead: int) -> tuple[dt.date, ...] | None:
    if isinstance(date, PartialDate):
        day = complete(date, near, ahead=ahead)
        return None if day is None else (day,)
    end = complete(date.last, near, ahead=ahead)
    if end is None:
        return None
    for back in _AWAY:  # the first day is the last one of its name before the end
        start = complete(date.first, end - dt.timedelta(days=back), ahead=ahead)
        if start is not None and start <= end:
            return (start, end)
    return None


_AWAY: Final = (0, 3, 15, 183)
"""Half a week, a month and a year: what a weekday, a day and a day of a month are looked for in."""


def _says_more(other: Written, date: Written) -> bool:
    """Whether `other` prints a field that `date` lacks: a year, or a month for a bare day."""
    theirs, mine = other.dates[-1], date.dates[-1]
    if theirs.precision not in (Precision.DAY, Precision.MONTH, Precision.PART):
        return False
    return theirs.year is not None or (mine.bare_day and theirs.month is not None)


_LINE: Final = 120
_JUST_BORN: Final = re.compile(r"(?i)nouveaux?[- ]n[ée]|\bnn\b|nourrisson|apgar")
"""What a line says of who was just born."""
_OLDEST: Final = re.compile(r"\b(?:9|10)\d ?ans\b")
