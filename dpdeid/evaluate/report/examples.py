"""What a policy does to made-up people: towns moved, a patient's dates moved. Nobody is real.

A page that showed where the towns of real patients went would undo what it reports on.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from typing import Final

from dpdeid.evaluate.attacks.patients import E0, KEY, france, town
from dpdeid.policy import Policy
from dpdeid.privacy.places import Spot
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.privacy.timeline import Kind, Paper, Point
from dpdeid.substitute.dates import Dates
from dpdeid.substitute.places import Places

_NOTE: Final = dt.date(2024, 3, 14).toordinal()
GAPS: Final = (-760, -410, -396, -120, -21, -3, 0, 14)
"""Days from the note of the made-up patient to the events it tells of."""


@dataclass(frozen=True, slots=True)
class Move:
    """A place and its surrogate, in degrees, and the kilometres between them."""

    start: tuple[float, float]
    end: tuple[float, float]
    km: float


def moves(policy: Policy, count: int) -> tuple[Move, ...]:
    """So many inhabitants of France drawn alike, and where the policy moves the town of each.

    Empty where the policy draws no places.
    """
    strategy = next((s for s in policy.strategies if isinstance(s, Places)), None)
    if strategy is None:
        return ()
    listed = france()
    own, plane = listed.positions, listed.projection
    stream = Stream(b"places of a report")
    moved = []
    for at in range(count):
        index = town(stream)
        spot = Spot(str(index), *own[index], listed)
        (given,) = strategy.mechanism.release([spot], streams=Streams(KEY, f"inhabitant {at}"))
        if given.index is not None:
            end = own[given.index]
            km = math.dist(plane.plane(*own[index]), plane.plane(*end))
            moved.append(Move(own[index], end, km))
    return tuple(moved)


def story(policy: Policy) -> tuple[int | None, ...] | None:
    """The released days of one made-up patient, in the order of `GAPS`, as ordinals.

    None for a date that is redacted; None as a whole where the policy draws no dates.
    """
    strategy = next((s for s in policy.strategies if isinstance(s, Dates)), None)
    if strategy is None:
        return None
    points = [
        Point(str(gap), _NOTE + gap, Kind.EVENT if gap else Kind.NOTE, 0)
        for gap in sorted(GAPS, key=abs)
    ]
    e0 = _NOTE if isinstance(strategy.timeline, Paper) else E0
    released = strategy.timeline.release(points, e0=e0, streams=Streams(KEY, "a made-up patient"))
    days = {int(point.name): given.day for point, given in zip(points, released, strict=True)}
    return tuple(days[gap] for gap in GAPS)
