"""A policy at another ε, and what attackers found of made-up patients at each: a shipped table.

What the table holds was measured by `benchmarks/playground.py`, on patients that nobody is; it says
nothing of the note that somebody looks at.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final

from dpdeid.evaluate.attacks.rates import Rate
from dpdeid.policy.policy import Policy
from dpdeid.privacy.places.release import QPWeighted
from dpdeid.privacy.places.weighted import shipped_rates
from dpdeid.protocols import Sharing, Strategy
from dpdeid.substitute.places.strategy import Places

FACTORS: Final = tuple(Fraction(2) ** power for power in range(-3, 4))
"""Times the ε of a policy: what the slider of the playground has."""
OWN: Final = FACTORS.index(Fraction(1))
TABLE: Final = "measured.tsv"


def scaled(policy: Policy, by: Fraction) -> Policy:
    """The policy with a factor times each of its ε; where weights are shipped for a few ε, with the
    nearest of these.
    """
    return replace(policy, strategies=tuple(_scaled(s, by) for s in policy.strategies), sha256="")


def _scaled(strategy: Strategy, by: Fraction) -> Strategy:
    if isinstance(strategy, Places) and isinstance(strategy.mechanism, QPWeighted):
        own = strategy.mechanism.epsilon_per_km
        by = min(shipped_rates(), key=lambda rate: abs(math.log(rate / (own * by)))) / own
    return strategy.scaled(by) if isinstance(strategy, Sharing) else strategy


def is_noised(policy: Policy) -> bool:
    """Whether a policy has an ε that can be changed."""
    return scaled(policy, FACTORS[-1]) != policy


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a policy at a factor of its ε.

    Args:
        days: the expected error of an interval, median.
        km: the expected error of a town, nan if none is drawn.
        records: made-up patients among whom one is looked for.
        dates, towns: how often the patient was found, by three dates, and by these and two towns.
    """

    days: float
    km: float
    records: int
    dates: Rate
    towns: Rate


@cache
def measured() -> dict[tuple[str, Fraction], Measured]:
    """All that was measured, by policy and factor."""
    text = (files("dpdeid.serve") / TABLE).read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    return {
        (row["policy"], Fraction(row["times"])): _of(row)
        for row in csv.DictReader(rows, delimiter="\t")
    }


def _of(row: dict[str, str]) -> Measured:
    sought = int(row["sought"])
    dates, towns = (Rate(int(row[name]), sought) for name in ("by_dates", "by_towns"))
    return Measured(float(row["days"]), float(row["km"]), int(row["records"]), dates, towns)
