"""Which mentions are one person: full names, sexes and initials of a record.

A first name and a surname that touch are a full name. Everything else follows from the folded
names, so that no mention depends on the order in which it was read.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, Mention
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import fold
from dpdeid.substitute.names import Piece, elides, list_sex, pieces
from dpdeid.substitute.shapes import listed

_TITLES: Final = {
    **dict.fromkeys(listed("monsieur mr m fils père frère mari époux compagnon"), Sex.MALE),
    **dict.fromkeys(
        listed("madame mme mademoiselle mlle fille mère sœur soeur épouse femme compagne"),
        Sex.FEMALE,
    ),
}
_PASSED: Final = frozenset(listed("le la dr docteur pr professeur professeure"))
"""Words that may stand between a title and the name."""
_BEFORE: Final = 28
"""Characters before a name in which its title is looked for."""


FIRST: Final = "first"
LAST: Final = "last"


class Key(NamedTuple):
    """What one surrogate is drawn for: a folded surname, or a folded first name and its sex."""

    kind: str
    sex: str
    name: str

    def __repr__(self) -> str:
        return f"Key(kind={self.kind!r}, sex={self.sex!r})"


@dataclass(frozen=True, slots=True)
class Named:
    """A mention of a name, read.

    Args:
        text: its cleaned text, in which the pieces lie.
        given: it is a first name, whatever its label says.
        keys: the folded names in it, without initials and particles.
    """

    mention: Mention
    text: str = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)
    given: bool
    keys: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions that touch and name one person: a full name, or a single mention."""

    members: tuple[Named, ...]

    def keys(self, given: bool) -> tuple[str, ...]:
        """The folded first names, or surnames, of the group."""
        if len(self.members) == 1:
            return self.members[0].keys if self.members[0].given is given else ()
        return tuple([key for m in self.members if m.given is given for key in m.keys])


def read(mentions: Iterable[Mention], documents: Sequence[Document]) -> list[Named]:
    """The mentions as names. A name that is a first name here and a surname there is made one."""
    named = []
    known: dict[tuple[str, bool], tuple[str, tuple[Piece, ...], tuple[str, ...]]] = {}
    for mention in mentions:
        given = mention.span.label is Label.FIRST_NAME
        found = known.get((mention.text, given))
        if found is None:
            text, parts = pieces(mention.text, given)
            found = text, parts, tuple(piece.key for piece in parts if piece.kind == "name")
            known[mention.text, given] = found
        if found[1]:
            named.append(Named(mention, found[0], found[1], given, found[2]))
    both = {k for n in named if n.given for k in n.keys} & {
        k for n in named if not n.given for k in n.keys
    }
    if both:
        kinds = _kinds(both, named, documents)
        named = [_relabelled(n, kinds) for n in named]
    return named


def _kinds(
    both: set[str], named: Iterable[Named], documents: Sequence[Document]
) -> Mapping[str, bool]:
    """Whether each doubtful name is a first name: as the hospital knows it, else as most often."""
    votes: Counter[str] = Counter()
    for doc in documents:
        for label, weight in ((Label.FIRST_NAME, 1000), (Label.LAST_NAME, -1000)):
            for value in doc.known.get(label, ()):
                votes.update(dict.fromkeys(re.findall(r"\w+", fold(value)), weight))
    for name in named:
        votes.update(dict.fromkeys(name.keys, 1 if name.given else -1))
    firsts = gazetteers.first_names()
    return {key: votes[key] > 0 or (votes[key] == 0 and key in firsts) for key in both}


def _relabelled(name: Named, kinds: Mapping[str, bool]) -> Named:
    keys = name.keys
    if not keys or keys[0] not in kinds or kinds[keys[0]] is name.given:
        return name
    return replace(name, given=kinds[keys[0]])


def group(named: Sequence[Named], documents: Sequence[Document]) -> list[Group]:
    """Full names put together: "Jean DUPONT", "DUPONT Jean", "Dupont, Jean", "J. Dupont"."""
    groups: list[Group] = []
    current: list[Named] = []
    turns = 0
    for name in named:
        if current:
            before = current[-1]
            turn = before.given is not name.given
            if turns + turn < 2 and _touch(before, name, documents):
                current.append(name)
                turns += turn
                continue
            groups.append(Group(tuple(current)))
        current, turns = [name], 0
    if current:
        groups.append(Group(tuple(current)))
    return groups


def _touch(before: Named, after: Named, documents: Sequence[Document]) -> bool:
    a, b = before.mention, after.mention
    if a.document != b.document or not 0 <= b.span.start - a.span.end <= 3:
        return False
    between = documents[a.document].text[a.span.end : b.span.start]
    if "\n" in between:
        return False
    mark = between.strip()
    return mark in ("", "-") or (mark == "," and after.given and not before.given)


def sexes(groups: Iterable[Group], documents: Sequence[Document]) -> dict[tuple[str, ...], Sex]:
    """The sex of each first name: by titles where they agree, by the lists, by the patient's."""
    titles: dict[tuple[str, ...], set[Sex]] = defaultdict(set)
    patients: dict[tuple[str, ...], set[Sex]] = defaultdict(set)
    for one in groups:
        firsts = one.keys(given=True)
        if not firsts:
            continue
        mention = one.members[0].mention
        doc, start = documents[mention.document], mention.span.start
        titles[firsts].add(_title(doc.text[max(0, start - _BEFORE) : start]))
        if mention.span.role is Role.PATIENT:
            patients[firsts].add(doc.sex)
    return {
        firsts: _agreed(said)
        or _known(list_sex(firsts))
        or _agreed(patients[firsts])
        or Sex.UNKNOWN
        for firsts, said in titles.items()
    }


def _title(before: str) -> Sex:
    """The sex that the title or kinship noun right before a name says; not that of "M. et Mme"."""
    words = before.replace(".", " ").lower().split()
    while words and words[-1] in _PASSED:
        words.pop()
    if not words or words[-2:-1] == ["et"]:
        return Sex.UNKNOWN
    return _TITLES.get(words[-1], Sex.UNKNOWN)


def _known(sex: Sex) -> Sex | None:
    return None if sex is Sex.UNKNOWN else sex


def _agreed(said: set[Sex]) -> Sex | None:
    known = said - {Sex.UNKNOWN}
    return next(iter(known)) if len(known) == 1 else None


def elided(named: Iterable[Named], documents: Sequence[Document]) -> dict[str, bool]:
    """For each name, whether "d'" can stand before it; spelling decides but for h and y."""
    out: dict[str, bool] = {}
    for name in named:
        for index, piece in enumerate(name.pieces):
            if piece.kind != "name":
                continue
            sure = elides(piece.key)
            if sure is None:
                sure = out.get(piece.key, False) or _after_apostrophe(name, index, documents)
            out[piece.key] = sure
    return out


def _after_apostrophe(name: Named, index: int, documents: Sequence[Document]) -> bool:
    if index:
        start = name.pieces[index].start
        return name.text[start - 1 : start] in ("'", "’")
    start = name.mention.span.start
    return documents[name.mention.document].text[max(0, start - 1) : start] in ("'", "’")


Initials = Mapping[tuple[str, str], tuple[Key, ...]]
"""(letters, surname beside them or "") → the names they abbreviate, one for each letter."""


def initials(groups: Iterable[tuple[tuple[Key, ...], tuple[Key, ...]]]) -> Initials:
    """What initials may stand for, from the (first names, surnames) of the record.

    "J." is a first name beside the same surname or none, "D." a surname, "J.D." and "D.J." both.
    Of several people with the same initials the first in order is meant.
    """
    found: dict[tuple[str, str], set[tuple[Key, ...]]] = defaultdict(set)
    for firsts, lasts in groups:
        if firsts:
            found[_letters(firsts), ""].add(firsts)
        if lasts:
            found[_letters(lasts), LAST].add(lasts)
        if firsts and lasts:
            found[_letters(firsts), lasts[0].name].add(firsts)
            found[_letters(firsts + lasts), ""].add(firsts + lasts)
            found[_letters(lasts + firsts), ""].add(lasts + firsts)
    return {letters: min(names) for letters, names in found.items()}


def _letters(keys: tuple[Key, ...]) -> str:
    return "".join(key.name[0] for key in keys)
