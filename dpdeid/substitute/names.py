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
        "abadie achille addison alibert alzheimer antoni apgar arnold babinski bachmann"
        " balthazar barre barrett barthel bartter basedow batista bauer baumann bazin beck"
        " becker begaud behcet berg berger bernhardt besnier binet biot blandin bloch boiron"
        " bonnevie borg bosch bouchard bouchut bouillaud bouveret bowen brandt braun brenner"
        " bright brissaud broca brown brugada brunner buhler burkitt calmettes carlin"
        " carpentier carrel carrion castellani castleman cazenave chagas chaput charcot"
        " charlson charriere child clauss cohen conn conrad cornil costa cotard cotton crohn"
        " cushing dandy danis danlos dawson delay delorme denys diane donati doppler down"
        " dubois dubreuil duchenne duhamel duparc dupre dupuytren durand duret edwards ehlers"
        " emery engel faber fabry faget fallot fanconi favre felix fischer foley fontan fontana"
        " forest fouchet frank frantz freund frey friedrich fritsch froment fuchs fuhrmann"
        " garcin garel gasser gaucher gault gayet gelineau gelle gely george gerard gibert"
        " gilbert glasgow gosselin graf grancher graves grisel gross gruber guerin guillain"
        " guyon hartmann hashimoto hennebert hodgkin hoffmann holter horton huntington jackson"
        " jacob jaeger jasmine jobert johnson jolly jones kaposi karnofsky kawasaki kayser"
        " keller kessler killian klein koch kocher koehler koenig kohler korsakoff krebs"
        " kreutzfeldt lachman lalouette lambert landry laplace lasegue laugier launois lavallee"
        " lefort leopold lequesne leriche leroy levy lewy lhermite lhermitte lisfranc luciani"
        " ludwig lyme lynch magnan mahler malherbe mallet mallory marfan marion masson mathieu"
        " mayer meier meniere merkel meyer millard miller monge monod morel moro morton morvan"
        " moya muller murphy neel nelson neri neumann nicolas norton oliver ollier otto paget"
        " parkinson parrot parsonage pauwels pellegrini perez perrault pfeiffer pinel poncet"
        " postel pott pouliquen poupart pouteau purkinje quervain rankin ranson raynaud redon"
        " reiter renon ricci richardson richter riedel riehl rieux risser ritter roger rollet"
        " romberg roth roussy rouviere roux rutherford sadat salmon samson sandoz schmid"
        " schmidt schmitz schroeder schuller schultz schwartz segond sheehan sicard simon"
        " sjogren smith spitz stein steiner steinert stenger stevens stewart still studer sturm"
        " swan sweet sylviane takayasu tardieu thevenard thomas thorel tinel tissot torre"
        " tourette trousseau turner turpin vernet verneuil vidal villaret vincent virchow vogt"
        " wagner waldenstrom walker waller walther weber wegener weil weill weiss werner"
        " wernicke whipple wilson winter wolf wolff yasmine zenker zimmer"
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

    def of_kind(self, elided: bool) -> tuple[Drawn, ...]:
        """The names of one kind of first letter."""
        return self.vowels if elided else self.consonants

    def draw_double(self, elided: bool, stream: Stream) -> Drawn:
        """Two names joined by a hyphen, the first of them as asked, uniformly."""
        first, second = stream.choice(self.of_kind(elided)), stream.choice(self.consonants)
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
