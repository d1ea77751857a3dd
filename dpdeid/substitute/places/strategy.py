"""Towns, postal codes, departments and regions: one draw for each distinct place of a record.

The mechanism moves coordinates and returns an index into a public list; everything that is printed
derives from the place of that index: the town, a postal code of it (`codes_of`, also abroad, where
the list of places has none), its department or region. The list is chosen by country and overseas
department. A place that no list knows, or one over the cap of the mechanism, gets a place drawn
without looking at it, near the first released one, which costs nothing: only that two mentions are
equal shows. Under a mechanism with a guarantee nothing compares the surrogate with the original,
since that would break it; `Keyed` has none, and never returns the original.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french.areas import Use, postal_codes
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.privacy import expected_error
from dpdeid.privacy.expected_error import PlaceOutlook
from dpdeid.privacy.ledger import Charge, Draw, Forecast, Wording
from dpdeid.privacy.places.place_list import MIN_PLACES, PlaceList
from dpdeid.privacy.places.release import (
    Exponential,
    Placed,
    PlanarNearest,
    QPWeighted,
    Spot,
    beside,
)
from dpdeid.privacy.rng import Streams
from dpdeid.protocols import Context, Guarantee, Unit
from dpdeid.substitute.places.localities import (
    Level,
    Locality,
    area_of,
    classes_of,
    classes_of_list,
    introduced,
    read_localities,
)
from dpdeid.substitute.pseudonyms import PSEUDONYM, keyed, like_case


def codes_of(place: Place) -> tuple[str, ...]:
    """The postal codes of a place or of the nearest that has any, in its own country; else none."""
    if place.zips:
        return place.zips
    known = _known().get(place.country, {})
    if (own := known.get((place.department, place.name))) is not None:
        return own[1]
    flat = math.cos(math.radians(place.latitude))

    def away(other: Place) -> float:
        east = (other.longitude - place.longitude) * flat
        return math.hypot(east, other.latitude - place.latitude)

    nearest = min(known.values(), key=lambda one: (away(one[0]), one[0].code), default=None)
    return () if nearest is None else nearest[1]


_Known = dict[tuple[str, str], tuple[Place, tuple[str, ...]]]


@cache
def _known() -> dict[str, _Known]:
    rows = postal_codes()
    found: dict[str, _Known] = {country: {} for country, _, _ in rows}
    for place in gazetteers.places():
        key = (place.department, place.name)
        codes = rows.get((place.country, *key))
        if codes is not None and key not in found[place.country]:  # the largest of that name
            found[place.country][key] = (place, codes)
    return found


_KEYED: Final = "places keyed"
HOME: Final = "FR"
"""The list of metropolitan France, where none is told."""
_RELATIONS: Final = (
    "of each place its list (mainland France, an overseas department, Belgium …) and which "
    "departments and postal codes are those of which town"
)


@dataclass(frozen=True, slots=True)
class Keyed:
    """A place of the same list, uniformly, keyed by the original. No guarantee."""

    def draws(self) -> tuple[Draw, ...]:
        """What a record may draw, for `check`."""
        return (Draw("places", _KEYED, PSEUDONYM),)

    def release(self, spots: Sequence[Spot], *, streams: Streams) -> tuple[Placed, ...]:
        """The surrogate of each spot, in their order; never a place at the same position."""
        return tuple(self._draw(spot, streams) for spot in spots)

    def _draw(self, spot: Spot, streams: Streams) -> Placed:
        stream, cost = keyed(streams, _KEYED, _KEYED, spot.places.name, spot.name)
        positions = spot.places.positions
        index = stream.randbelow(len(positions))
        while positions[index] == (spot.latitude, spot.longitude):
            index = stream.randbelow(len(positions))
        return Placed(index, (cost,))


@dataclass(frozen=True, slots=True)
class Places:
    """Replaces towns and postal codes, coherent within an address and over a record.

    Args:
        labels: the labels it serves.
        mechanism: how a place is drawn.
    """

    name: ClassVar[str] = "places"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = (Label.CITY, Label.ZIP)
    mechanism: PlanarNearest | QPWeighted | Exponential | Keyed = Keyed()

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        read = read_localities(mentions, record.documents)
        events = [*_events(read)]
        drawn = self._draw(events, context.streams)
        for mention, locality, event in zip(mentions, read, events, strict=True):
            place, charges = drawn[event.name]
            text = _render(mention.text, locality.level, place, context.streams)
            yield Surrogate(mention, text, self.name, charges, place)

    def _draw(
        self, events: Sequence[Locality], streams: Streams
    ) -> Mapping[str, tuple[Place, tuple[Charge, ...]]]:
        """The surrogate place of each event and its charges."""
        distinct = {event.name: event for event in events}
        known = {n: e.place for n, e in distinct.items() if e.place is not None}
        kinds = () if isinstance(self.mechanism, Keyed) else tuple(self.mechanism.steps)
        spots = [
            Spot(
                name,
                place.latitude,
                place.longitude,
                surrogate_places(gazetteers.place_list_name(place), kinds),
                classes_of(place, kinds),
            )
            for name, place in known.items()
        ]
        home = spots[0].places if spots else surrogate_places(HOME, ())
        out: dict[str, tuple[Place, tuple[Charge, ...]]] = {}
        taken: list[int] = []
        for spot, placed in zip(spots, self.mechanism.release(spots, streams=streams), strict=True):
            out[spot.name] = _place(spot.places, placed.index), placed.charges
            if spot.places is home:
                taken.append(placed.index)
        for name in distinct:
            if name not in out:
                taken.append(beside(home, name, taken, streams))
                out[name] = _place(home, taken[-1]), ()
        return out

    def scaled(self, share: Fraction) -> Places:
        """The same with a share of its ε; a mechanism without one stays as it is."""
        if isinstance(self.mechanism, Keyed):
            return self
        epsilon = self.mechanism.epsilon_per_km * share
        return replace(self, mechanism=replace(self.mechanism, epsilon_per_km=epsilon))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return tuple(
            Guarantee(self.labels, draw.mechanism, draw.loss, draw.cap, draw.note)
            for draw in self.mechanism.draws()
        )

    def wording(self) -> Wording:
        """Its part of the statement."""
        return Wording(("places",), relations=(_RELATIONS,))

    def forecast(self, unit: Unit) -> Forecast:
        """The expected distance between a place and its surrogate."""
        one = place_outlook(self)
        told = f"{one.km:.0f} km ({100 * one.unchanged:.0f} % unchanged)"
        sizes = ", ".join(f"{name} {size}" for name, size, _ in list_sizes())
        row = ("a place", "the place", told, f"{one.free_km:.0f} km")
        return Forecast((row,), (f"surrogate places by list: {sizes}",))

    def leaks(self) -> Iterator[str]:
        """What comes out unchanged, or from a small list."""
        unchanged = place_outlook(self).unchanged
        if unchanged > MANY_UNCHANGED:
            yield (
                f"{100 * unchanged:.0f} % of cities come out unchanged: use a smaller ε per km "
                "(0.05 to 0.3)"
            )
        for name, size, people in list_sizes():
            if size < MIN_PLACES or people < LEAST_PEOPLE:
                yield (
                    f"the list of {name} has {size} places with {people} people: whoever lives "
                    "there is among few"
                )


LEAST_PEOPLE: Final = 100_000
MANY_UNCHANGED: Final = 0.5


@lru_cache(maxsize=16)
def place_outlook(places: Places) -> PlaceOutlook:
    """What becomes of a place of metropolitan France, drawn in proportion to its people."""
    own = gazetteers.place_lists()[HOME]
    listed = surrogate_places(HOME, ())
    spots = [Spot(str(at), one.latitude, one.longitude, listed) for at, one in enumerate(own)]
    return expected_error.places(
        places.mechanism.release, spots, [place.population for place in own]
    )


def list_sizes() -> tuple[tuple[str, int, int], ...]:
    """Name, places and people of each list that surrogates come from."""
    lists = gazetteers.place_lists().items()
    return tuple((name, len(own), sum(p.population for p in own)) for name, own in lists)


def _events(read: Sequence[Locality]) -> Iterator[Locality]:
    """The draw of each mention: of an area that of its town, the last before it, else the first."""
    towns = [one for one in read if one.level == "city" and one.place is not None]
    near = {area: town for town in reversed(towns) for area in _areas(town)}
    for one in read:
        if one.area:
            yield near.get((one.level, one.area), one)
        else:
            near.update(dict.fromkeys(_areas(one), one))
            yield one


def _areas(locality: Locality) -> tuple[tuple[Level, str], ...]:
    place = locality.place
    if locality.level != "city" or place is None:
        return ()
    return ("department", place.department), ("region", place.region)


def _place(listed: PlaceList, index: int) -> Place:
    return gazetteers.place_lists()[listed.name][index]


@cache
def surrogate_places(name: str, kinds: tuple[str, ...]) -> PlaceList:
    """The places that come out for one list, with their people and classes."""
    own = gazetteers.place_lists()[name]
    positions = tuple((place.latitude, place.longitude) for place in own)
    people = tuple(place.population for place in own)
    return PlaceList(name, positions, classes_of_list(name, kinds), people)


def _render(old: str, level: Level, place: Place, streams: Streams) -> str:
    """The surrogate text in the shape of the old one."""
    match level:
        case "zip" | "department" if _CODE.fullmatch(old):
            return old.replace(old.strip("()"), place.department)
        case "zip":
            return _zip(old, place, streams)
        case "city":
            return _like(place.name, old, area=False)
    code = place.department if level == "department" else place.region
    name = gazetteers.area_names().get((level, code), area_of(place) or place.name)
    return _like(name, old, area=True)


_CODE: Final = re.compile(r"\(?(?:\d\w{1,2}|[A-Z]{2})\)?")
_POSTAL: Final = re.compile(r"(\W*(?:[A-Za-z]{1,2}[-– ]{1,3})?)[\dO]{2}(\s?)[\dO]{2,3}(\W*)")
_ARTICLE: Final = re.compile(r"(?:l['’]|(?:la|les?)\s)\s?", re.IGNORECASE)
_SORT: Final = re.compile(r"(?:r[ée]gion|canton|d[ée]partement)\s", re.IGNORECASE)


def _like(name: str, old: str, *, area: bool) -> str:
    """A name in the form of the mention: its article if it is an area, its case.

    Its hyphens are those of the list: whether the original has any tells which towns it may be.
    The small letters of "région parisienne" say nothing of the name's own.
    """
    article = _ARTICLE.match(old)
    if article is not None:
        old = old[article.end() :]
    sort = area and _SORT.match(old) is not None
    shown = name if sort and not old.isupper() else like_case(name, old)
    if article is None or not area:
        return shown
    word = introduced(name, Use.THE) or ""
    return (word.upper() if article[0].isupper() and old.isupper() else word) + shown


def _zip(old: str, place: Place, streams: Streams) -> str:
    """A postal code of the place in the old one's form: behind "CH-", "(", with its space."""
    stream = streams.stream("places", "zip", place.country, place.code)
    if codes := codes_of(place):
        new = stream.choice(codes)
    else:
        new = place.department.replace("2A", "20").replace("2B", "20").ljust(5, "0")
    form = _POSTAL.fullmatch(old)
    if form is None:
        return new
    before, space, after = form.groups()
    return f"{before}{new[:2]}{space}{new[2:]}{after}" if space else before + new + after
