"""Which mentions name one person: the names in them, full names put together, initials.

A first name and a surname that touch are a full name, and so are the two surnames of "Mme Rey née
Bonnin". Everything else follows from the folded names, so that no mention depends on the order in
which it was read. What a record knows of its spelling is for `linking`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dpdeid.document import Document, Mention
from dpdeid.labels import Label, Sex
from dpdeid.substitute.name_pieces import Piece, pieces

FIRST: Final = "first"
LAST: Final = "last"
_GAP: Final = 24
"""Characters between two surnames in which "née" and its like are looked for."""
_OTHER_NAME: Final = re.compile(
    r"[\s,(]{0,3}(?:n[ée]+e?|[ée]p(?:ouse|se)?|veuve|vve|dite?|alias|(?:nom )?d['’]usage"
    r"|nom de (?:naissance|jeune fille)|nom marital)[\s.:]{1,3}",
    re.IGNORECASE,
)
"""What stands between two surnames of one person."""


Key = tuple[str, str, str]
"""What one surrogate is drawn for: (LAST, "", folded surname), or (FIRST, sex, folded first name)
since a first name of either sex is two. A plain tuple: there are many, and none leaves this room.
"""
Names = tuple[tuple[Key, ...], tuple[Key, ...]]
"""The first names and the surnames of somebody, as keys."""


def first_keys(names: Iterable[str], sex: Sex) -> tuple[Key, ...]:
    """The keys of the first names of somebody of that sex."""
    keys: tuple[Key, ...] = ()
    for name in names:  # mostly one or none
        keys += ((FIRST, sex, name),)
    return keys


def last_keys(names: Iterable[str]) -> tuple[Key, ...]:
    """The keys of surnames."""
    keys: tuple[Key, ...] = ()
    for name in names:
        keys += ((LAST, "", name),)
    return keys


class Named(NamedTuple):
    """A mention of a name, read: a tuple, since there is one for every mention.

    Args:
        text: its cleaned text, in which the pieces lie.
        given: it is a first name, whatever its label says.
        keys: the folded names in it, without initials and particles.
    """

    mention: Mention
    text: str
    pieces: tuple[Piece, ...]
    given: bool
    keys: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Named({self.mention!r}, given={self.given})"


class Group(NamedTuple):
    """Mentions that touch and name one person: a full name, or a single mention.

    Args:
        firsts, lasts: its folded first names and surnames.
    """

    members: tuple[Named, ...]
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]

    @classmethod
    def of(cls, members: Sequence[Named]) -> Group:
        """The group of these mentions."""
        firsts: tuple[str, ...] = ()
        lasts: tuple[str, ...] = ()
        for member in members:
            if member.given:
                firsts += member.keys
            else:
                lasts += member.keys
        return cls(tuple(members), firsts, lasts)

    def keys(self, sex: Sex) -> Names:
        """Its names as keys, if it is somebody of that sex."""
        return first_keys(self.firsts, sex), last_keys(self.lasts)

    def __repr__(self) -> str:
        return f"Group({self.members!r})"


def read(mentions: Iterable[Mention]) -> list[Named]:
    """The mentions as names; those without a letter or digit are left out."""
    named, first_name = [], Label.FIRST_NAME
    for mention in mentions:
        given = mention.span.label is first_name
        text, parts, keys = pieces(mention.text, given)
        if parts:
            named.append(Named(mention, text, parts, given, keys))
    return named


def group(named: Sequence[Named], documents: Sequence[Document]) -> list[Group]:
    """Full names put together: "Jean DUPONT", "DUPONT Jean", "Dupont, Jean", "J. Dupont"."""
    groups: list[Group] = []
    current: list[Named] = []
    turns = 0
    for name in named:
        if current:
            before = current[-1]
            turn = before.given is not name.given
            if turns + turn < 2 and touch(before, name, documents):
                current.append(name)
                turns += turn
                continue
            groups.append(Group.of(current))
        current, turns = [name], 0
    if current:
        groups.append(Group.of(current))
    return groups


def touch(before: Named, after: Named, documents: Sequence[Document]) -> bool:
    """Whether two mentions, one after the other, name one person."""
    a, b = before.mention, after.mention
    if a.document != b.document or not 0 <= b.span.start - a.span.end <= _GAP:
        return False
    between = documents[a.document].text[a.span.end : b.span.start]
    if len(between) > 3:
        both = not before.given and not after.given
        return both and _OTHER_NAME.fullmatch(between) is not None
    if "\n" in between:  # a line broken in a full name; a list has its surnames first
        return between == "\n" and before.given and not after.given
    mark = between.strip()
    if not mark and before.given and after.given and before.keys and after.keys:
        return False  # a list of people, or of one's first names
    return mark in ("", "-") or (mark == "," and after.given and not before.given)


def elided(named: Iterable[Named], documents: Sequence[Document]) -> frozenset[str]:
    """Of the names that begin with h or y, those before which "d'" or the like stands."""
    return frozenset(
        piece.key
        for name in named
        for index, piece in enumerate(name.pieces)
        if piece.key[0] in "hy"
        and piece.kind == "name"
        and _after_apostrophe(name, index, documents)
    )


def _after_apostrophe(name: Named, index: int, documents: Sequence[Document]) -> bool:
    if index:
        start = name.pieces[index].start
        return name.text[start - 1 : start] in ("'", "’")
    start = name.mention.span.start
    return documents[name.mention.document].text[max(0, start - 1) : start] in ("'", "’")


Initials = Mapping[tuple[str, str], tuple[Key, ...]]
"""(letters, surname beside them or "") → the names they abbreviate, one for each letter."""


def initials(people: Iterable[Names]) -> Initials:
    """What initials may stand for, from the (first names, surnames) of the record.

    "J." is a first name beside a surname of the same person or none, "D." a surname, "J.D." and
    "D.J." both; of double names the first parts will do. Of several people with the same initials
    the first in order is meant.
    """
    found: dict[tuple[str, str], set[tuple[Key, ...]]] = defaultdict(set)
    for firsts, lasts in people:
        first, last = _letters(firsts), _letters(lasts)
        if firsts:
            found[first, ""].add(firsts)
        if lasts:
            found[last, LAST].add(lasts)
        if firsts and lasts:
            found[first + last, ""].add(firsts + lasts)
            found[last + first, ""].add(lasts + firsts)
            for _, _, name in lasts:
                found[first, name].add(firsts)
            if len(first) + len(last) > 2:
                found[first[0] + last[0], ""].add((firsts[0], lasts[0]))
                found[last[0] + first[0], ""].add((lasts[0], firsts[0]))
    return {letters: min(names) for letters, names in found.items()}


def _letters(keys: tuple[Key, ...]) -> str:
    return keys[0][2][0] if len(keys) == 1 else "".join([name[0] for _, _, name in keys])
