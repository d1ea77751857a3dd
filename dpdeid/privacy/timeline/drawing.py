"""The draws of a chain: which arm draws which gap, and which dates have a budget.

Caps go by position in release order, so a later date changes no budget of an earlier one. A date
that kept words tie to another one is not drawn and costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.losses import Epsilon, EpsilonPerStep
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.chain import Chain, Link, Role, Shift, chain
from dpdeid.privacy.timeline.decoding import Belief, Decodable, belief
from dpdeid.privacy.timeline.placing import Drawn, place
from dpdeid.privacy.timeline.points import PURPOSE, UNIT_SPANS, Kind, Past, Point, Released
from dpdeid.privacy.timeline.priors import Prior

_Key = tuple[str, str]
_LIKELY: Final = (0.3, 0.4)
"""What is over a cap is a quantile of its prior between .3 and .7."""
_FINE: Final = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A mechanism, what its charges say, and what is publicly known of what it draws.

    Args:
        spare: what is released where no budget is left, if not `known`: likely gaps, so that many
            of them in a row do not run away.
    """

    mechanism: Decodable
    loss: Epsilon | EpsilonPerStep
    known: Prior
    spare: Prior | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.mechanism))

    @property
    def prior(self) -> Sequence[int]:
        """Sorted, equally likely days."""
        return self.known.table


@lru_cache(maxsize=256)
def _belief(arm: Arm, noisy: int | None) -> Belief:
    if noisy is None:
        return belief(arm.spare or arm.known)
    return belief(arm.known, arm.mechanism, noisy)


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms of one policy, and its caps.

    Args:
        of: the arm of each role but NEWBORN.
        newborn: by the most days of the unit of an age; that of BIRTH where there is none.
        relatives, relatives_newborn: of births after the first `births_cap`; they count in `cap`.
            None: births have no further budget. The latter are of ages of the past as well.
        cap: how many dates, and births of relatives, are drawn.
        births_cap: how many births have their own budget.
        free: whether what is over a cap is drawn from public knowledge instead of left out.
    """

    of: Mapping[Role, Arm]
    newborn: Mapping[int, Arm]
    cap: int
    births_cap: int
    free: bool
    relatives: Arm | None = None
    relatives_newborn: Mapping[int, Arm] = field(default_factory=dict)

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Every arm that may draw, those of equal name once."""
        narrow = (*self.newborn.values(), *self.relatives_newborn.values())
        own = (*self.of.values(), *((self.relatives,) if self.relatives else ()), *narrow)
        return tuple({arm.name: arm for arm in own}.values())

    def arm(self, link: Link, *, own: bool) -> Arm:
        """That of a link; a birth may have its `own` budget."""
        relative = not own and self.relatives is not None
        narrow = self.relatives_newborn if relative else self.newborn
        if link.role is Role.NEWBORN and link.span in narrow:
            return narrow[link.span]
        small = UNIT_SPANS.get(link.age.unit, 0) if link.age is not None else 0
        if small in self.relatives_newborn:
            return self.relatives_newborn[small]
        if link.role in (Role.BIRTH, Role.NEWBORN):
            return self.relatives if relative and self.relatives else self.of[Role.BIRTH]
        return self.of[link.role]


def release(
    arms: Arms,
    points: Sequence[Point],
    *,
    e0: int,
    since: int,
    streams: Streams | None,
    past: Past | None = None,
    shift: Shift = lambda _: 0,
) -> tuple[Released, ...]:
    """The surrogate of each point, in their order.

    Args:
        since: the first day on which the first date may come to lie.
        streams: None to draw nothing: then every date is the median of what is public of it.
        shift: days, by the name of the first date, that are taken off it, and so off all that are
            counted from it.
    """
    past = past or Past()
    points = [point._replace(note=point.note + past.notes) for point in points]
    made, budgets = _planned(arms, points, past, e0, shift)
    skeleton, every = made.skeleton, made.points
    drawn: dict[int, Drawn] = {}
    charges: dict[_Key, tuple[Charge, ...]] = {}
    for at in sorted(skeleton.links):  # in release order, which is public
        link, point = skeleton.links[at], every[at]
        funded, own = budgets.get(point.key, (False, False))
        arm = arms.arm(link, own=own)
        if funded and streams is not None:
            base = f"e0={e0}" if link.base is None else every[link.base].name
            source, event = streams.named(PURPOSE, point.family, arm.name, base, point.name)
            drawn[at] = Drawn(_belief(arm, arm.mechanism.randomise(made.gaps[at], source)))
            charges[point.key] = (Charge(streams.unit, event, arm.name, arm.loss),)
        else:
            drawn[at] = Drawn(_belief(arm, None), _share(streams, point))
    before = {point.key: given for point, given in past.entries}
    days = {at: given.day for at, p in enumerate(every) if (given := before.get(p.key))}
    known = {at: day for at, day in days.items() if day is not None}
    placed = place(skeleton, drawn, known, e0=e0, since=since)
    found = {
        point.key: Released(placed[at], charges.get(point.key, ()))
        for at, point in enumerate(every)
        if at in skeleton.links
    }
    return tuple([before.get(p.key) or found.get(p.key) or Released(None) for p in points])


def _planned(
    arms: Arms, points: Sequence[Point], past: Past, e0: int, shift: Shift
) -> tuple[Chain, dict[_Key, tuple[bool, bool]]]:
    """The chain of what is released, and the budgets of what is drawn of it."""
    while True:
        made = chain(points, past, e0, shift)
        told = {made.points[at].key for at, link in made.skeleton.links.items() if link.told}
        budgets = _budgets(arms, [p for p in points if p.key not in told], past)
        kept = [p for p in points if p.key in told or budgets.get(p.key, (True, False))[0]]
        if arms.free or len(kept) == len(points):
            return made, budgets
        points = kept


def _share(streams: Streams | None, point: Point) -> float:
    """Which quantile of the prior is released of what has no budget."""
    if streams is None:
        return 0.5
    least, width = _LIKELY
    rank = streams.stream(PURPOSE, "prior", point.family, point.name).randbelow(_FINE)
    return least + width * rank / _FINE


def _budgets(arms: Arms, points: Sequence[Point], past: Past) -> dict[_Key, tuple[bool, bool]]:
    """Of each new date, whether it has a budget, and whether it is one of births."""
    left, births = arms.cap, arms.births_cap
    found: dict[_Key, tuple[bool, bool]] = {}
    released = {point.key for point, _ in past.entries}
    spent = [point for point, given in past.entries if given.charges]
    for point in (*spent, *(p for p in points if p.key not in released)):
        if point.key in found:
            continue
        birth = point.kind is Kind.BIRTH
        own = birth and births > 0
        funded = own or (left > 0 and not (birth and arms.relatives is None))
        births -= own
        left -= funded and not own
        found[point.key] = (funded, own)
    return found
