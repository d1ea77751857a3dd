"""Which mentions stand together and name one person, and the names, initials and particles in them.

A name span is cut into pieces: names, initials, and particles that a surrogate keeps. A first name
and a surname that touch are a full name, and so are the two surnames of "Mme Rey née Bonnin".
Everything else follows from the folded names, so that no mention depends on the order in which it
was read. What a record knows of its spelling is for `linking`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from dpdeid import gazetteers
from dpdeid.document import Document, Mention, text_before, text_between
from dpdeid.french.titles import CAREGIVERS, USUAL
from dpdeid.labels import Label, Role, Sex
from dpdeid.normalize import clean, fold
from dpdeid.substitute.people import gendered
from dpdeid.substitute.people.abbreviations import (
    NO_INITIALS,
    NO_VOWEL,
    SHORT,
    are_first_letters,
    is_abbreviation,
)
from dpdeid.substitute.pseudonyms import listed

Kind = Literal["name", "initial", "kept"]

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’`][^\W_]+)*")
_ELISIONS: Final = tuple(letter + mark for letter in "dloDLO" for mark in "'’")
_LINKS: Final = (USUAL - {"m"}) | frozenset(
    listed("de du des da do dos das e y et ou dit dite nee ne epouse epse ep vve veuve")
)
"""Words between names, and titles that the span took in."""
_PARTICLES: Final = _LINKS | frozenset(listed("del di van von der den zu"))
"""Of surnames; "Van" and "Di" are first names too."""
_HYPHENED: Final = frozenset(listed("de du des"))
_JOINED: Final = frozenset(listed("le la les el al ben ait mac mc"))
"""Particles that are part of the name: "LeGoff" is "Le Goff", "Benali" is "Ben Ali"."""
PREFIXES: Final = (
    frozenset(listed("d l o de du des da do dos das del di van von der den zu")) | _JOINED
)
"""What may be glued to the name behind it."""
NO_NAMES: Final = frozenset(listed("ep epse epouse vve veuve nee"))
"""Words that say whose other name comes next, and are nobody's, even alone in a span."""
_SIGNS_TOO: Final = frozenset(("ep", "vve"))
"""Of these, what also signs: the "ep" of "Dr Orane Kerlubac / ep"."""
_SAINTS: Final = {"st": "saint", "ste": "sainte"}
_MISREAD: Final = str.maketrans("01", "ol")
"""Digits that a scanner reads for letters."""
_SIGNS: Final = str.maketrans("£€¢", "EEc")
"""Signs that a scanner reads for letters: "TH£VENIN"."""
_GAP_IN: Final = re.compile(r".|\s{1,2}\|\s?", re.DOTALL)
"""What stands between two words of a name, in boxes too: "LE  |GOFF"."""
_VOWELS: Final = frozenset("aeiou")
_LETTERS: Final = 2
_TITLED: Final = 14
"""Characters before a name in which the title of a caregiver is looked for."""


class Piece(NamedTuple):
    """A stretch of a name span: `start` and `end` lie in the cleaned span text."""

    start: int
    end: int
    key: str
    kind: Kind

    def __repr__(self) -> str:
        return f"Piece({self.start}, {self.end}, {self.kind!r})"


@lru_cache(maxsize=1 << 12)
def pieces(text: str, given: bool) -> tuple[str, tuple[Piece, ...], tuple[str, ...]]:
    """The cleaned text of a name span, its names, initials and particles, in order, and of these
    the folded names.

    Args:
        given: whether it is a first name, in which "JP" is two initials.
    """
    if len(text) > SHORT and text.isalpha():
        key = fold(unscanned(text))
        if key not in NO_NAMES:
            key = key if given else gendered.family(key)
            return text, (Piece(0, len(text), key, "name"),), (key,)
    if not text.isascii():
        text = clean(text).text.translate(_SIGNS)
    parts = tuple(_kept(text, _split(text, given), _LINKS if given else _PARTICLES))
    return text, parts, name_keys(parts)


def name_keys(parts: Iterable[Piece]) -> tuple[str, ...]:
    """The folded names among pieces."""
    return tuple([piece.key for piece in parts if piece.kind == "name"])


def unscanned(name: str) -> str:
    """A name in capitals with those that a scanner took for an l: "lNES" as "INES"."""
    if "l" not in name or len(name) < SHORT:
        return name
    loud = name.replace("l", "I")
    return loud if loud.isupper() else name


def _split(text: str, given: bool) -> list[Piece]:
    found: list[Piece] = []
    for match in _TOKEN.finditer(text):
        start, end, token = match.start(), match.end(), match[0]
        if len(token) > 3 and token.startswith(_ELISIONS):
            found.append(Piece(start, start + 2, token[0].lower(), "kept"))
            start, token = start + 2, token[2:]
        key = fold(unscanned(token))
        misread = not key.isalpha()
        if misread:
            key = "".join(filter(str.isalnum, key)).translate(_MISREAD)
        dotted = text[end : end + 1] == "."
        cut = not misread and _is_cut_off(token, key, dotted=dotted, given=given)
        if key in NO_NAMES:
            found.append(Piece(start, end, key, "kept"))
        elif len(key) == 1 or cut:
            found.append(Piece(start, end, key, "initial"))
        elif (
            (given or token == text)
            and not misread
            and text[end : end + 2] != "-\n"
            and _are_initials(token, key, given=given)
        ):
            found += (Piece(start + i, start + i + 1, k, "initial") for i, k in enumerate(key))
        else:
            key = _SAINTS.get(key, key)
            found.append(Piece(start, end, key if given else gendered.family(key), "name"))
    return found


def _is_cut_off(token: str, key: str, *, dotted: bool, given: bool) -> bool:
    """Whether a word is a name cut short: "Fr.", "Chr", "Guil."; "JP" is two initials."""
    if dotted and len(key) == _LETTERS and key not in NO_INITIALS:
        return is_abbreviation(key) or not (given and _are_initials(token, key, given=True))
    if are_first_letters(key):
        return dotted or (given and token.istitle())
    return dotted and given and is_abbreviation(key)


def _are_initials(token: str, key: str, *, given: bool) -> bool:
    """Whether a short name is initials: "JP", "mc", "AE"; not "Ly", "Léo", "BA", or the surname
    "NG". Of a surname only what is all of a mention: "visa ld".
    """
    if len(key) > SHORT or not (token.isupper() or token.islower()):
        return False
    names = gazetteers.first_names() if given else gazetteers.surnames()
    letters, listed = NO_VOWEL.issuperset(key), key in names
    return (letters and (given or not listed)) or (len(key) == 2 and not listed)


def _kept(text: str, found: list[Piece], particles: frozenset[str]) -> Iterator[Piece]:
    """Particles told from names; the last piece is never a particle, nor is "Do" of "Do-Rey"."""
    for piece, after in pairwise(found):
        parted = text[piece.end : after.start]
        joined = piece.key in _JOINED and _GAP_IN.fullmatch(parted) and after.kind != "initial"
        of = piece.key in particles and (parted[:1] != "-" or piece.key in _HYPHENED)
        if piece.kind == "name" and (joined or of):
            yield Piece(piece.start, piece.end, piece.key, "kept")
        else:
            yield piece
    yield from found[-1:]


def elides(key: str) -> bool | None:
    """Whether "d'" stands before a name, None where spelling does not tell (h, y)."""
    return None if key[0] in "hy" else key[0] in _VOWELS


def list_sex(parts: tuple[str, ...]) -> Sex:
    """The sex that a first name says, looked up whole, then by its first part."""
    known = gazetteers.first_names()
    whole = (known.get("-".join(parts)) or known.get(" ".join(parts))) if len(parts) > 1 else None
    return whole or known.get(parts[0], Sex.UNKNOWN)


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
    return tuple([(FIRST, sex.value, name) for name in names])


def last_keys(names: Iterable[str]) -> tuple[Key, ...]:
    """The keys of surnames."""
    return tuple([(LAST, "", name) for name in names])


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

    def cut(self, parts: Iterable[Piece]) -> Named:
        """The same mention with other pieces."""
        return self._replace(pieces=tuple(parts), keys=name_keys(parts))

    def names(self, sex: Sex) -> tuple[Key, ...]:
        """Its names as keys, if it is of somebody of that sex."""
        return first_keys(self.keys, sex) if self.given else last_keys(self.keys)


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
        firsts = tuple([key for member in members if member.given for key in member.keys])
        lasts = tuple([key for member in members if not member.given for key in member.keys])
        return cls(tuple(members), firsts, lasts)

    def keys(self, sex: Sex) -> Names:
        """Its names as keys, if it is somebody of that sex."""
        return first_keys(self.firsts, sex), last_keys(self.lasts)

    def __repr__(self) -> str:
        return f"Group({self.members!r})"


def read_names(mentions: Iterable[Mention]) -> list[Named]:
    """The mentions as names; those without a letter or digit are left out."""
    named = []
    for mention in mentions:
        given = mention.label is Label.FIRST_NAME
        text, parts, keys = pieces(mention.text, given)
        if len(parts) == 1 and parts[0].key in _SIGNS_TOO and mention.span.role is Role.STAFF:
            parts, keys = (parts[0]._replace(kind="name"),), (parts[0].key,)
        if parts:
            named.append(Named(mention, text, parts, given, keys))
    return named


def group_names(named: Sequence[Named], documents: Sequence[Document]) -> list[Group]:
    """Full names put together: "Jean DUPONT", "DUPONT Jean", "Dupont, Jean", "J. Dupont"."""
    groups: list[list[Named]] = []
    turns = 0
    for name in named:
        before = groups[-1][-1] if groups else name
        turn = before.given is not name.given
        if groups and turns + turn < 2 and touch(before, name, documents):
            groups[-1].append(name)
            turns += turn
        else:
            groups.append([name])
            turns = 0
    return [Group.of(members) for members in groups]


def touch(before: Named, after: Named, documents: Sequence[Document]) -> bool:
    """Whether two mentions, one after the other, name one person."""
    between = text_between(documents, before.mention, after.mention, _GAP)
    if between is None:
        return False
    if len(between) > 3:
        both = not before.given and not after.given
        return both and _OTHER_NAME.fullmatch(between) is not None
    if "\n" in between:  # a line broken in a full name; a list has its surnames first
        return between == "\n" and before.given and not after.given
    mark = between.strip()
    if mark == "." and before.given and not before.keys:
        return not after.given  # "J." with its point outside the span
    if not mark and before.given and after.given and before.keys and after.keys:
        return False  # a list of people, or of one's first names
    return mark in ("", "-") or (mark == "," and after.given and not before.given)


def beside(
    named: Sequence[Named], at: int, documents: Sequence[Document]
) -> list[tuple[Named, Named]]:
    """The full names, first name and surname, of which a mention is one half."""
    pairs = ((named[i], named[i + 1]) for i in (at - 1, at) if 0 <= i < len(named) - 1)
    return [(a, b) for a, b in pairs if a.given is not b.given and touch(a, b, documents)]


def is_after_title(mention: Mention, documents: Sequence[Document]) -> bool:
    """Whether the title of a caregiver stands before a mention."""
    words = fold(text_before(documents, mention, _TITLED)).replace(".", " ").split()
    return bool(words) and words[-1] in CAREGIVERS


def elided_names(named: Iterable[Named], documents: Sequence[Document]) -> frozenset[str]:
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
    return text_before(documents, name.mention, 1) in ("'", "’")


Initials = Mapping[tuple[str, str], Sequence[tuple[Key, ...]]]
"""(letters, surname beside them or "") → the names they may abbreviate, one for each letter."""


def read_initials(people: Iterable[Names]) -> Initials:
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
    return {letters: sorted(names) for letters, names in found.items()}


def _letters(keys: tuple[Key, ...]) -> str:
    return keys[0][2][0] if len(keys) == 1 else "".join([name[0] for _, _, name in keys])
