"""Maximal leakage: how many bits a draw tells at most, whatever an attacker believed before.

log2 of the sum, over all outputs, of their largest probability under any input. No attacker's
chance to guess anything right grows by more than 2 to that power, and bits of independent draws add
up. Issa, Wagner and Kamath 2020.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.modes import Metric, Strict

RECORDS: Final = 10_000
"""Among so many a record is named."""


def bits(mechanism: Decodable) -> float:
    """The bits of one draw: exact, but for tables with many days, of which it is a bound."""
    match mechanism:
        case Window() | PriorWindow():
            weights, block = mechanism.weights, mechanism.size
            owned = Counter(mechanism.table).values()
            most = sum(weights.outside * size + weights.more * min(size, block) for size in owned)
            return math.log2(most / weights.total)
        case BoundedLaplace():  # a weight falls faster than a total, so that x = y is the likeliest
            falling = mechanism.falling
            peak = falling.sums[1]
            return math.log2(math.fsum(peak / falling.total(x) for x in mechanism.domain))
        case ClampedGeometric():
            noise, inner = mechanism.noise, mechanism.upper - mechanism.lower - 1
            return math.log2(((inner + 2) * noise.centre + 2 * noise.beyond(1)) / noise.total)
        case ProportionalNoise():
            return bits(mechanism.inner)


def told(mode: Metric | Strict) -> Iterator[str]:
    """What dates and births tell, draw by draw and of a whole record."""
    found = {role: bits(mode.arm(role).mechanism) for role in Role if role is not Role.NEWBORN}
    if isinstance(mode, Metric) and mode.shift_days:
        shifted = len(mode.arm(Role.FIRST).mechanism.domain) / (mode.shift_days + 1) + 2
        found[Role.FIRST] = min(found[Role.FIRST], math.log2(shifted))
    named = math.log2(RECORDS)
    roles = ", ".join(f"{role.value} {_above(amount)}" for role, amount in found.items())
    yield f"leakage in bits, at most: {roles}; {named:.1f} name one of {RECORDS:,}"
    births = mode.birth_cap if isinstance(mode, Metric) else 1
    each = max(amount for role, amount in found.items() if role not in (Role.FIRST, Role.BIRTH))
    record = found[Role.FIRST] + (mode.cap - 1) * each + births * max(map(bits, mode.of_births()))
    if record < named:
        chance = 100 * 2 ** (record - named)
        yield (
            f"leakage of a whole record: at most {_above(record)} bits; whoever knows nothing else "
            f"names the right one of {RECORDS:,} by its dates with at most {_above(chance)} %"
        )
        return
    dates = 1 + math.ceil((named - found[Role.FIRST]) / each)
    yield (
        f"leakage of a whole record: from {dates} dates on the bits of its draws may add up to a "
        "name, and their sum says nothing more; each still bounds what is told of one date"
    )


def _above(amount: float) -> str:
    return f"{math.ceil(10 * amount) / 10:.1f}"
