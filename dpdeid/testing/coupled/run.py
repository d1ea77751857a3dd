"""Many templates under one policy: what was kept, what was left out, what was found."""

from __future__ import annotations

from dataclasses import dataclass

from dpdeid.policy import Policy
from dpdeid.testing.coupled.blind import blinded
from dpdeid.testing.coupled.check import Violation, compared, keeps_order
from dpdeid.testing.coupled.generate import pairs
from dpdeid.testing.coupled.shrink import shrunk


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """Args:
    templates: how many were made.
    discarded: for how many no two fillings of one skeleton were found.
    violations: shrunken, in the order in which they were found.
    """

    policy: str
    templates: int
    discarded: int
    violations: tuple[Violation, ...]

    def __str__(self) -> str:
        return (
            f"{self.policy}: {self.templates} templates, {self.discarded} discarded, "
            f"{len(self.violations)} that differ"
        )


def fuzz(policy: Policy, templates: int, *, seed: int = 0, most: int = 3) -> Fuzzed:
    """Compares the releases of random pairs, until `most` violations are found."""
    discarded, found, made = 0, [], 0
    with blinded():
        for made in range(1, templates + 1):
            pair = pairs(seed, made, ordered=keeps_order(policy))
            if pair is None:
                discarded += 1
            elif (violation := compared(policy, pair)) is not None:
                found.append(shrunk(policy, violation))
                if len(found) == most:
                    break
    return Fuzzed(policy.name, made, discarded, tuple(found))
