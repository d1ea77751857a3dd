"""What stands beside a day that prints no month: which month a reader takes it for.

All of it is read from forms and places in the text, and from released days; never from a true one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from dpdeid.substitute.reading import LONGEST_LIST, Read
from dpdeid.substitute.written import DateRange, Part, PartialDate, Piece, Shape

_IN_WORDS: Final = (Piece(Part.DAY, "er"), Piece(Part.TEXT, " "), Piece(Part.MONTH, "full"))


def month_beside(
    at: int, reads: Sequence[Read], released: Sequence[Sequence[dt.date]]
) -> tuple[Shape, dt.date] | None:
    """For a bare day, how its month is written where it must be, and the day whose month a reader
    takes it for: that of the next day of its list, of the date that leads it, or of the day before.

    None where there is none of these, and for a date that has a month of its own.
    """
    read = reads[at]
    if not _is_bare(read):
        return None
    bearer, ahead, leader = _month_bearer(at, reads), read.partner, read.leader
    listed = ahead is not None and (bearer is not None or _is_bare(reads[ahead]))
    behind = at - 1 if at and reads[at - 1].partner == at and _is_bare(reads[at - 1]) else None
    form = _form(bearer if bearer is not None else leader, reads)
    for other in (ahead if listed else None, leader, behind):
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
