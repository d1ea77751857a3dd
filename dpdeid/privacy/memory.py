"""What was released of one privacy unit before, which a later note of it has to fit.

A strategy whose surrogates depend on one another (days on a chain, towns around the first one, the
number that tells a birth) finds here what it released, and adds to it; what hangs on the key and
the original alone needs no memory. It holds originals: private, encrypted wherever it is kept
(`dpdeid.cohort.vault`), and destroyed with the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any, Final, Self

from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.places.release import Placed
from dpdeid.privacy.timeline.points import Kind, Led, Past, Point, Released, Told


@dataclass(slots=True)
class Memory:
    """Not frozen: strategies add to it.

    Args:
        past: the days, in release order.
        places: name of a list and canonical name → what was released, in release order.
        given: what kind of value and which → its surrogate, of values that follow others.
    """

    past: Past = field(default_factory=Past, repr=False)
    places: dict[tuple[str, str], Placed] = field(default_factory=dict, repr=False)
    given: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False)

    def copy(self) -> Self:
        """One that can be added to, and thrown away."""
        return replace(self, places=dict(self.places), given=dict(self.given))

    def once(self, make: Callable[[], str | None], *name: str) -> str | None:
        """The surrogate that a value was given before, else what `make` gives, if anything."""
        if name not in self.given:
            made = make()
            if made is None:
                return None
            self.given[name] = made
        return self.given[name]

    def is_of(self, seal: str) -> bool:
        """Whether a note that is a unit of its own has the text that it had before, if it had any;
        from now on it has this one.
        """
        return self.given.setdefault(("text",), seal) == seal

    def spent(self, other: Self, mark: str) -> None:
        """Counts in the caps what was released of the same person under another id.

        Its days and towns stay those of another person: they are not used again.

        Args:
            mark: of that id, 32 hexadecimal digits; the same one counts once.
        """
        entries = [
            (point._replace(name=f"{mark}/{point.name}"), Released(None, given.charges))
            for point, given in other.past.entries
            if given.charges
        ]
        known = {point.key for point, _ in self.past.entries}
        new = (one for one in entries if one[0].key not in known)
        self.past = Past((*self.past.entries, *new))
        for (listed, name), placed in other.places.items():
            if placed.charges:
                self.places.setdefault((listed, f"{mark}/{name}"), placed)

    def held(self) -> tuple[str, ...]:
        """What is known of the unit, by names: `since` tells what came after."""
        days = (_name(*point.key) for point, _ in self.past.entries)
        return (*days, *starmap(_name, self.places))

    def since(self, held: Collection[str]) -> Self:
        """Its days and towns that came after others, without what `spent` counted."""
        before = frozenset(held)
        entries = (
            one
            for one in self.past.entries
            if _name(*one[0].key) not in before and not _MARKED.match(one[0].name)
        )
        places = {
            at: placed
            for at, placed in self.places.items()
            if _name(*at) not in before and not _MARKED.match(at[1])
        }
        return type(self)(Past(tuple(entries)), places)

    def unspent(self, mark: str) -> None:
        """Takes out what `spent` counted under a mark, by itself or under other marks."""
        own = re.compile(f"(?:{_MARKED.pattern})*{re.escape(mark)}/")
        self.past = Past(tuple(one for one in self.past.entries if not own.match(one[0].name)))
        self.places = {at: one for at, one in self.places.items() if not own.match(at[1])}

    def to_json(self) -> str:
        """As text; amounts are exact."""
        days = [(*point, given.day, _rows(given.charges)) for point, given in self.past.entries]
        places = [
            (*name, placed.index, _rows(placed.charges)) for name, placed in self.places.items()
        ]
        given = [(*name, text) for name, text in self.given.items()]
        return json.dumps({"days": days, "places": places, "given": given}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote."""
        found = json.loads(text)
        entries = tuple(
            (_point(*point), Released(day, _charges(charges)))
            for *point, day, charges in found["days"]
        )
        places = {
            (listed, name): Placed(index, _charges(charges))
            for listed, name, index, charges in found["places"]
        }
        given = {tuple(name): text for *name, text in found["given"]}
        return cls(Past(entries), places, given)


_MARKED: Final = re.compile("[0-9a-f]{32}/")


def _name(*parts: str) -> str:
    return "/".join(parts)


def _point(name: str, day: int, kind: str, note: int, *rest: Any) -> Point:
    start, span, first, printed, told, unit, led = rest
    spread, ties = printed and tuple(printed), tuple([Told(*one) for one in told])
    after = led and Led(*led)
    return Point(name, day, Kind(kind), note, start, span, first, spread, ties, unit, after)


def _rows(charges: Iterable[Charge]) -> list[dict[str, object]]:
    return [charge.to_json() for charge in charges]


def _charges(rows: Iterable[Mapping[str, Any]]) -> tuple[Charge, ...]:
    return tuple(map(Charge.from_json, rows))
