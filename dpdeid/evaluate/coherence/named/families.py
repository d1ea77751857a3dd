"""Children and parents whose names nothing joins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.named.names import lone_given, same_family
from dpdeid.evaluate.coherence.named.titles import given_sex
from dpdeid.labels import Role, Sex

_LOOSE_TIES: Final = re.compile(rf"\b(?:{cue('loose_ties')})\b")
_TIES: Final = re.compile(rf"\b(?:{cue('ties')})\b")
"""What may explain another surname, the second where not both parents are named."""
_DENIED: Final = re.compile(r"\b(?:jamais|pas (?:de |d')|sans|aucune?) ?[a-z]+")


_COUPLE: Final = re.compile(
    r"\b(?:parents|couple parental|representants legaux|responsables legaux|enfant de)"
    r"[ ,:(]{0,3}(?:sont )?(?:m\.?|mr|monsieur) (?:et|&) ?$"
)
_PARENTS: Final = re.compile(r"\b(?:ses|les|leurs) parents(?: biologiques)?[ ,:(]{1,3}$")
_COUPLE_BEHIND: Final = re.compile(r"(?:m\.?|mr|monsieur) (?:et|&) ?$")
_CHILD_OF: Final = re.compile(
    r" ?[,(]? ?(?:(?:est|qui est) )?(?:le |la )?(?:fils|fille|enfant|ne|nee) de (?:m\.|mr|"
    r"monsieur|papa)? ?"
)
_MINOR: Final = re.compile(rf"\b(?:{cue('minors')})\b")
_WOMEN: Final = ("epouse", "femme", "mere", "maman", "compagne")


def family_name(note: Note) -> Iterator[Clash]:
    """A child and its father, or brothers, with surnames that no other name explains."""
    told = _DENIED.sub(" ", note.flat)
    both = any(map(_surname, _fathers(note))) and any(map(_surname, _kin(note, "mere", "maman")))
    if _LOOSE_TIES.search(told) or (not both and _TIES.search(told)):
        return
    yield from islice(_clashes(note), 1)


def _clashes(note: Note) -> Iterator[Clash]:
    for child, father in _named_pairs(note):
        if _strange(note, father, child):
            yield Kind.FAMILY_NAME, father.at, child.at
    patient = next((p for p in note.people if p.role is Role.PATIENT and p.family), None)
    if patient is None or patient.words[0] in lone_given(note):
        return
    for parent in _fathers(note):
        if (patient.born or patient.title not in ("mme", "madame")) and _strange(
            note, parent, patient
        ):
            yield Kind.FAMILY_NAME, parent.at, patient.at
    male = patient.sex is Sex.MALE or given_sex(patient) is Sex.MALE
    young = _MINOR.search(note.flat) is not None
    for kin in ("fils", "frere", "fille", "soeur"):
        for one in _kin(note, kin):
            sure = kin in ("fils", "frere") or young
            theirs = kin in ("frere", "soeur") and young
            if sure and (male or theirs) and _strange(note, one, patient):
                yield Kind.FAMILY_NAME, patient.at, one.at


def _kin(note: Note, *words: str) -> list[Person]:
    return [p for p in note.people if p.kin in words and p.family]


def _named_pairs(note: Note) -> Iterator[tuple[Person, Person]]:
    """ "Léo Lefort, fils de M. Durand"."""
    for child, father in pairwise(note.people):
        gap = note.between(child, father)
        if child.role is not Role.STAFF and father.title != "mme" and _CHILD_OF.fullmatch(gap):
            yield child, father


def _fathers(note: Note) -> list[Person]:
    """The fathers, and couples who are the parents."""
    found = _kin(note, "pere", "papa")
    for p in note.people:
        before = note.before(p.at[0], 60)
        behind = note.flat[p.at[1] : p.at[1] + 30]
        parents = re.match(r",? ?\(?(?:ses|les|leurs) parents|,? parents\b", behind)
        couple = _COUPLE.search(before) or (parents and _COUPLE_BEHIND.search(before))
        if _PARENTS.search(before) or (p.title and couple):
            found.append(p)
    return found


def _strange(note: Note, relative: Person, one: Person) -> bool:
    """Whether two of a family have surnames that differ, and no woman of it explains why."""
    theirs = _surname(relative)
    own = (*one.born, *(w for w in one.family if w not in one.given or len(one.family) == 1))
    if not theirs or same_family(theirs, own or one.family):
        return False
    women = [p for p in note.people if p.kin in _WOMEN]
    if any(not _surname(p) for p in women):
        return False  # whose surname is not told
    named = [*women, *_fathers(note)]
    return not any(same_family((*p.family, *p.born), own or one.family) for p in named)


def _surname(one: Person) -> tuple[str, ...]:
    """The surname of a person who is told with a title, or with more than a given name."""
    own = tuple(w for w in one.family if w not in one.given)
    if one.title:
        return own or one.family
    return own if len(one.words) > 1 else ()
