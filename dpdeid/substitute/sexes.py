"""The sex of a first name: by titles where they agree, the hospital's file, the lists."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dpdeid.document import Document
from dpdeid.labels import Role, Sex
from dpdeid.substitute.clusters import Group
from dpdeid.substitute.linking import Known
from dpdeid.substitute.name_pieces import list_sex
from dpdeid.substitute.shapes import listed

_TITLES: Final = {
    **dict.fromkeys(
        listed(
            "monsieur mr m fils père frère mari époux compagnon oncle neveu cousin concubin"
            " grand-père petit-fils beau-père beau-frère beau-fils gendre veuf"
        ),
        Sex.MALE,
    ),
    **dict.fromkeys(
        listed(
            "madame mme mademoiselle mlle fille mère sœur soeur épouse femme compagne tante nièce"
            " cousine concubine grand-mère petite-fille belle-mère belle-sœur belle-fille bru"
            " veuve patiente"
        ),
        Sex.FEMALE,
    ),
}
_MEANT: Final = frozenset(listed("le ce notre votre"))
"""Words before "patient" that mean this one; on forms it stands for women too."""
_BOTH: Final = frozenset({Sex.FEMALE, Sex.MALE})
_PASSED: Final = frozenset(listed("le la dr docteur pr professeur professeure"))
"""Words that may stand between a title and the name."""
_BEFORE: Final = 28
"""Characters before a name in which its title is looked for."""
_AFTER: Final = 12
_BORN: Final = re.compile(r"[\s,(]{0,3}(?:(né)|née|épouse|veuve)\b", re.IGNORECASE)
"""What tells a sex behind a name."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sexes:
    """The sexes of a record: of full names whose titles differ from those of a namesake, and of
    first names.
    """

    full: Mapping[tuple[Words, Words], Sex] = field(repr=False)
    first: Mapping[Words, Sex] = field(repr=False)

    def of(self, firsts: Words, lasts: Words) -> Sex:
        """The sex of somebody of these first names and surnames."""
        if not firsts:
            return Sex.UNKNOWN
        return self.full.get((firsts, lasts)) or self.first.get(firsts, Sex.UNKNOWN)


def sexes(groups: Iterable[Group], documents: Sequence[Document], facts: Known) -> Sexes:
    """The sexes that a record tells."""
    titles: dict[Words, set[Sex]] = {}
    named: list[tuple[Words, Words, Sex]] = []
    patients: dict[Words, set[Sex]] = defaultdict(set)
    for firsts, _ in facts.names:
        if firsts:
            titles[firsts] = {Sex.UNKNOWN}
            patients[firsts].add(facts.sex)
    for one in groups:
        firsts = one.firsts
        if not firsts:
            continue
        mention = one.members[0].mention
        document = documents[mention.document]
        told = _told(one, document.text)
        said = titles.get(firsts)
        if said is None:
            titles[firsts] = {told}
        else:
            said.add(told)
        named.append((firsts, one.lasts, told))
        if mention.span.role is Role.PATIENT:
            patients[firsts].add(document.sex)
    first: dict[Words, Sex] = {}
    whole: dict[tuple[Words, Words], set[Sex]] = defaultdict(set)
    for firsts, said in titles.items():
        sex = _agreed(said)
        if sex is Sex.UNKNOWN:
            sex = list_sex(firsts)
            if sex is Sex.UNKNOWN and firsts in patients:
                sex = _agreed(patients[firsts])
        first[firsts] = sex
        if said >= _BOTH:
            for these, lasts, told in named:
                if these == firsts:
                    whole[firsts, lasts].add(told)
    full = {key: sex for key, said in whole.items() if (sex := _agreed(said)) is not Sex.UNKNOWN}
    return Sexes(full, first)


def _told(one: Group, text: str) -> Sex:
    """The sex that the words around a name say."""
    start = one.members[0].mention.span.start
    sex = _title(text[max(0, start - _BEFORE) : start])
    if sex is not Sex.UNKNOWN:
        return sex
    for member in one.members:
        end = member.mention.span.end
        if born := _BORN.match(text, end, end + _AFTER):
            return Sex.MALE if born[1] else Sex.FEMALE
    return Sex.UNKNOWN


def _title(before: str) -> Sex:
    """The sex that the title or kinship noun right before a name says; not that of "M. et Mme"."""
    words = before.replace(".", " ").lower().split()
    while words and words[-1] in _PASSED:
        words.pop()
    if not words or words[-2:-1] == ["et"]:
        return Sex.UNKNOWN
    if words[-1] == "patient" and _MEANT.intersection(words[-2:-1]):
        return Sex.MALE
    return _TITLES.get(words[-1], Sex.UNKNOWN)


def _agreed(said: set[Sex]) -> Sex:
    """The sex that all agree on who know one; unknown where there is none, or both."""
    told = _BOTH & said
    return next(iter(told)) if len(told) == 1 else Sex.UNKNOWN
