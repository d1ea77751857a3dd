"""Two names for one person."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.named.titles import given_sex, opposite
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.given import given_only
from dpdeid.labels import Role, Sex
from dpdeid.normalize import one_slip

_NO_SUBJECT: Final = re.compile(rf"\b(?:{cue('before_no_subject')})")
_SUBJECT: Final = re.compile(rf" ?,? ?(?:{cue('said_of_a_subject')})\b")
_CONCERNED: Final = re.compile(
    rf"\b(?:{cue('concerned')})(?: (?:ce jour|en consultation|votre patiente?))* $"
)


def same_family(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two surnames may be one: a part in common, or a slip of the pen."""
    parts = [p for word in one for p in re.split("[-']", _unscanned(word)) if len(p) > 1]
    others = [p for word in other for p in re.split("[-']", _unscanned(word)) if len(p) > 1]
    if not parts or not others:
        return True
    if "".join(parts) == "".join(others):
        return True
    return any(
        a == b or (len(a) > 3 and (one_slip(a, b) or a.startswith(b) or b.startswith(a)))
        for a in parts
        for b in others
    )


def _unscanned(word: str) -> str:
    """A name with one letter for those that scanners take for each other."""
    return word.replace("rn", "m").replace("l", "i")


def two_names(note: Note) -> Iterator[Clash]:
    """Another surname, or another given name, for the patient of the header."""
    yield from _one_number(note)
    yield from _one_given(note)
    yield from _one_birth(note)
    first = next((p for p in note.people if p.role is Role.PATIENT and p.family), None)
    if first is None:
        return
    own = (*first.family, *first.born, *first.given)
    if len(first.words) < 2 and not first.title and first.words[0] in lone_given(note):
        return  # a given name alone
    patients = [p for p in note.people if p.role is Role.PATIENT and p.at != first.at]
    behind = [p for p in note.people if p.at[0] > first.at[1] and p.title and p.family]
    behind = [p for p in behind if p.sex is not Sex.UNKNOWN]
    others = [p for p in behind if p.role in (Role.UNKNOWN, Role.PATIENT)]
    if len({p.family for p in others}) > 2:
        return  # a list of patients
    strange = [p for p in others if not same_family(p.family, own) and not _explained(note, p, own)]
    named_again = any(same_family(p.family, own) for p in behind)
    sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first) or Sex.UNKNOWN
    header = bool(re.search(r"(?:\n|^)[^\n]{0,60}$", note.flat[: first.at[0]]))
    if not named_again and header and len("".join(first.family)) > 2:
        for one in strange:
            if not opposite(sex, one.sex) and _is_subject(note, one):
                yield Kind.TWO_NAMES, first.at, one.at
                return
    yield from _two_given(note, first, patients, others)


def lone_given(note: Note) -> set[str]:
    """First names that stand alone behind a noun for a child: "Nourrisson Wendell"."""
    form = r"\b(?:nourrisson|bebe|petite?|enfant|jeune|patient) :? ?([a-z-]+)(?=,| ne)"
    return {match[1] for match in re.finditer(form, note.flat)}


def _is_subject(note: Note, one: Person) -> bool:
    before = note.before(one.at[0], 60)
    told = _SUBJECT.match(note.flat, one.at[1]) or _CONCERNED.search(before)
    return bool(told) and not _NO_SUBJECT.search(before)


def _explained(note: Note, one: Person, own: Sequence[str]) -> bool:
    """Whether the words behind a name say that it is the same person's ("Mme X, née Y")."""
    return bool(one.born) and same_family(one.born, own)


def _two_given(
    note: Note, first: Person, patients: Sequence[Person], others: Sequence[Person]
) -> Iterator[Clash]:
    """ "Patient : DURAND Paul … M. Pierre DURAND"."""
    if not set(first.given) - set(first.family):
        return
    for one in (*others, *patients):
        if not set(one.given) - set(one.family) or not same_family(one.family, first.family):
            continue
        if one.kin or any(same_given(a, b) for a in one.given for b in first.given):
            continue
        if any(set(one.given) & set(p.given) for p in note.people if p.kin):
            continue
        sex = first.sex if first.sex is not Sex.UNKNOWN else given_sex(first)
        same = one.sex is sex or (one.sex is Sex.UNKNOWN and given_sex(one) is sex)
        if sex is None or not same:
            continue
        named = re.search(r"(?:patiente?|nom|concerne) ?: ?$", note.before(one.at[0], 12))
        if named or _is_subject(note, one):
            yield Kind.TWO_NAMES, first.at, one.at
            return


def same_given(one: str, other: str) -> bool:
    """Whether two given names may be one: a part, an initial, a slip or a short form of it."""
    if one[:1] == other[:1] and (len(one) < 3 or len(other) < 3):
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith(short[:3]) or short in long or one_slip(one, other)


_ID: Final = re.compile(
    r"\b(?P<k>ipp|nir|niss|n° ?(?:patient|dossier|ss)|nip|iep|avs|rpps) ?[:|]? ?n?°? ?"
    r"(?P<n>\d[\d .-]{4,20}\d)"
)


_RENAMED: Final = re.compile(rf"\b(?:{cue('renamed')})\b")


def _one_given(note: Note) -> Iterator[Clash]:
    """Two surnames with the patient's given name: "Paul Durand", then "Paul Lefort"."""
    first = note.patient()
    if first is None or not set(first.family) - set(first.given) or _RENAMED.search(note.flat):
        return
    own = [
        w for w in first.given if given_only(w) or (w == first.words[0] and len(first.words) > 1)
    ]
    for one in note.people:
        if one.role in (Role.STAFF, Role.RELATIVE) or one.at[0] <= first.at[1] or one.born:
            continue
        if note.text[one.at[0] - 1 : one.at[0]] in ('"', "“"):
            continue  # what a room is called
        rest = tuple(w for w in one.words if w not in own)
        if len(rest) != 1 or rest == one.words or len(rest[0]) < 3 or opposite(one.sex, first.sex):
            continue
        if not same_family(rest, (*first.family, *first.words)) and set(one.words) & set(own):
            yield Kind.TWO_NAMES, first.at, one.at
            return


_TWIN: Final = re.compile(r"\b(?:jumeau|jumelle|triple|homonyme)")


def _one_birth(note: Note) -> Iterator[Clash]:
    """One birth date behind two names that share the surname alone."""
    seen: dict[tuple[dt.date, tuple[str, ...]], Person] = {}
    if _TWIN.search(note.flat):
        return
    for one in note.people:
        day = next((d for d in note.days if one.at[1] <= d.at[0] < one.at[1] + 12), None)
        if day is None or not day.whole or not day.year_told or not one.given or one.kin:
            continue
        if re.search(r"[a-z]{3}", note.between(one, day)) or day.first.year > 2022:
            continue
        before = seen.setdefault((day.first, one.family), one)
        if not any(same_given(a, b) for a in before.given for b in one.given):
            yield Kind.TWO_NAMES, before.at, one.at


def _one_number(note: Note) -> Iterator[Clash]:
    """One number that stands beside two names."""
    seen: dict[str, Person] = {}
    for match in _ID.finditer(note.flat):
        number = re.sub(r"\D", "", match["n"])
        start, end = line_of(note.flat, match.start())
        staff = match["k"] == "rpps"
        named = [
            p for p in note.people if (p.role is Role.STAFF) is staff and not p.kin and p.family
        ]
        near = [p for p in named if start <= p.at[0] < end]
        if not near:
            near = [
                p for p in named if p.at[1] <= start and note.flat.count("\n", p.at[1], start) < 3
            ]
            near = near[-1:]
        if len(near) != 1:
            continue
        before = seen.setdefault(number, near[0])
        one, two = (
            tuple(w for w in p.family if w not in p.given) or (*p.family, *p.given)
            for p in (before, near[0])
        )
        if not same_family((*one, *before.born), (*two, *near[0].born)):
            yield Kind.TWO_NAMES, before.at, near[0].at


def notes_of_one(notes: Sequence[Note]) -> Iterator[tuple[Note, Note, At, At]]:
    """Pairs of notes of one patient whose headers have two surnames that nothing joins."""
    headed = [(note, one) for note in notes if (one := note.patient()) is not None and one.family]
    for (note, one), (other, two) in itertools.pairwise(headed):
        families = (*one.family, *one.born), (*two.family, *two.born)
        turned = {*one.family} & {*two.given} or {*one.given} & {*two.family}
        if not same_family(*families) and not turned:
            yield note, other, one.at, two.at
