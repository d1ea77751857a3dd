"""The surrogate names of one table: one draw for each name, all distinct, and the texts they give.

A draw depends on the key, the unit and the name; only where it may not be released (another name
has it, it is a name of the record, something of the original is left in it) does the next draw of
the same stream take its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final

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


class Table:
    """The surrogates of one table, for the time of one call. `purpose` names its draws: what they
    are charged as, and what parts this table from others.

    Args:
        people: who is named, each with a sex.
        known: the patient's names.
    """

    def __init__(
        self,
        streams: Streams,
        purpose: tuple[str, str],
        people: Sequence[tuple[Group, Sex]],
        known: Sequence[Names],
        asked: Asked,
    ) -> None:
        self._streams = streams
        self._mechanism = purpose[0]
        self._purpose = " ".join(purpose)
        self._people = people
        self._known = known
        self._asked = asked
        self._drawn: dict[Key, tuple[str, tuple[Charge]]] = {}
        self._beside: dict[Key, str] = {}
        self._letters: dict[Key, set[str]] = {}
        self._coins: dict[Key, Stream] = {}
        self._turns: dict[Key, int] = {}
        for firsts, lasts in known:
            self._shape(firsts + lasts)
        for group, sex in people:
            firsts, lasts = group.keys(sex)
            self._shape(firsts + lasts)
            for member in group.members:
                if len(member.keys) > 1:
                    self._share_letters(_keys(member, sex))
        self._originals = frozenset([name for _, _, name in self._beside])
        self._heads = frozenset([name[:RUN] for name in self._originals if len(name) >= RUN])
        self._refused = set(self._originals)
        """The names of the record, none of which may come out, and those that have."""
        for key in sorted(self._beside):
            self._draw(key)

    def _shape(self, keys: tuple[Key, ...]) -> None:
        """Nothing of a whole name may be left in any of its parts, joined as they are."""
        whole = keys[0][2] if len(keys) == 1 else "-".join([name for _, _, name in keys])
        for key in keys:
            beside = self._beside.get(key)
            if beside is None:
                self._beside[key] = whole
            elif whole not in beside:
                self._beside[key] = f"{beside} {whole}"

    def _share_letters(self, keys: Sequence[Key]) -> None:
        """No part of a double name may begin as another one did."""
        letters = {name[0] for _, _, name in keys}
        for key in keys:
            self._letters[key] = letters | self._letters.get(key, letters)

    def _draw(self, key: Key, turn: int = 0) -> None:
        """A surrogate for a name, and what it cost; another one at every turn."""
        asked, (kind, sex, old) = self._asked, key
        vowel = elides(old) or old in asked.elided
        generation = asked.generations.get(old) if kind == FIRST else None
        born = "" if generation is None else generation
        name = f"{kind} {sex} {vowel:d} {born} {turn} {old}"
        stream, event = self._streams.named(self._purpose, name)
        if key in asked.staff:
            stream = self._streams.shared().stream("staff", name)
        pool = surname_pool() if kind == LAST else first_name_pool(_SEXES[sex], generation)
        drawn = self._free(pool, vowel, stream, key)
        if drawn is None:
            self._drawn.pop(key, None)
            return
        self._refused.add(drawn.key)
        cost = Charge(self._streams.unit, event, self._mechanism, PSEUDONYM)
        self._drawn[key] = drawn.text, (cost,)

    def _free(self, pool: Pool, vowel: bool, stream: Stream, key: Key) -> Drawn | None:
        """A name that is free: not taken, no name of the record, nothing of its own left in it.

        None where there is none: the mention is then for the default of the policy.
        """
        refused, heads, own = self._refused, self._heads, key[2][0]
        letters, holds = self._letters.get(key, own), self._beside[key].__contains__
        names = pool.of_kind(vowel)
        size = len(names)
        for attempt in range(_TRIES):
            if attempt < _SINGLE:
                drawn = names[stream.randbelow(size)]
            else:
                drawn, letters = pool.draw_double(vowel, stream), own
            _, name, runs = drawn
            if (
                name[0] not in letters
                and name not in refused
                and not any(map(holds, runs))
                and (heads.isdisjoint(runs) or not self._is_within(name))
            ):
                return drawn
        return None

    def _is_within(self, name: str) -> bool:
        """Whether a name of the record, of at least four letters, is a part of this one."""
        size = len(name)
        return any(
            name[i:j] in self._originals
            for i in range(size - RUN + 1)
            for j in range(i + RUN, size + 1)
        )

    def text(self, member: Named, group: Group, sex: Sex) -> Text:
        """The text of one mention in its own shape, and what its draws cost. No drawn name or
        letter begins as its original does, so the text is another one.

        The same whenever asked, but under `markov`, where every call stands for the next mention.
        """
        keys = _keys(member, sex)
        if self._asked.markov:
            for key in dict.fromkeys(keys):
                self._toss(key)
        text = member.text
        if keys and len(member.pieces) == 1:
            found = self._drawn.get(keys[0])
            if found is None:
                return None, ()
            start, end, _, _ = member.pieces[0]
            old = text[start:end]
            new = like_case(found[0], old) + "\n" * ("\n" in old)
            return text[:start] + new + text[end:], found[1]
        letters = "".join([p.key[0] for p in member.pieces if p.kind == "initial"])
        meant = iter(self._meant(member, group, letters) if letters else ())
        names = iter(keys)
        out: list[str] = []
        costs: dict[str, Charge] = {}
        done = 0
        for start, end, letter, kind in member.pieces:
            if kind == "kept":
                continue
            old = text[start:end]
            if kind == "name":
                found = self._drawn.get(next(names))
                if found is None:
                    return None, ()
            else:
                found = self._letter(next(meant), letter, len(old))
            new, (cost,) = found
            costs[cost.event] = cost
            out += (text[done:start], like_case(new, old), "\n" * ("\n" in old))
            done = end
        out.append(text[done:])
        return "".join(out) if done else None, tuple(costs.values())

    def _toss(self, key: Key) -> None:
        """One mention more of a name: a new surrogate, if its coin says so."""
        if key not in self._coins:
            name = "markov " + " ".join(key)
            self._coins[key] = self._streams.stream(self._purpose, name)
            return
        markov = self._asked.markov
        if self._coins[key].randbelow(markov.denominator) < markov.numerator:
            turn = self._turns[key] = self._turns.get(key, 0) + 1
            self._draw(key, turn)

    @cached_property
    def _initials(self) -> clusters.Initials:
        return clusters.initials([*(group.keys(sex) for group, sex in self._people), *self._known])

    def _meant(self, member: Named, group: Group, letters: str) -> Sequence[Key | None]:
        """The names that the initials of a mention abbreviate, None where no name does."""
        scope = LAST if not member.given else (group.lasts[0] if group.lasts else "")
        found = self._initials.get((letters, scope), ())
        return found if len(found) == len(letters) else [None] * len(letters)

    def _letter(self, meant: Key | None, letter: str, length: int) -> tuple[str, tuple[Charge]]:
        if meant is not None and meant in self._drawn:
            text, cost = self._drawn[meant]
            return text[:length], cost
        stream, event = self._streams.named(self._purpose, f"initial {letter}")
        others = "ABCDEFGJLMNPRSTV".replace(letter[0].upper(), "")
        drawn = stream.choice(others) + "hr"[: length - 1]
        return drawn, (Charge(self._streams.unit, event, self._mechanism, PSEUDONYM),)


def _keys(member: Named, sex: Sex) -> tuple[Key, ...]:
    return first_keys(member.keys, sex) if member.given else last_keys(member.keys)
