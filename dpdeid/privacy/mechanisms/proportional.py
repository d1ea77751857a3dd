"""Noise in proportion to the gap: a few hours at a day, years at decades, at a loss by table.

A public table gives each gap of t days an index k(t), the sum over all u < t of 32 / s(u), rounded,
where s(u) = min(max(least, share × (u − after)), most) is "the noise at a gap of u days". Clamped
geometric noise is added to the index, and the index is taken back to a day. So the loss between t
and t′ is exactly |k(t) − k(t′)| / 32: about one where a gap changes by the noise at it. With a
share of 0 the noise is the same at all gaps. Chatzikokolakis et al. 2013 (metrics), Ghosh et al.
2012 (noise).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, compress, islice, repeat
from operator import floordiv, ne, rshift
from typing import Final

from dpdeid.privacy.exact import text
from dpdeid.privacy.losses import EpsilonPerStep, positive
from dpdeid.privacy.mechanisms.contract import (
    MAX_DOMAIN,
    checked_epsilon,
    checked_upper,
    clamped,
)
from dpdeid.privacy.mechanisms.falling import ClampedGeometric
from dpdeid.privacy.rng import Source

STEPS: Final = 32
"""Steps of a table over a stretch as long as the noise at it; a step costs 1 / 32."""
PER_STEP: Final = Fraction(1, STEPS)
_POINT: Final = 64


@dataclass(frozen=True, slots=True)
class Steps:
    """A public table: its index for each gap, and the days that an index stands for.

    Args:
        of: the index of each gap of 0 … upper days; it never falls.
        days: of each index that some gap has, the middle gap, ascending.
        indices: those indices, ascending.
    """

    of: tuple[int, ...]
    days: tuple[int, ...]
    indices: tuple[int, ...]


@lru_cache(maxsize=64)
def steps(share: Fraction, least: Fraction, after: int, most: int, upper: int) -> Steps:
    """The table of a noise on 0..upper, in fixed point: the same on every machine."""
    common = math.lcm(share.denominator, least.denominator)
    lowest, slope = int(least * common), int(share * common)
    highest = most * common
    flat = after + lowest // slope + 1 if slope else upper
    rising = range(slope * (flat - after), highest, slope) if slope else range(0)
    noises = islice(chain(repeat(lowest, flat), rising, repeat(highest)), upper)
    whole = STEPS * common << _POINT
    parts = map(floordiv, repeat(whole), noises)
    of = tuple(map(rshift, accumulate(parts, initial=1 << _POINT - 1), repeat(_POINT)))
    starts = [0, *compress(range(1, upper + 1), map(ne, of, of[1:]))]
    ends = [*starts[1:], upper + 1]
    days = tuple((first + end - 1) // 2 for first, end in zip(starts, ends, strict=True))
    return Steps(of, days, tuple(of[first] for first in starts))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProportionalNoise:
    """Geometric noise on the index of a gap of 0..upper days; its loss is in steps of a table.

    For all x, x′, y: P(y | x) ≤ exp(|k(x) − k(x′)| / 32) P(y | x′), k as in the module. Mean error
    about min(max(least, share × (gap − after)), most) days, more upwards than downwards.

    Args:
        share: the noise at a gap, as a share of it, ≥ 0, exact.
        least: the least noise, in days, > 0, exact.
        after: how many days of a gap are left out of the share, ≥ 0: weeks are told more exactly.
        most: the most noise, in days; by default `upper`.
        upper: the largest gap in days.

    Raises:
        ValueError: an option is out of range, or the table would have more than a million steps.
    """

    share: Fraction
    least: Fraction
    upper: int
    after: int = 0
    most: int | None = None
    table: Steps = field(init=False, repr=False, compare=False)
    inner: ClampedGeometric = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        share = self.share and positive(self.share, "share")
        least = checked_epsilon(self.least, "least")
        checked_upper(self.upper)
        if self.after:
            checked_upper(self.after, "after")
        if self.most is not None:
            checked_upper(self.most, "most")
        most = max(self.upper, math.ceil(least)) if self.most is None else self.most
        if not least <= most <= MAX_DOMAIN:
            raise ValueError(f"most must lie between least and {MAX_DOMAIN:,}")
        table = steps(Fraction(share), least, self.after, most, self.upper)
        last = max(table.of[-1], 1)
        if last > MAX_DOMAIN:
            raise ValueError(f"so little noise needs more than {MAX_DOMAIN:,} steps")
        inner = ClampedGeometric(epsilon_per_day=PER_STEP, lower=0, upper=last)
        for name, value in (("share", Fraction(share)), ("least", least), ("table", table)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "inner", inner)

    def __str__(self) -> str:
        after = f"after={self.after}, " * bool(self.after)
        after += "" if self.most is None else f"most={self.most}, "
        return (
            f"proportional-noise(share={text(self.share)}, least={text(self.least)}, "
            f"{after}upper={self.upper})"
        )

    @property
    def domain(self) -> range:
        return range(self.upper + 1)

    def index(self, value: int) -> int:
        """k of a gap; one outside the domain counts as its end."""
        return self.table.of[clamped(value, self.domain)]

    def loss(self, value: int, other: int) -> Fraction:
        """What it costs at most to tell two gaps apart, exact."""
        return abs(self.index(value) - self.index(other)) * PER_STEP

    def _day(self, index: int) -> int:
        """The day of the nearest index that a gap has, of two as near the smaller one."""
        indices = self.table.indices
        at = min(bisect_left(indices, index), len(indices) - 1)
        if at and index - indices[at - 1] <= indices[at] - index:
            at -= 1
        return self.table.days[at]

    def stands_for(self, day: int) -> tuple[int, int]:
        """The first and the last index that comes out as one of the table's days."""
        indices, at = self.table.indices, bisect_left(self.table.days, day)
        first = (indices[at - 1] + indices[at]) // 2 + 1 if at else 0
        last = len(indices) - 1
        return first, (indices[at] + indices[at + 1]) // 2 if at < last else self.inner.upper

    def randomise(self, value: int, source: Source) -> int:
        index = self.index(value) + self.inner.noise.draw(source)
        return self._day(clamped(index, self.inner.domain))

    def pmf(self, value: int) -> tuple[int, ...]:
        """Integer weights; 0, for every value, where a day stands for no index."""
        found = [0] * len(self.domain)
        weights = zip(self.inner.domain, self.inner.pmf(self.index(value)), strict=True)
        for index, weight in weights:
            found[self._day(index)] += weight
        return tuple(found)

    def privacy_loss(self) -> EpsilonPerStep:
        """That of the noise on indices; what becomes of them afterwards looks at no value."""
        return EpsilonPerStep(self.inner.privacy_loss().amount)
