"""Streets, places of care and other institutions: of the same kind, under another name.

Runs after places, because a hospital named after a town follows the surrogate of that town. Keyed
by the original; there is no ε. A number and a street name lead nowhere without their town, which
has been drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute import derive, institutions, streets
from dpdeid.substitute.shapes import PSEUDONYM, keyed, like_case


@dataclass(frozen=True, slots=True)
class Addresses:
    """Replaces streets, hospitals, organizations and, if asked, units, keyed by their names.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "addresses"
    needs: ClassVar[tuple[str, ...]] = ("places",)

    labels: tuple[Label, ...] = (Label.STREET, Label.HOSPITAL, Label.ORGANIZATION)

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        places = derive.Places(context)
        for mention in mentions:
            text, cost = _drawn(mention, places, context.streams)
            if text is not None:
                yield Surrogate(mention, text, self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _drawn(mention: Mention, places: derive.Places, streams: Streams) -> tuple[str | None, Charge]:
    """The surrogate text of one mention, and what its draw cost."""
    old = mention.text
    if mention.label is Label.STREET:
        stream, cost = _keyed(streams, "street", streets.code(old))
        return _other(streets.street(old, stream), old), cost
    if mention.label is Label.UNIT:
        stream, cost = _keyed(streams, "unit", fold(old))
        others = [name for name in institutions.UNITS if fold(name) != fold(old)]
        return like_case(stream.choice(others), old), cost
    head, link, own = institutions.split(old)
    kind = "hospital" if mention.label is Label.HOSPITAL else "organization"
    stream, cost = _keyed(streams, kind, fold(own.strip()))
    key = institutions.place_key(link, own)
    town = places.names.get(key or "")
    if town is None and (key or institutions.is_local(link, own)):
        near = places.nearest(mention)
        town = near.name if near else None
    names: tuple[str, ...] = institutions.COMPANIES
    if kind == "hospital":
        names = institutions.CARE if head else institutions.BARE
    new = institutions.renamed(old, town, names, stream)
    return (new if town is not None else _other(new, old)), cost


def _keyed(streams: Streams, kind: str, value: str) -> tuple[Stream, Charge]:
    return keyed(streams, f"{Addresses.name} {kind}", Addresses.name, kind, value)


def _other(new: str, old: str) -> str | None:
    """A text that differs from the original; not asked of one that follows the draw of a place,
    which may be the original: to hold it back would tell that it is.
    """
    return None if fold(new) == fold(old) else new
