"""What a policy may spend, stated before a note is seen, and what was spent, in a ledger.

A total is split into shares that no note can change, each share is divided by a cap on the number
of draws, so the worst case of a unit is a constant of the policy. `Allowance` is the one place
where what is about to be released is compared with it: the whole of the charges is checked first,
and committed only then.

A ledger is a set of charges. Adding two ledgers is a union, so a retry of the same keyed draw,
which gives the same charge, is not counted twice; a fresh draw has another event and is. The tag of
a unit is the same in all cohorts that share a ledger key, so their losses add up for each patient;
the tag of an event is keyed by the cohort and tells nothing once the cohort's key is destroyed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple, Protocol, Self

from dpdeid.privacy.losses import Amount, Loss, NoGuarantee, loss_of, positive
from dpdeid.privacy.skeleton import Shown


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


_NONE: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Draw:
    """One kind of draw that a unit may make.

    Args:
        what: what is drawn, in a word or two.
        mechanism: its name and parameters, as they stand in its charges.
        loss: what one draw costs.
        cap: at most how many draws a unit makes, None where there is no cap, 0 where they count in
            the cap of the entry before.
        note: one more sentence for the reader, or "".
    """

    what: str
    mechanism: str
    loss: Loss
    cap: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the draws of a strategy read in the statement of a policy.

    Args:
        differing: what two records may differ in, in plural nouns: "places"; by default the values
            of its labels.
        terms: the summands of the bound L; by default one for each of its guarantees.
        remarks: sentences on what kind of guarantee it is.
        shows: what of the skeleton its values add.
    """

    differing: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    shows: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """What surrogates will be worth to whoever reads a release, as text. `a + b` tells both.

    Args:
        errors: rows of: a record with what, mean error of what, as released, at ε = 0.
        lines: further sentences.
        wasted: what costs utility and buys nothing for it.
    """

    errors: tuple[tuple[str, str, str, str], ...] = ()
    lines: tuple[str, ...] = ()
    wasted: tuple[str, ...] = ()

    def __add__(self, other: Forecast) -> Forecast:
        return Forecast(
            self.errors + other.errors, self.lines + other.lines, self.wasted + other.wasted
        )


class Stated(Protocol):
    """What a stated draw must say: a `Draw`, or the guarantee of a strategy."""

    @property
    def mechanism(self) -> str: ...
    @property
    def loss(self) -> Loss: ...
    @property
    def cap(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that one unit may lose to one strategy.

    Args:
        worst: one total for each kind of loss.
        open_ended: mechanisms with a loss and no cap: they have no worst case.
        mechanisms: the names under which its charges stand.
    """

    worst: tuple[Loss, ...]
    open_ended: tuple[str, ...] = ()
    mechanisms: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, stated: Iterable[Stated]) -> Self:
        """The sum of what is stated."""
        stated = tuple(stated)
        bounded = [(one, one.loss) for one in stated if not isinstance(one.loss, NoGuarantee)]
        worst = totals(loss.times(one.cap) for one, loss in bounded if one.cap)
        open_ended = tuple([one.mechanism for one, _ in bounded if one.cap is None])
        return cls(worst, open_ended, frozenset(one.mechanism for one in stated))

    def admits(self, charges: Iterable[Charge], spent: Iterable[Charge] = ()) -> bool:
        """Whether a unit that has `spent` may be charged this too; what is in both counts once.

        Refused is also a loss of a kind, or by a mechanism, that nothing was stated for.
        """
        due: dict[tuple[str, str], Amount] = {}
        for charge in charges:
            loss = charge.loss
            if isinstance(loss, NoGuarantee):
                continue
            known = due.setdefault((charge.event, charge.mechanism), loss)
            if charge.mechanism not in self.mechanisms or (known is not loss and known != loss):
                return False
        if not due:
            return True
        for charge in spent:
            if charge.mechanism in self.mechanisms and not isinstance(charge.loss, NoGuarantee):
                due.setdefault((charge.event, charge.mechanism), charge.loss)
        return self._covers(due)

    def _covers(self, due: Mapping[tuple[str, str], Amount]) -> bool:
        """Whether the sum of all losses by event is within the worst case. Draws of one mechanism
        share one loss, so that there are few sums to make however many draws. They are kept as
        numerator and denominator: a `Fraction` is reduced at every step.
        """
        counts: dict[int, int] = {}
        losses: dict[int, Amount] = {}
        for (_, mechanism), loss in due.items():
            if mechanism not in self.open_ended:
                at = id(loss)
                counts[at] = counts.get(at, 0) + 1
                losses[at] = loss
        amounts: dict[type, tuple[int, int]] = {}
        deltas: dict[type, Fraction] = {}
        for at, count in counts.items():
            loss, kind = losses[at], type(losses[at])
            over, under = loss.amount.as_integer_ratio()
            others, their = amounts.get(kind, (0, 1))
            amounts[kind] = others * under + over * count * their, under * their
            if loss.delta:
                deltas[kind] = deltas.get(kind, _NONE) + loss.delta * count
        most = {type(loss): loss for loss in self.worst if isinstance(loss, Amount)}
        return all(
            kind in most
            and over * most[kind].amount.denominator <= most[kind].amount.numerator * under
            and deltas.get(kind, _NONE) <= most[kind].delta
            for kind, (over, under) in amounts.items()
        )


def by_weights(total: Fraction, weights: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Parts of `total` in proportion to public weights; they sum to it exactly.

    Raises:
        ValueError: no weights, or one that is not > 0.
    """
    if not weights:
        raise ValueError("a split needs at least one part")
    exact = {name: positive(weight, f"the weight of {name}") for name, weight in weights.items()}
    whole = sum(exact.values())
    return {name: total * weight / whole for name, weight in exact.items()}


def uniform(total: Fraction, names: Sequence[str]) -> dict[str, Fraction]:
    """Equal parts of `total`."""
    return by_weights(total, dict.fromkeys(names, Fraction(1)))


def by_counts(counts: Mapping[str, int]) -> dict[str, Fraction]:
    """Parts of one in proportion to how often each occurs in a note; only the published mode may
    use them, since the count is data: there is no worst case before the note is seen.
    """
    whole = sum(counts.values())
    return {name: Fraction(count, whole) for name, count in counts.items() if count}
