"""Titles against given names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.reading.given import frequent, given_only, sex_of
from dpdeid.labels import Role, Sex

F, M, U = Sex.FEMALE, Sex.MALE, Sex.UNKNOWN
_CIVIL: Final = ("m", "mr", "mme", "mlle", "monsieur", "madame", "mademoiselle", "melle")


def opposite(one: Sex, other: Sex | None) -> bool:
    """Whether both are told, and differ."""
    return {one, other} == {F, M}


def given_sex(one: Person) -> Sex | None:
    """The sex that the given name of a person tells, if one of them does and no other word may be
    the given name instead.
    """
    sexes = [sex_of(word) for word in one.given]
    if not sexes or (len(one.given) > 1 and set(one.given) == set(one.family)):
        if len(one.words) == 2 and _sure(one):
            return sex_of(one.words[0])
        told = {sex for sex in sexes if sex is not None}
        return told.pop() if len(told) == 1 and all(given_only(w) for w in one.given[:1]) else None
    if len(one.words) == 1 and not given_only(one.words[0]):
        return None
    both = {sex_of(word) for word in one.given if word in one.family} - {U, None}
    if len(both) > 1 and not _sure(one):
        return None
    first = sexes[0]
    if len(one.words) > 2 and opposite(first or U, next((s for s in sexes[1:] if s), None)):
        return first if "marie" in one.given else None
    others = {sex_of(word) for word in one.family} - {None}
    if others and not _is_given(one, first):
        return None
    return first


def _sure(one: Person) -> bool:
    """Whether the first word is a frequent given name, and the last one hardly is one."""
    last = one.words[-1]
    told = sex_of(last) is None or (last in gazetteers.surnames() and not frequent(last))
    return frequent(one.words[0]) and told


def _is_given(one: Person, sex: Sex | None) -> bool:
    """Whether the given name is one although a surname is a first name too ("Sophie Martin")."""
    word = one.given[0]
    return given_only(word) or all(sex_of(other) in (None, U, sex) for other in one.family)


def title_name(note: Note) -> Iterator[Clash]:
    """A civility against the first name behind it, or the field of the sex against it."""
    for one in note.people:
        shown = note.text[slice(*one.at)][len(one.title) :]
        capitals = re.search(r"\b[A-ZÀ-Ü]{3,}", shown) and not shown.isupper()
        fits = any(frequent(w) and sex_of(w) is one.sex for w in one.words) and not capitals
        told = one.title in _CIVIL and opposite(one.sex, given_sex(one))
        if told and not fits and not OF.search(note.before(one.at[0], 20)):
            start, end = one.at
            yield Kind.TITLE_NAME, (start, start + len(one.title)), (start + len(one.title), end)
    yield from _fields(note)


OF: Final = re.compile(rf"\b(?:{cue('makes_another')})(?: (?:de|du|d'))? ?$")
"""Words before a name that make what follows it another's."""
_SEX_FIELD: Final = re.compile(
    r"\b(?:sexe|civilite|genre) ?[:|]? {0,3}(?P<s>(?:f|m|h)\b(?! ?[(/] ?[fmh]\b)|feminin|masculin|"
    r"homme|femme|mme|madame|monsieur|mlle|mr)|(?<=[|;,\t]) ?(?P<x>[fm])"
    r"(?= ?[|;,\t]| ?$)"
)
_NAME_FIELD: Final = re.compile(r"\bprenoms? ?(?:[:|]|  ) {0,3}(?P<n>[a-z]+(?:-[a-z]+)?)")


def _fields(note: Note) -> Iterator[Clash]:
    flat = note.flat
    named = list(_NAME_FIELD.finditer(flat))
    for match in _SEX_FIELD.finditer(flat):
        word = match["s"] or match["x"]
        sex = F if word in ("f", "feminin", "femme", "mme", "madame", "mlle") else M
        for name in named:
            between = flat[min(match.end(), name.end()) : max(match.start(), name.start())]
            near = between.count("\n") <= 5 and len(between) < 220
            told = frequent(name["n"].partition("-")[0]) and opposite(sex, sex_of(name["n"]))
            if near and told:
                yield Kind.TITLE_NAME, match.span(), name.span("n")
                return
        if match["x"] is None and named:
            continue
        for one in note.people:
            away = min(abs(one.at[0] - match.end()), abs(match.start() - one.at[1]))
            if match["x"] and one.at[0] > match.start():
                continue
            same = "\n" not in flat[min(one.at[0], match.start()) : max(one.at[1], match.end())]
            whose = one.role in (Role.PATIENT, Role.UNKNOWN)
            if away < 60 and same and whose and opposite(sex, given_sex(one)):
                yield Kind.TITLE_NAME, match.span(), one.at
                return


def patient_sex(note: Note) -> tuple[tuple[int, int], Sex] | None:
    """What a note says of the patient's sex, with where; None if it says nothing or both."""
    told = {sex for _, sex in note.sexes}
    if len(told) == 1:
        return note.sexes[0]
    if told:
        return None
    for one in note.people:
        if one.role is Role.PATIENT and given_sex(one) in (F, M):
            return one.at, given_sex(one) or U
    return None
