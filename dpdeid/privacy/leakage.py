"""Maximal leakage: how many bits a draw tells at most, whatever an attacker believed before.

log2 of the sum, over all outputs, of their largest probability under any input. No attacker's
chance to guess anything right grows by more than 2 to that power, and bits of independent draws add
up. Issa, Wagner and Kamath 2020. Draws of one secret shift are not independent of it: it hides the
first of them only. Of towns see `dpdeid.privacy.places.leakage`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.chain import Role
from dpdeid.privacy.timeline.clock import Clock
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.modes import Metric, Strict

RECORDS: Final = 10_000
"""Among so many a record is named."""
NAMED: Final = math.log2(RECORDS)


class Leak(NamedTuple):
    """What one kind of draw tells at most.

    Args:
        what: the role of a date, or the list of a town.
        mechanism: its name in charges.
        bits: of one draw, or of the first one of a unit if a further one tells more.
        further: of each further draw.
    """

    what: str
    mechanism: str
    bits: float
    further: float


class Leakage(NamedTuple):
    """What the draws of a strategy tell at most, in bits.

    Args:
        of: what is drawn, in plural nouns.
        leaks: of each kind of draw; 0 bits for what is charged beside another and drawn with it.
        cap: at most how many values of a unit are drawn.
        first, each: of the first of these values, and of any further one.
        once: of what has a cap of its own.
        note: how near the truth the figures are.
    """

    of: str
    leaks: tuple[Leak, ...]
    cap: int
    first: float
    each: float
    once: float = 0.0
    note: str = ""

    @property
    def draws(self) -> dict[str, float]:
        """The most bits that one draw of each kind tells."""
        most: dict[str, float] = {}
        for leak in self.leaks:
            if leak.bits:
                most[leak.what] = max(leak.bits, most.get(leak.what, 0.0))
        return most

    @property
    def record(self) -> float:
        """Of all draws of a unit."""
        return self.first + (self.cap - 1) * self.each + self.once

    @property
    def naming(self) -> int:
        """How many values may add up to the name of one of `RECORDS`."""
        return 1 + math.ceil((NAMED - self.first) / self.each)


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


def of_timeline(mode: Metric | Strict) -> Leakage:
    """What dates and births tell."""
    leaks = []
    for role in Role:
        if role is not Role.NEWBORN:
            arm = mode.arm(role)
            amount = first = bits(arm.mechanism)
            if role is Role.FIRST and isinstance(mode, Metric) and mode.shift_days:
                shifted = len(arm.mechanism.domain) / (mode.shift_days + 1) + 2
                first = min(amount, math.log2(shifted))
            leaks.append(Leak(role.value, arm.name, first, amount))
    named = {leak.mechanism for leak in leaks}
    rest = [arm for arm in mode.arms() if arm.name not in named] or [mode.arm(Role.BIRTH)]
    for arm in rest:
        amount = bits(arm.mechanism)
        leaks.append(Leak(Role.NEWBORN.value, arm.name, amount, amount))
    own = {str(mechanism) for mechanism in mode.of_births()}
    others = [
        leak.bits
        for leak in leaks
        if leak.what not in (Role.FIRST, Role.BIRTH)
        and (leak.what != Role.NEWBORN or leak.mechanism not in own)
    ]
    births = mode.birth_cap if isinstance(mode, Metric) else 1
    once = births * max(map(bits, mode.of_births()))
    return Leakage(
        "dates and births", tuple(leaks), mode.cap, leaks[0].bits, max(others), once=once
    )


def of_clock(clock: Clock) -> Leakage:
    """What clock times tell."""
    mechanisms = zip(
        ("first of a day", "gap"), (clock.first, clock.gap), clock.draws(), strict=True
    )
    leaks = [Leak(what, draw.mechanism, bits(own), bits(own)) for what, own, draw in mechanisms]
    most = max(leak.bits for leak in leaks)
    return Leakage("clock times", tuple(leaks), clock.cap, most, most)


Table = Mapping[str, tuple[float, float]]
"""Mechanism → the bits of its first draw in a unit, and of each further one."""


def table_of(leakages: Iterable[Leakage]) -> dict[str, tuple[float, float]]:
    """The bits of each mechanism; where one name serves several kinds of draw, the most."""
    return joined(
        {leak.mechanism: (_up(leak.bits), _up(leak.further))}
        for leakage in leakages
        for leak in leakage.leaks
    )


def table_in(head: Mapping[str, Any]) -> Table:
    """The table that the head of a ledger file has; empty where it has none.

    Raises:
        ValueError: it is no such table.
    """
    try:
        rows = head.get("leakage", {"bits": {}})["bits"].items()
        return {str(name): (float(first), float(further)) for name, (first, further) in rows}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError("not the bits of a ledger") from None


def joined(tables: Iterable[Table]) -> dict[str, tuple[float, float]]:
    """All entries; of two for one mechanism the larger figures."""
    found: dict[str, tuple[float, float]] = {}
    for table in tables:
        for mechanism, (first, further) in table.items():
            before = found.get(mechanism, (0.0, 0.0))
            found[mechanism] = max(before[0], first), max(before[1], further)
    return found


def of_charges(charges: Iterable[Charge], table: Table) -> float | None:
    """The bits of what one unit was charged, each charge once; None where nothing is proved: no
    draw has a loss, or one of them stands in no table.
    """
    counts = Counter(one.mechanism for one in charges if not isinstance(one.loss, NoGuarantee))
    if not counts or counts.keys() - table.keys():
        return None
    rows = ((table[mechanism], count) for mechanism, count in counts.items())
    return _up(math.fsum(first + (count - 1) * further for (first, further), count in rows))


def _up(amount: float) -> float:
    """Rounded up, to four decimals."""
    return math.ceil(amount * 10_000) / 10_000
