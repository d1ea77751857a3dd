"""The timeline of the published design, kept as the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_epsilon, checked_upper
from dpdeid.privacy.exact import text
from dpdeid.privacy.laplace import BoundedLaplace
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.points import PURPOSE, Past, Point, Released
from dpdeid.privacy.rng import Streams


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

    def mechanisms(self) -> tuple[BoundedLaplace, ...]:
        """One for each category, at the ε of a record with a single date."""
        return tuple(BoundedLaplace(epsilon=self.epsilon, upper=w) for w in self.categories)

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order. Equal days get equal surrogates.

        Raises:
            ValueError: there is a past: shares depend on the count, so a chain is drawn at once.
        """
        if past is not None and past.entries:
            raise ValueError("the published chain is drawn once: it cannot continue a release")
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
            name = (PURPOSE, "chain", str(mechanism), f"{before}", f"{day}")
            noisy = mechanism.randomise(interval, streams.stream(*name))
            surrogate += direction * noisy
            charge = Charge(streams.unit, streams.event(*name), str(self), self._loss())
            released[day] = Released(surrogate, (charge,))
            before = day
        return released
