"""Towns, postal codes, departments and regions: one draw for each distinct place of a record.

The mechanism moves coordinates and returns an index into a public list; everything that is printed
derives from the place of that index: the town, a postal code of it (`codes_of`, also abroad, where
the list of places has none), its department or region. Two distinct places never come out as one.
The list is chosen by country and overseas department. A place that no list knows, or one over the
cap of the mechanism, gets a place drawn without looking at it, near the first released one, which
costs nothing: only that two mentions are equal shows, and of a town of a further country
(`foreign_towns.tsv`) that country, since the place has the name of a town there. Words that are
kept ("CHU de", "préfecture de") say what kind of town it is, and so what may come out
(`institutions`). Under a mechanism with a guarantee nothing compares the surrogate with the
original, since that would break it; `Keyed` has none, and never returns the original.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.document import Mention, Record, Surrogate, text_before
from dpdeid.gazetteers import Place, place_key
from dpdeid.labels import Label
from dpdeid.privacy import expected_error
from dpdeid.privacy.expected_error import PlaceOutlook
from dpdeid.privacy.leakage import Leak, Leakage
from dpdeid.privacy.ledger import Charge, Draw, Forecast, Wording
from dpdeid.privacy.places.gravity import nearest_among
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
from dpdeid.privacy.skeleton import PLACES
from dpdeid.protocols import Context, Guarantee, Unit
from dpdeid.substitute.places.earlier import (
    HOME,
    TOWN,
    Seat,
    known_positions,
    least_hidden,
    list_sizes,
    offered,
    surrogate_places,
)
from dpdeid.substitute.places.institutions import kinds_of_towns
from dpdeid.substitute.places.lists.classes import classes_of
from dpdeid.substitute.places.localities import (
    UNLISTED,
    Level,
    Locality,
    read_localities,
    tells,
)
from dpdeid.substitute.places.rendering import (
    BY_COUNTRY,
    form_of,
    land_of_unlisted,
    moved_to,
    provinces,
    render,
)
from dpdeid.substitute.places.seats import seats
from dpdeid.substitute.pseudonyms import KEPT, PSEUDONYM, kept, keyed

_KEYED: Final = "places keyed"
_LEVELS: Final[Mapping[Level, str]] = {
    "city": "a town",
    "zip": "its postal code",
    "department": "its department",
    "region": "its region",
}
_BEFORE: Final = 12
"""Characters before a mention that may say whether people are named by a noun."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A place of the same list, uniformly, keyed by the original. No guarantee."""

    def draws(self) -> tuple[Draw, ...]:
        """What a record may draw, for `check`."""
        return (Draw("places", _KEYED, PSEUDONYM),)

    def release(
        self,
        spots: Sequence[Spot],
        *,
        streams: Streams,
        past: Mapping[tuple[str, str], Placed] | None = None,
    ) -> tuple[Placed, ...]:
        """The surrogate of each spot, in their order; never a place at the same position. It hangs
        on the key and the spot alone, whatever was released in the past.
        """
        return tuple(self._draw(spot, streams) for spot in spots)

    def _draw(self, spot: Spot, streams: Streams) -> Placed:
        stream, cost = keyed(streams, _KEYED, _KEYED, spot.places.name, spot.name)
        positions = spot.places.positions
        free = sorted(spot.among) or range(len(positions))
        index = stream.choice(free)
        while positions[index] == (spot.latitude, spot.longitude):
            index = stream.choice(free)
        return Placed(index, (cost,))


@dataclass(frozen=True, slots=True)
class Places:
    """Replaces towns and postal codes, coherent within an address and over a record.

    Args:
        labels: the labels it serves.
        mechanism: how a place is drawn.
        keep_seats: whether the town and postal code of an institution that the policy keeps stay
            where they stand by its name (`seats`).

    Raises:
        ValueError: seats are to be kept under a mechanism with a guarantee.
    """

    name: ClassVar[str] = "places"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = (Label.CITY, Label.ZIP)
    mechanism: PlanarNearest | QPWeighted | Exponential | Keyed = Keyed()
    keep_seats: bool = False

    def __post_init__(self) -> None:
        if self.keep_seats and not isinstance(self.mechanism, Keyed):
            raise ValueError("keep_seats needs the mechanism keyed, which guarantees nothing")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        documents = record.documents
        words = context.public(documents, tells)
        read = read_localities(mentions, documents, context.memory.places.keys(), words)
        events = [*_events(read)]
        names = {mention: event.name for mention, event in zip(mentions, events, strict=True)}
        stay = {id(m) for m in self._seats(record, context)}
        named = {mention: name for mention, name in names.items() if id(mention) not in stay}
        asked = kinds_of_towns(named, context.mentions, documents)
        moved = [e for m, e in zip(mentions, events, strict=True) if id(m) not in stay]
        drawn = self._draw(moved, asked, context.streams, context.memory.places)
        lands = {id(mention) for mention in provinces(mentions, read, documents)}
        for mention, locality, event in zip(mentions, read, events, strict=True):
            if id(mention) in lands:
                yield Surrogate(mention, mention.text, self.name)
                continue
            if id(mention) in stay:
                seat = None if locality.place is None else Seat(locality.place)
                cost = kept(mention, context.streams)
                yield Surrogate(mention, mention.text, self.name, (cost,), seat)
                continue
            place, charges = drawn[event.name]
            if mention.label is Label.CITY:
                code = f"{gazetteers.place_list_name(place)} {place.code} {place.name}"
                context.memory.given.setdefault((TOWN, place_key(mention.text)), code)
            form = form_of(mention.text, locality.level, text_before(documents, mention, _BEFORE))
            text = render(form, place, context.streams)
            yield Surrogate(mention, text, self.name, charges, place)

    def _seats(self, record: Record, context: Context) -> list[Mention]:
        every, kept = context.mentions, context.kept
        return seats(every, record.documents, kept) if self.keep_seats else []

    def _draw(
        self,
        events: Sequence[Locality],
        asked: Mapping[str, str],
        streams: Streams,
        past: dict[tuple[str, str], Placed],
    ) -> Mapping[str, tuple[Place, tuple[Charge, ...]]]:
        """The surrogate place of each event, of the kind that is asked of it, and its charges; they
        are added to the past.
        """
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
                self._among(place, asked.get(name)),
            )
            for name, place in known.items()
        ]
        first = next((listed for listed, _ in past), spots[0].places.name if spots else HOME)
        home = surrogate_places(first, kinds)
        given = self.mechanism.release(spots, streams=streams, past=past)
        out = {spot.name: (spot.places, placed) for spot, placed in zip(spots, given, strict=True)}
        if not isinstance(self.mechanism, Keyed):
            out = _apart(out, asked, past)
        past.update({(one.name, name): placed for name, (one, placed) in out.items()})
        for name in distinct:
            if name not in out:
                key = (home.name, name)
                taken = [one.index for (listed, _), one in past.items() if listed == home.name]
                if key not in past:
                    among = _among(home.name, asked.get(name)) or offered(home.name)
                    past[key] = Placed(beside(home, name, taken, streams, among))
                out[name] = home, past[key]
        abroad = self._abroad(past)
        return {
            name: (abroad.get(name) or _place(one.name, placed.index), placed.charges)
            for name, (one, placed) in out.items()
        }

    def _among(self, place: Place, kind: str | None) -> frozenset[int]:
        """What may come out for a place; a keyed one stays in its overseas department."""
        listed = gazetteers.place_list_name(place)
        if isinstance(self.mechanism, Keyed):
            return _among(listed, kind) or offered(listed, place.department)
        return _among(listed, kind)

    def _abroad(self, past: Mapping[tuple[str, str], Placed]) -> Mapping[str, Place]:
        """What is released of towns abroad, by name: a town of the same country."""
        found: dict[str, Place] = {}
        for (listed, name), placed in past.items():
            if land := land_of_unlisted(name):
                taken = {place.name for place in found.values()}
                if isinstance(self.mechanism, Keyed):
                    taken |= {one for one in BY_COUNTRY[land] if name == UNLISTED + place_key(one)}
                found[name] = moved_to(land, _place(listed, placed.index), taken)
        return found

    def scaled(self, share: Fraction) -> Places:
        """The same with a share of its ε; a mechanism without one stays as it is."""
        if isinstance(self.mechanism, Keyed):
            return self
        epsilon = self.mechanism.epsilon_per_km * share
        return replace(self, mechanism=replace(self.mechanism, epsilon_per_km=epsilon))

    def guarantees(self) -> tuple[Guarantee, ...]:
        stay = (Guarantee(self.labels, "keep", KEPT),) if self.keep_seats else ()
        drawn = (
            Guarantee(self.labels, draw.mechanism, draw.loss, draw.cap, draw.note)
            for draw in self.mechanism.draws()
        )
        return (*drawn, *stay)

    def wording(self) -> Wording:
        """Its part of the statement."""
        return Wording(("places",), shows=PLACES)

    def forecast(self, unit: Unit) -> Forecast:
        """The expected distance between a place and its surrogate."""
        one = place_outlook(self)
        told = f"{one.km:.0f} km ({100 * one.unchanged:.0f} % unchanged)"
        sizes = ", ".join(f"{name} {size}" for name, size, _ in list_sizes())
        row = ("a place", "the place", told, f"{one.free_km:.0f} km")
        lines = [f"surrogate places by list: {sizes}"]
        if not isinstance(self.mechanism, Keyed):
            lines.append(
                "the share unchanged is a mean over people; where towns are sparse a place stays "
                f"what it is far more often: {least_hidden(self.mechanism)}"
            )
        return Forecast((row,), tuple(lines))

    def shows(
        self, mentions: Sequence[Mention], record: Record, e0: dt.date
    ) -> Iterator[tuple[Mention, str]]:
        """What of the skeleton each mention shows: which place it is of, its list and its draw."""
        read = read_localities(mentions, record.documents)
        told: dict[str, str] = {}
        drawn = 0
        cap = math.inf if isinstance(self.mechanism, Keyed) else self.mechanism.cap
        for mention, locality, event in zip(mentions, read, [*_events(read)], strict=True):
            if event.name not in told:
                land = land_of_unlisted(event.name)
                how = f"{'a town abroad' if land else 'no list knows it'}, so not drawn"
                if event.place is not None:
                    drawn += 1
                    how = f"list {gazetteers.place_list_name(event.place)}"
                    how += ", drawn" if drawn <= cap else ", over the cap, so not drawn"
                told[event.name] = f"place {len(told) + 1}: {how}"
            people = form_of(mention.text, locality.level).people
            printed = _LEVELS[locality.level] if people is None else "its people"
            yield mention, f"{told[event.name]}; printed as {printed}"

    def leakage(self) -> Leakage | None:
        """What a town tells in bits, by list; None for keyed ones."""
        if isinstance(self.mechanism, Keyed):
            return None
        drawn, *beside = self.mechanism.draws()
        kinds = tuple(self.mechanism.steps)
        leaks = [
            Leak(name, drawn.mechanism, amount, amount)
            for name, inputs in known_positions().items()
            for amount in [self.mechanism.leakage(surrogate_places(name, kinds), inputs)]
        ]
        most = max(leak.bits for leak in leaks)
        leaks += [Leak(draw.what, draw.mechanism, 0.0, 0.0) for draw in beside]
        exact = not isinstance(self.mechanism, PlanarNearest)
        note = "" if exact else "a proved bound, above the exact figure"
        return Leakage("towns", tuple(leaks), self.mechanism.cap, most, most, note=note)

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


def _among(listed: str, kind: str | None) -> frozenset[int]:
    return frozenset() if kind is None else gazetteers.places_of_kind(listed, kind)


def _place(listed: str, index: int) -> Place:
    return gazetteers.place_lists()[listed][index]


_Drawn = dict[str, tuple[PlaceList, Placed]]


def _apart(
    drawn: _Drawn, asked: Mapping[str, str], past: Mapping[tuple[str, str], Placed]
) -> _Drawn:
    """The draws of distinct places, as places that differ: one drawn before moves a later one to
    the nearest that is free; those of the past stay. That they differ is public, and so is what a
    list offers.
    """
    taken = {(listed, placed.index): name for (listed, name), placed in past.items()}
    out: _Drawn = {}
    for name, (listed, placed) in drawn.items():
        if (listed.name, name) in past:
            out[name] = listed, placed
            continue
        own = nearest_among(listed, placed.index, offered(listed.name))
        placed = replace(placed, index=own)
        if taken.setdefault((listed.name, placed.index), name) != name:
            every = _among(listed.name, asked.get(name)) or offered(listed.name)
            every = every or frozenset(range(len(listed.positions)))
            free = frozenset(at for at in every if (listed.name, at) not in taken)
            placed = replace(placed, index=nearest_among(listed, placed.index, free))
            taken[listed.name, placed.index] = name
        out[name] = listed, placed
    return out
