"""What a release costs, typed by its unit, so that unlike losses cannot be added by mistake.

A loss bounds the log-ratio of the probabilities of any output under two inputs: by a number
(`Epsilon`), by a number times the days, the steps of a table or the kilometres between the inputs
(`EpsilonPerDay`, `EpsilonPerStep`, `EpsilonPerKm`), or by nothing (`NoGuarantee`, which says why).
A bound may fail with a probability δ, which belongs to the loss and adds up with it. Amounts are
exact fractions, parsed from the text of the policy. Dwork et al. 2006; Chatzikokolakis et al. 2013
(metric privacy).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Self


def positive(amount: Fraction | int | str, name: str) -> Fraction:
    """`amount` as an exact fraction > 0.

    Raises:
        ValueError: not a finite positive number, or a float (whose digits are not those written).
    """
    if isinstance(amount, float):
        raise ValueError(f"{name} must be given as text, an integer or a Fraction, not as a float")
    if isinstance(amount, bool):
        raise ValueError(f"{name} is not a number")
    try:
        exact = Fraction(amount)
    except (ValueError, TypeError, ZeroDivisionError):
        raise ValueError(f"{name} is not a finite number") from None
    if exact <= 0:
        raise ValueError(f"{name} must be > 0")
    return exact


def rounded_up(amount: Fraction, digits: int = 4) -> str:
    """`amount` for printing, never below its true value."""
    scale = 10**digits
    text = f"{math.ceil(amount * scale) / scale:.{digits}f}"
    return text.rstrip("0").rstrip(".")


def small(amount: Fraction) -> str:
    """A small `amount` for printing in two digits, never below its true value."""
    exponent = math.floor(math.log10(amount)) - 1
    return f"{math.ceil(amount / Fraction(10) ** exponent)}e{exponent}"


@dataclass(frozen=True, slots=True)
class Amount:
    """What the kinds of bounded losses share; never used as itself.

    Args:
        amount: > 0, exact.
        delta: the probability with which the bound may fail, in [0, 1], exact.

    Raises:
        ValueError: an amount that is not > 0 or not exact, a delta outside [0, 1].
    """

    amount: Fraction
    delta: Fraction = Fraction(0)
    unit: ClassVar[str] = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", positive(self.amount, type(self).__name__))
        delta = self.delta and positive(self.delta, "delta")
        if delta > 1:
            raise ValueError("delta must be a probability")
        object.__setattr__(self, "delta", Fraction(delta))

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.amount + other.amount, min(self.delta + other.delta, Fraction(1)))

    def times(self, draws: int) -> Self:
        """The loss of so many draws, ≥ 1."""
        return type(self)(self.amount * draws, min(self.delta * draws, Fraction(1)))

    def within(self, other: Amount) -> bool:
        """Whether `other` is a loss of the same kind that is at least as large."""
        same = type(self) is type(other)
        return same and self.amount <= other.amount and self.delta <= other.delta

    def to_json(self) -> dict[str, str]:
        """Kind and exact amount, as text; δ where there is one."""
        told = {"kind": type(self).__name__, "amount": str(self.amount)}
        return {**told, "delta": str(self.delta)} if self.delta else told

    def __str__(self) -> str:
        delta = f", δ = {small(self.delta)}" if self.delta else ""
        return f"ε = {rounded_up(self.amount)}{self.unit}{delta}"


@dataclass(frozen=True, slots=True)
class Epsilon(Amount):
    """Bounds the log-ratio for any two inputs of the domain (local differential privacy)."""


@dataclass(frozen=True, slots=True)
class EpsilonPerDay(Amount):
    """Bounds the log-ratio by `amount` times the days between the inputs."""

    unit: ClassVar[str] = " per day"


@dataclass(frozen=True, slots=True)
class EpsilonPerStep(Amount):
    """Bounds the log-ratio by `amount` times the steps between the inputs, counted in the public
    table that the draw's mechanism names.
    """

    unit: ClassVar[str] = " per step"


@dataclass(frozen=True, slots=True)
class EpsilonPerKm(Amount):
    """Bounds the log-ratio by `amount` times the kilometres between the inputs."""

    unit: ClassVar[str] = " per km"


@dataclass(frozen=True, slots=True)
class NoGuarantee:
    """No bound. `reason` says what is done instead; it is a constant of the code, never data."""

    reason: str

    def to_json(self) -> dict[str, str]:
        """Kind and reason."""
        return {"kind": "NoGuarantee", "reason": self.reason}

    def __str__(self) -> str:
        return f"no guarantee ({self.reason})"


Loss = Epsilon | EpsilonPerDay | EpsilonPerStep | EpsilonPerKm | NoGuarantee


KINDS: Final = {
    kind.__name__: kind for kind in (Epsilon, EpsilonPerDay, EpsilonPerStep, EpsilonPerKm)
}


def loss_of(row: Mapping[str, str]) -> Loss:
    """The loss that `to_json` wrote.

    Raises:
        ValueError: not such a row.
    """
    match row:
        case {"kind": "NoGuarantee", "reason": str(reason)}:
            return NoGuarantee(reason)
        case {"kind": kind, "amount": str(amount)} if kind in KINDS:
            return KINDS[kind](positive(amount, kind), Fraction(row.get("delta", 0)))
    raise ValueError("not a loss")
