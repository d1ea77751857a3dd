"""Telephone, fax, e-mail, web and network addresses, rooms: keyed, of the same shape, unreachable.

Runs after names and places: an e-mail address follows the surrogate of whom it names, the zone of a
telephone number the surrogate city. These are pseudonyms keyed by the value; there is no ε.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute import derive, internet, names, phones
from dpdeid.substitute.shapes import (
    PSEUDONYM,
    canonical,
    first_free,
    keyed,
    like_case,
    redraw,
    shares_run,
)

CONTACTS: Final = (
    Label.PHONE,
    Label.FAX,
    Label.EMAIL,
    Label.URL,
    Label.IP,
    Label.ROOM,
)
_CALLS: Final = (Label.PHONE, Label.FAX)
_BUILDINGS: Final = ("Iris", "Azalée", "Tilleul", "Hortensia", "Glycine", "Bruyère", "Cyprès")
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Contacts:
    """Replaces contact data by data of the same kind in reserved ranges, keyed by the value.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "contacts"
    needs: ClassVar[tuple[str, ...]] = ("places", "people")

    labels: tuple[Label, ...] = CONTACTS

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        calls = [m for m in mentions if m.label in _CALLS]
        if calls:
            yield from self._phones(calls, context)
        others = [m for m in mentions if m.label not in _CALLS]
        if others:
            yield from self._others(others, context)

    def _phones(self, mentions: Sequence[Mention], context: Context) -> Iterator[Surrogate]:
        places = derive.Places(context)
        groups: dict[tuple[str, str], list[tuple[Mention, phones.Number]]] = defaultdict(list)
        near: dict[tuple[str, str], Place | None] = {}
        for mention in mentions:
            place = places.nearest(mention)
            number = phones.read(mention.text, place)
            if number is not None:
                key = (number.country, number.national)
                groups[key].append((mention, number))
                near.setdefault(key, place)
        taken = {national for _, national in groups}
        for key in sorted(groups):
            stream, cost = keyed(context.streams, f"{self.name} phone", self.name, "phone", *key)
            draw = partial(phones.draw, groups[key][0][1], near[key], stream)
            drawn = first_free(draw, key[1], taken, given=phones.given(groups[key][0][1]))
            if drawn is None:
                continue
            taken.add(drawn)
            for mention, number in groups[key]:
                text = phones.write(mention.text, number, drawn)
                if text != mention.text:
                    yield Surrogate(mention, text, self.name, (cost,))

    def _others(self, mentions: Sequence[Mention], context: Context) -> Iterator[Surrogate]:
        groups: dict[tuple[Label, str], list[Mention]] = defaultdict(list)
        for mention in mentions:
            value = fold(mention.text)
            if any(map(str.isalnum, value)):
                groups[mention.label, value].append(mention)
        known: tuple[Mapping[str, str], Mapping[str, str]] | None = None
        taken = {value for _, value in groups}
        for label, value in sorted(groups):
            stream, cost = keyed(context.streams, f"{self.name} {label}", self.name, label, value)
            if label is Label.EMAIL and known is None:
                known = derive.names(context)
            text = groups[label, value][0].text
            draw = partial(_draw, label, text, known or ({}, {}), stream)
            worded = label in (Label.EMAIL, Label.URL)  # which see to it word by word
            given = internet.NETWORK if label is Label.IP else 0
            drawn = first_free(draw, text, taken, given=given, alike=worded)
            if drawn is None:
                continue
            taken.add(drawn)
            for mention in groups[label, value]:
                yield Surrogate(mention, like_case(drawn, mention.text), self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _draw(
    label: Label, text: str, known: tuple[Mapping[str, str], Mapping[str, str]], stream: Stream
) -> str:
    match label:
        case Label.EMAIL:
            return internet.email(text, *known, names.surname_pool().plain, stream)
        case Label.URL:
            return internet.url(text, stream)
        case Label.IP:
            return internet.network(text, stream)
        case _:
            return _RUN.sub(lambda m: _room_part(m[0], stream), text)


def _room_part(part: str, stream: Stream) -> str:
    if part.isdecimal() or len(part) < 3:
        return like_case(redraw(canonical(part), stream), part)
    free = [name for name in _BUILDINGS if not shares_run(fold(name), fold(part))]
    return like_case(stream.choice(free), part)
