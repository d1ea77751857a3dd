"""The places that are released of a record: what runs later asks which one stands nearest.

Towns and postal codes are as `places` drew them, institutions where they were written to be. Of
institutions that the policy keeps the name says it.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple, Protocol

from dpdeid.document import Mention
from dpdeid.gazetteers import (
    Place,
    place_key,
    place_list_name,
    place_lists,
    places,
    places_of_kind,
)
from dpdeid.labels import Label
from dpdeid.privacy.expected_error import isolated
from dpdeid.privacy.places.place_list import PlaceList
from dpdeid.privacy.places.release import Placed, Spot
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context
from dpdeid.substitute.places.institutions import NAMED, seat_of
from dpdeid.substitute.places.lists.classes import classes_of_list

HOME: Final = "FR"
"""The list of metropolitan France, where none is told."""
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


def list_sizes() -> tuple[tuple[str, int, int], ...]:
    """Name, places and people of each list that surrogates come from."""
    lists = place_lists().items()
    return tuple((name, len(own), sum(p.population for p in own)) for name, own in lists)


@cache
def known_positions() -> Mapping[str, frozenset[tuple[float, float]]]:
    """Where the places are that count as those of each list: no other can be drawn from."""
    found: dict[str, set[tuple[float, float]]] = {name: set() for name in place_lists()}
    for place in places():
        found[place_list_name(place)].add((place.latitude, place.longitude))
    return {name: frozenset(positions) for name, positions in found.items()}


@cache
def surrogate_places(name: str, kinds: tuple[str, ...]) -> PlaceList:
    """The places that come out for one list, with their people and classes."""
    own = place_lists()[name]
    positions = tuple((place.latitude, place.longitude) for place in own)
    people = tuple(place.population for place in own)
    return PlaceList(name, positions, classes_of_list(name, kinds), people)


_FARTHEST: Final = 6
"""How many of the most isolated towns of metropolitan France are looked at."""
_TOLD: Final = 10


class _Drawing(Protocol):
    """A mechanism that draws places."""

    def release(self, spots: Sequence[Spot], *, streams: Streams) -> tuple[Placed, ...]:
        """The surrogate of each spot."""


@lru_cache(maxsize=16)
def least_hidden(mechanism: _Drawing) -> str:
    """The places that come out as themselves most often, each with how often: those farthest from
    any other, of metropolitan France, of it with a university hospital, and of the other lists.
    """
    told = []
    asked = [(HOME, "", _FARTHEST), (HOME, "university", 1)]
    asked += [(name, "", 1) for name in place_lists() if name != HOME]
    for name, kind, count in asked:
        own, listed = place_lists()[name], surrogate_places(name, ())
        among = places_of_kind(name, kind) if kind else frozenset()
        spots = [Spot("", one.latitude, one.longitude, listed, among=among) for one in own]
        of_kind = " as a town with a university hospital" * bool(kind)
        for at, share in isolated(mechanism.release, spots, offered(name), count):
            told.append((-share, f"{own[at].name} {100 * share:.0f} %{of_kind}"))
    return ", ".join(line for _, line in sorted(told)[:_TOLD])


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
