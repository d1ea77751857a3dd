"""The surrogate names of one table: one draw for each name, all distinct, and the texts they give.

A draw depends on the key, the unit and the name; only where it may not be released (another name
has it, it is a name of the record, something of the original is left in it) does the next draw of
the same stream take its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from dpdeid.labels import Sex
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.substitute import clusters
from dpdeid.substitute.clusters import (
    FIRST,
    LAST,
    Group,
    Key,
    Named,
    Names,
    first_keys,
    last_keys,
)
from dpdeid.substitute.name_pieces import elides
from dpdeid.substitute.names import Drawn, Pool, first_name_pool, surname_pool
from dpdeid.substitute.shapes import PSEUDONYM, RUN, like_case

_SINGLE: Final = 40
"""Draws of one name before two are joined by a hyphen: so a record of any size finds free ones."""
_TRIES: Final = 80

_SEXES: Final = {sex.value: sex for sex in Sex}

Text = tuple[str | None, tuple[Charge, ...]]
"""What a mention is replaced by, None where nothing in it could be, and what that cost."""


class Person(NamedTuple):
    """A group of mentions with the keys of its names: those of each mention, then all."""

    members: tuple[tuple[Named, tuple[Key, ...]], ...]
    firsts: tuple[Key, ...]
    lasts: tuple[Key, ...]

    @classmethod
    def of(cls, group: Group, sex: Sex) -> Person:
        """The person of a group."""
        firsts: tuple[Key, ...] = ()
        lasts: tuple[Key, ...] = ()
        members = []
        for member in group.members:
            if member.given:
                keys = first_keys(member.keys, sex)
                firsts += keys
            else:
                keys = last_keys(member.keys)
                lasts += keys
            members.append((member, keys))
        return cls(tuple(members), firsts, lasts)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the record asks of single draws.

    Args:
        elided: names with h or y before which "d'" stands.
        generations: first names whose bearer's surrogate birth is known.
        staff: names that are drawn for the cohort.
        markov: with which probability a repeated mention gets a new surrogate.
    """

    elided: frozenset[str] = field(default=frozenset(), repr=False)
    generations: Mapping[str, int] = field(default_factory=dict, repr=False)
    staff: frozenset[Key] = field(default=frozenset(), repr=False)
    markov: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class _Originals:
    """The folded names of a table, none of which may come out of it."""

    names: frozenset[str] = field(repr=False)
    heads: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str]) -> _Originals:
        every = frozenset(names)
        return cls(every, frozenset(name[:RUN] for name in every if len(name) >= RUN))

    def within(self, drawn: Drawn) -> bool:
        """Whether a name is one of them, or has one of at least four letters inside."""
        key = drawn.key
        if key in self.names:
            return True
        if self.heads.isdisjoint(drawn.runs):
            return False
        size = len(key)
        return any(
            key[i:j] in self.names for i in range(size - RUN + 1) for j in range(i + RUN, size + 1)
        )


class Table:
    """The surrogates of one table, for the time of one call. `purpose` names its draws: what they
    are charged as, and what parts this table from others."""

    def __init__(
        self,
        streams: Streams,
        purpose: tuple[str, str],
        people: Sequence[Person],
        known: Sequence[Names],
        asked: Asked,
    ) -> None:
        self._streams = streams
        self._mechanism = purpose[0]
        self._purpose = " ".join(purpose)
        self._people = people
        self._known = known
        self._asked = asked
        self._drawn: dict[Key, tuple[str, Charge]] = {}
        self._taken: set[str] = set()
        self._beside: dict[Key, str] = {}
        self._letters: dict[Key, set[str]] = defaultdict(set)
        self._coins: dict[Key, Stream] = {}
        self._turns: dict[Key, int] = {}
        for firsts, lasts in known:
            self._shape(firsts + lasts)
        for person in people:
            self._shape(person.firsts + person.lasts)
            for _, keys in person.members:
                if len(keys) > 1:
                    letters = {key.name[0] for key in keys}
                    for key in keys:
                        self._letters[key] |= letters
        self._originals = _Originals.of(key.name for key in self._beside)
        for key in sorted(self._beside):
            self._draw(key)

    def _shape(self, keys: tuple[Key, ...]) -> None:
        """Nothing of a whole name may be left in any of its parts, joined as they are."""
        whole = keys[0].name if len(keys) == 1 else "-".join([key.name for key in keys])
        for key in keys:
            beside = self._beside.get(key)
            if beside is None:
                self._beside[key] = whole
            elif whole not in beside:
                self._beside[key] = f"{beside} {whole}"

    def _draw(self, key: Key) -> None:
        """A surrogate for a name, and what it cost; at every further call another one."""
        asked, (kind, sex, old) = self._asked, key
        turn = self._turns[key] = self._turns.get(key, -1) + 1
        vowel = elides(old) or old in asked.elided
        generation = asked.generations.get(old) if kind == FIRST else None
        born = "" if generation is None else generation
        name = f"{kind} {sex} {vowel:d} {born} {turn} {old}"
        stream, event = self._streams.named(self._purpose, name)
        if key in asked.staff:
            stream = self._streams.shared().stream("staff", name)
        pool = surname_pool() if kind == LAST else first_name_pool(_SEXES[sex], generation)
        drawn = self._free(pool, bool(vowel), stream, key)
        if drawn is None:
            self._drawn.pop(key, None)
            return
        self._taken.add(drawn.key)
        cost = Charge(self._streams.unit, event, self._mechanism, PSEUDONYM)
        self._drawn[key] = drawn.text, cost

    def _free(self, pool: Pool, vowel: bool, stream: Stream, key: Key) -> Drawn | None:
        """A name that is free: not taken, no name of the record, nothing of its own left in it.

        None where there is none: the mention is then for the default of the policy.
        """
        own, beside, taken = key.name[0], self._beside[key], self._taken
        letters, names = self._letters.get(key, own), pool.of_kind(vowel)
        size = len(names)
        for attempt in range(_TRIES):
            if attempt < _SINGLE:
                drawn = names[stream.randbelow(size)]
            else:
                drawn, letters = pool.draw_double(vowel, stream), own
            name = drawn.key
            if (
                name[0] not in letters
                and name not in taken
                and not any(map(beside.__contains__, drawn.runs))
                and not self._originals.within(drawn)
            ):
                return drawn
        return None

    def texts(self, person: Person) -> list[Text]:
        """The text and the charges of each mention of a person; the same whenever asked, but under
        `markov`, where every call stands for the next mentions of its names.
        """
        if not self._asked.markov:
            return [self._text(member, keys, person) for member, keys in person.members]
        texts: list[Text] = []
        for member, keys in person.members:
            for key in dict.fromkeys(keys):
                self._toss(key)
            texts.append(self._text(member, keys, person))
        return texts

    def _toss(self, key: Key) -> None:
        """One mention more of a name: a new surrogate, if its coin says so."""
        if key not in self._coins:
            name = f"markov {key.kind} {key.sex} {key.name}"
            self._coins[key] = self._streams.stream(self._purpose, name)
            return
        markov = self._asked.markov
        if self._coins[key].randbelow(markov.denominator) < markov.numerator:
            self._draw(key)

    def _text(self, member: Named, keys: tuple[Key, ...], person: Person) -> Text:
        """The text of one mention in its own shape, and what its draws cost. No drawn name or
        letter begins as its original does, so the text is another one.
        """
        text = member.text
        if keys and len(member.pieces) == 1:
            found = self._drawn.get(keys[0])
            if found is None:
                return None, ()
            start, end = member.pieces[0][:2]
            old = text[start:end]
            new = like_case(found[0], old) + "\n" * ("\n" in old)
            return text[:start] + new + text[end:], (found[1],)
        letters = "".join([p.key[0] for p in member.pieces if p.kind == "initial"])
        meant = iter(self._meant(member, person, letters) if letters else ())
        names = iter(keys)
        out: list[str] = []
        costs: dict[str, Charge] = {}
        done = 0
        for piece in member.pieces:
            if piece.kind == "kept":
                continue
            old = text[piece.start : piece.end]
            if piece.kind == "name":
                found = self._drawn.get(next(names))
                if found is None:
                    return None, ()
                new, cost = found
            else:
                new, cost = self._letter(next(meant), piece.key, len(old))
            costs[cost.event] = cost
            out += (text[done : piece.start], like_case(new, old), "\n" * ("\n" in old))
            done = piece.end
        out.append(text[done:])
        return "".join(out) if done else None, tuple(costs.values())

    @cached_property
    def _initials(self) -> clusters.Initials:
        return clusters.initials([*((p.firsts, p.lasts) for p in self._people), *self._known])

    def _meant(self, member: Named, person: Person, letters: str) -> Sequence[Key | None]:
        """The names that the initials of a mention abbreviate, None where no name does."""
        scope = LAST if not member.given else (person.lasts[0].name if person.lasts else "")
        found = self._initials.get((letters, scope), ())
        return found if len(found) == len(letters) else [None] * len(letters)

    def _letter(self, meant: Key | None, letter: str, length: int) -> tuple[str, Charge]:
        if meant is not None and meant in self._drawn:
            text, cost = self._drawn[meant]
            return text[:length], cost
        stream, event = self._streams.named(self._purpose, f"initial {letter}")
        others = "ABCDEFGJLMNPRSTV".replace(letter[0].upper(), "")
        drawn = stream.choice(others) + "hr"[: length - 1]
        return drawn, Charge(self._streams.unit, event, self._mechanism, PSEUDONYM)
