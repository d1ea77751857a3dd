"""The pieces of a name span: names, initials, and particles that a surrogate keeps.

Knows one name at a time; which mentions are one person is for `clusters` to say. A kept particle
has at most three letters, so that no stretch of four is left of an original.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import clean, fold
from dpdeid.substitute.shapes import listed

Kind = Literal["name", "initial", "kept"]

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’`][^\W_]+)*")
_ELISIONS: Final = tuple(letter + mark for letter in "dlDLO" for mark in "'’")
_LINKS: Final = frozenset(
    listed(
        "de du des da do dos das e y et ou dit dite nee ne epouse epse ep vve veuve"
        " dr pr mme mr mlle monsieur madame mademoiselle docteur professeur"
    )
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
_SAINTS: Final = {"st": "saint", "ste": "sainte"}
_MISREAD: Final = str.maketrans("01", "ol")
"""Digits that a scanner reads for letters."""
_NO_VOWEL: Final = frozenset("bcdfghjklmnpqrstvwxz")
_VOWELS: Final = frozenset("aeiou")
_SHORT: Final = 3
"""Letters up to which a first name may be initials."""


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
    if len(text) > _SHORT and text.isalpha():
        key = fold(text)
        return text, (Piece(0, len(text), key, "name"),), (key,)
    if not text.isascii():
        text = clean(text).text
    parts = tuple(_kept(text, _split(text, given), _LINKS if given else _PARTICLES))
    return text, parts, name_keys(parts)


def name_keys(parts: Iterable[Piece]) -> tuple[str, ...]:
    """The folded names among pieces."""
    return tuple([piece.key for piece in parts if piece.kind == "name"])


def _split(text: str, given: bool) -> list[Piece]:
    found: list[Piece] = []
    for match in _TOKEN.finditer(text):
        start, end, token = match.start(), match.end(), match[0]
        if len(token) > 3 and token.startswith(_ELISIONS):
            found.append(Piece(start, start + 2, token[0].lower(), "kept"))
            start, token = start + 2, token[2:]
        key = fold(token)
        if not key.isalpha():
            key = "".join(filter(str.isalnum, key)).translate(_MISREAD)
        dotted = text[end : end + 1] == "."
        if len(key) == 1 or (len(key) == 2 and dotted and key not in ("st", "dr", "pr", "ep")):
            found.append(Piece(start, end, key, "initial"))
        elif given and text[end : end + 2] != "-\n" and _are_initials(token, key):
            found += (Piece(start + i, start + i + 1, k, "initial") for i, k in enumerate(key))
        else:
            found.append(Piece(start, end, _SAINTS.get(key, key), "name"))
    return found


def _are_initials(token: str, key: str) -> bool:
    """Whether a short first name is initials: "JP", "mc", "AE"; not "Ly", "Léo" or "BA"."""
    if len(key) > _SHORT or not (token.isupper() or token.islower()):
        return False
    strange = len(key) == 2 and key not in gazetteers.first_names()
    return _NO_VOWEL.issuperset(key) or strange


def _kept(text: str, found: list[Piece], particles: frozenset[str]) -> Iterator[Piece]:
    """Particles told from names; the last piece is never a particle, nor is "Do" of "Do-Rey"."""
    for piece, after in pairwise(found):
        parted = text[piece.end : after.start]
        joined = piece.key in _JOINED and len(parted) == 1 and after.kind != "initial"
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
    whole = None
    if len(parts) > 1:
        whole = known.get("-".join(parts)) or known.get(" ".join(parts))
    return whole or known.get(parts[0], Sex.UNKNOWN)
