"""The days of a record and their surrogates, as every mode of the timeline takes and gives them.

Days are proleptic Gregorian ordinals (`date.toordinal`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from dpdeid.privacy.ledger import Charge

PURPOSE: Final = "timeline"


class Kind(StrEnum):
    """What happened on a day."""

    NOTE = "note"
    EVENT = "event"
    BIRTH = "birth"


@dataclass(frozen=True, slots=True)
class Point:
    """One distinct date of a record.

    Args:
        name: its canonical value with the printed precision, and for a birth the person: equal
            names of one family (births, all other dates) are one date. It names the random stream
            and is never released.
        day: its ordinal.
        note: the index of the note in which it first appears, in release order.
    """

    name: str = field(repr=False)
    day: int = field(repr=False)
    kind: Kind
    note: int

    @property
    def family(self) -> str:
        """Births and other dates are drawn apart, and no equality between them is used."""
        return "birth" if self.kind is Kind.BIRTH else "date"


@dataclass(frozen=True, slots=True)
class Released:
    """The surrogate day of a point and what it cost; None where the cap leaves nothing."""

    day: int | None = field(repr=False)
    charges: tuple[Charge, ...] = ()
