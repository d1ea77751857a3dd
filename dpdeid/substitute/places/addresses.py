"""Streets, places of care and other institutions: of the same kind, under another name.

Runs after places, because what is named after a town or an area follows a surrogate place: "CHU de
Rennes" the surrogate of Rennes, "SDIS 33" and "CPAM de la Vendée" the department of the surrogate
nearby. What has a name of its own ("clinique des Ormes") gets another one of its sort. The words
that say what something is are kept, but a university hospital is none where the surrogate town
has none. One institution has one surrogate in a record, by its full name, a part of it or its
letters, and a kind alone ("le CHU") is the one of that kind that is named. Keyed by the original;
there is no ε.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.places.earlier import EarlierPlaces, Seat
from dpdeid.substitute.places.identity import Known, identified, pieces_of
from dpdeid.substitute.places.institutions import NAMED, Institution, lists_of, of_town, read
from dpdeid.substitute.places.naming import words_of
from dpdeid.substitute.places.streets import KINDS, street
from dpdeid.substitute.places.written import Writer
from dpdeid.substitute.pseudonyms import PSEUDONYM, keyed, like_case

_UNITS: Final = words_by_key("addresses")["unit"]
_PARTED: Final = re.compile(r"(\s+[–—-]+\s+|\s*[(,/]\s*|\)|\ssite\s(?:de\s)?)")
"""What stands between two names of an institution, or of it and a part of it."""
_ARTICLE: Final = re.compile(r"l['’]|(?:la|les?)\s")


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
        places = EarlierPlaces(context)
        named = [mention for mention in mentions if mention.label in NAMED]
        told = _Told.of(named, record, context, places)
        for mention in mentions:
            seat = None
            if mention.label in NAMED:
                text, costs = told.written(mention)
                seat = told.seat(mention)
            else:
                text, costs = _drawn(mention, places, context.streams)
            if text is not None:
                key = (self.name, mention.label, mention.text)
                text = context.memory.given.setdefault(key, text)
                yield Surrogate(mention, text, self.name, costs, seat)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


_Drawn = tuple[str | None, tuple[Charge, ...]]
"""The surrogate text of one mention, None if it would be the original, and what its draws cost."""


def _drawn(mention: Mention, places: EarlierPlaces, streams: Streams) -> _Drawn:
    """Of a street or a unit."""
    old = mention.text
    if mention.label is Label.STREET:
        value = " ".join([word for word in words_of(old) if word not in KINDS])
        stream, cost = _keyed(streams, "street", value)
        new = street(old, places.nearest(mention), stream)
    else:
        stream, cost = _keyed(streams, "unit", fold(old))
        others = [name for name in _UNITS if fold(name) != fold(old)]
        new = like_case(stream.choice(others), old)
    return (None if fold(new) == fold(old) else new), (cost,)


def _keyed(streams: Streams, kind: str, value: str) -> tuple[Stream, Charge]:
    return keyed(streams, f"{Addresses.name} {kind}", Addresses.name, kind, value)


@dataclass(frozen=True, slots=True)
class _Told:
    """The institutions of a record: what stands of each mention between them, and them.

    Args:
        pieces: of each mention, texts that stay in turn with institutions.
    """

    pieces: dict[int, list[str | Known]]
    places: EarlierPlaces
    writer: Writer

    @classmethod
    def of(
        cls, named: Sequence[Mention], record: Record, context: Context, places: EarlierPlaces
    ) -> _Told:
        parts = [_parts(mention.text, places.towns) for mention in named]
        told = {
            mention: [part for part in own if isinstance(part, Institution)]
            for mention, own in zip(named, parts, strict=True)
        }
        known = iter(identified(pieces_of(told, context.mentions, record.documents)))
        pieces = {
            id(mention): [part if isinstance(part, str) else next(known) for part in own]
            for mention, own in zip(named, parts, strict=True)
        }
        return cls(pieces, places, Writer(context.streams, places.towns))

    def written(self, mention: Mention) -> _Drawn:
        """The surrogate of a mention. It differs from the original, but where it follows the draw
        of a place, which may be the original: to hold it back would tell that it is.
        """
        out, costs = [], []
        follows = False
        for piece in self.pieces[id(mention)]:
            if isinstance(piece, str):
                out.append(piece)
                continue
            one = piece.institution
            value = " ".join(filter(None, (piece.key, fold(one.place))))
            near = self._near(one, mention)
            stream, cost = _keyed(self.writer.streams, "institution", value)
            out.append(self.writer.write(piece, near, stream))
            costs.append(cost)
            of_place = one.of != "" or piece.is_letters
            follows |= one.town != "" or (near is not None and of_place)
        new = "".join(out)
        same = fold(new) == fold(mention.text)
        return (None if same and not follows else new), tuple(costs)

    def seat(self, mention: Mention) -> Seat | None:
        """Where the surrogate of a mention says that it is."""
        own = (p.institution for p in self.pieces[id(mention)] if not isinstance(p, str))
        one = next((one for one in own if one.of), None)
        return None if one is None else Seat(self.writer.place(one, self._near(one, mention)))

    def _near(self, one: Institution, mention: Mention) -> Place | None:
        """The released place nearest to an institution, of a list that its name allows."""
        lists = lists_of(one) if one.of or not one.name else frozenset()
        near = self.places.nearest(mention, lists)
        return self.writer.somewhere(lists) if near is None and lists else near


def _parts(text: str, towns: Collection[str]) -> list[str | Institution]:
    """The institutions that a text names, and what stands between them.

    >>> _parts("CHU – Hôpital Nord", ())[1:]
    [' – ', Institution(head='Hôpital', link=' ', name='Nord', of='', place='', town='', join='')]
    """
    found = of_town(text, towns)
    pieces = [text] if found and text.endswith(found[0][2]) else _PARTED.split(text)
    parts: list[str | Institution] = []
    for piece in pieces:
        if not any(map(str.isalnum, piece)) or _PARTED.fullmatch(piece):
            parts.append(piece)
            continue
        article = _ARTICLE.match(piece)
        one = read(piece[article.end() :] if article else piece, towns)
        if article and one.head:
            parts.append(article[0])
        elif article and one.of in ("department", "region"):  # "DDASS de" "la Creuse"
            one = replace(one, link=article[0])
        parts.append(one)
    return parts
