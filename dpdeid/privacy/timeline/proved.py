"""The timeline as an anchored star of noisy gaps, with a proved loss.

`Metric` charges a gap by the day; under `Strict` (ε-LDP) it costs its ε, however far it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, assert_never

from dpdeid.privacy.ledger import Draw, Wording
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.mechanisms.contract import checked_epsilon, checked_upper
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.anchored import (
    BIRTH_HORIZON,
    NOISED,
    PURPOSE,
    UNIT_SPANS,
    AnchoredArms,
    Arm,
    Past,
    Point,
    Released,
)
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.priors import ages, between_notes, log_uniform
from dpdeid.privacy.timeline.reconstruction import Order, release

_MONTH, _YEAR = 30, 365
_ATOMS: Final = 1 << 12
"""Enough entries for a prior that is only drawn from over the cap."""


class _Anchored:
    """What the proved modes share: a star of arms, and where its gaps are placed."""

    __slots__ = ()

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
        order, days = self._placing()
        shift = self._shift(streams)
        return release(
            _star(self), order, days, points, past=past, e0=e0, streams=streams, shift=shift
        )

    def _star(self) -> AnchoredArms:
        raise NotImplementedError

    def _placing(self) -> tuple[Order, int]:
        """What is made of the order, and how long before e0 an anchor may lie."""
        raise NotImplementedError

    def _shift(self, streams: Streams) -> int:
        return 0

    def _settle(self, rates: Sequence[str], counts: Sequence[str]) -> None:
        """Checks options; rates become exact."""
        for option in rates:
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in counts:
            checked_upper(getattr(self, option), option)


@lru_cache(maxsize=32)
def _star(mode: _Anchored) -> AnchoredArms:
    return mode._star()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(_Anchored):
    """Anchored star with clamped geometric noise: ε per day for every gap, at most `cap` gaps.

    Which gap of a date is drawn: see `anchored`. Gaps but the first have a sign of their own.

    Two records with the same skeleton differ in probability by at most exp(L), L = epsilon_per_day
    × the days by which their gaps differ, over at most `cap` gaps, + birth_epsilon_per_day × the
    days by which their births differ, over at most `birth_cap`. With `shift_days` = s > 0 a secret
    uniform shift on −s..s is added to the true gap of the first anchor: two records that differ
    only by moving all dates with a year by d days, but no birth (ages are read as births) and no
    day without a year, are then also within d / (2s + 1) in total variation.

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

    def __post_init__(self) -> None:
        rates = "epsilon_per_day", "birth_epsilon_per_day"
        self._settle(rates, ("cap", "horizon", "longest", "birth_cap"))
        checked_upper(2 * self.horizon, "twice the horizon")
        if self.shift_days != 0:
            checked_upper(self.shift_days, "shift_days")

    def draws(self) -> tuple[Draw, ...]:
        star = _star(self)
        first = "the first date of a record, as its gap to e0"
        if self.shift_days:
            first += (
                f"; a secret shift of up to {self.shift_days} days comes on top, so that moving all"
                " dates with a year, and no birth, by d days changes no probability by more than"
                f" d/{2 * self.shift_days + 1}"
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

    def wording(self) -> Wording:
        """Its part of the statement."""
        remarks = []
        if self.shift_days:
            remarks.append(
                "If the two records differ only by moving all dates that have a year by the same "
                "d days, while births, those that ages are read as too, and days without a year "
                "stay, the probability of any set of outputs also differs by at most "
                f"d/{2 * self.shift_days + 1}."
            )
        intervals = figure(self.epsilon_per_day * self.cap * _MONTH)
        births = figure(self.birth_epsilon_per_day * _YEAR)
        remarks.append(
            "This is not ε-differential privacy: values far apart can be told apart "
            f"({self.cap} intervals changed by {_MONTH} days each: L = {intervals}; one birth "
            f"changed by a year: L = {births})."
        )
        terms = (
            f"{figure(self.epsilon_per_day)} × (sum, over at most {self.cap} noised dates and note "
            "dates, of the days by which the gap of each to its anchor differs)",
            f"{figure(self.birth_epsilon_per_day)} × (sum, over at most {self.birth_cap} persons, "
            "of the days by which the gap of birth to e0 differs)",
        )
        return Wording(NOISED, terms, tuple(remarks))

    def _star(self) -> AnchoredArms:
        loss = EpsilonPerDay(self.epsilon_per_day)

        def arm(lower: int, upper: int, prior: Sequence[int]) -> Arm:
            rate = self.epsilon_per_day
            geometric = ClampedGeometric(epsilon_per_day=rate, lower=lower, upper=upper)
            return Arm(geometric, loss, prior, signed=lower < 0)

        births = ClampedGeometric(
            epsilon_per_day=self.birth_epsilon_per_day, lower=0, upper=BIRTH_HORIZON
        )
        gaps = log_uniform(self.horizon, _ATOMS)
        others = arm(-self.horizon, self.horizon, (*(-gap for gap in reversed(gaps)), *gaps))
        return AnchoredArms(
            first=arm(0, self.horizon, gaps),
            notes=others,
            others=others,
            lengths=arm(0, self.longest, log_uniform(self.longest, _ATOMS)),
            yearless=arm(0, 365, range(366)),
            births=Arm(births, EpsilonPerDay(self.birth_epsilon_per_day), ages(BIRTH_HORIZON)),
            relatives=None,
            cap=self.cap,
            births_cap=self.birth_cap,
            free=self.over_cap == "prior",
        )

    def _placing(self) -> tuple[Order, int]:
        return Order.UNDRAWN, self.horizon

    def _shift(self, streams: Streams) -> int:
        if not self.shift_days:
            return 0
        width = 2 * self.shift_days + 1
        stream = streams.stream(PURPOSE, "date", f"secret-shift(days={self.shift_days})")
        return stream.randbelow(width) - self.shift_days


_DATES: Final = (
    "each as its gap to the date of its note, notes to the first one and that to e0; ranges, days "
    "without a year and births after the first count in the same cap"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strict(_Anchored):
    """Anchored star under ε-LDP: at most `cap` draws for dates and one for the first birth.

    Two records with the same skeleton, whatever their dates, differ in probability by at most
    exp(cap × epsilon + birth_epsilon). Nothing is chosen by a value: the domain follows from the
    kind of a point, the side of its anchor from the order of the dates, which the skeleton holds,
    and the budget from its position. A date over the cap costs nothing.

    The domain of a birth is its age on e0; of a birth that is read from an age in months, weeks or
    days it is what this unit may have, counted from its note. Days without a year are 366.

    Args:
        mechanism: what draws every gap, each on its own public domain; it costs `epsilon` for any
            two values of it. `prior_window` is the most exact, `bounded_laplace` the published one.
        epsilon: of each date, length and birth of a relative, > 0, exact.
        birth_epsilon: of the first birth of the unit, > 0, exact.
        cap: at most how many dates, lengths and births of relatives are drawn.
        over_cap: what becomes of the others.
        decode: whether the posterior median, given all draws and the order, is released instead of
            the draws; free, and nearer to the truth.
        cohort_days: how long before e0 a note may lie; public knowledge of the cohort.
        horizon: the largest gap of a date to its note.
        longest: the most days from the first of a range to its last. Larger values are clamped.

    Raises:
        ValueError: an option is out of range.
    """

    mechanism: Literal["prior_window", "window", "bounded_laplace", "clamped_geometric"]
    epsilon: Fraction
    birth_epsilon: Fraction
    cap: int
    over_cap: Literal["redact", "prior"] = "redact"
    decode: bool = False
    cohort_days: int = 3_652
    horizon: int = 36_000
    longest: int = 365

    def __post_init__(self) -> None:
        counts = "cap", "cohort_days", "horizon", "longest"
        self._settle(("epsilon", "birth_epsilon"), counts)

    def draws(self) -> tuple[Draw, ...]:
        star = _star(self)
        relatives = {} if star.relatives is None else {0: star.relatives}
        shared = (star.first, star.notes, star.lengths, star.yearless)
        return (
            Draw("dates and births", star.others.name, star.others.loss, self.cap, _DATES),
            *(Draw("dates", arm.name, arm.loss, 0) for arm in shared),
            Draw("births", star.births.name, star.births.loss, 1),
            *(
                Draw("births", arm.name, arm.loss, 0)
                for arms in (star.narrow, relatives, star.narrow_relatives)
                for arm in arms.values()
            ),
        )

    def wording(self) -> Wording:
        """Its part of the statement."""
        total = figure(self.epsilon * self.cap + self.birth_epsilon)
        terms = (
            f"{figure(self.epsilon)} × (the number, at most {self.cap}, of dates, note dates, "
            "range lengths and births after the first that differ)",
            f"{figure(self.birth_epsilon)} (if the first birth differs)",
        )
        remark = (
            "For dates, births and ages this is ε-local differential privacy given the skeleton "
            f"and the keyed identifiers: at most ε = {total} together, however far they move."
        )
        return Wording(NOISED, terms, (remark,))

    def _arm(self, epsilon: Fraction, prior: Sequence[int]) -> Arm:
        """The mode's mechanism on 0..the end of a prior."""
        upper = prior[-1]
        mechanism: Decodable
        match self.mechanism:
            case "bounded_laplace":
                mechanism = BoundedLaplace(epsilon=epsilon, upper=upper)
            case "clamped_geometric":
                mechanism = ClampedGeometric(epsilon_per_day=epsilon / upper, lower=0, upper=upper)
            case "prior_window" if not isinstance(prior, range):
                mechanism = PriorWindow(epsilon=epsilon, table=tuple(prior))
            case "window" | "prior_window":
                mechanism = Window(epsilon=epsilon, upper=upper)
            case _:
                assert_never(self.mechanism)
        return Arm(mechanism, Epsilon(epsilon), prior)

    def _star(self) -> AnchoredArms:
        def narrow(epsilon: Fraction) -> dict[int, Arm]:
            return {span: self._arm(epsilon, range(span + 1)) for span in UNIT_SPANS.values()}

        return AnchoredArms(
            first=self._arm(self.epsilon, range(self.cohort_days + 1)),
            notes=self._arm(self.epsilon, between_notes(self.cohort_days)),
            others=self._arm(self.epsilon, log_uniform(self.horizon)),
            lengths=self._arm(self.epsilon, log_uniform(self.longest)),
            yearless=self._arm(self.epsilon, range(366)),
            births=self._arm(self.birth_epsilon, ages(BIRTH_HORIZON)),
            relatives=self._arm(self.epsilon, ages(BIRTH_HORIZON)),
            cap=self.cap,
            births_cap=1,
            free=self.over_cap == "prior",
            narrow=narrow(self.birth_epsilon),
            narrow_relatives=narrow(self.epsilon),
        )

    def _placing(self) -> tuple[Order, int]:
        return Order.DECODED if self.decode else Order.CLAMPED, self.cohort_days

    def baseline(self, points: Sequence[Point], *, e0: int) -> tuple[Released, ...]:
        """What ε = 0 would give: medians of the public priors in the order of these points.

        What a budget buys is the difference to this, for any number of dates.
        """
        star = replace(_star(self), cap=0, births_cap=0, free=True)
        streams = Streams(bytes(16), "baseline")
        return release(star, Order.DECODED, self.cohort_days, points, e0=e0, streams=streams)
