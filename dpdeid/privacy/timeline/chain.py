"""The chain of a record: what each date is counted from, which is public, and the gaps, which are
secret.

Dates that are printed fully are a chain in their order, which the text shows: the first note's date
is drawn as its gap to e0, and from it outwards every other one as its gap to its neighbour. So what
stands close together stays close, and no order has to be mended. What a gap is worth is decided by
its `Role`, by words and order alone. A date that is printed in part ("juin 2023") hangs on the next
one that certainly lies on the side of its note; the patient's birth on the first note, any other on
its own. A date whose distance from another one kept words tell ("il y a 15 ans") is tied to it: it
follows right behind it, and no gap of it is drawn.

A `Skeleton` says all that is public of this, in numbers that are no days; where surrogates come to
lie (`placing`) is computed from it and from noisy gaps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from dpdeid.privacy.timeline.points import Kind, Past, Point

Shift = Callable[[str], int]
_DATED: Final = (Kind.NOTE, Kind.EVENT)
_YEAR, _FEW = 366, 12  # days of a year; dates of a history that is not long


class Role(StrEnum):
    """What a gap is between, as far as words and the order of dates tell it."""

    FIRST = "first"
    """From the first date of a unit to e0."""
    STAY = "stay"
    """Between two dates of one range or list that the text tells, or from its end to the note."""
    READ = "read"
    """From a date to one without its year that is read on from it."""
    AHEAD = "ahead"
    """To a date after the last note: an appointment."""
    BEFORE = "before"
    """Between any other two neighbours."""
    ROUGH = "rough"
    """From a date that is printed in part to the next one on the side of its note."""
    AGED = "aged"
    """From an age of the past to the one before it, of the first one to the birth."""
    BIRTH = "birth"
    """From the patient's birth to the first note, from others to their own; if no date is printed
    fully, to one beside an age, or to e0, as ages are read.
    """
    NEWBORN = "newborn"
    """From a birth to its note, where an age in months, weeks or days is told."""


class Age(NamedTuple):
    """What is public of an age of the past.

    Args:
        born: the birth that it is counted from.
        unit: that it is told in.
        before: the age before it, None of the first.
        more: whether that one is told in the same unit, so that this one is written as more.
        later: those behind it, in their order.
    """

    born: int
    unit: str
    before: int | None = None
    more: bool = False
    later: tuple[int, ...] = ()


class Link(NamedTuple):
    """What is public of one date; dates are numbers.

    Args:
        base: what its gap is counted from; None for e0.
        side: +1 where the date certainly lies after its base, else −1.
        span: of a NEWBORN, the largest gap.
        after, until: of a ROUGH date or newborn, those that certainly lie before it, and behind it.
        told: the least and the most days from its base, negative before it, where words tell them.
        age: of an AGED day.
    """

    role: Role
    base: int | None
    side: int
    span: int = 0
    after: tuple[int, ...] = ()
    until: tuple[int, ...] = ()
    told: tuple[int, int] | None = None
    age: Age | None = None


@dataclass(frozen=True, slots=True)
class Skeleton:
    """All that is public of the dates of a unit, in numbers by release order.

    Args:
        links: of each new date, in the order in which they are placed.
        whole: the dates that are printed fully, in their order.
        notes: those that are dates of notes.
        rough: those that are printed in part.
        leads: which date leads which, as one reads, within how many days, or within its year (0).
        birth: the birth before which no date lies.
    """

    links: dict[int, Link]
    whole: tuple[int, ...]
    notes: frozenset[int]
    rough: frozenset[int]
    birth: int | None
    leads: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """A unit's dates: the skeleton, and what no placing may see: points, and the true gaps of new
    ones, by number.
    """

    skeleton: Skeleton
    points: tuple[Point, ...] = field(repr=False)
    gaps: dict[int, int] = field(repr=False)


def chain(points: Sequence[Point], past: Past, e0: int, shift: Shift = lambda _: 0) -> Chain:
    """The chain of new dates and of those released before; what `shift` gives for the name of the
    first one lengthens its gap.
    """
    return _Plan(points, past).chain(e0, shift)


class _Plan:
    """The links of one batch, being made."""

    def __init__(self, points: Sequence[Point], past: Past) -> None:
        known = [point for point, given in past.entries if given.day is not None]
        own = {point.key: point for point, _ in past.entries}
        fresh = {p.key: p for p in reversed(points) if p.key not in own}
        every = [*points, *known]
        named = dict.fromkeys(p.key for p in points if p.key in fresh)
        self.points = (*known, *(fresh[key] for key in named))
        self.new = range(len(known), len(self.points))
        self.number = {point.key: at for at, point in enumerate(self.points)}
        self.lives = self._lives()
        started = (p for p in every if p.start and p.kind is not Kind.AGED)
        self.ranges = [(("date", p.start), p.key) for p in started]
        dated = [at for at, point in enumerate(self.points) if point.kind in _DATED]
        full = [at for at in dated if self.points[at].printed is None]
        self.rough = [at for at in dated if self.points[at].printed is not None]
        self.whole = sorted(full, key=lambda at: (self.points[at].day, at))
        self.days = [self.points[at].day for at in self.whole]
        self.place = {at: place for place, at in enumerate(self.whole)}
        held = [at for at in dated if at not in self.new]
        latest = max((self._span(at)[0] for at in self.rough), default=0)
        last = (at for at in self.rough if self._span(at)[1] >= latest)
        self.root = next(iter((*held, *full, *last)), None)
        """The first of all, or the last if all are printed in part: it is drawn from e0."""
        self.middle = next(iter([at for at in held if at in self.place] or full), None)
        """The first of the chain, from which it runs both ways."""
        placed = [p for p in every if self.number.get(p.key) in self.place]
        self.anchors: dict[int, int] = {}
        """The date of each note: its own, or else the first whole one in it."""
        for point in sorted(placed, key=lambda point: point.kind is not Kind.NOTE):
            self.anchors.setdefault(point.note, self.number[point.key])
        self.notes = frozenset(self.anchors.values())
        self.ties = self._ties(points)
        self.leads = self._leads(every)

    def _lives(self) -> dict[int, list[int]]:
        """By each birth, the ages of the past that are counted from it, in their order."""
        found: dict[int, list[int]] = {}
        for at, point in enumerate(self.points):
            born = self.number.get(("birth", point.start))
            if point.kind is Kind.AGED and born is not None:
                found.setdefault(born, []).append(at)
        ages = ((born, [(self.points[at].day, at) for at in each]) for born, each in found.items())
        return {born: [at for _, at in sorted(each)] for born, each in ages}

    def chain(self, e0: int, shift: Shift) -> Chain:
        links = dict(self._links())
        birth = next((at for at, point in enumerate(self.points) if point.first), None)
        whole, rough = tuple(self.whole), frozenset(self.rough)
        skeleton = Skeleton(links, whole, self.notes, rough, birth, self.leads)
        gaps = {at: self._gap(self.points[at], link, e0, shift) for at, link in links.items()}
        return Chain(skeleton, self.points, gaps)

    def _gap(self, point: Point, link: Link, e0: int, shift: Shift) -> int:
        if link.base is None:
            return e0 - point.day + (shift(point.name) if link.role is Role.FIRST else 0)
        return link.side * (point.day - self.points[link.base].day)

    def _leads(self, every: Sequence[Point]) -> tuple[tuple[int, int, int], ...]:
        """Which date leads which, within how many days: 0 for its year."""
        found: dict[tuple[int, int], int] = {}
        for point in every:
            if point.led is not None:
                base, most, shared = point.led
                pair = self.number.get(("date", base), -1), self.number.get(point.key, -1)
                if min(pair) >= 0 and pair[0] != pair[1]:
                    found.setdefault(pair, 0 if shared else most)
        return tuple([(*pair, most) for pair, most in found.items()])

    def _ties(self, points: Sequence[Point]) -> dict[int, list[tuple[int, int, int]]]:
        """Of each date, those from which words tell its distance, and how far it lies behind them:
        none against the printed order, nor from afar in a long history, which would crush it.
        """
        ties: dict[int, list[tuple[int, int, int]]] = {}
        for point in points:
            at = self.number.get(point.key, -1)
            dated = at in self.place or at in self.rough
            before, behind = self._certain(at) if dated else ((), ())
            for name, least, most, between in point.told:
                base = self.number.get(("date", name), self.number.get(("birth", name), -1))
                contrary = (base in before and most < 1) or (base in behind and least > -1)
                if min(at, base) >= 0 and not contrary and self._is_near(at, base, between):
                    ties.setdefault(at, []).append((base, least, most))
                    ties.setdefault(base, []).append((at, -most, -least))
                    break
        return ties

    def _is_near(self, at: int, base: int, between: int) -> bool:
        """Whether so many dates lie between two at most, or few are there, or one is of an age."""
        kinds = self.points[at].kind, self.points[base].kind
        if Kind.AGED in kinds or len(self.whole) + len(self.rough) <= _FEW:
            return True
        one, other = self.place.get(at), self.place.get(base)
        return between > 0 if one is None or other is None else abs(one - other) <= between + 1

    def _links(self) -> Iterator[tuple[int, Link]]:
        """The links of new dates; what is tied to a date that is placed is placed next, so that all
        others come to lie around it.
        """
        placed = {*range(self.new.start)}
        walk = dict(self._walk())
        left = [*reversed(walk)]
        for at in placed:
            left += self._tied(at)
        while left:
            at = left.pop()
            if at in placed:
                continue
            if (link := walk.get(at)) is None:
                continue
            for base, least, most in self.ties.get(at, ()):
                if base in placed:
                    side = 1 if least + most > 0 else -1
                    link = link._replace(base=base, side=side, told=(least, most))
                    break
            yield at, link
            placed.add(at)
            left += self._tied(at)

    def _tied(self, at: int) -> Iterator[int]:
        """What is placed next, since words tie it to a date."""
        aged = self.points[at].kind is Kind.AGED
        for other, _, _ in self.ties.get(at, ()):
            if aged or other in self.place or self.points[other].kind is Kind.BIRTH:
                yield other

    def _walk(self) -> Iterator[tuple[int, Link]]:
        """First come notes, births and ages, then what lies before, then what hangs on it."""
        births = [at for at in self.new if self.points[at].kind is Kind.BIRTH]
        first = [at for at in births if self.points[at].first]
        if self.root is not None:
            yield self.root, Link(Role.FIRST, None, -1)
        if self.middle is not None:
            if self.middle != self.root:
                yield self.middle, self._rough(self.middle, {*range(self.new.start), self.root})
            yield from self._outwards(self.place[self.middle], 1)
            back = list(self._outwards(self.place[self.middle], -1))
            notes = [place for place, (at, _) in enumerate(back, 1) if at in self.notes]
            until = max(notes, default=0)
            yield from back[:until]
            note = back[until - 1][0] if until else self.middle
            yield from ((at, Link(Role.BIRTH, note, -1)) for at in first)
            for born in first:
                yield from self._life(born)
            yield from back[until:]
        else:
            yield from self._inwards()
        for at in births:
            if at not in first or self.middle is None:
                yield at, self._birth(at)
                yield from self._life(at)
        for born in self.lives.keys() - self.new:
            yield from self._life(born)
        if self.middle is not None:
            yield from self._inwards()

    def _inwards(self) -> Iterator[tuple[int, Link]]:
        """The dates printed in part, those next to the date of their note first."""
        sides: dict[int, tuple[int, int]] = {}
        for at in self.rough:
            before, behind = self._certain(at)
            start = self._anchor(at)
            side = (start in before) - (start in behind)
            sides[at] = abs(side), len(before if side > 0 else behind)
        placed = {*range(self.new.start), *self.whole, self.root}
        for at in sorted(self.rough, key=lambda at: (*sides[at], at)):
            if at != self.root:
                yield at, self._rough(at, placed)
            placed.add(at)

    def _life(self, born: int) -> Iterator[tuple[int, Link]]:
        """The ages of the past that are counted from a birth, those with a placed date first."""
        ages = self.lives.get(born, [])
        told = {at for at in ages if self.middle is None and at in self.ties}
        for place, at in sorted(enumerate(ages), key=lambda one: one[1] not in told):
            if at not in self.new:
                continue
            unit, before = self.points[at].unit, ages[place - 1] if place else None
            noted = self.anchors.get(self.points[at].note, self.middle)
            more = before is not None and self.points[before].unit == unit
            age = Age(born, unit, before, more, tuple(ages[place + 1 :]))
            around = () if noted is None else (noted,)
            yield at, Link(Role.AGED, born if before is None else before, 1, until=around, age=age)

    def _outwards(self, place: int, side: int) -> Iterator[tuple[int, Link]]:
        near = self._near()
        last = max((self.place[at] for at in self.notes), default=place)
        while 0 <= place + side < len(self.whole):
            base, lower = self.whole[place], min(place, place + side)
            place += side
            role = near.get(lower, Role.AHEAD if lower >= last else Role.BEFORE)
            yield self.whole[place], Link(role, base, side)

    def _near(self) -> dict[int, Role]:
        """By place, the role from there to the next date: of a range or to its note, or read on."""
        found: dict[int, Role] = {}
        for start, end in self.ranges:
            first, last = (self.place.get(self.number.get(key, -1)) for key in (start, end))
            if first is not None and last is not None:
                found |= dict.fromkeys(range(first, last), Role.STAY)
                if last + 1 < len(self.whole) and self.whole[last + 1] in self.notes:
                    found[last] = Role.STAY
        for leader, led, _ in self.leads:
            if {leader, led} <= self.place.keys():
                between = range(*sorted((self.place[leader], self.place[led])))
                found |= dict.fromkeys(between, Role.READ)
        return found

    def _anchor(self, at: int) -> int | None:
        """The date of its note, or else the first date of the unit."""
        own = self.anchors.get(self.points[at].note, self.middle)
        return self.root if own is None else own

    def _birth(self, at: int) -> Link:
        """Of a birth that is counted from the date of its own note, if from any."""
        anchor, span, name = self._anchor(at), self.points[at].span, self.points[at].name
        around = self._certain(at) if name.startswith("patient/") and name.endswith("/day") else ()
        if span and anchor is not None:
            return Link(Role.NEWBORN, anchor, -1, span, *around)
        if self.middle is None:  # e0, against which ages are read, if no age has a date
            told = (self.ties[age][0][0] for age in self.lives.get(at, ()) if age in self.ties)
            anchor = next(told, None)
        return Link(Role.BIRTH, anchor, -1, 0, *around)

    def _certain(self, at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The dates that certainly lie before a date and behind it."""
        first, last = self._span(at)
        rough = [(self._span(o), o) for o in self.rough if o != at]
        low, high = bisect_left(self.days, first), bisect_right(self.days, last)
        before = (*self.whole[:low], *(o for (_, end), o in rough if end < first))
        behind = (*self.whole[high:], *(o for (start, _), o in rough if start > last))
        return before, behind

    def _rough(self, at: int, placed: Collection[int | None]) -> Link:
        """Of a date printed in part, or of the first one that is not: counted from what is placed
        next to it on the side of the date of its note.
        """
        after, until = self._certain(at)
        start = self.root if at == self.middle else self._anchor(at)
        for leader, led, most in self.leads:
            if leader == at and led in self.place:
                told = None if most else (-_YEAR, _YEAR)  # its year is that of what it leads
                return Link(Role.ROUGH, led, -1, after=after, until=until, told=told)
            if led == at and leader in self.place:
                return Link(Role.ROUGH, leader, 1, after=after, until=until)
        base, side = start, -1
        if start in after:
            base, side = self._nearest(after, placed, -1), 1
        elif start in until:
            base = self._nearest(until, placed, 1)
        return Link(Role.ROUGH, base, side, after=after, until=until)

    def _nearest(self, others: Sequence[int], placed: Collection[int | None], side: int) -> int:
        """Of placed dates behind one (1) or before it (-1) one that none of them certainly lies
        nearer than; one printed fully, if one is.
        """
        ends = {at: self._span(at)[::side] for at in others if at in placed}
        furthest = min(side * far for _, far in ends.values())
        near = (at for at, (close, _) in ends.items() if side * close <= furthest)
        return min(near, key=lambda at: (at not in self.place, at))

    def _span(self, at: int) -> tuple[int, int]:
        """The first and the last day that a date may mean."""
        return self.points[at].printed or (self.points[at].day, self.points[at].day)
