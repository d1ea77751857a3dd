"""What stands beside a day that prints no month, and beside an age that prints no unit.

Which month a reader takes a day for, and which number is the end of a range, is read from forms and
places in the text and from released days; never from a true one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from dpdeid.document import Mention, Record
from dpdeid.substitute.ages import AgeUnit, WrittenAge, parse_age
from dpdeid.substitute.reading import LONGEST_LIST, Read
from dpdeid.substitute.written import DateRange, Part, PartialDate, Piece, Shape

_IN_WORDS: Final = (Piece(Part.DAY, "er"), Piece(Part.TEXT, " "), Piece(Part.MONTH, "full"))


def month_beside(
    at: int, reads: Sequence[Read], released: Sequence[Sequence[dt.date]]
) -> tuple[Shape, dt.date] | None:
    """For a bare day, how its month is written where it must be, and the day whose month a reader
    takes it for: that of the next day of its list, of the date that leads it, or of the first day.

    None where there is none of these, and for a date that has a month of its own.
    """
    read = reads[at]
    if not _is_bare(read):
        return None
    bearer, ahead, leader = _month_bearer(at, reads), read.partner, read.leader
    listed = ahead is not None and (bearer is not None or _is_bare(reads[ahead]))
    first = at
    for before in range(at - 1, max(at - LONGEST_LIST, 0) - 1, -1):
        if reads[before].partner != first or not _is_bare(reads[before]):
            break
        first = before
    form = _form(bearer if bearer is not None else leader, reads)
    for other in (ahead if listed else None, leader, first if first < at else None):
        if other is not None and released[other]:
            return form, released[other][-1]
    return None


def _form(at: int | None, reads: Sequence[Read]) -> Shape:
    """How a date writes its day and month; in words where it does not."""
    if at is not None:
        shape = _last(reads[at]).shape
        if {Part.DAY, Part.MONTH} <= {piece.part for piece in shape}:
            return shape
    return _IN_WORDS


def _last(read: Read) -> PartialDate:
    return read.written.last if isinstance(read.written, DateRange) else read.written


def _is_bare(read: Read) -> bool:
    return isinstance(read.written, PartialDate) and read.written.bare_day


def _month_bearer(at: int, reads: Sequence[Read]) -> int | None:
    """The date further on whose month a bare day shares: "16 mars" for the 12 of "12, 14, 16 mars";
    None where there is none.
    """
    for _ in range(LONGEST_LIST):
        after = reads[at].partner
        if after is None:
            return None
        if not _is_bare(reads[after]):
            return after
        at = after
    return None


class ReadAge(NamedTuple):
    """One age mention, understood.

    Args:
        listed: whether it stands in a list right behind another age.
        ranged: whether it is the last of a range: "16-18 mois", "entre 2 et 3 ans".
    """

    mention: Mention
    written: WrittenAge
    listed: bool = False
    ranged: bool = False

    def __repr__(self) -> str:
        return f"ReadAge({self.mention!r})"


def read_ages(mentions: Sequence[Mention], record: Record) -> tuple[ReadAge, ...]:
    """The readable ages. A number takes the unit of the age that ends its list: "3, 7 et 9 mois".

    Args:
        mentions: AGE mentions, sorted by document and start.
    """
    found: list[ReadAge] = []
    unit: AgeUnit | None = None
    for at in range(len(mentions) - 1, -1, -1):
        mention = mentions[at]
        if (age := parse_age(mention.text)) is None:
            unit = None
            continue
        ends = at + 1 == len(mentions) or not _is_listed(record, mention, mentions[at + 1])
        if unit is not None and not ends and mention.text.isdecimal():
            age = replace(age, unit=unit)
        unit = age.unit
        listed = at > 0 and _is_listed(record, mentions[at - 1], mention)
        ranged = listed and _is_range(record, mentions[at - 1], mention)
        found.append(ReadAge(mention, age, listed, ranged))
    return tuple(found[::-1])


_JOINED: Final = re.compile(r"\s?(?:,|/|[-–—]|\bet\b|\bou\b|\b[àa]\b)\s?", re.IGNORECASE)
_RANGED: Final = re.compile(r"\s?(?:[-–—]|\bou\b|\b[àa]\b)\s?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bentre\s$", re.IGNORECASE)


def _is_listed(record: Record, first: Mention, second: Mention) -> bool:
    """Whether two ages stand side by side in one list."""
    if first.document != second.document or first.where != "text" or second.where != "text":
        return False
    return _JOINED.fullmatch(_between(record, first, second)) is not None


def _is_range(record: Record, first: Mention, second: Mention) -> bool:
    """Whether two ages of a list are from and to."""
    between = _between(record, first, second)
    if _RANGED.fullmatch(between) is not None:
        return True
    text, start = record.documents[first.document].text, first.span.start
    return "et" in between.lower() and _BETWEEN.search(text[max(start - 8, 0) : start]) is not None


def _between(record: Record, first: Mention, second: Mention) -> str:
    return record.documents[first.document].text[first.span.end : second.span.start]
