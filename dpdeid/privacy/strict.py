"""The timeline as an anchored star under ε-LDP: a gap costs its ε, however far it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_epsilon, checked_upper
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.likelihood import Decodable
from dpdeid.privacy.losses import Epsilon
from dpdeid.privacy.placing import Placing
from dpdeid.privacy.points import BIRTH_HORIZON, UNIT_SPANS, Past, Point, Released
from dpdeid.privacy.prior_window import PriorWindow
from dpdeid.privacy.priors import ages, log_uniform
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.star import Arm, Star
from dpdeid.privacy.window import Window

_DATES: Final = (
    "each as its gap to the date of its note, notes to the first one and that to e0; ranges, days "
    "without a year and births after the first count in the same cap"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strict:
    """Anchored star under ε-LDP: at most `cap` draws for dates and one for the first birth.

    Two records with the same skeleton, whatever their dates, differ in probability by at most
    exp(cap × epsilon + birth_epsilon): gaps are independent coordinates, each drawn on a public
    domain by a mechanism that the policy fixed. Nothing is chosen by a value: the domain follows
    from the kind of a point, the side of its anchor from the order of the dates, which the skeleton
    holds, and the budget from its position. A date over the cap costs nothing: it is drawn from
    public knowledge, or not released.

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
        cohort_days: how long before e0 a first note may lie; public knowledge of the cohort.
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
        for option in ("epsilon", "birth_epsilon"):
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in ("cap", "cohort_days", "horizon", "longest"):
            checked_upper(getattr(self, option), option)

    def draws(self) -> tuple[Draw, ...]:
        star = _star(self)
        relatives = {} if star.relatives is None else {0: star.relatives}
        shared = (star.first, star.lengths, star.yearless)
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
        past = Past() if past is None else past
        spokes = _star(self).draw(points, past, e0=e0, streams=streams)
        placed = Placing(ordered=True, decode=self.decode).place(spokes, past, e0=e0)
        return tuple(placed[point.key] for point in points)

    def baseline(self, points: Sequence[Point], *, e0: int) -> tuple[Released, ...]:
        """What ε = 0 would give: medians of the public priors in the order of these points.

        What a budget buys is the difference to this, for any number of dates.
        """
        free = replace(_star(self), cap=0, births_cap=0, free=True)
        spokes = free.draw(points, Past(), e0=e0, streams=Streams(bytes(16), "baseline"))
        placed = Placing(ordered=True, decode=True).place(spokes, Past(), e0=e0)
        return tuple(placed[point.key] for point in points)


def _arm(mode: Strict, epsilon: Fraction, prior: Sequence[int]) -> Arm:
    """The mode's mechanism on 0..the end of a prior."""
    upper = prior[-1]
    mechanism: Decodable
    if mode.mechanism == "prior_window" and not isinstance(prior, range):
        mechanism = PriorWindow(epsilon=epsilon, table=tuple(prior))
    elif mode.mechanism == "bounded_laplace":
        mechanism = BoundedLaplace(epsilon=epsilon, upper=upper)
    elif mode.mechanism == "clamped_geometric":
        mechanism = ClampedGeometric(epsilon_per_day=epsilon / upper, lower=0, upper=upper)
    else:
        mechanism = Window(epsilon=epsilon, upper=upper)
    return Arm(mechanism, Epsilon(epsilon), prior)


@lru_cache(maxsize=16)
def _star(mode: Strict) -> Star:
    def narrow(epsilon: Fraction) -> dict[int, Arm]:
        return {span: _arm(mode, epsilon, range(span + 1)) for span in UNIT_SPANS.values()}

    return Star(
        first=_arm(mode, mode.epsilon, range(mode.cohort_days + 1)),
        others=_arm(mode, mode.epsilon, log_uniform(mode.horizon)),
        lengths=_arm(mode, mode.epsilon, log_uniform(mode.longest)),
        yearless=_arm(mode, mode.epsilon, range(366)),
        births=_arm(mode, mode.birth_epsilon, ages(BIRTH_HORIZON)),
        relatives=_arm(mode, mode.epsilon, ages(BIRTH_HORIZON)),
        cap=mode.cap,
        births_cap=1,
        free=mode.over_cap == "prior",
        narrow=narrow(mode.birth_epsilon),
        narrow_relatives=narrow(mode.epsilon),
    )
