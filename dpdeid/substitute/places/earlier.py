"""The places that are released of a record: what runs later asks which one stands nearest.

Towns and postal codes are as `places` drew them, institutions where they were written to be. Of
institutions that the policy keeps the name says it.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache, cached_property
from operator import itemgetter
from typing import Final, NamedTuple

from dpdeid.document import Mention
from dpdeid.gazetteers import Place, place_key, place_list_name, place_lists
from dpdeid.labels import Label
from dpdeid.protocols import Context
from dpdeid.substitute.places.institutions import NAMED, seat_of

TOWN: Final = "town"
"""What a memory calls the surrogate of a town."""


def released(listed: str, code: str) -> Place:
    """The place of a list that has a code."""
    return next(place for place in place_lists()[listed] if place.code == code)


def _named(listed: str, code: str, name: str) -> Place:
    return replace(released(listed, code), name=name)


_FEW: Final = 10
_OVERSEAS: Final = 3


@cache
def offered(listed: str, department: str = "") -> frozenset[int]:
    """What comes out of an overseas list, by index: no collectivity of a few communes, since these
    would answer for themselves; those of one department if it has enough. Empty for another list.
    """
    own = [place.department for place in place_lists()[listed]]
    if not (listed.isdigit() and len(listed) == _OVERSEAS):
        return frozenset()
    large = {code for code, count in Counter(own).items() if count >= _FEW}
    wanted = large & {department} or large
    return frozenset(at for at, code in enumerate(own) if code in wanted)


class Seat(NamedTuple):
    """The place of an institution, as a surrogate in normal form: what stands beside it is there,
    but no town is called after it.
    """

    place: Place


def _seats(context: Context) -> Iterator[tuple[Mention, Place]]:
    """Where institutions are: as they were released, and as the names say that the policy keeps."""
    for mention, value in context.values(Label.CITY, Label.ZIP, *NAMED):
        if isinstance(value, Seat):
            yield mention, value.place
    for mention in context.mentions:
        if mention.label in NAMED and mention.label in context.kept:
            place = seat_of(mention.text)
            if place is not None:
                yield mention, place


class EarlierPlaces:
    """The surrogate places of a record, to be asked which one stands nearest.

    Where telephone numbers, codes and addresses are said to be of a place it is this one.
    """

    def __init__(self, context: Context) -> None:
        self._by_note: dict[int, list[tuple[int, Place]]] = defaultdict(list)
        given = context.values(Label.CITY, Label.ZIP)
        self._placed = [(mention, place) for mention, place in given if isinstance(place, Place)]
        for mention, place in [*self._placed, *_seats(context)]:
            self._by_note[mention.document].append((mention.span.start, place))
        for here in self._by_note.values():
            here.sort(key=itemgetter(0))
        self._memory = context.memory

    @cached_property
    def towns(self) -> dict[str, Place]:
        """The surrogate of each town of the unit, by the key of its name."""
        given = self._memory.given.items()
        towns = {key[-1]: _named(*code.split(" ", 2)) for key, code in given if key[0] == TOWN}
        for mention, place in self._placed:
            if mention.label is Label.CITY:
                towns.setdefault(place_key(mention.text), place)
        return towns

    def nearest(self, mention: Mention, lists: Collection[str] = ()) -> Place | None:
        """The last place before a mention, else the next in its note, else the first, if any; of a
        record without places the first that was released of the unit before.

        Args:
            lists: of which it must be, if any is told; of several that most places are of.
        """
        here = self._by_note.get(mention.document)
        if lists:
            every = [place for _, place in self._placed if place_list_name(place) in lists]
            most = Counter(map(place_list_name, every)).most_common(1)
            own = [one for one in here or () if place_list_name(one[1]) in lists]
            main = [one for one in own if most and place_list_name(one[1]) == most[0][0]]
            here = main or own
            if not here:
                return next(iter(every), None)
        if here is None:
            return self._placed[0][1] if self._placed else self._home()
        at = bisect.bisect_left(here, mention.span.start, key=itemgetter(0))
        return here[max(0, at - 1)][1]

    def _home(self) -> Place | None:
        first = next(iter(self._memory.places.items()), None)
        return None if first is None else place_lists()[first[0][0]][first[1].index]
