"""E-mail addresses and logins that name somebody, with the surrogates of these names.

"h.quentric", "jlblanc", "fmullerw", "stan.wojciechowski": a word is cut into names of the record,
pet names of these, and initials, which are those of whoever the address names. Words of a public
list stay, which say whose desk it is ("neuro.secretariat"); beside them a town becomes that which
was released for it, and what names nobody and nothing that is known goes, as does another town
("cab.idel.trevoux"). Other words are drawn anew: "secretariat.dr-dupont" names people too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, Record, Surrogate
from dpdeid.french.tables import words_by_key
from dpdeid.gazetteers import Place
from dpdeid.labels import NAMES, Label
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.protocols import Context
from dpdeid.substitute.people.clusters import group_names, pieces, read_names
from dpdeid.substitute.people.linking import known_names, link_names
from dpdeid.substitute.people.name_table import surname_pool
from dpdeid.substitute.people.spellings import is_pet_name, presumed
from dpdeid.substitute.pseudonyms import first_free, keyed, like_case, redraw, runs

_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LOGIN: Final = re.compile(r"[^\W\d_]+(?:[._-][^\W\d_]+)*\d{0,3}")
_LABELS: Final = (Label.OTHER_ID, Label.PROVIDER_ID)
_LEAST: Final = 3
"""Letters from which a name is found inside a word."""
_INITIALS: Final = 3
"""Letters of a word beside a name that are initials, at most."""
_LONGEST: Final = 40
"""Letters up to which a word is searched for names written as one."""
_TRIES: Final = 8
_DESKS: Final = frozenset(
    word
    for kind, words in words_by_key("mailbox_words").items()
    if kind != "title"
    for word in words
)
"""Words of mailboxes that name nobody."""
_TITLES: Final = frozenset(words_by_key("mailbox_words")["title"])
_PARTS: Final = re.compile(r"[^._+-]+[._+-]*")
"""Words of an address with the marks behind them."""
_ENDS: Final = "._+-"

Pairs = tuple[tuple[str, str], ...]
"""Folded names with their surrogates, both in small letters."""


@dataclass(frozen=True, slots=True)
class _Person:
    firsts: Pairs = field(repr=False)
    lasts: Pairs = field(repr=False)

    def initials(self, word: str) -> Iterator[str]:
        """What a word may become as initials of this one, likeliest first."""
        for names in (self.firsts, self.firsts[:1]):
            if word and word == "".join(old[0] for old, _ in names):
                yield "".join(new[0] for _, new in names)
        letters: dict[str, str] = {}
        for old, new in (*self.firsts, *self.lasts):
            letters.setdefault(old[0], new[0])
        if letters.keys() >= set(word):
            yield "".join(letters[letter] for letter in word)


@dataclass(frozen=True)
class Addressed:
    """The names of a record with their surrogates, to be looked for in addresses.

    Args:
        names: folded names, of several words also written as one, and their surrogates.
        people: who bears them.
        towns: towns, folded and in one word, and what was released for them, written alike.
    """

    names: Mapping[str, str] = field(repr=False)
    people: Sequence[_Person] = field(repr=False)
    towns: Mapping[str, str] = field(default_factory=dict, repr=False)

    def names_somebody(self, text: str) -> bool:
        """Whether a name of the record is in a word of a text."""
        return any(self._parted(word) for word in _WORD.findall(fold(text)))

    def written(self, local: str, stream: Stream) -> str:
        """The part of an address before its "@", or a login, in small letters, with other names.

        No word of it has four letters of the original in a row, or all of them are drawn anew, but
        for those that say whose desk it is.
        """
        plain = fold(local)
        words = _WORD.findall(plain)
        own = [word for word in words if not self._stays(word)]
        if any(map(self._is_desk, words)) and _TITLES.isdisjoint(words):
            plain = "".join(filter(self._is_told, _PARTS.findall(plain))).rstrip(_ENDS)
        people = self._meant("".join(own))
        drawn = self._redrawn(plain, partial(self._word, people=people, stream=stream))
        old = {run for word in own for run in runs(word)}
        for _ in range(_TRIES):
            if all(
                old.isdisjoint(runs(word)) for word in _RUN.findall(drawn) if not self._stays(word)
            ):
                break
            drawn = self._redrawn(plain, partial(_anew, stream=stream))
        return drawn

    def _redrawn(self, plain: str, draw: Callable[[str], str]) -> str:
        return _RUN.sub(lambda m: m[0] if self._stays(m[0]) else draw(m[0]), plain)

    def _is_desk(self, word: str) -> bool:
        return word not in self.names and says_desk(word)

    def _stays(self, word: str) -> bool:
        """Whether a word says whose desk it is, or what title its bearer has."""
        return word not in self.names and (word in _TITLES or says_desk(word))

    def _is_told(self, part: str) -> bool:
        """Whether a word beside one of a desk may be written: it stays, somebody of the record or a
        town released is in it, or a list has it as a name and not as a town.
        """
        return all(
            self._stays(word)
            or len(word) <= _INITIALS
            or word in self.towns
            or self._parted(word) is not None
            or (word in _names() and not gazetteers.places_named(word))
            for word in _WORD.findall(part)
        )

    def _meant(self, letters: str) -> Sequence[_Person]:
        """Who an address may name, by how much of their names it has; all if it has none."""
        told = {
            at: sum(len(old) for old, _ in (*one.firsts, *one.lasts) if old in letters)
            for at, one in enumerate(self.people)
        }
        named = sorted((at for at in told if told[at] >= _LEAST), key=lambda at: -told[at])
        return [self.people[at] for at in named or told]

    def _word(self, word: str, people: Sequence[_Person], stream: Stream) -> str:
        if word in self.names or word in self.towns:
            return self.names.get(word) or self.towns[word]
        if (parted := self._parted(word)) is not None:
            head, name, tail = parted
            rest = [self._word(part, people, stream) if part else "" for part in (head, tail)]
            return rest[0] + self.names[name] + rest[1]
        if len(word) <= _INITIALS:
            letters = (initials for one in people for initials in one.initials(word))
            if (found := next(letters, None)) is not None:
                return found
        pets = (new for one in people for old, new in one.firsts if _is_short(word, old))
        return next(pets, None) or _anew(word, stream)

    def _parted(self, word: str) -> tuple[str, str, str] | None:
        """What stands before the longest name in a word, it, and what stands behind, if it may."""
        if len(word) > _LONGEST:
            return None
        for name in self._longest:
            at = word.find(name)
            if at < 0:
                continue
            sides = word[:at], word[at + len(name) :]
            if all(len(side) <= _INITIALS or side in self.names for side in sides):
                return sides[0], name, sides[1]
        return None

    @cached_property
    def _longest(self) -> Sequence[str]:
        names = (name for name in self.names if len(name) >= _LEAST)
        return sorted(names, key=lambda name: (-len(name), name))


@cache
def says_desk(word: str) -> bool:
    """Whether a word is one of a desk, or several of them: "neuroreha"."""
    return word in _DESKS or any(
        word[:at] in _DESKS and says_desk(word[at:])
        for at in range(_LEAST, min(len(word), _LONGEST) - _LEAST + 1)
    )


@cache
def _names() -> frozenset[str]:
    """Folded names that a list has."""
    return frozenset(map(fold, gazetteers.surname_list())) | frozenset(gazetteers.first_names())


def _is_short(word: str, name: str) -> bool:
    return is_pet_name(word, name) or (len(word) >= _LEAST and name.startswith(word))


def _anew(word: str, stream: Stream) -> str:
    """Another word: digits for digits, letters for up to three letters, else a surname."""
    if word.isdigit():
        return redraw(word, stream)
    if len(word) <= _INITIALS:
        return redraw("A" * len(word), stream).lower()
    return "".join(filter(str.isalpha, surname_pool().draw_any(stream).key))


def _words(text: str) -> list[str]:
    return [fold(text)] if text.isalpha() else _WORD.findall(fold(text))


def addressed(
    documents: Sequence[Document],
    before: Iterable[Surrogate],
    towns: Mapping[str, Place] = MappingProxyType({}),
) -> Addressed:
    """The names of a record that have surrogates.

    Args:
        towns: the surrogates of the towns of the record, by the keys of their names.
    """
    drawn = {s.mention: s.text for s in before if s.mention.label in NAMES}
    names: dict[str, str] = {}
    for mention, surrogate in drawn.items():
        old, new = _words(mention.text), _words(surrogate)
        names.setdefault("".join(old), "".join(new))
        if len(old) != len(new):
            old, new = old[-1:], new[-1:]
        for word, its in zip(old, new, strict=True) if old and new else ():
            names.setdefault(word, its)
    groups = group_names(
        link_names(read_names(drawn), documents, known_names(documents)), documents
    )
    found: dict[tuple[bool, str], str] = {}
    for member in (member for group in groups for member in group.members):
        given = member.mention.label is Label.FIRST_NAME
        _, _, keys = pieces(drawn[member.mention], given)
        if len(keys) == len(member.keys):
            found.update(zip(((member.given, key) for key in member.keys), keys, strict=True))
    people = [(group.firsts, group.lasts) for group in groups] + presumed(groups, documents)
    told = [
        _Person(
            tuple((key, found[True, key]) for key in firsts if (True, key) in found),
            tuple((key, found[False, key]) for key in lasts if (False, key) in found),
        )
        for firsts, lasts in dict.fromkeys(people)
    ]
    for (_, key), its in found.items():
        names.setdefault(key, its)
    own = {"".join(_words(town)): "".join(_words(place.name)) for town, place in towns.items()}
    return Addressed({o: n for o, n in names.items() if len(o) > 1}, told, own)


def logins(
    strategy: str, mentions: Iterable[Mention], record: Record, context: Context
) -> Iterator[Surrogate]:
    """Surrogates of the codes that are logins made of a name of the record, for a strategy."""
    like = [m for m in mentions if m.label in _LABELS and _LOGIN.fullmatch(m.text)]
    names = addressed(record.documents, context.before if like else ())
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in like:
        if names.names_somebody(mention.text):
            groups[fold(mention.text)].append(mention)
    taken = set(groups)
    for value in sorted(groups):
        stream, cost = keyed(context.streams, f"{strategy} login", strategy, "login", value)
        draw = partial(names.written, value, stream)
        free = partial(first_free, draw, value, taken, alike=True)
        drawn = context.memory.once(free, strategy, "login", value)
        if drawn is not None:
            taken.add(drawn)
            for mention in groups[value]:
                yield Surrogate(mention, like_case(drawn, mention.text), strategy, (cost,))
