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
from dpdeid.privacy.placing import Order, Placing, release
from dpdeid.privacy.points import BIRTH_HORIZON, UNIT_SPANS, Past, Point, Released
from dpdeid.privacy.prior_window import PriorWindow
from dpdeid.privacy.priors import ages, between_notes, log_uniform
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
        ordered: whether the skeleton keeps the order of the dates. If not, gaps have a sign of
            their own, on a domain twice as wide, and days stay as drawn.
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
    ordered: bool = True
    cohort_days: int = 3_652
    horizon: int = 36_000
    longest: int = 365

    def __post_init__(self) -> None:
        for option in ("epsilon", "birth_epsilon"):
            object.__setattr__(self, option, checked_epsilon(getattr(self, option), option))
        for option in ("cap", "cohort_days", "horizon", "longest"):
            checked_upper(getattr(self, option), option)
        if self.decode and not self.ordered:
            raise ValueError("decode needs ordered: there is no order to decode by")

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
        placing = Placing(self._order(), self.cohort_days)
        return release(_star(self), placing, points, past=past, e0=e0, streams=streams)

    def _order(self) -> Order:
        if not self.ordered:
            return Order.UNUSED
        return Order.DECODED if self.decode else Order.CLAMPED

    def baseline(self, points: Sequence[Point], *, e0: int) -> tuple[Released, ...]:
        """What ε = 0 would give: medians of the public priors in the order of these points.

        What a budget buys is the difference to this, for any number of dates.
        """
        star = replace(_star(replace(self, ordered=True)), cap=0, births_cap=0, free=True)
        placing = Placing(Order.DECODED, self.cohort_days)
        streams = Streams(bytes(16), "baseline")
        return release(star, placing, points, e0=e0, streams=streams)


def _arm(mode: Strict, epsilon: Fraction, prior: Sequence[int], *, signed: bool = False) -> Arm:
    """The mode's mechanism on 0..the end of a prior, or on as much to both sides."""
    offset = prior[-1] if signed else 0
    if signed:
        prior = (*(offset - gap for gap in reversed(prior)), *(offset + gap for gap in prior))
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
    return Arm(mechanism, Epsilon(epsilon), prior, signed, offset)


@lru_cache(maxsize=16)
def _star(mode: Strict) -> Star:
    def narrow(epsilon: Fraction) -> dict[int, Arm]:
        return {span: _arm(mode, epsilon, range(span + 1)) for span in UNIT_SPANS.values()}

    signed = not mode.ordered
    return Star(
        first=_arm(mode, mode.epsilon, range(mode.cohort_days + 1)),
        notes=_arm(mode, mode.epsilon, between_notes(mode.cohort_days), signed=signed),
        others=_arm(mode, mode.epsilon, log_uniform(mode.horizon), signed=signed),
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
