"""Streets, places of care and other institutions: of the same kind, under another name.

Runs after places, because a hospital named after a town follows the surrogate of that town: "CHU de
Rennes" that of Rennes, or the nearest town to a surrogate one that has such a hospital; "clinique
des Ormes" gets another common name. The words that say what something is are kept; what begins with
none of them is a name as a whole. A street becomes another of the same kind, with numbers of as
many digits; its name is one of the most common, which lead nowhere without their town. Keyed by the
original; there is no ε.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from dpdeid import gazetteers
from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french.calendar import MONTHS, either
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.places.gravity import nearest_among
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.places import institutions
from dpdeid.substitute.places.strategy import surrogate_places
from dpdeid.substitute.pseudonyms import (
    PSEUDONYM,
    EarlierPlaces,
    first_free,
    keyed,
    like_case,
    listed,
    redraw,
    runs,
)

_WORDS: Final = words_by_key("addresses")
_PLANTS: Final = _WORDS["plant"]
"""Names that a street, a clinic and a residence may bear alike."""
_STREETS: Final = (*_PLANTS, *_WORDS["street"])
_HOSPITALS: Final = (*_WORDS["saint"], *_PLANTS, *_WORDS["care"])
_WAYS: Final = frozenset(_WORDS["way"])
"""Words that say what a house number stands in."""
_KINDS: Final = _WAYS.union(_WORDS["part"])
_RUNS: Final = {n: runs(fold(n)) for n in (*_STREETS, *_HOSPITALS, *_WORDS["company"])}
_ORDINALS: Final = frozenset(listed("er ere eme nd nde ieme"))
_FIRST: Final = ("er", "ere")
_DAY: Final = re.compile(
    rf"\d{{1,2}}(?:er)?[ -]{either(MONTHS)}\b(?:[ -]\d{{4}}\b)?", re.IGNORECASE
)
"""A day that a street is named after ("rue du 11 novembre 1918")."""
_STREET_TOKEN: Final = re.compile(
    _DAY.pattern + r"|\d+|[^\W\d_]+(?:['’.-]+[^\W\d_]+)*\.?|[\s'’-]+|.", re.DOTALL | re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W_]+")
_ELIDED: Final = frozenset("aeiouh")
_ARTICLE: Final = re.compile(r"Le(s)?[ -]")


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
        for mention in mentions:
            text, cost = _drawn(mention, places, context.streams)
            if text is not None:
                key = (self.name, mention.label, mention.text)
                text = context.memory.given.setdefault(key, text)
                yield Surrogate(mention, text, self.name, (cost,))

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _drawn(mention: Mention, places: EarlierPlaces, streams: Streams) -> tuple[str | None, Charge]:
    """The surrogate text of one mention, and what its draw cost.

    It differs from the original, but where it follows the draw of a place, which may be the
    original: to hold it back would tell that it is.
    """
    old, town = mention.text, None
    match mention.label:
        case Label.STREET:
            value = " ".join([word for word in _WORD.findall(fold(old)) if word not in _KINDS])
            stream, cost = _keyed(streams, "street", value)
            new = _street(old, stream)
        case Label.UNIT:
            stream, cost = _keyed(streams, "unit", fold(old))
            others = [name for name in _WORDS["unit"] if fold(name) != fold(old)]
            new = like_case(stream.choice(others), old)
        case _:
            found = institutions.of_town(old, places.names)
            parts, key = found or (institutions.split(old), None)
            head, link, own = parts
            kind = "hospital" if mention.label is Label.HOSPITAL else "organization"
            stream, cost = _keyed(streams, kind, key or fold(own.strip()))
            if key is not None:
                town = places.names[key]
            elif _is_of_place(link, own):
                near = places.nearest(mention)
                town = _fitting(near, institutions.kind_of(head)).name if near else None
            names = _WORDS["company"]
            if kind == "hospital":
                names = _HOSPITALS if head else _WORDS["saint"]
            new = renamed(parts, town, names, stream)
    return (None if town is None and fold(new) == fold(old) else new), cost


def _keyed(streams: Streams, kind: str, value: str) -> tuple[Stream, Charge]:
    return keyed(streams, f"{Addresses.name} {kind}", Addresses.name, kind, value)


def _unlike(names: Sequence[str], text: str) -> Sequence[str]:
    old = runs(fold(text))
    return [name for name in names if _RUNS[name].isdisjoint(old)] or names


def _street(text: str, stream: Stream) -> str:
    """A street of the same kind: numbers redrawn, each name replaced by one of the list."""
    free = _unlike(_STREETS, text)
    alone = [f"Les {name[4:]}" for name in free if name in _PLANTS]
    alone = alone or [name[0].upper() + name[1:] for name in _STREETS]
    tokens = _STREET_TOKEN.findall(text)
    words = [fold(token).replace(".", "") for token in tokens]
    if any(map(str.isdecimal, tokens)) and _WAYS.isdisjoint(words):
        # "3 hent Kerhuon": another language, a place in the country
        alone = [f"Rue {name}" for name in free]
        free = [f"rue {name}" for name in free]
    out: list[str] = []
    run: list[str] = []
    for at, (token, word) in enumerate(zip(tokens, words, strict=True)):
        name = word[:1].isalpha() and word not in _KINDS and len(word) > 1
        name = name or _DAY.fullmatch(token) is not None
        ordinal = word in _ORDINALS or (word == "e" and "etage" in words[at + 1 : at + 3])
        if ordinal and out and out[-1].isdecimal():
            out.append(_ordinal(token, word, out[-1]))
        elif name or (run and (word in institutions.LINKS or not token.strip(" '’-"))):
            run.append(token)
        else:
            out += _named(run, stream, free if out else alone)
            run = []
            out.append(_part(token, "".join(out[-1:]), stream))
    return "".join([*out, *_named(run, stream, free if out else alone)])


def _ordinal(token: str, word: str, number: str) -> str:
    """The ending of a number that was redrawn: "1er" but "4e"."""
    if (number == "1") == (word in _FIRST):
        return token
    return like_case("er" if number == "1" else "e", token)


def _part(token: str, before: str, stream: Stream) -> str:
    """A number, letter, kind of street or mark between names, redrawn if it tells anything."""
    if token.isdecimal():
        number = "".join(str(int(c)) for c in token)
        return first_free(lambda: redraw(number, stream), number, ()) or "1"
    if len(token) > 1 or not token.isalpha() or fold(token) in _KINDS or before.isdecimal():
        return token
    return first_free(lambda: like_case(redraw("A", stream), token), token, ()) or "A"


def _named(run: list[str], stream: Stream, names: Sequence[str]) -> list[str]:
    """One name in the place of a run of words, with the marks that ended it."""
    if not run:
        return []
    end = len(run)
    while end > 1 and not run[end - 1].strip(" '’-\n\t\r"):
        end -= 1
    return [like_case(stream.choice(names), "".join(run[:end])), *run[end:]]


def _is_of_place(link: str, own: str) -> bool:
    named = institutions.is_of(link) or institutions.is_town(link, own)
    return named or not own or institutions.is_area(own)


def _fitting(place: Place, kind: str | None) -> Place:
    """The place, or of its list the nearest one that has a hospital of a kind."""
    listed = gazetteers.place_list_name(place)
    if kind is None or not (among := gazetteers.places_of_kind(listed, kind)):
        return place
    every = surrogate_places(listed, ())
    at = every.nearest(*every.locate(place.latitude, place.longitude))
    return gazetteers.place_lists()[listed][nearest_among(every, at, among)]


def renamed(
    parts: tuple[str, str, str], town: str | None, names: Sequence[str], stream: Stream
) -> str:
    """The institution under another name: that of a town, or one of `names`.

    Args:
        parts: as of `institutions.split`.
    """
    head, link, name = parts
    if not name:
        link, name = (" " if town is None else " de "), head
    shape = link + name
    if town is None:
        town = stream.choice(_unlike(names, "".join(parts)))
    elif not institutions.is_of(link):
        return head + like_case(link + town, shape)
    if institutions.is_of(link):
        link = " d'" if fold(town[0]) in _ELIDED else " de "
        if article := _ARTICLE.match(town):
            link = f" d{'es' if article[1] else 'u'} "
            town = town[article.end() :]
    if town.startswith(("des ", "du ", "de ")):
        link = " "
    return head + like_case(link + town, shape)
