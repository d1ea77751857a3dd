"""The timelines without a guarantee.

`Paper` is the published design, kept as the reference; `Shift` moves the timeline as a whole, what
i2b2, MIMIC and AP-HP do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, Literal

from dpdeid.privacy.exact import text
from dpdeid.privacy.ledger import Charge, Draw
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.mechanisms.contract import checked_epsilon, checked_upper
from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline.points import PURPOSE, Kind, Past, Point, Released

_CHAIN_LOSS: Final = NoGuarantee(
    "ε-LDP for an interval only given its category, the order and the number of dates"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The published design, HNFC Algorithm 2: a chain of bounded Laplace intervals back from e0.

    All days (births and ages included) are sorted; each interval between neighbours, the first one
    to e0, takes the smallest category that holds it; `epsilon` is split evenly over the distinct
    days; the days are rebuilt from e0. Days after e0, which the paper leaves open, make a second
    chain forwards, in the same way. e0 may be the note's own date in this mode; a day equal to it
    is an interval of 0 like any other.

    This is ε-LDP for one interval only once its category, the order and the number of days are
    given, and these depend on the data: 50 days never print more than 61, 700 nearly always do. So
    it is charged as no guarantee. Tchouka et al. 2022.

    Args:
        epsilon: the share of all dates and ages of a record, > 0.
        categories: the widths in days, ascending.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon: Fraction
    categories: tuple[int, ...] = (61, 660, 36_000)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon, "epsilon"))
        object.__setattr__(self, "categories", tuple(self.categories))
        if not self.categories or list(self.categories) != sorted(set(self.categories)):
            raise ValueError("categories must be widths in ascending order")
        for width in self.categories:
            checked_upper(width, "categories")

    def __str__(self) -> str:
        widths = "/".join(map(str, self.categories))
        return f"paper(epsilon={text(self.epsilon)}, categories={widths})"

    def scaled(self, by: Fraction) -> Paper:
        """The same with a factor times its ε."""
        return replace(self, epsilon=self.epsilon * by)

    def draws(self) -> tuple[Draw, ...]:
        return (Draw("dates and ages", str(self), _CHAIN_LOSS, None, "ε is split over them"),)

    def mechanisms(self) -> tuple[BoundedLaplace, ...]:
        """One for each category, at the ε of a record with a single date."""
        return tuple(BoundedLaplace(epsilon=self.epsilon, upper=w) for w in self.categories)

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order. Equal days get equal surrogates.

        Args:
            past: is not looked at: shares depend on the count, so that a chain is drawn at once.
        """
        days = sorted({point.day for point in points}, reverse=True)
        share = self.epsilon / max(len(days), 1)
        back = self._chain([d for d in days if d <= e0], -1, share, e0, streams)
        ahead = self._chain([d for d in reversed(days) if d > e0], 1, share, e0, streams)
        released = back | ahead
        return tuple(released[point.day] for point in points)

    def _chain(
        self, days: Iterable[int], direction: int, share: Fraction, e0: int, streams: Streams
    ) -> dict[int, Released]:
        released: dict[int, Released] = {}
        before, surrogate = e0, e0
        for day in days:
            interval = abs(day - before)
            width = next((w for w in self.categories if interval <= w), self.categories[-1])
            mechanism = BoundedLaplace(epsilon=share, upper=width)
            name = (PURPOSE, "chain", str(mechanism), f"{before}", f"{day}")
            noisy = mechanism.randomise(interval, streams.stream(*name))
            surrogate += direction * noisy
            charge = Charge(streams.unit, streams.event(*name), str(self), _CHAIN_LOSS)
            released[day] = Released(surrogate, (charge,))
            before = day
        return released


_WEEK: Final = 7
_YEAR: Final = 365.2425
_SEASON: Final = 30
"""Days by which an offset that keeps the season may miss a whole number of years."""
_FEWEST: Final = 20
"""Offsets that must be left where some are ruled out: fewer are no secret."""
_YOUNG: Final = 10
"""A birth moves from the dates by at most this part of an age that they tell."""
_LOSS: Final = NoGuarantee("one secret offset for all dates: intervals stay exact")
_BIRTH_LOSS: Final = NoGuarantee("one secret offset for each birth")
_NEWBORN: Final = 27
"""The last day of the neonatal period (ICD-10, chapter XVI), the day of birth being day 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One secret offset for all dates of a unit; every interval stays exact. No guarantee.

    The offset is uniform on `least`..`days` days towards the past. So nothing is dated after e0,
    and the offset depends on the key and the unit alone: notes of a patient that are released one
    by one, in any parts and any order, move together.

    A birth moves apart from the dates, by 1..`birth_days` days towards the past: who knows one does
    not know the offset. But no age that a date tells, on the first note or beside an age of the
    past, changes by more than a tenth: the birth of a child moves nearly as the dates do, no date
    up to the 27th day of life leaves these days, and if the first note is of these days, it moves
    just as the dates do, as it does where the words of a date tell it ("né le …, J3 le …"). No date
    from the birth on comes out before the birth. Ages of the past are as long after the birth as
    they were. Later dates move no birth that was released: notes of a child released apart need
    their past to print the same birth, and a date soon after an adult's birth, first told by a
    later note, may come out before it.

    Args:
        days, least: the largest and the smallest offset, in days, 1 ≤ least ≤ days.
        birth_days: the largest offset of a birth, ≥ 1.
        keep: what of the calendar offsets must keep: "weekday" (whole weeks), "season" (whole
            years, give or take 30 days), both, or nothing.
        offset: a known offset of this unit in days, not 0; used as it is, in both directions.

    Raises:
        ValueError: an option is out of range, or leaves fewer than 20 offsets by what it keeps.
    """

    days: int = 365
    least: int = 1
    birth_days: int = 365
    keep: tuple[Literal["weekday", "season"], ...] = ()
    offset: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for option in ("days", "least", "birth_days"):
            checked_upper(getattr(self, option), option)
        if self.least > self.days:
            raise ValueError("least must not be above days")
        if self.offset == 0:
            raise ValueError("offset must not be 0")
        if not set(self.keep) <= {"weekday", "season"}:
            raise ValueError("keep must be some of weekday, season")
        if self.keep and len(self._offsets()) < _FEWEST:
            raise ValueError(f"keep leaves fewer than {_FEWEST} offsets: days must be larger")

    def _offsets(self) -> Sequence[int]:
        """The lengths an offset may have."""
        every = range(self.least, self.days + 1)
        return every if not self.keep else [days for days in every if self._keeps(days)]

    def _keeps(self, days: int) -> bool:
        off_season = abs(days - round(days / _YEAR) * _YEAR)
        return ("weekday" not in self.keep or days % _WEEK == 0) and (
            "season" not in self.keep or off_season <= _SEASON
        )

    def _mechanism(self) -> str:
        kept = f", keep={'+'.join(sorted(self.keep))}" if self.keep else ""
        return f"shift(days={self.least}..{self.days}{kept})"

    def _birth_mechanism(self) -> str:
        return f"shift(days=1..{self.birth_days})"

    def draws(self) -> tuple[Draw, ...]:
        return (
            Draw("dates", self._mechanism(), _LOSS, 1),
            Draw("births", self._birth_mechanism(), _BIRTH_LOSS),
        )

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order; intervals between dates are kept.

        Args:
            past: what was released of this unit before: it stays, and fixes the offset.

        Raises:
            ValueError: a known offset would carry a note past e0.
        """
        earlier = past.entries if past else ()
        before = {point.key: given for point, given in earlier}
        name = (PURPOSE, "date", self._mechanism())
        stream, event = streams.named(*name)
        offset = self._offset(earlier, stream)
        every = [*(point for point, _ in earlier), *points]
        days = [point.day for point in every if point.kind not in (Kind.BIRTH, Kind.AGED)]
        notes = [point.day for point in every if point.kind is Kind.NOTE]
        if notes and max(notes) + offset > e0:
            raise ValueError("the offset would carry a note past e0")
        first = min(notes) if notes else days[0] if days else e0
        by = offset if days else 0
        cost = (Charge(streams.unit, event, name[-1], _LOSS),)
        tied = {told.base for point in every for told in point.told}
        ages = [p for p in every if p.kind is Kind.AGED and p.name in tied]
        born = {point.name: point.day for point in every if point.kind is Kind.BIRTH}
        found = dict(before)
        for point in points:
            if point.key not in found and point.kind is Kind.BIRTH:
                told = [first, *(age.day for age in ages if age.start == point.name)]
                exact = bool(point.told) or point.name in tied
                found[point.key] = self._birth(point, told, days, by, e0, streams, exact=exact)
        for point in points:
            if point.key not in found:
                given = found.get(("birth", point.start)) if point.kind is Kind.AGED else None
                own = offset if given is None else (given.day or 0) - born[point.start]
                found[point.key] = Released(point.day + own, cost)
        return tuple(found[point.key] for point in points)

    def _offset(self, earlier: Sequence[tuple[Point, Released]], stream: Stream) -> int:
        """The offset of all dates: as given, else what was used before, else drawn."""
        if self.offset is not None:
            return self.offset
        for point, given in earlier:
            if point.kind not in (Kind.BIRTH, Kind.AGED) and given.day is not None:
                return given.day - point.day
        return -stream.choice(self._offsets())

    def _birth(
        self,
        point: Point,
        told: Sequence[int],
        days: Sequence[int],
        offset: int,
        e0: int,
        streams: Streams,
        *,
        exact: bool,
    ) -> Released:
        """A birth: an adult's apart from the dates, a child's with them and further.

        Args:
            told: the first note, and other days that tell an age.
            days: all dates of the unit, which move by `offset`.
            exact: whether words tell how far a date lies from it.
        """
        name = (PURPOSE, "birth", self._birth_mechanism(), point.name)
        stream, event = streams.named(*name)
        age = max(min(told) - point.day, 0)
        ages = [day - point.day for day in days if day >= point.day]
        far = age >= _YOUNG * max(self.birth_days, self.days, abs(self.offset or 0))
        if far and not exact:
            latest = min(-1, offset + min(ages, default=0))
            by = latest - stream.randbelow(max(self.birth_days + latest + 1, 1))
        else:
            left = [0] if exact else [_NEWBORN - days for days in ages if days <= _NEWBORN]
            further = min([age // _YOUNG, *left]) if age > _NEWBORN else 0
            by = offset - stream.randbelow(further + 1)
            by = by or (1 if age else -1)
        charge = Charge(streams.unit, event, name[2], _BIRTH_LOSS)
        return Released(min(point.day + by, e0), (charge,))
