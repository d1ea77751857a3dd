"""The timeline as an anchored star under ε-LDP: a gap costs its ε, however far it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_upper
from dpdeid.privacy.geometric import ClampedGeometric
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.losses import Epsilon, EpsilonPerDay
from dpdeid.privacy.placing import Placing
from dpdeid.privacy.points import UNIT_SPANS, Past, Point, Released
from dpdeid.privacy.priors import ages, log_uniform
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.star import Arm, Days, Star

_DATES = (
    "the first date of a unit, as its gap to e0; each other, as its gap to the date of its note. "
    "Ranges, days without a year and births after the first count in the same cap"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strict:
    """Anchored star under ε-LDP: at most `cap` draws for dates and one for the first birth.

    Two records with the same skeleton, whatever their dates, differ in probability by at most
    exp(cap × ε of `gaps` + ε of `births`): gaps are independent coordinates, each drawn on a public
    domain by a mechanism that the policy fixed. Nothing is chosen by a value: the domain follows
    from the kind of a point, the side of its anchor from the order of the dates, which the skeleton
    holds, and the budget from its position. A date over the cap costs nothing: it is drawn from
    public knowledge, or not released.

    The domain of a birth is its age on e0; of a birth that is read from an age in months, weeks or
    days it is what this unit may have, counted from its note. Days without a year are 366.

    Args:
        gaps: on 0..horizon, for every gap of dates to their anchors.
        births: on 0..the largest age in days, for the first birth of the unit; those of relatives
            are drawn with the ε of `gaps`.
        lengths: on 0..the longest range, for the days from the first of a range to its last; costs
            as much as `gaps`.
        cap: at most how many dates, lengths and births of relatives are drawn.
        over_cap: what becomes of the others.
        decode: whether the posterior median, given all draws and the order, is released instead of
            the draws; free, and nearer to the truth.

    Raises:
        ValueError: an option is out of range, or is not ε-LDP on its whole domain.
    """

    gaps: Days
    births: Days
    lengths: Days
    cap: int
    over_cap: Literal["redact", "prior"] = "redact"
    decode: bool = False

    def __post_init__(self) -> None:
        checked_upper(self.cap, "cap")
        for option in ("gaps", "births", "lengths"):
            mechanism = getattr(self, option)
            if isinstance(mechanism, BoundedLaplace) and mechanism.sensitivity is not None:
                raise ValueError(f"{option}: with a sensitivity it does not protect every gap")
            if mechanism.domain[0] != 0:
                raise ValueError(f"{option}: its domain must start at 0")
        if _loss(self.gaps) != _loss(self.lengths):
            raise ValueError("lengths must cost as much as gaps: they count in one cap")
        if type(_loss(self.births)) is not type(_loss(self.gaps)):
            raise ValueError("births and gaps must both be ε-LDP, or both cost a loss per day")

    def draws(self) -> tuple[Draw, ...]:
        star = _star(self)
        assert star.relatives is not None
        shared = [star.lengths, star.yearless]
        entries = [Draw("dates", star.first.name, star.first.loss, self.cap, _DATES)]
        entries += (Draw("dates", arm.name, arm.loss, 0) for arm in shared)
        entries.append(Draw("births", star.births.name, star.births.loss, 1))
        for arm in (star.births, star.relatives):
            if arm is star.relatives:
                entries.append(Draw("births", arm.name, arm.loss, 0))
            narrow = (arm.over(span) for span in UNIT_SPANS.values())
            entries += (Draw("births", one.name, one.loss, 0) for one in narrow)
        return tuple(entries)

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


def _loss(mechanism: Days) -> Epsilon | EpsilonPerDay:
    if isinstance(mechanism, ClampedGeometric):
        return EpsilonPerDay(mechanism.epsilon_per_day)
    return Epsilon(mechanism.epsilon)


@lru_cache(maxsize=16)
def _star(mode: Strict) -> Star:
    gaps = Arm(mode.gaps, _loss(mode.gaps), log_uniform(mode.gaps.domain[-1]))
    births = Arm(mode.births, _loss(mode.births), ages(mode.births.domain[-1]))
    return Star(
        first=gaps,
        others=gaps,
        lengths=Arm(mode.lengths, gaps.loss, log_uniform(mode.lengths.domain[-1])),
        yearless=gaps.over(365),
        births=births,
        relatives=births.priced(gaps),
        cap=mode.cap,
        births_cap=1,
        free=mode.over_cap == "prior",
        by_unit=True,
    )
