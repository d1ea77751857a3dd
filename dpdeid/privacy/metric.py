"""The timeline as an anchored star of noisy gaps, with a proved loss per day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_epsilon, checked_upper
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.losses import EpsilonPerDay
from dpdeid.privacy.placing import Order, Placing, release
from dpdeid.privacy.points import BIRTH_HORIZON, PURPOSE, Past, Point, Released
from dpdeid.privacy.priors import ages, log_uniform
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.star import Arm, Star

_ATOMS: Final = 1 << 12
"""Enough entries for a prior that is only drawn from over the cap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Anchored star with clamped geometric noise: ε per day for every gap, at most `cap` gaps.

    The anchor of a note is its date, or, if it has none, the first date that appears in it. The
    first anchor of the record is drawn as its gap to e0; every other anchor as its signed gap to
    the first, every other date as its signed gap to the true anchor of the note where it first
    appears; each is rebuilt from the *surrogate* of that anchor. The last day of a range is drawn
    as its length, a day without a year as one of 366. A date whose name is that of an earlier one
    is the same date: one draw, one charge. Births are gaps to e0 with their own ε.

    Two records with the same skeleton differ in probability by at most exp(L), L = epsilon_per_day
    × the days by which their gaps differ, over at most `cap` gaps, + birth_epsilon_per_day × the
    days by which their births differ, over at most `birth_cap`. With `shift_days` = s > 0 a secret
    uniform shift on −s..s is added to the true gap of the first anchor: two records that differ
    only by moving all dates by d days are then also within d / (2s + 1) in total variation.

    Clamps use public facts and released values only: an anchor is never after e0, no birth after
    the last released date of a note, no date before the patient's birth.

    Args:
        epsilon_per_day, birth_epsilon_per_day: > 0, exact.
        cap: at most how many dates are drawn, by position.
        shift_days: the largest secret shift, 0 for none.
        horizon: the largest gap in days; larger ones are clamped.
        longest: the most days from the first of a range to its last; longer ones are clamped.
        birth_cap: at most how many births are drawn.
        over_cap: whether the others come from public knowledge, for free, or are not released.
        ordered: whether the skeleton keeps the order of the dates. Then what comes from public
            knowledge is what is likely between its neighbours; else it is drawn.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_day: Fraction
    birth_epsilon_per_day: Fraction
    cap: int
    shift_days: int = 0
    horizon: int = 36_500
    longest: int = 1_461
    birth_cap: int = 5
    over_cap: Literal["redact", "prior"] = "redact"
    ordered: bool = True

    def __post_init__(self) -> None:
        for option in ("epsilon_per_day", "birth_epsilon_per_day"):
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in ("cap", "horizon", "longest", "birth_cap"):
            checked_upper(getattr(self, option), option)
        checked_upper(2 * self.horizon, "twice the horizon")
        if self.shift_days != 0:
            checked_upper(self.shift_days, "shift_days")

    def draws(self) -> tuple[Draw, ...]:
        star = _star(self)
        first = "the first date of a record, as its gap to e0"
        if self.shift_days:
            first += (
                f"; a secret shift of up to {self.shift_days} days comes on top, so that moving all"
                f" dates by d days changes no probability by more than d/{2 * self.shift_days + 1}"
            )
        others = (
            "each other date, as its gap to the date of its note; ranges, as their length, and days"
            " without a year count in the same cap"
        )
        dates = (
            Draw("dates", star.first.name, star.first.loss, 1, first),
            Draw("dates", star.others.name, star.others.loss, self.cap - 1, others),
            Draw("dates", star.lengths.name, star.lengths.loss, 0),
            Draw("dates", star.yearless.name, star.yearless.loss, 0),
        )
        kept = dates if self.cap > 1 else (dates[0], *dates[2:])
        return (*kept, Draw("births", star.births.name, star.births.loss, self.birth_cap))

    def arms(self) -> tuple[Arm, ...]:
        """Its mechanisms with the public priors of what they draw."""
        return _star(self).arms

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order.

        Args:
            past: what was released of this unit before, which stays as it is.

        Raises:
            ValueError: a date stands before the date of its note.
        """
        placing = Placing(Order.UNDRAWN if self.ordered else Order.UNUSED, self.horizon)
        shift = self._shift(streams)
        return release(_star(self), placing, points, past=past, e0=e0, streams=streams, shift=shift)

    def _shift(self, streams: Streams) -> int:
        if not self.shift_days:
            return 0
        width = 2 * self.shift_days + 1
        stream = streams.stream(PURPOSE, "date", f"secret-shift(days={self.shift_days})")
        return stream.randbelow(width) - self.shift_days


@lru_cache(maxsize=16)
def _star(mode: Metric) -> Star:
    loss = EpsilonPerDay(mode.epsilon_per_day)

    def arm(lower: int, upper: int, prior: Sequence[int]) -> Arm:
        rate = mode.epsilon_per_day
        geometric = ClampedGeometric(epsilon_per_day=rate, lower=lower, upper=upper)
        return Arm(geometric, loss, prior, signed=lower < 0)

    births = ClampedGeometric(
        epsilon_per_day=mode.birth_epsilon_per_day, lower=0, upper=BIRTH_HORIZON
    )
    gaps = log_uniform(mode.horizon, _ATOMS)
    others = arm(-mode.horizon, mode.horizon, (*(-gap for gap in reversed(gaps)), *gaps))
    return Star(
        first=arm(0, mode.horizon, gaps),
        notes=others,
        others=others,
        lengths=arm(0, mode.longest, log_uniform(mode.longest, _ATOMS)),
        yearless=arm(0, 365, range(366)),
        births=Arm(births, EpsilonPerDay(mode.birth_epsilon_per_day), ages(BIRTH_HORIZON)),
        relatives=None,
        cap=mode.cap,
        births_cap=mode.birth_cap,
        free=mode.over_cap == "prior",
    )
