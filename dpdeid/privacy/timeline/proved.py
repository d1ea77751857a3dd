"""The timelines with a proved loss: the chain of a record (`chain`) under two kinds of noise.

`Metric` charges a gap by the steps of a public table, which are short at short gaps; under `Strict`
(ε-LDP) it costs its ε, however far it moves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final, Literal, assert_never

from dpdeid.privacy.ledger import Draw, Wording
from dpdeid.privacy.losses import Epsilon, EpsilonPerStep
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.mechanisms.contract import checked_epsilon, checked_upper
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import PER_STEP, STEPS, ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.drawing import Arm, Arms, release
from dpdeid.privacy.timeline.points import (
    BIRTH_HORIZON,
    NOISED,
    PURPOSE,
    UNIT_SPANS,
    Past,
    Point,
    Released,
)
from dpdeid.privacy.timeline.priors import Prior, ages, evenly, log_uniform, mostly
from dpdeid.privacy.timeline.saying import SHOWN, said

_YEAR, _WEEK, _STAY, _AHEAD, _BEFORE, _AGED = 365, 7, 3, 30, 60, 3_650
"""Days: of a year and a week, and within which half of the gaps of a role lie, as far as known."""


class _Chained:
    """What the proved modes share: a chain, and arms for its roles."""

    __slots__ = ()

    def arms(self) -> tuple[Arm, ...]:
        """Its mechanisms with the public priors of what they draw."""
        return _arms(self).arms

    def arm(self, role: Role) -> Arm:
        """That of a role, births of newborns apart."""
        return _arms(self).of[role]

    def of_births(self) -> tuple[Decodable, ...]:
        """What draws the birth that has a budget of its own, newborns included."""
        arms = _arms(self)
        return tuple(arm.mechanism for arm in (arms.of[Role.BIRTH], *arms.newborn.values()))

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order, beside a past that stays as it is."""
        since, shift = e0 - self._reach(), partial(self._shift, streams)
        return release(
            _arms(self), points, e0=e0, since=since, streams=streams, past=past, shift=shift
        )

    def _arms(self) -> Arms:
        raise NotImplementedError

    def _reach(self) -> int:
        """How long before e0 the first date may come to lie."""
        raise NotImplementedError

    def _shift(self, streams: Streams, first: str) -> int:
        """By how many days the first date, of this name, is moved."""
        return 0

    def _settle(self, rates: Sequence[str], counts: Sequence[str]) -> None:
        """Checks options; rates become exact."""
        for option in rates:
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in counts:
            checked_upper(getattr(self, option), option)


@lru_cache(maxsize=32)
def _arms(mode: _Chained) -> Arms:
    return mode._arms()


Curve = tuple[Fraction, Fraction, int]
"""The noise at a gap: a share of what is over so many days (the last number), and the least."""
CURVES: Final = (Role.STAY, Role.READ, Role.BEFORE, Role.AHEAD)
"""The roles whose noise a policy chooses by a curve."""
ENDING: Final = (Role.BIRTH, Role.AGED, Role.ROUGH)
"""Those whose noise has an end: ages are told in years, and the year of a diagnosis makes one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(_Chained):
    """A chain with noise in proportion to each gap, by role; a loss in steps of public tables.

    The noise at a gap of t days is max(least, share × t): a few hours within a stay, months in the
    history. Two records with the same skeleton differ in probability by at most exp(L), L = 1/32 ×
    the steps by which their gaps differ (`ProportionalNoise`), over at most `cap` dates and
    `birth_cap` births. The gap of the first date to e0 has 1 / epsilon_per_day days of noise at any
    gap. With `shift_days` = s > 0 a secret uniform number of 0..s days is taken off the first date:
    two records that differ only by moving all dates and all births by d days are then also within
    d / (s + 1) in total variation.

    What is printed is the posterior median of each gap, under public priors by role and with the
    days of the week on which hospitals work; see `placing` for clamps.

    Args:
        epsilon_per_day: of the first date, > 0, exact.
        cap: at most how many dates are drawn, by position.
        stay, read, before, ahead: share and least days of noise of gaps of a `Role`, exact.
        birth: of an age on the first note, the share, the least and the most days of noise.
        aged: the same of an age of the past, as the gap to the one before it or to the birth.
        rough: the same of a date printed in part.
        shift_days: the largest secret shift, 0 for none.
        horizon: the largest gap in days; larger ones are clamped.
        birth_cap: at most how many births are drawn.
        over_cap: whether the others come from public knowledge, for free, or are not released.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_day: Fraction
    cap: int
    stay: Curve = (Fraction(9, 25), Fraction(3, 5), 0)
    read: Curve = (Fraction(9, 50), Fraction(1), 0)
    before: Curve = (Fraction(31, 50), Fraction(4), 14)
    ahead: Curve = (Fraction(1, 4), Fraction(2), 0)
    rough: tuple[Fraction, Fraction, int] = (Fraction(3, 5), Fraction(30), 700)
    birth: tuple[Fraction, Fraction, int] = (Fraction(9, 25), Fraction(3, 5), 200)
    aged: tuple[Fraction, Fraction, int] = (Fraction(4, 25), Fraction(7), 700)
    shift_days: int = 0
    horizon: int = 36_500
    birth_cap: int = 5
    over_cap: Literal["redact", "prior"] = "redact"

    def __post_init__(self) -> None:
        self._settle(("epsilon_per_day",), ("cap", "horizon", "birth_cap"))
        for role in (Role.FIRST, *ENDING, *CURVES):
            self.noise(role)
        if self.shift_days != 0:
            checked_upper(self.shift_days, "shift_days")

    def noise(self, role: Role) -> ProportionalNoise:
        """The noise of the gaps of a role: FIRST, or one that a policy chooses."""
        still = (Fraction(0), 1 / self.epsilon_per_day, 0)
        try:
            share, least, last = still if role is Role.FIRST else getattr(self, role.value)
            if role in ENDING:
                upper = self.horizon if role is Role.ROUGH else BIRTH_HORIZON
                return ProportionalNoise(share=share, least=least, most=last, upper=upper)
            return ProportionalNoise(share=share, least=least, after=last, upper=self.horizon)
        except (TypeError, ValueError) as error:
            option = "epsilon_per_day" if role is Role.FIRST else role.value
            raise ValueError(f"{option}: {error}") from None

    def moved(self, gaps: Sequence[tuple[Role, int, int]]) -> Fraction:
        """The loss where gaps of these roles change from so many days to so many."""
        return sum((self.noise(role).loss(*days) for role, *days in gaps), Fraction(0))

    def scaled(self, by: Fraction) -> Metric:
        """The same with every loss times a factor, so much less noise at each gap; none is larger
        than the horizon.
        """
        curves: dict[str, Any] = {}
        for role in (*CURVES, *ENDING):
            share, least, last = getattr(self, role.value)
            last = math.ceil(last / by) if role in ENDING else last
            curves[role.value] = (share / by, least / by, last)
        return replace(self, epsilon_per_day=self.epsilon_per_day * by, **curves)

    def draws(self) -> tuple[Draw, ...]:
        arms = _arms(self)
        first = "the first date of a record, as its gap to e0"
        if self.shift_days:
            first += (
                f"; a secret shift of up to {self.shift_days} days comes on top, so that moving all"
                " dates and all births by d days changes no probability by more than"
                f" d/{self.shift_days + 1}"
            )
        told = {
            Role.FIRST: first,
            Role.STAY: "within a stay that the text tells, to the neighbouring date",
            Role.READ: "without a year, to the date from which one reads on",
            Role.AHEAD: "after the last note, to the date before",
            Role.BEFORE: "any other date, to its neighbour",
            Role.ROUGH: "dates printed in part, to the next date on the side of their note",
            Role.AGED: "ages of the past, to the age before or the birth",
        }
        dates = [
            Draw("dates", arms.of[role].name, arms.of[role].loss, self.cap * (not at), note)
            for at, (role, note) in enumerate(told.items())
        ]
        own = arms.of[Role.BIRTH]
        return (*dates, Draw("births", own.name, own.loss, self.birth_cap, "to the first note"))

    def wording(self) -> Wording:
        """Its part of the statement."""
        remarks = []
        if self.shift_days:
            remarks.append(
                "If the two records have a date that is printed fully, and differ only by moving "
                "all dates and all births by the same d days, the probability of any "
                f"set of outputs also differs by at most d/{self.shift_days + 1}."
            )
        curves = "; ".join(f"{role.value}: {said(*getattr(self, role))}" for role in CURVES)
        shown = (f"{what}: L = {figure(self.moved(gaps), 2)}" for gaps, what in SHOWN)
        still = figure(1 / self.epsilon_per_day)
        of = {"birth": "age", "aged": "gap", "rough": "gap"}
        lives = "; ".join(
            f"{name}: {figure(100 * share)} % of the {what}, at least {figure(low)} and at most "
            f"{high} days"
            for name, what in of.items()
            for share, low, high in [getattr(self, name)]
        )
        remarks.append(
            f"{STEPS} steps are about a change of a gap by the noise at it (first date: {still} "
            f"days; {curves}; {lives}), so that, for {'; '.join(shown)}. A date "
            "between two others changes two gaps when it moves, and both count. This is not "
            "ε-differential privacy: values far apart can be told apart."
        )
        terms = (
            f"{PER_STEP} × (sum, over at most {self.cap} noised dates and note dates, of the steps "
            "of the table of its role by which the gap of each, to its neighbour or what else it "
            "is counted from, differs)",
            f"{PER_STEP} × (sum, over at most {self.birth_cap} persons, of the steps by which the "
            "gap of birth to the first note, or to its own, differs)",
        )
        return Wording(NOISED, terms, tuple(remarks))

    def _arms(self) -> Arms:
        def arm(role: Role, prior: Prior, within: int = 0) -> Arm:
            noise = replace(self.noise(role), upper=len(prior.weights) - 1)
            spare = mostly(within, self.horizon) if within else None
            return Arm(noise, EpsilonPerStep(PER_STEP), prior, spare)

        gaps, near = log_uniform(self.horizon), mostly(_WEEK, self.horizon, 2)
        return Arms(
            of={
                Role.FIRST: arm(Role.FIRST, evenly(self.horizon)),
                Role.STAY: arm(Role.STAY, near),
                Role.READ: arm(Role.READ, near),
                Role.AHEAD: arm(Role.AHEAD, gaps, _AHEAD),
                Role.BEFORE: arm(Role.BEFORE, gaps, _BEFORE),
                Role.ROUGH: arm(Role.ROUGH, gaps),
                Role.AGED: arm(Role.AGED, mostly(_AGED, BIRTH_HORIZON)),
                Role.BIRTH: arm(Role.BIRTH, ages(BIRTH_HORIZON)),
            },
            newborn={},
            cap=self.cap,
            births_cap=self.birth_cap,
            free=self.over_cap == "prior",
        )

    def _reach(self) -> int:
        return self.horizon

    def _shift(self, streams: Streams, first: str) -> int:
        """One for each first date: records of one unit that are released apart share none."""
        if not self.shift_days:
            return 0
        stream = streams.stream(PURPOSE, "date", f"secret-shift(days={self.shift_days})", first)
        return stream.randbelow(self.shift_days + 1)


_DATES: Final = (
    "each as its gap to the neighbouring date, the first one to e0; births "
    "after the first count in the same cap"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strict(_Chained):
    """A chain under ε-LDP: at most `cap` draws for dates and one for the first birth.

    Two records with the same skeleton, whatever their dates, differ in probability by at most
    exp(cap × epsilon + birth_epsilon). Nothing is chosen by a value: the domain follows from the
    role of a gap, which the skeleton holds, and the budget from its position. A date over the cap
    costs nothing. What is printed is the posterior median of each gap, under a public prior of its
    role; it is free, and nearer to the truth.

    The domain of a birth is its age on the first note; of a birth beside an age in months, weeks or
    days it is what this unit may have, counted from its note.

    Args:
        mechanism: what draws every gap, each on its own public domain; it costs `epsilon` for any
            two values of it. `prior_window` is the most exact, `bounded_laplace` the published one.
        epsilon: of each gap and birth of a relative, > 0, exact.
        birth_epsilon: of the first birth of the unit, > 0, exact.
        cap: at most how many dates and births of relatives are drawn.
        over_cap: what becomes of the others.
        cohort_days: how long before e0 the first date may lie; public knowledge of the cohort.
        horizon: the largest gap between neighbours; larger ones are clamped.

    Raises:
        ValueError: an option is out of range.
    """

    mechanism: Literal["prior_window", "window", "bounded_laplace", "clamped_geometric"]
    epsilon: Fraction
    birth_epsilon: Fraction
    cap: int
    over_cap: Literal["redact", "prior"] = "redact"
    cohort_days: int = 3_652
    horizon: int = 36_000

    def __post_init__(self) -> None:
        self._settle(("epsilon", "birth_epsilon"), ("cap", "cohort_days", "horizon"))

    def draws(self) -> tuple[Draw, ...]:
        arms = _arms(self)
        own = (arms.of[Role.BIRTH], *arms.newborn.values())
        shared = {arm.name: arm for arm in arms.arms if arm not in own}
        dates, *others = shared.values()
        return (
            Draw("dates and births", dates.name, dates.loss, self.cap, _DATES),
            *(Draw("dates and births", arm.name, arm.loss, 0) for arm in others),
            *(Draw("births", arm.name, arm.loss, int(not at)) for at, arm in enumerate(own)),
        )

    def scaled(self, by: Fraction) -> Strict:
        """The same with a factor times its ε."""
        epsilon, birth = self.epsilon * by, self.birth_epsilon * by
        return replace(self, epsilon=epsilon, birth_epsilon=birth)

    def wording(self) -> Wording:
        """Its part of the statement."""
        total = figure(self.epsilon * self.cap + self.birth_epsilon)
        terms = (
            f"{figure(self.epsilon)} × (the number, at most {self.cap}, of noised dates and note "
            "dates whose gap to their neighbour differs, and of births after the first that do)",
            f"{figure(self.birth_epsilon)} (if the first birth differs)",
        )
        remark = (
            "For dates, births and ages this is ε-local differential privacy given the skeleton "
            f"and the keyed identifiers: at most ε = {total} together, however far they move."
        )
        return Wording(NOISED, terms, (remark,))

    def _arm(self, epsilon: Fraction, prior: Prior) -> Arm:
        """The mode's mechanism on the days of a prior."""
        upper = len(prior.weights) - 1
        mechanism: Decodable
        match self.mechanism:
            case "bounded_laplace":
                mechanism = BoundedLaplace(epsilon=epsilon, upper=upper)
            case "clamped_geometric":
                mechanism = ClampedGeometric(epsilon_per_day=epsilon / upper, lower=0, upper=upper)
            case "prior_window" if not isinstance(prior.table, range):
                mechanism = PriorWindow(epsilon=epsilon, table=tuple(prior.table))
            case "window" | "prior_window":
                mechanism = Window(epsilon=epsilon, upper=upper)
            case _:
                assert_never(self.mechanism)
        return Arm(mechanism, Epsilon(epsilon), prior)

    def _arms(self) -> Arms:
        def newborn(epsilon: Fraction) -> Mapping[int, Arm]:
            return {span: self._arm(epsilon, evenly(span)) for span in UNIT_SPANS.values()}

        near = self._arm(self.epsilon, mostly(_STAY, _YEAR))
        gaps = self._arm(self.epsilon, mostly(_BEFORE, self.horizon))
        relatives = self._arm(self.epsilon, ages(BIRTH_HORIZON))
        return Arms(
            of={
                Role.FIRST: self._arm(self.epsilon, evenly(self.cohort_days)),
                Role.STAY: near,
                Role.READ: near,
                Role.AHEAD: self._arm(self.epsilon, mostly(_AHEAD, self.horizon)),
                Role.BEFORE: gaps,
                Role.ROUGH: self._arm(self.epsilon, log_uniform(self.horizon)),
                Role.AGED: self._arm(self.epsilon, mostly(_AGED, BIRTH_HORIZON)),
                Role.BIRTH: self._arm(self.birth_epsilon, ages(BIRTH_HORIZON)),
            },
            newborn=newborn(self.birth_epsilon),
            cap=self.cap,
            births_cap=1,
            free=self.over_cap == "prior",
            relatives=relatives,
            relatives_newborn=newborn(self.epsilon),
        )

    def _reach(self) -> int:
        return self.cohort_days

    def baseline(self, points: Sequence[Point], *, e0: int) -> tuple[Released, ...]:
        """What ε = 0 would give, medians of public priors in this order: a budget buys the rest."""
        arms = replace(_arms(self), free=True)
        return release(arms, points, e0=e0, since=e0 - self.cohort_days, streams=None)
