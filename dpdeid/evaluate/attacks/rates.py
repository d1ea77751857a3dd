"""How often an attack succeeded, with its interval; the base of all findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from dpdeid.privacy.audit import at_least

FAILURE: Final = 0.05
"""The interval misses the true rate with at most this probability."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Base of what an attack found: can be written as JSON."""

    def to_json(self) -> dict[str, Any]:
        """The fields by name, rates with their intervals."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {n: v.to_json() if isinstance(v, Rate) else v for n, v in values.items()}


@dataclass(frozen=True, slots=True)
class Rate:
    """Successes of independent trials; `low` and `high` are Clopper and Pearson's 95 % interval.

    Raises:
        ValueError: not 0 ≤ hits ≤ trials.
    """

    hits: int
    trials: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.trials:
            raise ValueError(f"a rate needs 0 <= hits <= trials, not {self.hits}, {self.trials}")

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> Self:
        """The rate of these outcomes."""
        every = list(outcomes)
        return cls(sum(every), len(every))

    @property
    def share(self) -> float:
        """hits ÷ trials; 0 where nothing was tried."""
        return self.hits / self.trials if self.trials else 0.0

    @property
    def low(self) -> float:
        return at_least(self.hits, self.trials, FAILURE / 2) if self.trials else 0.0

    @property
    def high(self) -> float:
        missed = self.trials - self.hits
        return 1 - at_least(missed, self.trials, FAILURE / 2) if self.trials else 1.0

    def to_json(self) -> dict[str, Any]:
        """Counts, share and interval."""
        return {
            "hits": self.hits,
            "trials": self.trials,
            "share": self.share,
            "low": self.low,
            "high": self.high,
        }

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%}–{self.high:.1%})"
