"""Charges and the ledger: what was spent, on which unit, with which guarantee.

A ledger is a set of charges. Adding two ledgers is a union, so a retry of the same keyed draw,
which gives the same charge, is not counted twice; a fresh draw has another event and is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from dpdeid.privacy.losses import Loss, NoGuarantee


@dataclass(frozen=True, slots=True)
class Charge:
    """One draw that was released.

    Args:
        unit: keyed hash of the privacy unit.
        event: keyed hash of what was drawn; equal for a repeated keyed draw.
        mechanism: its name and parameters, from the policy only.
        loss: what it cost, typed by unit.
        delta: probability with which the loss may be exceeded, in [0, 1).
    """

    unit: str
    event: str
    mechanism: str
    loss: Loss
    delta: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Ledger:
    """All charges of one or more records. `a + b` is their union."""

    charges: frozenset[Charge] = field(default_factory=frozenset)

    @classmethod
    def of(cls, charges: Iterable[Charge]) -> Ledger:
        return cls(frozenset(charges))

    def __add__(self, other: Ledger) -> Ledger:
        return Ledger(self.charges | other.charges)

    @property
    def units(self) -> tuple[str, ...]:
        """The privacy units with at least one charge, sorted."""
        return tuple(sorted({charge.unit for charge in self.charges}))

    def total(self, unit: str) -> tuple[Loss, ...]:
        """What one unit has lost, one entry for each kind of loss (basic composition).

        Losses of different kinds stay apart; reasons of `NoGuarantee` are listed once each.
        """
        sums: dict[type, Loss] = {}
        reasons: set[str] = set()
        for charge in self.charges:
            if charge.unit != unit:
                continue
            loss = charge.loss
            if isinstance(loss, NoGuarantee):
                reasons.add(loss.reason)
            else:
                before = sums.get(type(loss))
                sums[type(loss)] = loss if before is None else before + loss  # type: ignore[operator]
        amounts = sorted(sums.items(), key=lambda item: item[0].__name__)
        return (*(loss for _, loss in amounts), *(NoGuarantee(r) for r in sorted(reasons)))

    def rows(self) -> list[dict[str, object]]:
        """The charges as JSON objects, sorted; amounts are exact fractions written as text."""
        rows: list[dict[str, object]] = [
            {
                "unit": charge.unit,
                "event": charge.event,
                "mechanism": charge.mechanism,
                "loss": charge.loss.to_json(),
                "delta": str(charge.delta),
            }
            for charge in self.charges
        ]
        order = ("unit", "mechanism", "event", "loss", "delta")
        return sorted(rows, key=lambda row: json.dumps([row[name] for name in order]))

    def to_json(self) -> str:
        """The charges as a JSON text."""
        return json.dumps({"charges": self.rows()}, ensure_ascii=False, indent=1)
