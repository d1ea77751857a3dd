"""Reading and drawing of personal names: the pieces of a name span, and the pools of surrogates.

Knows one name at a time; which mentions are one person is for `people` to say. Pools are frequent
French names that are no word, drug or eponym, so that a surrogate reads as a name and as nothing
else; they are split by whether "d'" stands before them, because the text around a span is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import clean, fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.shapes import listed

Kind = Literal["name", "initial", "kept"]

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’`][^\W_]+)*")
_ELISIONS: Final = ("d'", "l'", "d’", "l’", "D'", "L'", "D’", "L’")
_LINKS: Final = frozenset(
    listed(
        "de du des da do dos das e y et ou dit dite nee ne epouse epse ep vve veuve"
        " dr pr mme mr mlle monsieur madame mademoiselle docteur professeur"
    )
)
_PARTICLES: Final = _LINKS | frozenset(listed("del della di van von der den zu"))
"""Of surnames; "Van" and "Di" are first names too."""
_JOINED: Final = frozenset(
    listed("le la les el al ben bel ait saint sainte st ste mac mc abd abou bou ould si")
)
_VOWELS: Final = frozenset("aeiou")
_NO_VOWEL: Final = frozenset("bcdfghjklmnpqrstvwxz")
_EPONYMS: Final = frozenset(
    listed(
        "addison alzheimer apgar babinski barre barrett bartter basedow behcet berger bouchard"
        " bowen bright broca brugada burkitt castleman chagas charcot charlson child conn crohn"
        " cushing dandy danlos doppler down duchenne dupuytren ehlers fabry fallot fanconi foley"
        " fontan gaucher gilbert glasgow graves guillain hartmann hashimoto hodgkin holter"
        " horton huntington jackson kaposi karnofsky kawasaki korsakoff kreutzfeldt lachman"
        " lasegue leriche lewy lisfranc ludwig lyme lynch mallory marfan meniere merkel monod"
        " morton murphy norton paget parkinson parsonage pott purkinje quervain rankin raynaud"
        " redon riedel romberg roux rutherford sadat sheehan sjogren steinert stewart still"
        " sweet takayasu tourette trousseau turner verneuil virchow waldenstrom waller wegener"
        " weiss wernicke whipple wilson zenker"
    )
)
_SHORT: Final = 3
"""Letters up to which a first name may be initials."""
_SURNAMES: Final = 6000
_FIRST_NAMES: Final = 700


class Piece(NamedTuple):
    """A stretch of a name span: `start` and `end` lie in the cleaned span text."""

    start: int
    end: int
    key: str
    kind: Kind

    def __repr__(self) -> str:
        return f"Piece({self.start}, {self.end}, {self.kind!r})"


def pieces(text: str, given: bool) -> tuple[str, tuple[Piece, ...]]:
    """The cleaned text of a name span and its names, initials and particles, in order.

    Args:
        given: whether it is a first name, in which "JP" is two initials.
    """
    if len(text) > _SHORT and text.isalpha():
        return text, (Piece(0, len(text), fold(text), "name"),)
    if not text.isascii():
        text = clean(text).text
    return text, tuple(_joined(_split(text, given), _LINKS if given else _PARTICLES))


def _split(text: str, given: bool) -> list[Piece]:
    found: list[Piece] = []
    for match in _TOKEN.finditer(text):
        start, end, token = match.start(), match.end(), match[0]
        if len(token) > 3 and token.startswith(_ELISIONS):
            found.append(Piece(start, start + 2, token[0].lower(), "kept"))
            start, token = start + 2, token[2:]
        key = fold(token)
        if not key.isalpha():
            key = "".join(filter(str.isalnum, key)).replace("0", "o")
        dotted = text[end : end + 1] == "."
        if len(key) == 1 or (len(key) == 2 and dotted and key not in ("st", "dr", "pr", "ep")):
            found.append(Piece(start, end, key, "initial"))
        elif given and len(key) <= 3 and token.isupper() and _NO_VOWEL.issuperset(key):
            found += (Piece(start + i, start + i + 1, k, "initial") for i, k in enumerate(key))
        else:
            found.append(Piece(start, end, key, "name"))
    return found


def _joined(found: list[Piece], kept: frozenset[str]) -> Iterator[Piece]:
    """Particles told from names, and "Le" joined to "Goff"; the last piece is never a particle."""
    index = 0
    while index < len(found):
        piece = found[index]
        last = index + 1 == len(found)
        if piece.kind == "name" and not last:
            after = found[index + 1]
            if piece.key in kept:
                piece = Piece(piece.start, piece.end, piece.key, "kept")
            elif piece.key in _JOINED and after.kind == "name" and after.start - piece.end == 1:
                piece = Piece(piece.start, after.end, piece.key + after.key, "name")
                index += 1
        yield piece
        index += 1


class Drawn(NamedTuple):
    """A surrogate name as displayed, and folded."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Names to draw from; those before which "d'" stands are apart from the others."""

    vowels: tuple[Drawn, ...]
    consonants: tuple[Drawn, ...]
    plain: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> Pool:
        """A pool of all `names` that begin with a letter whose elision is beyond doubt."""
        kept = [one for name in names if (one := Drawn(name, fold(name))).key[0] not in "hy"]
        return cls(
            tuple(one for one in kept if one.key[0] in _VOWELS),
            tuple(one for one in kept if one.key[0] not in _VOWELS),
            tuple(one.key for one in kept),
        )

    def draw(self, elided: bool, stream: Stream) -> Drawn:
        """A name of the pool, uniformly among those of one kind of first letter."""
        return stream.choice(self.vowels if elided else self.consonants)


def elides(key: str) -> bool | None:
    """Whether "d'" stands before a name, None where spelling does not tell (h, y)."""
    return None if key[0] in "hy" else key[0] in _VOWELS


def _fit(names: Iterable[str], shortest: int, most: int) -> list[str]:
    words = gazetteers.words()
    kept: dict[str, str] = {}
    for name in names:
        key = fold(name)
        fits = shortest <= len(key) <= 10 and key.isascii() and key.isalpha()
        if fits and key not in words and key not in _EPONYMS and key not in kept:
            kept[key] = name if not name.isupper() else name.capitalize()
            if len(kept) == most:
                break
    return list(kept.values())


@cache
def surname_pool() -> Pool:
    """Surnames to draw from, the most frequent that fit."""
    return Pool.of(_fit(gazetteers.surname_list(), 4, _SURNAMES))


@cache
def first_name_pool(sex: Sex) -> Pool:
    """First names of one sex to draw from; both sexes' where it is unknown."""
    if sex is Sex.UNKNOWN:
        both = (gazetteers.first_name_list(s) for s in (Sex.FEMALE, Sex.MALE))
        return Pool.of(name for names in both for name in _fit(names, 3, _FIRST_NAMES // 2))
    return Pool.of(_fit(gazetteers.first_name_list(sex), 3, _FIRST_NAMES))


def list_sex(parts: tuple[str, ...]) -> Sex:
    """The sex that a first name says, looked up whole, then by its first part."""
    known = gazetteers.first_names()
    whole = known.get("-".join(parts)) or known.get(" ".join(parts))
    return whole or known.get(parts[0], Sex.UNKNOWN)
