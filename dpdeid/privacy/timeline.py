"""Surrogates for all days of one record at once: whole days in, whole days out, no text.

Three modes, each a frozen dataclass with `release` and, for `check`, `draws`:
`Paper` is the published design, kept as the reference and charged as no guarantee; `Shift` moves a
record by one secret offset, as i2b2, MIMIC and AP-HP do, and has none either; `Metric` is proved:
every date is noised as its gap to a true anchor and rebuilt from the anchor's surrogate (a star,
not a chain, so that noises do not add up), with a loss per day.

Days are proleptic Gregorian ordinals (`date.toordinal`). Which dates are equal, their order and
their number are part of what a release shows anyway (the skeleton), and are not protected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.exact import text
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import EpsilonPerDay, NoGuarantee
from dpdeid.privacy.mechanisms import (
    BoundedLaplace,
    ClampedGeometric,
    checked_epsilon,
    checked_upper,
)
from dpdeid.privacy.rng import Streams

BIRTH_HORIZON: Final = 43_830  # 120 years
_PURPOSE: Final = "timeline"


class Kind(StrEnum):
    """What happened on a day."""

    NOTE = "note"
    EVENT = "event"
    BIRTH = "birth"


@dataclass(frozen=True, slots=True)
class Point:
    """One distinct date of a record.

    Args:
        name: its canonical value with the printed precision, and for a birth the person: equal
            names of one family (births, all other dates) are one date. It names the random stream
            and is never released.
        day: its ordinal.
        note: the index of the note in which it first appears, in release order.
    """

    name: str = field(repr=False)
    day: int = field(repr=False)
    kind: Kind
    note: int

    @property
    def family(self) -> str:
        """Births and other dates are drawn apart, and no equality between them is used."""
        return "birth" if self.kind is Kind.BIRTH else "date"


@dataclass(frozen=True, slots=True)
class Released:
    """The surrogate day of a point and what it cost; None where the cap leaves nothing."""

    day: int | None = field(repr=False)
    charges: tuple[Charge, ...] = ()


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

    def draws(self) -> tuple[Draw, ...]:
        return (Draw("dates and ages", str(self), self._loss(), None, "ε is split over them"),)

    @staticmethod
    def _loss() -> NoGuarantee:
        return NoGuarantee(
            "ε-LDP for an interval only given its category, the order and the number of dates"
        )

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order. Equal days get equal surrogates."""
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
            name = (_PURPOSE, "chain", str(mechanism), f"{before}", f"{day}")
            noisy = mechanism.randomise(interval, streams.stream(*name))
            surrogate += direction * noisy
            charge = Charge(streams.unit, streams.event(*name), str(self), self._loss())
            released[day] = Released(surrogate, (charge,))
            before = day
        return released


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One secret offset for all dates of a unit; every interval stays exact. No guarantee.

    The offset is uniform on −days..days without 0. Where it would carry a note past e0 its sign is
    turned, so that nothing is dated in the future; notes of one patient must therefore be released
    together, or the offset be kept and passed. Each birth moves by an offset of its own.

    Args:
        days: the largest offset, ≥ 1.
        birth_days: the largest offset of a birth, ≥ 1.
        offset: a known offset of this unit, not 0; used as it is.

    Raises:
        ValueError: an option is out of range.
    """

    days: int = 365
    birth_days: int = 365
    offset: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        checked_upper(self.days, "days")
        checked_upper(self.birth_days, "birth_days")
        if self.offset == 0:
            raise ValueError("offset must not be 0")

    def _mechanism(self, days: int) -> str:
        return f"shift(days={days})"

    def _loss(self) -> NoGuarantee:
        return NoGuarantee("one secret offset for all dates: intervals stay exact")

    def _birth_loss(self) -> NoGuarantee:
        return NoGuarantee("one secret offset for each birth")

    def draws(self) -> tuple[Draw, ...]:
        return (
            Draw("dates", self._mechanism(self.days), self._loss(), 1),
            Draw("births", self._mechanism(self.birth_days), self._birth_loss()),
        )

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order; intervals between dates are kept."""
        notes = [p.day for p in points if p.kind is Kind.NOTE]
        latest = max(notes or [p.day for p in points if p.kind is Kind.EVENT], default=e0)
        name = (_PURPOSE, "date", self._mechanism(self.days))
        offset = self._offset(self.days, streams, name) if self.offset is None else self.offset
        if self.offset is None and offset > max(e0 - latest, 0):
            offset = -offset
        charge = Charge(streams.unit, streams.event(*name), name[-1], self._loss())
        return tuple(
            self._birth(point, e0, streams)
            if point.kind is Kind.BIRTH
            else Released(point.day + offset, (charge,))
            for point in points
        )

    def _birth(self, point: Point, e0: int, streams: Streams) -> Released:
        name = (_PURPOSE, "birth", self._mechanism(self.birth_days), point.name)
        moved = point.day + self._offset(self.birth_days, streams, name)
        charge = Charge(streams.unit, streams.event(*name), name[2], self._birth_loss())
        return Released(min(moved, e0), (charge,))

    @staticmethod
    def _offset(days: int, streams: Streams, name: Iterable[str]) -> int:
        drawn = streams.stream(*name).randbelow(2 * days)
        return drawn - days if drawn < days else drawn - days + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Anchored star with clamped geometric noise: ε per day for every gap, at most `cap` gaps.

    The anchor of a note is its date, or, if it has none, the first date that appears in it. The
    first anchor of the record is drawn as its gap to e0; every other anchor as its signed gap to
    the first, every other date as its signed gap to the true anchor of the note where it first
    appears; each is rebuilt from the *surrogate* of that anchor. A date whose name is that of an
    earlier one is the same date: one draw, one charge. Births are gaps to e0 with their own ε.

    Two records with the same skeleton differ in probability by at most exp(L), L = epsilon_per_day
    × the days by which their gaps differ, over at most `cap` gaps, + birth_epsilon_per_day × the
    days by which their births differ, over at most `birth_cap`. With `shift_days` = s > 0 a secret
    uniform shift on −s..s is added to the true gap of the first anchor: two records that differ
    only by moving all dates by d days are then also within d / (2s + 1) in total variation.

    Clamps use public facts and released values only: an anchor is never after e0, and no birth
    after the last released anchor.

    Args:
        epsilon_per_day, birth_epsilon_per_day: > 0, exact.
        cap: at most how many dates are drawn, by position; the others are not released.
        shift_days: the largest secret shift, 0 for none.
        horizon: the largest gap in days; larger ones are clamped.
        birth_cap: at most how many births are drawn.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_day: Fraction
    birth_epsilon_per_day: Fraction
    cap: int
    shift_days: int = 0
    horizon: int = 36_500
    birth_cap: int = 5

    def __post_init__(self) -> None:
        for option in ("epsilon_per_day", "birth_epsilon_per_day"):
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in ("cap", "horizon", "birth_cap"):
            checked_upper(getattr(self, option), option)
        if self.shift_days != 0:
            checked_upper(self.shift_days, "shift_days")

    @property
    def _to_e0(self) -> ClampedGeometric:
        return ClampedGeometric(epsilon_per_day=self.epsilon_per_day, lower=0, upper=self.horizon)

    @property
    def _to_anchor(self) -> ClampedGeometric:
        rate, horizon = self.epsilon_per_day, self.horizon
        return ClampedGeometric(epsilon_per_day=rate, lower=-horizon, upper=horizon)

    @property
    def _to_birth(self) -> ClampedGeometric:
        rate = self.birth_epsilon_per_day
        return ClampedGeometric(epsilon_per_day=rate, lower=0, upper=BIRTH_HORIZON)

    def draws(self) -> tuple[Draw, ...]:
        shifted = (
            f"a secret shift of up to {self.shift_days} days comes on top: moving all dates by d "
            f"days changes any probability by at most d/{2 * self.shift_days + 1}"
            if self.shift_days
            else ""
        )
        rate, birth_rate = EpsilonPerDay(self.epsilon_per_day), self._birth_loss
        return (
            Draw("dates", str(self._to_anchor), rate, self.cap, shifted),
            Draw("births", str(self._to_birth), birth_rate, self.birth_cap, "not shifted"),
        )

    @property
    def _birth_loss(self) -> EpsilonPerDay:
        return EpsilonPerDay(self.birth_epsilon_per_day)

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order; None over the cap.

        Raises:
            ValueError: a date stands before the date of its note.
        """
        dated = [p for p in points if p.kind is not Kind.BIRTH]
        dates = self._dates(dated, e0, streams)
        anchors = {anchor.name for anchor in _anchors(dated).values()}
        known = [d.day for name, d in dates.items() if name in anchors and d.day is not None]
        births = self._births(
            [p for p in points if p.kind is Kind.BIRTH], e0, max(known, default=e0), streams
        )
        return tuple((births if p.kind is Kind.BIRTH else dates)[p.name] for p in points)

    def _dates(self, points: Sequence[Point], e0: int, streams: Streams) -> dict[str, Released]:
        anchors = _anchors(points)
        to_e0, to_anchor = self._to_e0, self._to_anchor
        released: dict[str, Released] = {}
        days: dict[str, int] = {}
        for point in points:
            if point.name in released:
                continue
            if len(released) >= self.cap:
                released[point.name] = Released(None)
                continue
            is_anchor = anchors[point.note] == point
            if not released:
                gap = e0 - point.day + self._shift(streams)
                noisy, charges = self._draw(to_e0, gap, point, f"e0={e0}", streams)
                day = e0 - noisy
            else:
                anchor = points[0] if is_anchor else anchors[point.note]
                if anchor.name not in days:
                    raise ValueError("the date of a note must stand before the other dates")
                gap = point.day - anchor.day
                noisy, charges = self._draw(to_anchor, gap, point, anchor.name, streams)
                day = days[anchor.name] + noisy
            days[point.name] = min(day, e0) if is_anchor else day
            released[point.name] = Released(days[point.name], charges)
        return released

    def _births(
        self, points: Sequence[Point], e0: int, latest: int, streams: Streams
    ) -> dict[str, Released]:
        mechanism = self._to_birth
        released: dict[str, Released] = {}
        for point in points:
            if point.name in released:
                continue
            if len(released) >= self.birth_cap:
                released[point.name] = Released(None)
                continue
            gap = e0 - point.day
            noisy, charges = self._draw(mechanism, gap, point, f"e0={e0}", streams)
            released[point.name] = Released(min(e0 - noisy, latest), charges)
        return released

    def _shift(self, streams: Streams) -> int:
        if not self.shift_days:
            return 0
        width = 2 * self.shift_days + 1
        stream = streams.stream(_PURPOSE, "date", f"secret-shift(days={self.shift_days})")
        return stream.randbelow(width) - self.shift_days

    @staticmethod
    def _draw(
        mechanism: ClampedGeometric, gap: int, point: Point, anchor: str, streams: Streams
    ) -> tuple[int, tuple[Charge, ...]]:
        """The noisy gap and its charge. The gap itself is not in the name: equal gaps differ."""
        name = (_PURPOSE, point.family, str(mechanism), anchor, point.name)
        noisy = mechanism.randomise(gap, streams.stream(*name))
        loss = EpsilonPerDay(mechanism.epsilon_per_day)
        return noisy, (Charge(streams.unit, streams.event(*name), name[2], loss),)


def _anchors(points: Sequence[Point]) -> dict[int, Point]:
    """The anchor of each note: its own date, else the first date that appears in it."""
    anchors: dict[int, Point] = {}
    for point in points:
        held = anchors.setdefault(point.note, point)
        if point.kind is Kind.NOTE and held.kind is not Kind.NOTE:
            anchors[point.note] = point
    return anchors


Timeline = Paper | Shift | Metric
