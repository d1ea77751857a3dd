"""Telephone, fax, e-mail, web and network addresses, rooms: keyed, of the same shape, unreachable.

Runs after names and places: an e-mail address follows the surrogate of whom it names, the zone of a
telephone number the surrogate city. These are pseudonyms keyed by the value; there is no ε.

Internet addresses lead nowhere: domains are reserved (`domains`), RFC 5737 and RFC 3849 reserve the
networks. No word of an address is kept but those of a public list before an "@" that say whose desk
it is, for "secretariat.dr-dupont" and "dupont-sa.fr" name people and places.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.french import numerals
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute.codes import phones
from dpdeid.substitute.codes.domains import Domains
from dpdeid.substitute.people.addresses import Addressed, addressed
from dpdeid.substitute.places.earlier import EarlierPlaces
from dpdeid.substitute.pseudonyms import (
    PSEUDONYM,
    canonical,
    first_free,
    keyed,
    like_case,
    redraw,
    runs,
    shares_run,
)

_CALLS: Final = (Label.PHONE, Label.FAX)
CONTACTS: Final = (*_CALLS, Label.EMAIL, Label.URL, Label.IP, Label.ROOM)
_BUILDINGS: Final = ("Iris", "Azalée", "Tilleul", "Hortensia", "Glycine", "Bruyère", "Cyprès")
_OF_ROOMS: Final = frozenset(
    (*words_by_key("addresses")["part"], *words_by_key("addresses")["room"])
)
"""Folded words that say what a room is or lies in; they stay."""
_PATH_WORDS: Final = ("dossier", "page", "portail", "fiche", "rubrique", "espace", "notice", "menu")
_PATH_RUNS: Final = {word: runs(word) for word in _PATH_WORDS}
_NETWORKS: Final = ("192.0.2", "198.51.100", "203.0.113")
_NETWORK: Final = len("2001:db8:")
"""Characters of an address that the documentation range gives."""

_AT: Final = re.compile(
    r"\s{0,3}(?:@|[\[({<]\s?(?:at|arobase|a|@)\s?[])}>])\s{0,3}|\s{1,3}(?:at|arobase)\s{1,3}",
    re.IGNORECASE,
)
"""An "@", or what is written for it so that no robot reads it."""
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_MISREAD: Final = re.compile(r"(?<!\w)(?=[OolI]*\d)[\dOolI]{2,}(?!\w)")
"""A number in which a scanner may have read letters: "l18"."""
_ROOM_RUN: Final = re.compile(
    r"(?<![^\W\d_])(?!(?<=\d)(?:(?:er|[eè](?:me)?)(?![^\W_])|E\s{1,2}(?i:[ée]tage)(?!\s*\d)))[^\W\d_]+|\d+"
)
"""A run of letters or digits, but for the ending of "3e"."""
_NOT_FIRST: Final = re.compile(r"(?:(?<=[02-9])|(?<=\d\d))er(?![^\W_])")
_URL: Final = re.compile(r"(?i)((?:[a-z]{2,6}://)?(?:www\.)?)([^/?#\s]+)(.*)", re.DOTALL)
_IPV4: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_MAC: Final = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_GROUP: Final = re.compile(r"[0-9A-Fa-f]{1,4}")


@dataclass(frozen=True, slots=True)
class Contacts:
    """Replaces contact data by data of the same kind in reserved ranges, keyed by the value.

    Args:
        labels: the labels it serves.
    """

    name: ClassVar[str] = "contacts"
    needs: ClassVar[tuple[str, ...]] = ("places", "people", "addresses")

    labels: tuple[Label, ...] = CONTACTS

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        yield from self._phones([m for m in mentions if m.label in _CALLS], context)
        others = [m for m in mentions if m.label not in _CALLS]
        yield from self._others(others, record, context)

    def _phones(self, mentions: Sequence[Mention], context: Context) -> Iterator[Surrogate]:
        places = EarlierPlaces(context)
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
            own = slice(phones.given(groups[key][0][1]), None)
            free = partial(first_free, draw, key[1], taken, own=own)
            drawn = context.memory.once(free, self.name, "phone", *key)
            if drawn is None:
                continue
            taken.add(drawn)
            for mention, number in groups[key]:
                text = phones.write(mention.text, number, drawn)
                if text != mention.text:
                    yield Surrogate(mention, text, self.name, (cost,))

    def _others(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        groups: dict[tuple[Label, str], list[Mention]] = defaultdict(list)
        for mention in mentions:
            value = fold(mention.text)
            if any(map(str.isalnum, value)):
                groups[mention.label, value].append(mention)
        mailed = any(m.label is Label.EMAIL for m in mentions)
        places, domains = EarlierPlaces(context), Domains.of(context)
        told = (context.before, places.towns) if mailed else ((), {})
        names = addressed(record.documents, *told)
        taken = {value for _, value in groups}
        for label, value in sorted(groups):
            stream, cost = keyed(context.streams, f"{self.name} {label}", self.name, label, value)
            first = groups[label, value][0]
            text, host = first.text, ""
            costs: tuple[Charge, ...] = (cost,)
            if label in (Label.EMAIL, Label.URL):
                host, more = domains.domain(_host(label, text), places.nearest(first))
                costs = (cost, more)
            draw = partial(_draw, label, text, host, names, stream)
            worded = label in (Label.EMAIL, Label.URL)  # which see to it word by word
            reserved = label is Label.IP and ":" in text and len(text) > _NETWORK
            own = slice(_NETWORK if reserved else 0, None)
            free = partial(first_free, draw, text, taken, own=own, alike=worded)
            drawn = context.memory.once(free, self.name, label, value)
            if drawn is None or fold(drawn) == value:  # nothing in it could be redrawn
                continue
            taken.add(drawn)
            for mention in groups[label, value]:
                yield Surrogate(mention, like_case(drawn, mention.text), self.name, costs)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, self.name, PSEUDONYM),)


def _host(label: Label, text: str) -> str:
    """The host of a mail or web address."""
    if label is Label.EMAIL:
        return _parted(text)[2]
    match = _URL.fullmatch(text)
    return text if match is None else match[2]


def _draw(label: Label, text: str, host: str, names: Addressed, stream: Stream) -> str:
    match label:
        case Label.EMAIL:
            return email(text, host, names, stream)
        case Label.URL:
            return url(text, host, stream)
        case Label.IP:
            return network(text, stream)
        case _:
            text = _MISREAD.sub(lambda m: numerals.in_digits(m[0]) or m[0], text)
            return _NOT_FIRST.sub("e", _ROOM_RUN.sub(lambda m: _room_part(m[0], stream), text))


def _room_part(part: str, stream: Stream) -> str:
    if fold(part) in _OF_ROOMS:
        return part
    if part.isdecimal() or len(part) < 3:
        return like_case(redraw(canonical(part), stream), part)
    free = [name for name in _BUILDINGS if not shares_run(fold(name), fold(part))]
    return like_case(stream.choice(free), part)


def email(text: str, host: str, names: Addressed, stream: Stream) -> str:
    """A surrogate e-mail address, of the surrogate of whom it names, on a surrogate domain."""
    local, at, _ = _parted(text)
    drawn = like_case(names.written(local, stream), local)
    return drawn + at + like_case(host, _parted(text)[2])


def _parted(text: str) -> tuple[str, str, str]:
    """What stands before the last "@", however it is written, it, and the host."""
    at = deque(_AT.finditer(text), maxlen=1)
    return (text[: at[0].start()], at[0][0], text[at[0].end() :]) if at else (text, "@", "")


def url(text: str, host: str, stream: Stream) -> str:
    """A web address of the same shape on a surrogate domain; its words are replaced."""
    match = _URL.fullmatch(text)
    if match is None:
        return host
    scheme, given, rest = match.groups()
    old = runs(fold(text))
    words = [word for word, its in _PATH_RUNS.items() if its.isdisjoint(old)] or ["x"]
    path = _RUN.sub(lambda m: _path_word(m[0], words, stream), rest)
    return scheme + like_case(host, given) + path


def _path_word(word: str, words: Sequence[str], stream: Stream) -> str:
    if word.isdigit():
        return first_free(lambda: redraw("0" * len(word), stream), word, ()) or "0"
    if len(word) < 4:
        return like_case(redraw("A" * len(word), stream), word)
    return like_case(stream.choice(words), word)


def network(text: str, stream: Stream) -> str:
    """A network address of a documentation range; a hardware address is one locally administered.

    Other texts keep their shape only.
    """
    if found := _IPV4.search(text):
        drawn = f"{stream.choice(_NETWORKS)}.{1 + stream.randbelow(254)}"
        return text[: found.start()] + drawn + text[found.end() :]
    if _MAC.fullmatch(text):
        pairs = ["02", *(f"{stream.randbelow(256):02x}" for _ in range(5))]
        return like_case((":" if ":" in text else "-").join(pairs), text)
    if ":" in text:
        groups = max(1, len(_GROUP.findall(text)) - 2)
        drawn = ":".join(f"{stream.randbelow(1 << 16):x}" for _ in range(min(groups, 6)))
        return like_case(f"2001:db8:{':' if groups < 6 else ''}{drawn}", text)
    return redraw(text.upper(), stream) if text.isalnum() else "192.0.2.1"
