"""Surrogate first names: of one sex, and of an age where it is known; usual ones, and now and then
a rarer one, so that a name which was missed does not stand out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain, zip_longest
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.tables import words_by_key
from dpdeid.labels import Sex
from dpdeid.normalize import fold
from dpdeid.privacy.rng import Stream
from dpdeid.substitute.people.clusters import elides
from dpdeid.substitute.people.surnames import EPONYMS, Drawn

STARTS: Final = (1930, 1948, 1964, 1980, 1997)
"""First birth years of the second and later generations."""
_FIRST_NAMES: Final = 700
_SURE: Final = 400
"""First names of each sex, the most frequent, that may be words as well."""
_RARE: Final = 8
"""One first name in so many is none of the 700 most frequent of its sex."""
_RARER: Final = (4, 4, 3, 3, 2, 2)
"""One first name in so many is none of those usual in its generation: the younger, the more are."""
_WEIGHT: Final = 10**12
_FLAT: Final = 300
"""Rarer first names weigh as the square of their rank, and so many more, from the last one."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Names that are drawn alike, and now and then one of rarer names, each with a weight.

    Args:
        usual: those with a consonant first, and those with a vowel.
        rarer: the same, and the sums of their weights up to each.
        one_in: how often a rarer one is drawn.
    """

    usual: tuple[tuple[Drawn, ...], ...] = field(repr=False)
    rarer: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...] = field(default=(), repr=False)
    one_in: int = 1

    @classmethod
    def of(cls, names: Iterable[str], rarer: Iterable[str] = (), one_in: int = 1) -> Listed:
        """A pool of all `names` that begin with a letter whose elision is beyond doubt, and of
        others, the more frequent first.
        """
        usual = tuple(tuple(map(Drawn.of, own)) for own in _by_elision(names))
        others = tuple((tuple(own), _sums(len(own))) for own in _by_elision(rarer))
        return cls(usual, others, one_in) if all(own for own, _ in others) else cls(usual)

    @property
    def plain(self) -> tuple[str, ...]:
        """Its names, folded."""
        names = [one.key for own in self.usual for one in own]
        return (*names, *(fold(name) for own, _ in self.rarer for name in own))

    def draw(self, elided: bool, stream: Stream) -> Drawn:
        """A name of one kind of first letter."""
        if self.rarer and not stream.randbelow(self.one_in):
            names, ends = self.rarer[elided]
            return Drawn.of(names[bisect_right(ends, stream.randbelow(ends[-1]))])
        return stream.choice(self.usual[elided])

    def draw_any(self, stream: Stream) -> Drawn:
        """A name that begins with a consonant."""
        return self.draw(elided=False, stream=stream)

    def draw_double(self, elided: bool, stream: Stream) -> Drawn:
        """Two names joined by a hyphen, the first of them as asked."""
        first, second = self.draw(elided, stream), self.draw(elided=False, stream=stream)
        return Drawn.of(f"{first.text}-{second.text}")


def _sums(count: int) -> tuple[int, ...]:
    """The sums of the weights of so many rarer names, up to each."""
    return tuple(accumulate(_WEIGHT // (rank + _FLAT) ** 2 for rank in range(count)))


def _by_elision(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Names before which "de" stands, and those before which "d'" does."""
    told = [(name, elides(fold(name))) for name in names]
    return [n for n, vowel in told if vowel is False], [n for n, vowel in told if vowel is True]


def generation(year: int) -> int:
    """The number of the generation, 0 the oldest, of those born in that year."""
    return bisect_right(STARTS, year)


def usual(sex: Sex, number: int) -> tuple[str, ...]:
    """First names of a generation; those of both sexes where it is unknown."""
    rows = words_by_key("generations")
    names = (name for one in _sexes(sex) for name in rows[f"{one.value} {number}"])
    return tuple(dict.fromkeys(names))


def _sexes(sex: Sex) -> tuple[Sex, ...]:
    return (Sex.FEMALE, Sex.MALE) if sex is Sex.UNKNOWN else (sex,)


def _fit(names: Iterable[str]) -> list[str]:
    """The names that are no medical word or drug, and, but for usual ones, no word or eponym."""
    words, medical = gazetteers.words(), gazetteers.medical()
    kept: dict[str, str] = {}
    for name in names:
        key = fold(name)
        fits = 3 <= len(key) <= 10 and key.isascii() and key.isalpha()
        if fits and key not in kept and key not in medical:
            if key not in _most_usual() and (key in words or key in EPONYMS):
                continue
            kept[key] = name if not name.isupper() else name.capitalize()
    return list(kept.values())


@cache
def _most_usual() -> frozenset[str]:
    """Folded first names that are names before they are anything else: "Pierre", "Thomas"."""
    lists = map(gazetteers.first_name_list, _sexes(Sex.UNKNOWN))
    return frozenset(fold(name) for names in lists for name in names[:_SURE])


@cache
def first_name_pool(sex: Sex, generation: int | None = None) -> Listed:
    """First names of one sex to draw from; both sexes' where it is unknown. The usual ones come as
    often as they were given, then all others of the lists, but those that are of another age.

    Args:
        generation: of those born in these years, if told.
    """
    sexes = _sexes(sex)
    lists = [_fit(gazetteers.first_name_list(one)) for one in sexes]
    if generation is not None:
        own = _fit(usual(sex, generation))
        aged = {name for number in range(len(STARTS) + 1) for name in usual(sex, number)}
        rarer = (name for name in _in_turn(lists) if name not in aged)
        return Listed.of(own, rarer, _RARER[generation])
    most = _FIRST_NAMES // len(sexes)
    frequent = chain.from_iterable(names[:most] for names in lists)
    return Listed.of(frequent, _in_turn([names[most:] for names in lists]), _RARE)


def _in_turn(lists: Iterable[Iterable[str]]) -> Iterator[str]:
    """The names of several lists, one of each in turn."""
    return (name for names in zip_longest(*lists) for name in names if name)
