"""Where noisy gaps end up: surrogate days from the skeleton of a chain, and from nothing secret.

Post-processing of released draws by public facts and by what was released before, which is frozen:
the first date lies in the cohort, no note after e0, no birth after the last note, no date before
the patient's birth, nobody is over 105 years old, whole dates are different days in their order.
Where these leave room, a date lies as far from its base as kept words tell; so the first of those
that words tie together is placed where the others have room too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dpdeid.privacy.timeline.chain import Age, Link, Role, Skeleton
from dpdeid.privacy.timeline.decoding import Belief, within
from dpdeid.privacy.timeline.points import LARGEST, UNITS

_MONTH: Final = 31
_OLDEST: Final = 38_351  # days: nobody is over 105 on the last note
_WEEKENDS: Final = {Role.STAY: 0.4, Role.READ: 0.4, Role.BEFORE: 0.2, Role.AHEAD: 0.1}
"""How likely a day at a weekend is, beside one from Monday to Friday: patients are in hospital on
any day, and few are called to it for a Sunday."""


class Drawn(NamedTuple):
    """What is known of a gap after its draw; `share` says which quantile of it is released."""

    belief: Belief
    share: float = 0.5


def place(
    skeleton: Skeleton,
    drawn: Mapping[int, Drawn],
    released: Mapping[int, int],
    *,
    e0: int,
    since: int,
) -> dict[int, int]:
    """The day of every date of a skeleton, by number.

    Args:
        drawn: of each new date.
        released: days of the others, which stay.
        since: the first day on which the first date may lie.
    """
    placing = _Placing(skeleton, dict(released), e0, since)
    for at, link in skeleton.links.items():
        low, high = placing.bounds(at, link)
        low, high = placing.with_tied(at, low, high)
        gap, share = drawn[at]
        base = placing.base(link)
        if link.told is not None:
            told = link.told if link.age is None else (0, 0)  # its unit of life is that of the date
            low, high = (within(base + end, low, high) for end in told)
        weekend = _WEEKENDS.get(link.role, 1.0)
        low, high = placing.as_read(at, low, high)
        day = gap.day(base, link.side, low, high, share=share, weekend=weekend)
        if link.role is Role.FIRST:
            day = _working(day, low, high)
        if (room := placing.room(at, drawn)) is not None:
            day = within(_with_room(day, *room), low, high)
        if link.age is not None:
            day = placing.middle(link.age, placing.reached(link.age, day))
        placing.days[at] = day
    return placing.days


def _with_room(day: int, before: int, behind: int) -> int:
    """The nearest day that has so many days of its year before it, and so many behind it."""
    year, found = dt.date.fromordinal(day).year, []
    for one in (year - 1, year, year + 1):
        first, last = dt.date(one, 1, 1).toordinal(), dt.date(one, 12, 31).toordinal()
        before = min(before, (last - first) * before // max(before + behind, 1))
        found.append(within(day, first + before, max(last - behind, first + before)))
    return min(found, key=lambda other: abs(other - day))


def _working(day: int, low: int | None, high: int | None) -> int:
    """The nearest day from Monday to Friday, where there is room."""
    moved = day + (0, -1, 1)[max((day - 1) % 7 - 4, 0)]
    return moved if within(moved, low, high) == moved else day


class _Pair(NamedTuple):
    """Two dates that are read together, the first one before the other: within so many days, or
    within one year (0).
    """

    first: int
    last: int
    most: int


def _year(day: int) -> tuple[int, int]:
    """The first and the last day of the year of a day."""
    year = dt.date.fromordinal(day).year
    return dt.date(year, 1, 1).toordinal(), dt.date(year, 12, 31).toordinal()


class _Placing:
    """Days that are placed, and the room between them. Not frozen: it fills up."""

    def __init__(self, skeleton: Skeleton, days: dict[int, int], e0: int, since: int) -> None:
        self.skeleton, self.days, self.e0, self.since = skeleton, days, e0, since
        self.place = {at: place for place, at in enumerate(skeleton.whole)}
        self.last = max((self.place[at] for at in skeleton.notes), default=-1)
        self.tied: dict[int, list[tuple[int, int, int]]] = {}
        """By the first of those that words tie together, the others, and how far they lie off."""
        away: dict[int, tuple[int, int, int]] = {}
        for at, link in skeleton.links.items():
            if link.told is not None and link.base is not None and link.age is None:
                first, least, most = away.get(link.base, (link.base, 0, 0))
                away[at] = first, least + link.told[0], most + link.told[1]
                self.tied.setdefault(first, []).append((at, *away[at][1:]))
        self.read: list[_Pair] = []
        for leader, led, most in skeleton.leads:
            first, last = sorted((leader, led), key=lambda at: self.place.get(at, 0))
            self.read.append(_Pair(first, last, most))
        self.years: list[tuple[int, int]] = []
        """The first and the last place of dates that share a year."""
        for start, end in sorted(self._of_one_year()):
            if self.years and start <= self.years[-1][1]:
                start, last = self.years.pop()
                end = max(end, last)
            self.years.append((start, end))

    @property
    def born(self) -> int | None:
        """The surrogate of the patient's birth."""
        return None if self.skeleton.birth is None else self.days.get(self.skeleton.birth)

    def base(self, link: Link) -> int:
        return self.e0 if link.base is None else self.days[link.base]

    def bounds(self, at: int, link: Link) -> tuple[int | None, int | None]:
        """The first and the last day on which a date may be placed."""
        if link.role in (Role.BIRTH, Role.NEWBORN):
            return self._of_birth(at, link)
        if link.age is not None:
            return self._of_age(link.age, link.until)
        if at in self.place:
            return self._of_whole(at, link)
        low = max([self.days[o] for o in link.after if o in self.days], default=None)
        high = min([self.days[o] for o in link.until if o in self.days], default=None)
        if link.role is Role.FIRST:
            high = self.e0 if high is None else min(high, self.e0)
        if self.born is not None:
            low = self.born if low is None else max(low, self.born)
        return low, high if low is None or high is None else max(low, high)

    def with_tied(
        self, at: int, low: int | None, high: int | None
    ) -> tuple[int | None, int | None]:
        """The same, so that what is tied to it finds room, if there is room for all."""
        first, last = low, high
        for other, least, most in self.tied.get(at, ()):
            start, end = self.bounds(other, self.skeleton.links[other])
            if start is not None:
                first = start - most if first is None else max(first, start - most)
            if end is not None:
                last = end - least if last is None else min(last, end - least)
        return (
            (low, high)
            if first is not None and last is not None and first > last
            else (first, last)
        )

    def reached(self, age: Age, day: int) -> int:
        """The whole units of life on a day."""
        return max(int((day - self.days[age.born]) // UNITS[age.unit]), 0)

    def middle(self, age: Age, amount: int) -> int:
        """The day in the middle of a unit of life, which is the first day of itself."""
        return self.days[age.born] + int(amount * UNITS[age.unit] + UNITS[age.unit] // 2)

    def _of_age(self, age: Age, until: Sequence[int]) -> tuple[int, int]:
        """Behind the age before, before the next one that is placed, with room for those between;
        all are younger than on the day of the note, and none is 0 but in days.
        """
        least = int(age.unit != "days")
        if age.before in self.days:
            least = max(least, self.reached(age, self.days[age.before]) + age.more)
        largest = LARGEST[age.unit]
        placed = next((at for at, other in enumerate(age.later) if other in self.days), None)
        ends = until if placed is None else (age.later[placed],)
        between = (self.skeleton.links[other].age for other in age.later[:placed])
        rest = sum(other is not None and other.unit == age.unit for other in between)
        reached = (self.reached(age, self.days[other]) for other in ends if other in self.days)
        top = min(reached, default=self.reached(age, self.e0))
        most = min(top - 1 - rest, largest)
        if most < least:  # no room is left: ages are shared
            least = most = max(min(least, top, largest), 0)
        return self.middle(age, least), self.middle(age, most)

    def _of_one_year(self) -> Iterator[tuple[int, int]]:
        for first, last, most in self.read:
            if not most and first in self.place and last in self.place:
                yield self.place[first], self.place[last]

    def as_read(self, at: int, low: int | None, high: int | None) -> tuple[int | None, int | None]:
        """The same, so that one reads on in the order of the dates: what stands between two that
        are read together lies between them too.
        """
        nearest: list[int] = []
        for first, last, most in self.read:
            here = self.place.get(at)
            start, end = self.place.get(first), self.place.get(last)
            if here is None or start is None or end is None:
                if at not in (first, last):
                    continue
                here, start, end, most = 0, 0, 0, most and most - _MONTH
            elif not start <= here <= end:
                continue
            if last != at and (day := self.days.get(last)) is not None:
                low = within((day - most if most else _year(day)[0]) + here - start, low, None)
                if start == end and most:
                    nearest.append(day)
            if first != at and (day := self.days.get(first)) is not None:
                high = within((day + most if most else _year(day)[1]) - (end - here), None, high)
        high = min(nearest, default=high)
        return (low if low is None or high is None else min(low, high)), high

    def room(self, at: int, drawn: Mapping[int, Drawn]) -> tuple[int, int] | None:
        """How many days those that share its year are likely to need before it and behind it; None
        where there are none, or one of them is placed.
        """
        here = self.place.get(at, -1)
        for first, last in self.years:
            others = [self.skeleton.whole[place] for place in range(first, last + 1)]
            if first <= here <= last and not any(other in self.days for other in others):
                days = [drawn[o].belief.day(0, 1, 1, None, share=drawn[o].share) for o in others]
                return sum(days[: here - first]), sum(days[here - first + 1 :])
        return None

    def _of_birth(self, at: int, link: Link) -> tuple[int | None, int | None]:
        notes = [self.days[at] for at in self.skeleton.notes if at in self.days]
        latest = max(notes, default=self.e0) if link.told is None else self.e0
        if at != self.skeleton.birth:
            low = max((self.days[o] + 1 for o in link.after if o in self.days), default=None)
            high = min((latest, *(self.days[o] - 1 for o in link.until if o in self.days)))
            return low, high if low is None else max(low, high)
        rough = (day for other, day in self.days.items() if other in self.skeleton.rough)
        whole = (self.days[o] - place for o, place in self.place.items() if o in self.days)
        first = min((*rough, *whole), default=latest)
        return min(latest - _OLDEST, first), first

    def _of_whole(self, at: int, link: Link) -> tuple[int | None, int | None]:
        """Between placed neighbours, with a day for each date that comes between."""
        place, whole = self.place[at], self.skeleton.whole
        before = next((o for o in reversed(whole[:place]) if o in self.days), None)
        behind = next((o for o in whole[place + 1 :] if o in self.days), None)
        low = None if before is None else self.days[before] + place - self.place[before]
        high = None if behind is None else self.days[behind] + place - self.place[behind]
        if self.born is not None:
            low = self.born + place if low is None else max(low, self.born + place)
        if place <= self.last:
            latest = self.e0 if self.born is None else min(self.e0, self.born + _OLDEST)
            latest -= self.last - place
            high = latest if high is None else min(high, latest)
        if link.role is Role.FIRST:
            earliest = self.since if low is None else max(low, self.since)
            low = earliest if high is None else min(earliest, high)
        if low is not None and high is not None and low > high:  # no room is left: days are shared
            day = high if link.side > 0 else low
            day = day if before is None else max(day, self.days[before])
            low = high = day if behind is None else min(day, self.days[behind])
        return low, high
