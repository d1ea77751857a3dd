"""The timeline as an anchored star of noisy gaps, with a proved loss per day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_epsilon, checked_upper
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import EpsilonPerDay
from dpdeid.privacy.points import PURPOSE, Kind, Point, Released
from dpdeid.privacy.rng import Streams

BIRTH_HORIZON: Final = 43_830  # 120 years


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
    after the last released date of a note.

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
        checked_upper(2 * self.horizon, "twice the horizon")
        if self.shift_days != 0:
            checked_upper(self.shift_days, "shift_days")

    @property
    def _to_e0(self) -> _Arm:
        return _arm(self.epsilon_per_day, 0, self.horizon)

    @property
    def _to_anchor(self) -> _Arm:
        return _arm(self.epsilon_per_day, -self.horizon, self.horizon)

    @property
    def _to_birth(self) -> _Arm:
        return _arm(self.birth_epsilon_per_day, 0, BIRTH_HORIZON)

    def draws(self) -> tuple[Draw, ...]:
        first = "the first date of a record, as its gap to e0"
        if self.shift_days:
            first += (
                f"; a secret shift of up to {self.shift_days} days comes on top, so that moving all"
                f" dates by d days changes no probability by more than d/{2 * self.shift_days + 1}"
            )
        others = "each other date, as its gap to the date of its note"
        near, far, birth = self._to_e0, self._to_anchor, self._to_birth
        dates = (
            Draw("dates", near.name, near.loss, 1, first),
            Draw("dates", far.name, far.loss, self.cap - 1, others),
        )
        return (*dates[: self.cap], Draw("births", birth.name, birth.loss, self.birth_cap))

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order; None over the cap.

        Raises:
            ValueError: a date stands before the date of its note.
        """
        dated = [p for p in points if p.kind is not Kind.BIRTH]
        dates = self._dates(dated, e0, streams)
        notes = (dates[p.name].day for p in dated if p.kind is Kind.NOTE)
        latest = max((day for day in notes if day is not None), default=e0)
        births = self._births([p for p in points if p.kind is Kind.BIRTH], e0, latest, streams)
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
                noisy, charges = to_e0.draw(gap, point, f"e0={e0}", streams)
                day = e0 - noisy
            else:
                anchor = points[0] if is_anchor else anchors[point.note]
                if anchor.name not in days:
                    raise ValueError("the date of a note must stand before the other dates")
                gap = point.day - anchor.day
                noisy, charges = to_anchor.draw(gap, point, anchor.name, streams)
                day = days[anchor.name] + noisy
            days[point.name] = min(day, e0) if is_anchor else day
            released[point.name] = Released(days[point.name], charges)
        return released

    def _births(
        self, points: Sequence[Point], e0: int, latest: int, streams: Streams
    ) -> dict[str, Released]:
        arm = self._to_birth
        released: dict[str, Released] = {}
        for point in points:
            if point.name in released:
                continue
            if len(released) >= self.birth_cap:
                released[point.name] = Released(None)
                continue
            gap = e0 - point.day
            noisy, charges = arm.draw(gap, point, f"e0={e0}", streams)
            released[point.name] = Released(min(e0 - noisy, latest), charges)
        return released

    def _shift(self, streams: Streams) -> int:
        if not self.shift_days:
            return 0
        width = 2 * self.shift_days + 1
        stream = streams.stream(PURPOSE, "date", f"secret-shift(days={self.shift_days})")
        return stream.randbelow(width) - self.shift_days


@dataclass(frozen=True, slots=True)
class _Arm:
    """An arm of the star: a mechanism with what its charges say."""

    mechanism: ClampedGeometric
    name: str
    loss: EpsilonPerDay

    def draw(
        self, gap: int, point: Point, anchor: str, streams: Streams
    ) -> tuple[int, tuple[Charge, ...]]:
        """The noisy gap and its charge. The gap is not in the name: equal gaps draw apart."""
        name = (PURPOSE, point.family, self.name, anchor, point.name)
        noisy = self.mechanism.randomise(gap, streams.stream(*name))
        return noisy, (Charge(streams.unit, streams.event(*name), self.name, self.loss),)


@lru_cache(maxsize=64)
def _arm(rate: Fraction, lower: int, upper: int) -> _Arm:
    mechanism = ClampedGeometric(epsilon_per_day=rate, lower=lower, upper=upper)
    return _Arm(mechanism, str(mechanism), EpsilonPerDay(rate))


def _anchors(points: Sequence[Point]) -> dict[int, Point]:
    """The anchor of each note: its own date, else the first date that appears in it."""
    anchors: dict[int, Point] = {}
    for point in points:
        held = anchors.setdefault(point.note, point)
        if point.kind is Kind.NOTE and held.kind is not Kind.NOTE:
            anchors[point.note] = point
    return anchors
