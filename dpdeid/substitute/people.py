"""Names of people: the same person the same surrogate, in every note of the patient.

The lookup of Tchouka et al. (their Figure 5: full name → surname → new first name) without a table:
a surrogate surname is a keyed draw on the folded surname, so that kin keep a common one, and a
surrogate first name one on the folded first name and its sex. Case, accents, order, hyphens,
particles and initials of a mention do not change the draw, they only shape its text. Distinct
names of a record get distinct surrogates; only where two draws collide does one depend on the
other, in the order of the folded names. Names are pseudonyms: there is no ε.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, get_args

from dpdeid.document import Mention, Record, Surrogate
from dpdeid.labels import Label, Sex
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.protocols import Context, Guarantee
from dpdeid.substitute import clusters
from dpdeid.substitute.clusters import FIRST, LAST, Key, Named
from dpdeid.substitute.names import Drawn, Pool, first_name_pool, surname_pool
from dpdeid.substitute.shapes import PSEUDONYM, RUN, charge, like_case, runs

Scope = Literal["document", "record"]

_SINGLE = 40
"""Draws of one name before two are joined by a hyphen: so a record of any size finds free ones."""
_TRIES = 80


@dataclass(frozen=True, slots=True)
class PersonName:
    """A surrogate person as far as the record names them: "" where it does not."""

    first: str = field(repr=False)
    last: str = field(repr=False)
    sex: Sex = Sex.UNKNOWN


@dataclass(frozen=True, slots=True)
class People:
    """Replaces names, keyed by the name.

    Args:
        labels: the labels it serves.
        scope: "record" gives a name one surrogate in all notes of the patient, "document" another
            one in each note (the table per file of HNFC).
    """

    name: ClassVar[str] = "people"
    needs: ClassVar[tuple[str, ...]] = ()

    labels: tuple[Label, ...] = (Label.LAST_NAME, Label.FIRST_NAME)
    scope: Scope = "record"

    def __post_init__(self) -> None:
        if self.scope not in get_args(Scope):
            raise ValueError(f"scope is one of {', '.join(get_args(Scope))}")

    def substitute(
        self, mentions: Sequence[Mention], record: Record, context: Context
    ) -> Iterator[Surrogate]:
        if self.scope == "record":
            yield from self._table(mentions, record, context.streams, "")
            return
        notes: dict[int, list[Mention]] = defaultdict(list)
        for mention in mentions:
            notes[mention.document].append(mention)
        for index, inside in notes.items():
            yield from self._table(inside, record, context.streams, record.documents[index].id)

    def _table(
        self, mentions: Sequence[Mention], record: Record, streams: Streams, anchor: str
    ) -> Iterator[Surrogate]:
        """Surrogates of mentions that share their names; `anchor` parts tables."""
        named = clusters.read(mentions, record.documents)
        groups = clusters.group(named, record.documents)
        sexes = clusters.sexes(groups, record.documents)
        known: dict[tuple[tuple[str, bool], ...], _Person] = {}
        people = []
        for group in groups:
            form = tuple([(member.text, member.given) for member in group.members])
            if form not in known:
                known[form] = _Person.of(group, sexes)
            people.append(known[form])
        table = _Table(streams, (f"{self.name} by {self.scope}", anchor), known.values())
        table.draw(clusters.elided(named, record.documents))
        shown = {id(person): table.render(person) for person in known.values()}
        for group, person in zip(groups, people, strict=True):
            value, texts = shown[id(person)]
            for member, (text, charges) in zip(group.members, texts, strict=True):
                if text is not None:
                    yield Surrogate(member.mention, text, self.name, charges, value)

    def guarantees(self) -> tuple[Guarantee, ...]:
        return (Guarantee(self.labels, f"{self.name} by {self.scope}", PSEUDONYM),)


@dataclass(frozen=True, slots=True)
class _Person:
    """A group of mentions with the keys of its names."""

    members: tuple[Named, ...]
    sex: Sex
    firsts: tuple[Key, ...]
    lasts: tuple[Key, ...]

    @classmethod
    def of(cls, group: clusters.Group, sexes: Mapping[tuple[str, ...], Sex]) -> _Person:
        firsts = group.keys(given=True)
        sex = sexes.get(firsts, Sex.UNKNOWN)
        return cls(
            group.members,
            sex,
            tuple([Key(FIRST, sex.value, key) for key in firsts]),
            tuple([Key(LAST, "", key) for key in group.keys(given=False)]),
        )


@dataclass(frozen=True, slots=True)
class _Originals:
    """The folded names of a table, none of which may come out of it."""

    names: frozenset[str] = field(repr=False)
    heads: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str]) -> _Originals:
        every = frozenset(names)
        return cls(every, frozenset(name[:RUN] for name in every if len(name) >= RUN))

    def within(self, key: str, its_runs: set[str]) -> bool:
        """Whether a name is one of them, or has one of at least four letters inside."""
        if key in self.names:
            return True
        if self.heads.isdisjoint(its_runs):
            return False
        size = len(key)
        return any(
            key[i:j] in self.names for i in range(size - RUN + 1) for j in range(i + RUN, size + 1)
        )


class _Table:
    """The surrogates of one table, for the time of one call. `purpose` names its draws."""

    def __init__(
        self, streams: Streams, purpose: tuple[str, str], people: Collection[_Person]
    ) -> None:
        self._streams = streams
        self._purpose = purpose
        self._drawn: dict[Key, str] = {}
        self._charges: dict[Key, Charge] = {}
        self._beside: dict[Key, set[str]] = defaultdict(set)
        self._whole: dict[Key, set[tuple[tuple[Key, ...], tuple[Key, ...], Sex]]] = defaultdict(set)
        for person in people:
            keys = person.firsts + person.lasts
            near = {run for key in keys for run in runs(key.name)}
            for key in keys:
                self._beside[key] |= near
            if person.firsts and person.lasts:
                for key in {person.firsts[0], person.lasts[0]}:
                    self._whole[key].add((person.firsts, person.lasts, person.sex))
        self._people = people

    @cached_property
    def _initials(self) -> clusters.Initials:
        return clusters.initials((p.firsts, p.lasts) for p in self._people)

    def draw(self, elided: Mapping[str, bool]) -> None:
        """Draws a surrogate for every name, all distinct, in the order of the folded names."""
        originals = _Originals.of(key.name for key in self._beside)
        taken: set[str] = set()
        for key in sorted(self._beside):
            vowel = elided[key.name]
            name = (*self._purpose, f"{key.kind} {key.sex} {vowel:d}", key.name)
            stream = self._streams.stream(*name)
            pool = surname_pool() if key.kind == LAST else first_name_pool(Sex(key.sex))
            drawn = _free(pool, vowel, stream, key.name, self._beside[key], originals, taken)
            taken.add(drawn.key)
            self._drawn[key] = drawn.text
            self._charges[key] = charge(self._streams, self._purpose[0], *name)

    def render(
        self, person: _Person
    ) -> tuple[PersonName, list[tuple[str | None, tuple[Charge, ...]]]]:
        """The surrogate person, and the text and charges of each of its mentions.

        The text is None where nothing in it could be replaced.
        """
        texts: list[tuple[str | None, tuple[Charge, ...]]] = []
        for member in person.members:
            text, charges = self._text(member, person)
            texts.append((None if fold(text) == fold(member.text) else text, charges))
        return self._value(person), texts

    def _value(self, person: _Person) -> PersonName:
        """The surrogate person, completed from a full name elsewhere if only one fits."""
        firsts, lasts, sex = person.firsts, person.lasts, person.sex
        if not (firsts and lasts) and (one := (firsts or lasts)[:1]):
            known = self._whole.get(one[0], ())
            if len(known) == 1:
                firsts, lasts, sex = next(iter(known))
        return PersonName(
            " ".join([self._drawn[key] for key in firsts]),
            " ".join([self._drawn[key] for key in lasts]),
            sex,
        )

    def _text(self, member: Named, person: _Person) -> tuple[str, tuple[Charge, ...]]:
        """The text of one mention in its own shape, and what its draws cost."""
        kind, sex = (FIRST, person.sex.value) if member.given else (LAST, "")
        letters = "".join([p.key[0] for p in member.pieces if p.kind == "initial"])
        meant = iter(self._meant(member, person, letters) if letters else ())
        out: list[str] = []
        costs: dict[str, Charge] = {}
        done = 0
        for piece in member.pieces:
            if piece.kind == "kept":
                continue
            old = member.text[piece.start : piece.end]
            if piece.kind == "name":
                key = Key(kind, sex, piece.key)
                new, cost = self._drawn[key], self._charges[key]
            else:
                new, cost = self._letter(next(meant), piece.key, len(old))
            costs[cost.event] = cost
            out += (member.text[done : piece.start], like_case(new, old))
            done = piece.end
        out.append(member.text[done:])
        return "".join(out), tuple(costs.values())

    def _meant(self, member: Named, person: _Person, letters: str) -> Sequence[Key | None]:
        """The names that the initials of a mention abbreviate, None where no name does."""
        scope = LAST if not member.given else (person.lasts[0].name if person.lasts else "")
        found = self._initials.get((letters, scope), ())
        return found if len(found) == len(letters) else [None] * len(letters)

    def _letter(self, meant: Key | None, letter: str, length: int) -> tuple[str, Charge]:
        if meant is not None:
            return self._drawn[meant][:length], self._charges[meant]
        name = (*self._purpose, "initial", letter)
        stream = self._streams.stream(*name)
        others = [c for c in "ABCDEFGJLMNPRSTV" if c != letter[0].upper()]
        drawn = stream.choice(others) + "hr"[: length - 1]
        return drawn, charge(self._streams, self._purpose[0], *name)


def _free(
    pool: Pool,
    elided: bool,
    stream: Stream,
    original: str,
    beside: set[str],
    originals: _Originals,
    taken: set[str],
) -> Drawn:
    """A name that is free: not taken, no original of the record, nothing left of its own."""
    drawn = Drawn("", "")
    for attempt in range(_TRIES):
        drawn = pool.draw(elided, stream)
        if attempt >= _SINGLE:
            second = pool.draw(False, stream)
            drawn = Drawn(f"{drawn.text}-{second.text}", f"{drawn.key}-{second.key}")
        key = drawn.key
        if (
            key[0] != original[0]
            and key not in taken
            and beside.isdisjoint(inside := runs(key))
            and not originals.within(key, inside)
        ):
            break
    return drawn
