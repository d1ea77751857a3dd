"""The days of a record and their surrogates, as every mode of the timeline takes and gives them.

Days are proleptic Gregorian ordinals (`date.toordinal`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, Self

from dpdeid.privacy.ledger import Charge

PURPOSE: Final = "timeline"
NOISED: Final = ("noised dates", "births")
"""What two records may differ in, in the words of a statement."""

BIRTH_HORIZON: Final = 43_830
"""The largest age in days: 120 years."""
UNIT_SPANS: Final = {"days": 90, "weeks": 7 * 104, "months": 1_096}
"""The largest age in days of somebody whose age is given in a unit smaller than years: public."""


class Kind(StrEnum):
    """What happened on a day. What a point is comes from labels and cue words, never from days."""

    NOTE = "note"
    EVENT = "event"
    END = "end"
    """The last day of a range: it is drawn as a length on top of the first one."""
    YEARLESS = "yearless"
    """A day and a month in a record that has no year to read them against: one of 366 days."""
    BIRTH = "birth"


class Point(NamedTuple):
    """One distinct date of a record: a tuple, since there is one for every date.

    Args:
        name: its canonical value with the printed precision, and for a birth the person: equal
            names of one family (births, all other dates) are one date. It names the random stream
            and is never released.
        day: its ordinal.
        note: the index of the note in which it first appears, in release order.
        start: of an END, the name of the first day of its range, which stands before it.
        span: of a BIRTH read from an age in months, weeks or days, the largest age in days that
            this unit may have (a public constant of the unit); 0 for any other.
        first: of a BIRTH, whether it comes before all other dates: the patient's, unless the notes
            are those of a newborn. Known from labels and cue words, never from days.
        printed: the first and the last day that it may mean, where more than one: those of a month
            for "juin 2023". `day` then lies between them.
    """

    name: str
    day: int
    kind: Kind
    note: int
    start: str = ""
    span: int = 0
    first: bool = False
    printed: tuple[int, int] | None = None

    @property
    def family(self) -> str:
        """Births and other dates are drawn apart, and no equality between them is used."""
        return "birth" if self.kind is Kind.BIRTH else "date"

    @property
    def key(self) -> tuple[str, str]:
        """The family and the name: what makes two points of a unit the same date."""
        return "birth" if self.kind is Kind.BIRTH else "date", self.name

    def __repr__(self) -> str:
        return f"Point(kind={self.kind!r}, note={self.note})"


Rank = tuple[int, bool, int]
"""A place in the order of dates: smaller ones come first."""


def ranks(points: Iterable[Point]) -> dict[tuple[str, str], Rank]:
    """The order of the dates that what is printed decides, by their keys.

    A date stands behind those that end before it begins. Where that decides nothing, as between
    "juin 2023" and "13/06/2023", the one that certainly follows fewer dates comes first, then the
    one that is printed less fully, then the one that was released first: nothing else of a day is
    read, so that a day which was put in for one that is not printed orders nothing. Births and days
    without a year have no place in it.
    """
    spans: dict[tuple[str, str], tuple[int, int]] = {}
    loose: set[tuple[str, str]] = set()
    for point in points:
        if point.kind is Kind.YEARLESS or ("date", point.start) in loose:
            loose.add(point.key)
        elif point.kind is not Kind.BIRTH:
            spans.setdefault(point.key, point.printed or (point.day, point.day))
    ends = sorted(last for _, last in spans.values())
    return {
        key: (bisect_left(ends, first), first == last, position)
        for position, (key, (first, last)) in enumerate(spans.items())
    }


class Released(NamedTuple):
    """The surrogate day of a point and what it cost; None where the cap leaves nothing.

    A surrogate without charges is free: it was drawn from public knowledge alone.
    """

    day: int | None
    charges: tuple[Charge, ...] = ()

    def __repr__(self) -> str:
        return f"Released(charges={self.charges!r})"


@dataclass(frozen=True, slots=True)
class Past:
    """What was released of one unit before, in release order: it is frozen.

    Later notes are drawn beside it: what it names again has the same surrogate, what it has charged
    counts in the caps, its first anchor stays the anchor of later notes. Holds originals: private,
    and destroyed with the key.
    """

    entries: tuple[tuple[Point, Released], ...] = field(default=(), repr=False)

    @property
    def notes(self) -> int:
        """How many notes were released; indices of the next batch count from here."""
        return 1 + max((point.note for point, _ in self.entries), default=-1)

    def after(self, points: Iterable[Point], released: Iterable[Released]) -> Self:
        """The same with one more batch, whose notes are counted from 0."""
        entries = {point.key: (point, given) for point, given in self.entries}
        first = self.notes
        for point, given in zip(points, released, strict=True):
            entries.setdefault(point.key, (point._replace(note=point.note + first), given))
        return type(self)(tuple(entries.values()))
