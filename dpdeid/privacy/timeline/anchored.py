"""The days of a record, and the anchored star: which gap of each is noised, from which anchor.

Every mode of the timeline takes `Point`s and gives `Released`; days are proleptic Gregorian
ordinals (`date.toordinal`).

A chain of intervals adds up the noises of all dates before; a star does not. The anchor of a note
is its date, or, if it has none, the first date that appears in it. The first anchor of a unit is
drawn as its gap to e0; every other anchor as its gap to the first, every other date as its gap to
the *true* anchor of the note where it first appears, the last day of a range as its length; each is
rebuilt from the *surrogate* of what it was counted from. A date whose name is that of an earlier
one is the same date: one draw, one charge. Caps go by position, so a later date changes no earlier
one and no share.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, Self

from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.decoding import Decodable

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
        return self.family, self.name

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


LEAP: Final = dt.date(2000, 1, 1).toordinal()
"""Days without a year are days of this leap year."""


def yearless(day: int) -> int:
    """The place of a day's month and day in a leap year, 0–365."""
    date = dt.date.fromordinal(day)
    return date.replace(year=2000).toordinal() - LEAP


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm of the star: a mechanism, what its charges say, and what is drawn where no budget is.

    Args:
        prior: sorted days, equally likely: public knowledge of the gap. Drawn from over the cap.
        signed: whether the gap has a sign of its own; if not, the side is the point's.
    """

    mechanism: Decodable
    loss: Epsilon | EpsilonPerDay
    prior: Sequence[int]
    signed: bool = False
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.mechanism))


class AnchoredDraw(NamedTuple):
    """One date as the star sees it.

    Args:
        base: the key of what the gap is counted from; None for e0, or for 1 January of a leap year.
        side: −1 where the date lies before its base, +1 after it or where the gap is signed.
        noisy: the drawn gap; None where the cap left no budget and nothing is to be released.
        charges: empty where the draw is from the prior.
        anchor: whether other dates of its note are counted from it.
    """

    point: Point
    arm: Arm
    base: tuple[str, str] | None
    side: int
    noisy: int | None
    charges: tuple[Charge, ...] = ()
    anchor: bool = False

    def __repr__(self) -> str:
        return f"AnchoredDraw({self.point!r}, side={self.side}, anchor={self.anchor})"


@dataclass(frozen=True, slots=True)
class AnchoredArms:
    """The arms of one policy, and its caps.

    Args:
        first: of the first anchor, to e0.
        notes: of all other anchors, to the first.
        others: of all other dates, to the anchor of their note.
        lengths: of the last day of a range, to its first.
        yearless: of days without a year; 0–365.
        births: of the first `births_cap` births of the unit, to e0.
        relatives: of further births; they count in `cap`. None: births have no further budget.
        cap: how many draws `first`, `others`, `lengths`, `yearless` and `relatives` make together.
        free: whether what is over a cap is drawn from the public prior instead of left out.
        narrow, narrow_relatives: instead of `births` and `relatives`, for births read from an age
            in months, weeks or days: by the most days of this unit, as a gap to the note.
    """

    first: Arm
    notes: Arm
    others: Arm
    lengths: Arm
    yearless: Arm
    births: Arm
    relatives: Arm | None
    cap: int
    births_cap: int
    free: bool
    narrow: Mapping[int, Arm] = field(default_factory=dict)
    narrow_relatives: Mapping[int, Arm] = field(default_factory=dict)

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Every arm that may draw, those of equal name once."""
        fixed = (self.first, self.notes, self.others, self.lengths, self.yearless, self.births)
        narrow = (*self.narrow.values(), *self.narrow_relatives.values())
        own = (*fixed, *((self.relatives,) if self.relatives else ()), *narrow)
        return tuple({arm.name: arm for arm in own}.values())

    def draw(
        self,
        points: Sequence[Point],
        past: Past,
        order: Mapping[tuple[str, str], Rank],
        *,
        e0: int,
        streams: Streams,
        shift: int = 0,
    ) -> tuple[AnchoredDraw, ...]:
        """A spoke for each date that was not released before, once each, in release order.

        Args:
            points: whose notes are counted on from those of the past.
            order: of the dates of the past and of these; on which side of its anchor a date lies.

        Raises:
            ValueError: a date stands before the date of its note, or the end of a range before its
                start.
        """
        round_ = _Round(self, past, order, e0, streams, shift)
        for point in points:
            round_.add(point)
        return tuple(round_.spokes.values())


class _Round:
    """The draws of one batch. Not frozen: it counts what is spent."""

    def __init__(
        self,
        star: AnchoredArms,
        past: Past,
        order: Mapping[tuple[str, str], Rank],
        e0: int,
        streams: Streams,
        shift: int,
    ) -> None:
        self.star, self.e0, self.streams, self.shift = star, e0, streams, shift
        self.order = order
        self.spokes: dict[tuple[str, str], AnchoredDraw] = {}
        self.days: dict[tuple[str, str], int] = {}
        self.anchors: dict[int, Point] = {}
        self.first: Point | None = None
        self.left, self.births_left = star.cap, star.births_cap
        for point, released in past.entries:
            self._note(point)
            self._spend(point, bool(released.charges))

    def add(self, point: Point) -> None:
        if point.key in self.days:
            self._note(point)
            return
        if point.kind is Kind.BIRTH:
            spoke = self._birth(point)
        elif point.kind is Kind.YEARLESS:
            spoke = self._spoke(point, self.star.yearless, None, 1, yearless(point.day), "366 days")
        else:
            spoke = self._date(point)
        self.spokes[point.key] = spoke
        self._note(point)
        self._spend(point, bool(spoke.charges))

    def _note(self, point: Point) -> None:
        """Keeps a date for the gaps that will be counted from it."""
        self.days.setdefault(point.key, point.day)
        if point.kind in (Kind.NOTE, Kind.EVENT):
            held = self.anchors.setdefault(point.note, point)
            if point.kind is Kind.NOTE and held.kind is not Kind.NOTE:
                raise ValueError("the date of a note must stand before its other dates")
            self.first = self.first or point

    def _spend(self, point: Point, charged: bool) -> None:
        if not charged:
            return
        if point.kind is Kind.BIRTH and self.births_left:
            self.births_left -= 1
        else:
            self.left -= 1

    def _date(self, point: Point) -> AnchoredDraw:
        star = self.star
        if point.kind is Kind.END:
            start = ("date", point.start)
            if start not in self.days:
                raise ValueError("the end of a range must stand after its start")
            gap = point.day - self.days[start]
            return self._spoke(point, star.lengths, start, 1, gap, point.start)
        own = self.anchors.get(point.note)
        anchor = own or self.first
        if anchor is None:
            gap = self.e0 - point.day + self.shift
            return self._spoke(point, star.first, None, -1, gap, f"e0={self.e0}", anchor=True)
        arm = star.notes if own is None else star.others
        gap = point.day - anchor.day
        later = self.order[point.key] > self.order[anchor.key]
        side = 1 if arm.signed or later else -1  # a gap to the other side is clamped to none
        return self._spoke(
            point, arm, anchor.key, side, side * gap, anchor.name, anchor=own is None
        )

    def _birth(self, point: Point) -> AnchoredDraw:
        star = self.star
        arm = star.births
        if not self.births_left and star.relatives is not None:
            arm = star.relatives
        anchor = self.anchors.get(point.note)
        narrow = star.narrow if arm is star.births else star.narrow_relatives
        if point.span in narrow and anchor is not None:
            gap = anchor.day - point.day
            return self._spoke(point, narrow[point.span], anchor.key, -1, gap, anchor.name)
        return self._spoke(point, arm, None, -1, self.e0 - point.day, f"e0={self.e0}")

    def _spoke(
        self,
        point: Point,
        arm: Arm,
        base: tuple[str, str] | None,
        side: int,
        gap: int,
        counted_from: str,
        *,
        anchor: bool = False,
    ) -> AnchoredDraw:
        """The draw. The gap is not in its name: equal gaps draw apart."""
        own = point.kind is Kind.BIRTH and self.births_left
        shared = point.kind is not Kind.BIRTH or self.star.relatives is not None
        funded = own or (self.left > 0 and shared)
        noisy: int | None = None
        charges: tuple[Charge, ...] = ()
        if funded:
            name = (PURPOSE, point.family, arm.name, counted_from, point.name)
            source, event = self.streams.named(*name)
            noisy = arm.mechanism.randomise(gap, source)
            charges = (Charge(self.streams.unit, event, arm.name, arm.loss),)
        elif self.star.free:
            stream = self.streams.stream(PURPOSE, "prior", point.family, arm.name, point.name)
            noisy = stream.choice(arm.prior)
        return AnchoredDraw(point, arm, base, side, noisy, charges, anchor)
