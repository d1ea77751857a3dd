"""The surrogate names of one table: one draw for each name, all distinct, and the texts they give.

Names are drawn from pools (`surname_pool`, `first_name_pool`) with nearly every name of France. A
draw depends on the key, the unit and the name; only where it may not be released (another name has
it, it is a name of the record, something of the original is left in it) does the next draw of the
same stream take its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Final, Protocol

from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.ledger import Charge
from dpdeid.privacy.rng import Stream, Streams
from dpdeid.substitute.people.abbreviations import abbreviated, may_abbreviate
from dpdeid.substitute.people.clusters import (
    FIRST,
    LAST,
    NO_NAMES,
    PREFIXES,
    Group,
    Initials,
    Key,
    Named,
    Names,
    elides,
    read_initials,
    unscanned,
)
from dpdeid.substitute.people.first_names import first_name_pool
from dpdeid.substitute.people.gendered import family, of_woman
from dpdeid.substitute.people.surnames import Drawn, keeps_capital, surnames
from dpdeid.substitute.pseudonyms import RUN, keyed, like_case


class Pool(Protocol):
    """Names to draw from; those before which "d'" stands are apart from the others."""

    def draw(self, elided: bool, stream: Stream) -> Drawn:
        """A name of one kind of first letter."""

    def draw_any(self, stream: Stream) -> Drawn:
        """A name that begins with a consonant."""

    def draw_double(self, elided: bool, stream: Stream) -> Drawn:
        """Two names joined by a hyphen, the first of them as asked."""


def surname_pool() -> Pool:
    """Surnames to draw from: all of the register that read as one."""
    return surnames()


_STAY: Final = frozenset({"de", "du", "des", "d"})
"""Particles that stand before any French name: "de Clech". "Van Clech" is no name of anywhere, and
"Van" tells where somebody's family comes from.
"""
_SINGLE: Final = 40
"""Draws of one name before two are joined by a hyphen: so a record of any size finds free ones."""
_TRIES: Final = 80

Text = tuple[str | None, tuple[Charge, ...]]
"""What a mention is replaced by, None where nothing in it could be, and what that cost."""


class Table:
    """The surrogates of one table, for the time of one call. `purpose` names its draws: what they
    are charged as, and what parts this table from others.

    Args:
        people: who is named, each with a sex.
        known: the patient's names.
        elided: names with h or y before which "d'" stands.
        generations: first names whose bearer's surrogate birth is known.
        staff: names that are drawn for the cohort.
        markov: with which probability a repeated mention gets a new surrogate.
    """

    def __init__(
        self,
        streams: Streams,
        purpose: tuple[str, str],
        people: Sequence[tuple[Group, Sex]],
        known: Sequence[Names],
        *,
        elided: frozenset[str] = frozenset(),
        generations: Mapping[str, int] = MappingProxyType({}),
        staff: frozenset[Key] = frozenset(),
        markov: Fraction = Fraction(0),
    ) -> None:
        self._streams = streams
        self._mechanism = purpose[0]
        self._purpose = " ".join(purpose)
        self._people = people
        self._known = known
        self._elided = elided
        self._generations = generations
        self._staff = staff
        self._markov = markov
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
                self._share_letters(member.names(sex))
        self._originals = frozenset([name for _, _, name in self._beside])
        self._refused = set(self._originals)
        """The names of the record, none of which may come out, and those that have."""
        for key in sorted(self._beside):
            self._draw(key)

    def _shape(self, keys: tuple[Key, ...]) -> None:
        """Nothing of a whole name may be left in any of its parts, joined as they are."""
        whole = "-".join([name for _, _, name in keys])
        for key in keys:
            beside = self._beside.setdefault(key, whole)
            if whole not in beside:
                self._beside[key] = f"{beside} {whole}"

    def _share_letters(self, keys: Sequence[Key]) -> None:
        """No part of a double name may begin as another one did."""
        letters = {name[0] for _, _, name in keys}
        for key in keys:
            self._letters[key] = letters | self._letters.get(key, letters)

    def _draw(self, key: Key, turn: int = 0) -> None:
        """A surrogate for a name, and what it cost; another one at every turn."""
        kind, sex, old = key
        vowel = elides(old) or old in self._elided
        generation = self._generations.get(old) if kind == FIRST else None
        born = "" if generation is None else generation
        name = f"{kind} {sex} {vowel:d} {born} {turn} {old}"
        stream, cost = keyed(self._streams, self._mechanism, self._purpose, name)
        if key in self._staff:
            stream = self._streams.shared().stream("staff", name)
        pool = surname_pool() if kind == LAST else first_name_pool(Sex(sex), generation)
        drawn = self._free(pool, vowel, stream, key)
        if drawn is None:
            self._drawn.pop(key, None)
            return
        self._refused.add(drawn.key)
        self._drawn[key] = drawn.text, (cost,)

    def _free(self, pool: Pool, vowel: bool, stream: Stream, key: Key) -> Drawn | None:
        """A free name with nothing of its own left in it; None, for the default, if none is."""
        own, beside = key[2][0], self._beside[key]
        letters = self._letters.get(key, own)
        for attempt in range(_TRIES):
            if attempt < _SINGLE:
                drawn = pool.draw(vowel, stream)
            else:
                drawn, letters = pool.draw_double(vowel, stream), own
            _, name, runs = drawn
            if (
                name[0] not in letters
                and name not in self._refused
                and not any(run in beside for run in runs)
                and not self._is_within(name)
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
        keys = member.names(sex)
        if self._markov:
            for key in dict.fromkeys(keys):
                self._toss(key)
        text = member.text
        letters = [p.key for p in member.pieces if p.kind == "initial"]
        meant = iter(self._meant(member, group, letters) if letters else ())
        names = iter(keys)
        out: list[str] = []
        costs: dict[str, Charge] = {}
        done = 0
        begins: int | None = None
        behind = ""
        for start, end, letter, kind in member.pieces:
            if kind == "kept":
                behind = letter
                goes = letter in PREFIXES and letter not in _STAY
                begins = start if goes and begins is None else begins
                continue
            old = text[start:end]
            if kind == "name":
                found = self._drawn.get(next(names))
                if found is None:
                    return None, ()
                new, (cost,) = found
                if not member.given and fold(old) != letter == family(fold(old)):
                    new = of_woman(new)
                if " " in new and behind in _STAY:  # "de Gall", no "de Le Gall"
                    new = new.rpartition(" ")[2]
            else:
                new, (cost,) = self._letter(next(meant), letter)
            costs[cost.event] = cost
            since = start if begins is None else begins
            if text[since:start].isalpha():  # glued: the capital of "Dasilva" is its particle's
                old = text[since:end]
            broken = "\n" * ("\n" in text[since:end])
            out += (text[done:since], _cased(new, unscanned(old)), broken)
            done, begins, behind = end, None, ""
        if not done and all(piece.key in NO_NAMES for piece in member.pieces):
            return text, ()
        out.append(text[done:])
        return "".join(out) if done else None, tuple(costs.values())

    def _toss(self, key: Key) -> None:
        """One mention more of a name: a new surrogate, if its coin says so."""
        if key not in self._coins:
            self._coins[key] = self._streams.stream(self._purpose, "markov " + " ".join(key))
            return
        markov = self._markov
        if self._coins[key].randbelow(markov.denominator) < markov.numerator:
            turn = self._turns[key] = self._turns.get(key, 0) + 1
            self._draw(key, turn)

    @cached_property
    def _initials(self) -> Initials:
        return read_initials([*(group.keys(sex) for group, sex in self._people), *self._known])

    def _meant(self, member: Named, group: Group, letters: Sequence[str]) -> Sequence[Key | None]:
        """The names that the initials of a mention abbreviate, None where no name does."""
        beside = group.lasts[0] if group.lasts else ""
        own = member.keys[0] if member.keys else LAST
        first = "".join([short[0] for short in letters])
        for scope in (beside, "") if member.given else (own,):
            for found in self._initials.get((first, scope), ()):
                if len(found) == len(letters) and all(map(_abbreviates, letters, found)):
                    return found
            if len(letters) == 1:  # beside another surname it is somebody else
                break
        return [None] * len(letters)

    def _letter(self, meant: Key | None, short: str) -> tuple[str, tuple[Charge]]:
        if meant is not None and meant in self._drawn:
            text, costs = self._drawn[meant]
            return abbreviated(text, short), costs
        letter = short[0]
        stream, cost = keyed(self._streams, self._mechanism, self._purpose, f"initial {letter}")
        drawn = stream.choice("ABCDEFGJLMNPRSTV".replace(letter.upper(), ""))
        return drawn + ("h" if len(short) > 1 and drawn in _WITH_H else ""), (cost,)


def _cased(name: str, old: str) -> str:
    """A surrogate in the case of its original; among small letters a word keeps its capital."""
    return name if old.islower() and keeps_capital(fold(name)) else like_case(name, old)


_WITH_H: Final = frozenset("CPT")
"""Letters that are abbreviated with the h behind them: "Ph."."""


def _abbreviates(short: str, key: Key) -> bool:
    return may_abbreviate(short, key[2])
