"""Children and parents whose names nothing joins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Person, Role
from dpdeid.evaluate.coherence.named.names import same_family
from dpdeid.evaluate.coherence.named.titles import given_sex
from dpdeid.labels import Sex

_LOOSE_TIES: Final = re.compile(
    r"\b(?:beau-?|belle-?|adopt\w*|recompos\w*|accueil|placee?|ase|remarie\w*|"
    r"divorce\w*|separe\w*|premier mariage|premiere union|demi-|"
    r"reconn\w*|porte (?:comme )?(?:le |nom)|nom de sa mere|nom de (?:son|la) "
    r"(?:pere|mere)|tut\w+|foyer|biologique|pma|compagn\w+|concubin\w*|"
    r"marie|nee(?! le\b| a\b| en\b| \d| ?[:(])|epouse|ep|union|nom de la mere|nom maternel|"
    r"matronyme|"
    r"double nom|heberge\w*|garde alternee|parrain|nouveau mari)\b"
)


_COUPLE: Final = re.compile(
    r"\b(?:parents|couple parental)[ ,:(]{0,3}(?:sont )?(?:m\.?|mr|monsieur) (?:et|&) ?$"
)
_COUPLE_BEHIND: Final = re.compile(r"(?:m\.?|mr|monsieur) (?:et|&) ?$")


def family_name(note: Note) -> Iterator[Clash]:
    """A child and its father with surnames that no other name explains."""
    relatives = {
        kin: [p for p in note.people if p.kin == kin and p.family]
        for kin in ("pere", "mere", "papa", "maman", "fils", "frere", "fille", "soeur")
    }
    fathers, mothers = (
        [*relatives["pere"], *relatives["papa"]],
        [*relatives["mere"], *relatives["maman"]],
    )
    for p in note.people:
        before, behind = (
            note.flat[max(0, p.at[0] - 50) : p.at[0]],
            note.flat[p.at[1] : p.at[1] + 30],
        )
        parents = re.match(r",? ?\(?(?:ses|les|leurs) parents|,? parents\b", behind)
        if p.title and (_COUPLE.search(before) or (parents and _COUPLE_BEHIND.search(before))):
            fathers.append(p)
    if _LOOSE_TIES.search(note.flat):
        return
    child = next(
        (p for p in note.people if p.role is Role.PATIENT and p.family and not p.born), None
    )
    if child is None:
        return
    sure = [w for w in child.family if w not in child.given or len(child.family) == 1]
    for father in fathers:
        if not _surname(father) or same_family(_surname(father), sure or child.family):
            continue
        if any(same_family(mother.family, child.family) for mother in mothers):
            continue
        if any(same_family(p.family, child.family) for p in fathers):
            continue
        married = child.title in ("mme", "madame")
        if not married:
            yield Kind.FAMILY_NAME, father.at, child.at
            return
    if mothers and not fathers and _is_child(note, child):
        return
    male = child.sex is Sex.MALE or given_sex(child) is Sex.MALE
    for son in (
        *relatives["fils"],
        *relatives["frere"],
        *(relatives["fille"] if _minor(note) else ()),
    ):
        if not male or not _surname(son) or same_family(_surname(son), child.family):
            continue
        if not any(same_family(son.family, p.family) for p in note.people if p.kin in _WOMEN):
            yield Kind.FAMILY_NAME, child.at, son.at
            return


_WOMEN: Final = ("epouse", "femme", "mere", "compagne")


def _surname(one: Person) -> tuple[str, ...]:
    """The surname of a person who is told with a title, or with more than a given name."""
    if one.title or len(one.words) > 1:
        return tuple(w for w in one.family if w not in one.given) or (
            one.family if one.title else ()
        )
    return ()


def _is_child(note: Note, one: Person) -> bool:
    return bool(
        re.search(r"\benfant|nourrisson|bebe", note.flat[max(0, one.at[0] - 30) : one.at[0]])
    )


def _minor(note: Note) -> bool:
    return bool(re.search(r"\b(?:ecole|scolarise|college|creche|ecoliere?)\b", note.flat))
