"""What a release costs, typed by its unit, so that unlike losses cannot be added by mistake.

A loss bounds the log-ratio of the probabilities of any output under two inputs: by a number
(`Epsilon`), by a number times the days or kilometres between the inputs (`EpsilonPerDay`,
`EpsilonPerKm`), or by nothing (`NoGuarantee`, which says why). Amounts are exact fractions, parsed
from the policy's own text. Dwork et al. 2006; Chatzikokolakis et al. 2013 (metric privacy).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self


def positive(amount: Fraction | int | str, name: str) -> Fraction:
    """`amount` as an exact fraction > 0.

    Raises:
        ValueError: not a finite positive number, or a float (whose digits are not those written).
    """
    if isinstance(amount, float):
        raise ValueError(f"{name} must be given as text, an integer or a Fraction, not as a float")
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


@dataclass(frozen=True, slots=True)
class _Amount:
    amount: Fraction
    unit: ClassVar[str] = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", positive(self.amount, type(self).__name__))

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.amount + other.amount)

    def to_json(self) -> dict[str, str]:
        """Kind and exact amount, as text."""
        return {"kind": type(self).__name__, "amount": str(self.amount)}

    def __str__(self) -> str:
        return f"ε = {rounded_up(self.amount)}{self.unit}"


@dataclass(frozen=True, slots=True)
class Epsilon(_Amount):
    """Bounds the log-ratio for any two inputs of the domain (local differential privacy)."""


@dataclass(frozen=True, slots=True)
class EpsilonPerDay(_Amount):
    """Bounds the log-ratio by `amount` times the days between the inputs."""

    unit: ClassVar[str] = " per day"


@dataclass(frozen=True, slots=True)
class EpsilonPerKm(_Amount):
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


Loss = Epsilon | EpsilonPerDay | EpsilonPerKm | NoGuarantee
