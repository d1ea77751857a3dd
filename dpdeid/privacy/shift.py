"""The timeline moved as a whole: what i2b2, MIMIC and AP-HP do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpdeid.privacy.budget import Draw
from dpdeid.privacy.domains import checked_upper
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.points import PURPOSE, Kind, Past, Point, Released
from dpdeid.privacy.rng import Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One secret offset for all dates of a unit; every interval stays exact. No guarantee.

    The offset is uniform on −days..days without 0. Where it would carry a note past e0 its sign is
    turned, so that nothing is dated in the future; later notes of a patient must therefore be
    released with their past, or with a known offset. Each birth moves by an offset of its own.

    Args:
        days: the largest offset, ≥ 1.
        birth_days: the largest offset of a birth, ≥ 1.
        offset: a known offset of this unit, not 0; used as it is.

    Raises:
        ValueError: an option is out of range.
    """

    days: int = 365
    birth_days: int = 365
    offset: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        checked_upper(self.days, "days")
        checked_upper(self.birth_days, "birth_days")
        if self.offset == 0:
            raise ValueError("offset must not be 0")

    def _mechanism(self, days: int) -> str:
        return f"shift(days={days})"

    def _loss(self) -> NoGuarantee:
        return NoGuarantee("one secret offset for all dates: intervals stay exact")

    def _birth_loss(self) -> NoGuarantee:
        return NoGuarantee("one secret offset for each birth")

    def draws(self) -> tuple[Draw, ...]:
        return (
            Draw("dates", self._mechanism(self.days), self._loss(), 1),
            Draw("births", self._mechanism(self.birth_days), self._birth_loss()),
        )

    def release(
        self, points: Sequence[Point], *, e0: int, streams: Streams, past: Past | None = None
    ) -> tuple[Released, ...]:
        """The surrogate of each point, in their order; intervals between dates are kept.

        Args:
            past: what was released of this unit before: it fixes the offset.
        """
        before = {point.key: given for point, given in (past.entries if past else ())}
        name = (PURPOSE, "date", self._mechanism(self.days))
        offset = self._offset_of(points, past, e0, self._offset(self.days, streams, name))
        charge = Charge(streams.unit, streams.event(*name), name[-1], self._loss())
        return tuple(
            before[point.key]
            if point.key in before
            else self._birth(point, e0, streams)
            if point.kind is Kind.BIRTH
            else Released(point.day + offset, (charge,))
            for point in points
        )

    def _offset_of(self, points: Sequence[Point], past: Past | None, e0: int, drawn: int) -> int:
        """The offset of all dates: what was used before, else as drawn, with its sign turned where
        it would carry a note past e0.
        """
        if self.offset is not None:
            return self.offset
        for point, given in past.entries if past else ():
            if point.kind is not Kind.BIRTH and given.day is not None:
                return given.day - point.day
        notes = [p.day for p in points if p.kind is Kind.NOTE]
        dated = notes or [p.day for p in points if p.kind is not Kind.BIRTH]
        return -drawn if drawn > max(e0 - max(dated, default=e0), 0) else drawn

    def _birth(self, point: Point, e0: int, streams: Streams) -> Released:
        name = (PURPOSE, "birth", self._mechanism(self.birth_days), point.name)
        moved = point.day + self._offset(self.birth_days, streams, name)
        charge = Charge(streams.unit, streams.event(*name), name[2], self._birth_loss())
        return Released(min(moved, e0), (charge,))

    @staticmethod
    def _offset(days: int, streams: Streams, name: Iterable[str]) -> int:
        drawn = streams.stream(*name).randbelow(2 * days)
        return drawn - days if drawn < days else drawn - days + 1
