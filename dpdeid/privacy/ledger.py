"""Charges and the ledger: what was spent, on which unit, with which guarantee.

A ledger is a set of charges. Adding two ledgers is a union, so a retry of the same keyed draw,
which gives the same charge, is not counted twice; a fresh draw has another event and is. The tag of
a unit is the same in all cohorts that share a ledger key, so their losses add up for each patient;
the tag of an event is keyed by the cohort and tells nothing once the cohort's key is destroyed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any, NamedTuple, Self

from dpdeid.privacy.losses import Amount, Loss, NoGuarantee, loss_of


class Charge(NamedTuple):
    """One draw that was released: a tuple, since there are many.

    Args:
        unit: keyed hash of the privacy unit.
        event: keyed hash of what was drawn; equal for a repeated keyed draw.
        mechanism: its name and parameters, from the policy only.
        loss: what it cost, typed by unit, with its δ.
    """

    unit: str
    event: str
    mechanism: str
    loss: Loss

    def to_json(self) -> dict[str, object]:
        """The charge as a JSON object; amounts are exact fractions written as text."""
        return {
            "unit": self.unit,
            "event": self.event,
            "mechanism": self.mechanism,
            "loss": self.loss.to_json(),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """The charge that `to_json` wrote.

        Raises:
            ValueError: not such a row.
        """
        try:
            unit, event, mechanism = row["unit"], row["event"], row["mechanism"]
            return cls(str(unit), str(event), str(mechanism), loss_of(row["loss"]))
        except (KeyError, TypeError, ValueError):
            raise ValueError("not a charge") from None


def totals(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """The sum of each kind of loss (basic composition), then each reason of `NoGuarantee` once.

    Losses of different kinds stay apart.
    """
    amounts: dict[str, list[Amount]] = {}
    reasons: set[str] = set()
    for loss in losses:
        if isinstance(loss, NoGuarantee):
            reasons.add(loss.reason)
        else:
            amounts.setdefault(type(loss).__name__, []).append(loss)
    sums: list[Any] = [reduce(add, amounts[kind]) for kind in sorted(amounts)]
    return (*sums, *(NoGuarantee(reason) for reason in sorted(reasons)))


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

    def of_unit(self, unit: str) -> Ledger:
        """The charges of one unit."""
        return Ledger(frozenset(charge for charge in self.charges if charge.unit == unit))

    def total(self, unit: str) -> tuple[Loss, ...]:
        """What one unit has lost, one entry for each kind of loss. See `totals`."""
        return totals(charge.loss for charge in self.charges if charge.unit == unit)

    def rows(self) -> list[dict[str, object]]:
        """The charges as JSON objects, sorted."""
        rows = [charge.to_json() for charge in self.charges]
        order = ("unit", "mechanism", "event", "loss")
        return sorted(rows, key=lambda row: json.dumps([row[name] for name in order]))

    def to_json(self) -> str:
        """The charges as a JSON text."""
        return json.dumps({"charges": self.rows()}, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Ledger:
        """The ledger of such a text; other keys beside the charges are left aside.

        Raises:
            ValueError: not such a text.
        """
        try:
            return cls.of(Charge.from_json(row) for row in json.loads(text)["charges"])
        except (KeyError, TypeError, json.JSONDecodeError):
            raise ValueError("not a ledger") from None
