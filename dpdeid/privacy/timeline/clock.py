"""Clock times with a proved loss: the first time of a day and the gaps to its neighbours are drawn.

Times that stand on one released day are a chain in their order, which the text shows. The first of
them in release order is drawn as its minutes from midnight, and from it outwards every other one as
its gap to its neighbour, with noise in proportion to it: what is minutes apart stays minutes apart,
in its order, and hours move by about one. Where times come to lie is computed from noisy values and
from what is public alone: the order, the form, and words beside them ("du matin").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from dpdeid.privacy.ledger import Charge, Draw, Wording
from dpdeid.privacy.losses import EpsilonPerStep
from dpdeid.privacy.losses import rounded_up as figure
from dpdeid.privacy.mechanisms.contract import checked_epsilon, checked_upper
from dpdeid.privacy.mechanisms.proportional import PER_STEP, ProportionalNoise
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.skeleton import Shown
from dpdeid.privacy.timeline.decoding import Belief, belief
from dpdeid.privacy.timeline.priors import Prior, evenly, log_uniform, mostly

DAY: Final = 1_440
"""Minutes."""
_HOUR: Final = 60
_LONGEST: Final = 2 * DAY - 1
"""The largest gap: what stands behind midnight belongs to the day before."""
_LIKELY: Final = 20
"""The minutes within which half of the gaps lie that have no budget."""
_QUANTILES: Final = (0.3, 0.4)
_FINE: Final = 1 << 16
_PURPOSE: Final = "times"


class Moment(NamedTuple):
    """A time of a record.

    Args:
        day: the name of its chain: the day it stands on as it was released, or its note.
        minute: from midnight of that day, 0 … 2,879: behind midnight it is 1,440 or more.
        grid: what it is a multiple of as it is printed, public: 1, 5 or 60 minutes.
        low, high: the minutes of its day that words beside it leave, inclusive, public.
    """

    day: str
    minute: int
    grid: int = 1
    low: int = 0
    high: int = DAY - 1


Key = tuple[str, int]
"""The day and the minute of a moment."""


class Placed(NamedTuple):
    """Where a time came to lie, in minutes as above, before it is put on its grid; and its cost."""

    minute: int
    charges: tuple[Charge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Noise on the first time of a day, and in proportion on the gaps between its times.

    Two records with the same skeleton differ in probability by at most exp(L), L = 1/32 × the steps
    of the public tables by which their first times, and their gaps, differ (`ProportionalNoise`).

    Args:
        epsilon_per_hour: of the first time of a day, > 0, exact: 60 / ε minutes of noise.
        share, least: the noise at a gap, as a share of it, and at least so many minutes, exact.
        cap: at most how many times of a unit are drawn, by position; the others come from public
            knowledge.

    Raises:
        ValueError: an option is out of range.
    """

    epsilon_per_hour: Fraction = Fraction(4, 5)
    share: Fraction = Fraction(1, 4)
    least: Fraction = Fraction(3)
    cap: int = 200
    first: ProportionalNoise = field(init=False, repr=False, compare=False)
    gap: ProportionalNoise = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        epsilon = checked_epsilon(self.epsilon_per_hour, "epsilon_per_hour")
        checked_upper(self.cap, "cap")
        first = ProportionalNoise(share=Fraction(0), least=_HOUR / epsilon, upper=DAY - 1)
        gap = ProportionalNoise(share=self.share, least=self.least, upper=_LONGEST)
        for name, value in (
            ("epsilon_per_hour", epsilon),
            ("share", gap.share),
            ("least", gap.least),
            ("first", first),
            ("gap", gap),
        ):
            object.__setattr__(self, name, value)

    def draws(self) -> tuple[Draw, ...]:
        loss = EpsilonPerStep(PER_STEP)
        return (
            Draw("times", _named(self.first), loss, self.cap, "the first time of each day"),
            Draw("times", _named(self.gap), loss, 0, "any other time, to its neighbour"),
        )

    def wording(self) -> Wording:
        """Its part of the statement."""
        hour = self.first.loss(8 * _HOUR, 9 * _HOUR)
        close, far = self.gap.loss(20, 30), self.gap.loss(60, 120)
        return Wording(
            ("clock times",),
            (
                f"{PER_STEP} × (sum, over at most {self.cap} clock times, of the steps of the table"
                " of its role by which its minutes from midnight, or its gap to its neighbour, "
                "differ)",
            ),
            (
                f"Clock times: the first one of a day has {figure(_HOUR / self.epsilon_per_hour)} "
                f"minutes of noise, a gap {figure(100 * self.share)} % of it, at least "
                f"{figure(self.least)} minutes, so that, for 8 or 9 h: L = {figure(hour, 2)}; 20 or"
                f" 30 minutes: L = {figure(close, 2)}; one or two hours: L = {figure(far, 2)}.",
            ),
            (Shown.TIMES,),
        )

    def release(
        self, moments: Sequence[Moment], *, streams: Streams, past: Mapping[Key, int]
    ) -> dict[Key, Placed]:
        """Where each moment comes to lie, beside a past that stays as it is.

        Args:
            moments: in release order.
            past: where times of this unit came to lie before.
        """
        left = self.cap - len(past)
        fresh = list(dict.fromkeys((m.day, m.minute) for m in moments if m[:2] not in past))
        funded = set(fresh[: max(left, 0)])
        released: dict[Key, Placed] = {}
        for day in dict.fromkeys(day for day, _ in fresh):
            own = [m for m in moments if m.day == day]
            known = {minute: y for (its, minute), y in past.items() if its == day}
            released |= self._chain(day, own, known, funded, streams)
        held = {(m.day, m.minute): past[m.day, m.minute] for m in moments if m[:2] in past}
        return released | {key: Placed(minute) for key, minute in held.items()}

    def _chain(
        self,
        day: str,
        moments: Sequence[Moment],
        known: Mapping[int, int],
        funded: set[Key],
        streams: Streams,
    ) -> dict[Key, Placed]:
        """The new times of one day."""
        new = dict.fromkeys(m.minute for m in moments if m.minute not in known)
        bounds = _bounds(moments, known)
        placed = dict(known)
        charges: dict[int, tuple[Charge, ...]] = {}
        root = next(iter(known or new))
        if not known:
            placed[root], charges[root] = self._drawn(
                day, None, root, bounds[root], funded, streams
            )
        every = sorted({*known, *new})
        at = every.index(root)
        for minute in (*every[at:], *every[at::-1]):  # outwards, up and then down
            if minute in placed:
                base = minute
                continue
            placed[minute], charges[minute] = self._drawn(
                day, base, minute, bounds[minute], funded, streams, placed[base]
            )
            base = minute
        fitted = _fitted([placed[m] for m in every], [bounds[m] for m in every])
        return {
            (day, minute): Placed(y, charges[minute])
            for minute, y in zip(every, fitted, strict=True)
            if minute in new
        }

    def _drawn(
        self,
        day: str,
        base: int | None,
        minute: int,
        bounds: tuple[int, int],
        funded: set[Key],
        streams: Streams,
        start: int = 0,
    ) -> tuple[int, tuple[Charge, ...]]:
        """A first time, or one beside its base, which lies at `start`: the posterior median within
        its bounds.
        """
        noise = self.first if base is None else self.gap
        gap = minute % DAY if base is None else abs(minute - base)
        if (day, minute) in funded:
            name = _named(noise)
            source, event = streams.named(_PURPOSE, name, day, f"{base}", f"{minute}")
            about = _belief(noise, noise.randomise(gap, source))
            charge: tuple[Charge, ...] = (
                Charge(streams.unit, event, name, EpsilonPerStep(PER_STEP)),
            )
            share = 0.5
        else:
            about, charge = _belief(noise, None), ()
            source = streams.stream(_PURPOSE, "prior", day, f"{base}", f"{minute}")
            share = _QUANTILES[0] + _QUANTILES[1] * source.randbelow(_FINE) / _FINE
        low, high = bounds
        if base is None:
            return about.day(minute - minute % DAY, 1, low, high, share=share), charge
        if minute > base:
            low = max(low, start + 1)
            return about.day(start, 1, low, max(low, high), share=share), charge
        high = min(high, start - 1)
        return about.day(start, -1, min(low, high), high, share=share), charge


def _named(noise: ProportionalNoise) -> str:
    """A mechanism's name in charges; the unit of its numbers is a minute."""
    return f"minutes: {noise}"


@lru_cache(maxsize=1024)
def _belief(noise: ProportionalNoise, noisy: int | None) -> Belief:
    """What is believed of a gap, or of a first time, after a draw or without one."""
    first = not noise.share and noise.upper < DAY
    prior: Prior = evenly(noise.upper) if first else log_uniform(noise.upper)
    if noisy is None:
        return belief(prior if first else mostly(_LIKELY, noise.upper))
    return belief(prior, noise, noisy)


def _bounds(moments: Sequence[Moment], known: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """The minutes between which each time may lie; what was released before stays."""
    bounds: dict[int, tuple[int, int]] = {}
    for one in moments:
        first = one.minute - one.minute % DAY
        low, high = bounds.get(one.minute, (first, first + DAY - 1))
        narrow = max(low, first + one.low), min(high, first + one.high)
        bounds[one.minute] = narrow if narrow[0] <= narrow[1] else (low, high)
    return bounds | {minute: (y, y) for minute, y in known.items()}


def _fitted(minutes: Sequence[int], bounds: Sequence[tuple[int, int]]) -> list[int]:
    """The minutes within their bounds, moved together if that is enough, and still ascending."""
    least = max(low - y for y, (low, _) in zip(minutes, bounds, strict=True))
    most = min(high - y for y, (_, high) in zip(minutes, bounds, strict=True))
    move = min(max(0, least), most) if least <= most else 0
    fitted = [y + move for y in minutes]
    for at in range(len(fitted)):
        low = bounds[at][0] if not at else max(bounds[at][0], fitted[at - 1] + 1)
        fitted[at] = max(fitted[at], low)
    for at in reversed(range(len(fitted))):
        high = bounds[at][1]
        fitted[at] = min(
            fitted[at], high if at + 1 == len(fitted) else min(high, fitted[at + 1] - 1)
        )
    return fitted


def printed(moments: Sequence[Moment], placed: Mapping[Key, Placed]) -> dict[Key, int]:
    """The minute that is printed for each moment: on its grid, and in the order of all of its day.

    A full hour is the one that runs; what is rounded to five minutes goes to the nearest, or to the
    next one if something before it stands there.
    """
    grids: dict[Key, int] = {}
    for one in moments:
        grids[one[:2]] = min(one.grid, grids.get(one[:2], _HOUR))
    found: dict[Key, int] = {}
    for (day, minute), place in sorted(placed.items()):
        grid, y = grids[day, minute], place.minute
        last = y - y % DAY + DAY - grid
        if grid == _HOUR:
            found[day, minute] = y - y % _HOUR
            continue
        before = _before(found, day)
        shown = min((y + grid // 2) // grid * grid, last)
        if before is not None and shown <= before:
            shown = min(before - before % grid + grid, last)
        found[day, minute] = shown
    return found


def _before(found: dict[Key, int], day: str) -> int | None:
    """The last minute that is printed of a day so far."""
    return next((found[key] for key in reversed(found) if key[0] == day), None)
