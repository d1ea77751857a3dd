"""Pools of names to draw from, that read as a name and as nothing else.

Frequent French names that are no word, drug or eponym, by the shipped public lists, never by the
words of a note; split by whether "d'" stands before them, because the text around a span is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute import generations
from dpdeid.substitute.shapes import listed, runs

_VOWELS: Final = frozenset("aeiou")
_EPONYMS: Final = frozenset(
    listed(
        "achille addison alzheimer apgar arnold babinski balthazar barre barrett barthel"
        " bartter basedow bazin beck becker begaud behcet berger besnier binet borg bouchard"
        " bowen bright broca brugada burkitt castleman chagas charcot charlson charriere child"
        " conn cotard crohn cushing dandy danlos dawson doppler down dubois duchenne duparc"
        " dupuytren ehlers fabry fallot fanconi foley fontan frank froment fuchs gaucher gault"
        " gelle gilbert glasgow graves guillain hartmann hashimoto hennebert hodgkin hoffmann"
        " holter horton huntington jackson johnson jones kaposi karnofsky kawasaki koch kocher"
        " korsakoff kreutzfeldt lachman lalouette laplace lasegue lequesne leriche lewy"
        " lhermitte lisfranc luciani ludwig lyme lynch mallory marfan meier meniere merkel"
        " miller monod moro morton moya murphy norton paget parkinson parsonage pott pouteau"
        " purkinje quervain rankin ranson raynaud redon reiter riedel risser romberg roux"
        " rutherford sadat segond sheehan sjogren spitz steinert stevens stewart still swan"
        " sweet takayasu tardieu tinel tourette trousseau turner verneuil virchow waldenstrom"
        " walker waller weber wegener weiss wernicke whipple wilson wolff zenker"
    )
)
"""Names of diseases, signs, scores and devices that are also frequent names."""
_SURNAMES: Final = 6000
_FIRST_NAMES: Final = 700


class Drawn(NamedTuple):
    """A surrogate name as displayed, folded, and its runs of four with a hyphen on either side."""

    text: str
    key: str
    runs: frozenset[str]

    @classmethod
    def of(cls, text: str, key: str) -> Drawn:
        """The name with its runs."""
        return cls(text, key, frozenset(runs(f"-{key}-")))

    def __repr__(self) -> str:
        return "Drawn(…)"


@dataclass(frozen=True, slots=True)
class Pool:
    """Names to draw from; those before which "d'" stands are apart from the others."""

    vowels: tuple[Drawn, ...] = field(repr=False)
    consonants: tuple[Drawn, ...] = field(repr=False)
    plain: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str]) -> Pool:
        """A pool of all `names` that begin with a letter whose elision is beyond doubt."""
        folded = ((name, fold(name)) for name in names)
        kept = [Drawn.of(name, key) for name, key in folded if key[0] not in "hy"]
        return cls(
            tuple(one for one in kept if one.key[0] in _VOWELS),
            tuple(one for one in kept if one.key[0] not in _VOWELS),
            tuple(one.key for one in kept),
        )

    def draw(self, elided: bool, stream: Stream) -> Drawn:
        """A name of the pool, uniformly among those of one kind of first letter."""
        return stream.choice(self.vowels if elided else self.consonants)

    def draw_double(self, elided: bool, stream: Stream) -> Drawn:
        """Two names joined by a hyphen, the first of them as asked."""
        first, second = self.draw(elided, stream), self.draw(False, stream)
        return Drawn.of(f"{first.text}-{second.text}", f"{first.key}-{second.key}")


def _fit(names: Iterable[str], shortest: int, most: int | None = None) -> list[str]:
    """The first `most` names that are no word, no medical word or drug, and no eponym."""
    words, medical = gazetteers.words(), gazetteers.medical()
    kept: dict[str, str] = {}
    for name in names:
        key = fold(name)
        fits = shortest <= len(key) <= 10 and key.isascii() and key.isalpha()
        if fits and key not in _EPONYMS and key not in kept:
            if key in words or key in medical:
                continue
            kept[key] = name if not name.isupper() else name.capitalize()
            if len(kept) == most:
                break
    return list(kept.values())


@cache
def surname_pool() -> Pool:
    """Surnames to draw from, the most frequent that fit; those that are also French words are left
    out.
    """
    words = gazetteers.name_words()
    plain = (name for name in gazetteers.surname_list() if fold(name) not in words)
    return Pool.of(_fit(plain, 4, _SURNAMES))


@cache
def first_name_pool(sex: Sex, generation: int | None = None) -> Pool:
    """First names of one sex to draw from; both sexes' where it is unknown.

    Args:
        generation: of those born in these years (`dpdeid.substitute.generations`), if told.
    """
    if generation is not None:
        return Pool.of(_fit(generations.usual(sex, generation), 3))
    if sex is Sex.UNKNOWN:
        both = (gazetteers.first_name_list(s) for s in (Sex.FEMALE, Sex.MALE))
        return Pool.of(name for names in both for name in _fit(names, 3, _FIRST_NAMES // 2))
    return Pool.of(_fit(gazetteers.first_name_list(sex), 3, _FIRST_NAMES))
