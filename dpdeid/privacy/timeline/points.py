"""The days of a record as every mode of the timeline takes them, and what it gives back.

Days are proleptic Gregorian ordinals (`date.toordinal`). A date whose name is that of an earlier
one is the same date: one draw, one charge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple, Self

from dpdeid.privacy.ledger import Charge

PURPOSE: Final = "timeline"
NOISED: Final = ("noised dates", "births")
"""What two records may differ in, in the words of a statement."""

BIRTH_HORIZON: Final = 43_830
"""The largest age in days: 120 years."""
UNIT_SPANS: Final = {"days": 90, "weeks": 7 * 104, "months": 1_096}
"""The largest age in days of somebody whose age is given in a unit smaller than years: public."""
UNITS: Final = {
    "days": Fraction(1),
    "weeks": Fraction(7),
    "months": Fraction(146_097, 4_800),
    "years": Fraction(146_097, 400),
    "years+months": Fraction(146_097, 4_800),
}
"""The days of each unit of an age, by its name; of years and months both, which go on beyond the
months that are written alone, those of a month.
"""
READ_ON: Final = 364
"""Days within which a date without its year is the next of its name."""
NEXT: Final = 27
"""Days within which a bare day is the next one of its number, whatever month it is."""
LARGEST: Final = {"days": 90, "weeks": 104, "months": 36, "years": 120, "years+months": 1_440}
"""The largest age that is written in each unit."""


class Kind(StrEnum):
    """What happened on a day. What a point is comes from labels and cue words, never from days."""

    NOTE = "note"
    EVENT = "event"
    BIRTH = "birth"
    AGED = "aged"
    """A day that an age of the past tells: in the middle of that unit of life."""


class Told(NamedTuple):
    """What kept words tell of a date: that it lies `least` to `most` days after another one.

    Args:
        base: the name of the other one, which may be a birth.
        between: how many dates may lie between the two in a long history: some where it is told by
            a clock of its own, as weeks of a pregnancy are.
    """

    base: str
    least: int
    most: int
    between: int = 0


class Led(NamedTuple):
    """What a date without its year follows, as one reads: the year is printed there.

    Args:
        base: the name of the other one.
        most: days from that one, within which it is read behind it.
        shared: whether the two are of one year.
    """

    base: str
    most: int = READ_ON
    shared: bool = False


class Point(NamedTuple):
    """One distinct date of a record: a tuple, since there is one for every date.

    Args:
        name: its canonical value with the printed precision, and for a birth the person: equal
            names of one family (births, all other dates) are one date. It names the random stream
            and is never released.
        day: its ordinal.
        note: the index of the note in which it first appears, in release order.
        start: of the last day of a range that the text tells, the name of its first day; of an
            AGED day that of the birth.
        span: of a BIRTH read from an age in months, weeks or days, the largest age in days that
            this unit may have (a public constant of the unit); 0 for any other.
        first: of a BIRTH, whether it comes before all other dates: the patient's, unless the notes
            are those of a newborn. Known from labels and cue words, never from days.
        printed: the first and the last day that it may mean, where more than one: those of a month
            for "juin 2023". `day` then lies between them.
        told: what words beside it may tell, the likeliest first; it may be wrong, and no day is
            compared with it: the order of dates alone rules some out.
        unit: of an AGED day, the unit of the age: a key of `UNITS`.
        led: of a date that does not print its year, or its month, from where it has it.
    """

    name: str
    day: int
    kind: Kind
    note: int
    start: str = ""
    span: int = 0
    first: bool = False
    printed: tuple[int, int] | None = None
    told: tuple[Told, ...] = ()
    unit: str = ""
    led: Led | None = None

    @property
    def family(self) -> str:
        """Births and other dates are drawn apart, and no equality between them is used."""
        return "birth" if self.kind is Kind.BIRTH else "date"

    @property
    def key(self) -> tuple[str, str]:
        """The family and the name: what makes two points of a unit the same date."""
        return self.family, self.name

    def __repr__(self) -> str:
        return f"Point(kind={self.kind!r}, note={self.note})"


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
    counts in the caps, its first date stays the first of later notes. Holds originals: private,
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
