"""People of a note: names with titles, roles and kinship.

Names come as spans; a title with words that no span covers is read here as well, so that a name
which detection misses is still judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Span
from dpdeid.evaluate.coherence.cues import any_of, cue
from dpdeid.evaluate.coherence.facts import At, Person
from dpdeid.evaluate.coherence.reading.flat import line_of
from dpdeid.evaluate.coherence.reading.given import doubtful, given_only, leans, sex_of
from dpdeid.french.titles import CIVILITIES, DEGREES, KIN_SEX, PLURALS, TITLE_SEX
from dpdeid.labels import NAMES, Label, Role, Sex
from dpdeid.normalize import fold

_TITLE: Final = any_of(CIVILITIES | DEGREES - {"me", "doc", "pre"})
_BEFORE: Final = re.compile(
    rf"(?<![\w'-])((?:{_TITLE}))(?:\.| )[ .]{{0,2}}(?:le |la )?(?:(?:dr|docteur|pr|"
    rf"professeur|interne)[. ]{{1,2}})?(?:\| ?)?$"
)
_TITLED: Final = re.compile(
    r"(?<![\w'’-])(?:M|Mr|MR|Mme|MME|Mlle|MLLE|Monsieur|Madame|Mademoiselle|"
    r"MONSIEUR|MADAME|Dr|DR|Docteur|Pr)(?:\.| )"
    r" ?(?P<n>[A-ZÀ-Ü][\w'’]+(?:-[A-ZÀ-Ü]\w+)*(?: (?:(?:de|du|le|la|DE|DU|LE|LA|van|"
    r"Van|VAN) )?[A-ZÀ-Ü][\w'’]+(?:-[A-ZÀ-Ü]\w+)*){0,2})"
)
_LOW: Final = re.compile(
    rf"\b(?:{cue('before_low_names')})"
    r"(?: :)? (?P<n>[a-z][a-z'-]{2,20} [a-z][a-z'-]{2,20})(?![\w'-])"
)
"""Words before a name in small letters, which is believed if lists know both of its words."""
_GAP: Final = re.compile(
    r"[ \t]{0,2}(?:,[ ]?)?(?:-|[ ](?:de|du|des|le|la|d'|van|von|da|el|ben)[ ])?[ ]?|'"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PARTICLES: Final = frozenset(cue("particles").split("|"))
_KIN: Final = any_of(KIN_SEX.keys() - {"patiente"})
_KIN_BEFORE: Final = re.compile(
    rf"(?<![\w-])({_KIN})(?: (?:{cue('which_relative')}))*(?:\)\.?(?= ?:))?"
    r"(?: ?[,:(]? ?(?:est |s'appelle |prenommee? |nommee? )?|, (?:le |la )?| \(?)\Z"
)
_STAFF: Final = re.compile(
    rf"(?:\b(?:{cue('staff')})"
    r"(?: (?:de garde|traitant|referente?|sociale|liberale?))? ?[:,(]? ?)$"
)
_PATIENT: Final = re.compile(
    rf"(?:\b(?:{cue('before_the_patient')})(?: (?:{cue('between_patients')}))*"
    r" ?(?:[:|]|n°)? ?(?:de )?)$"
)
_BORN: Final = re.compile(
    r",? ?[( ]{0,2}(?:nom de naissance|ne(?:e|\(e\))?(?! le\b| en\b| a\b| \d)|"
    r"n\.?j\.?f\.?|ep(?:ouse|x)?\.?|vve|veuve|nom d'usage|nom de jeune fille)"
    r" ?:? ?(?P<n>[a-z][a-z' -]{1,30}[a-z])"
)
_BORN_FIELD: Final = re.compile(
    r"\b(?:nom de (?:naissance|jeune fille|famille)|nom d'usage|nom marital|nom usuel|"
    r"nee|epouse|nom) ?[:|]? {0,3}(?P<n>(?!(?:prenoms?|de|du|des|le|la|en|a|un|"
    r"une)\b)[a-z][a-z'-]{1,25}(?: (?!ne\b|prenom|"
    r"nom\b)[a-z'-]{2,25})?)"
)


def people(text: str, flat: str, spans: Sequence[Span]) -> tuple[Person, ...]:
    """The people whose names stand in the text, in its order."""
    found = [_person(text, flat, at) for at in _stretches(text, flat, spans)]
    return tuple(one for one in found if one is not None)


def _stretches(text: str, flat: str, spans: Sequence[Span]) -> list[At]:
    """Where names stand: neighbouring spans are one, then titled words that none covers."""
    out: list[At] = []
    last, family_only = None, False
    for span in (s for s in spans if s.label in NAMES):
        gap = text[out[-1][1] : span.start] if out else ""
        joined = out and last and _GAP.fullmatch(flat[out[-1][1] : span.start]) and "\n" not in gap
        if joined and last and "," in gap and not (family_only and span.label is Label.FIRST_NAME):
            joined = False
        if joined:
            out[-1] = out[-1][0], span.end
            family_only = family_only and span.label is Label.LAST_NAME
        else:
            family_only = span.label is Label.LAST_NAME
            out.append((span.start, span.end))
        last = span
    held = bytearray(len(text))
    for start, end in out:
        held[start:end] = b"\1" * (end - start)
    for match in _LOW.finditer(flat):
        start, end = match.span("n")
        words = match["n"].split()
        if not any(held[start:end]) or (len(words) > 1 and not all(held[start:end])):
            given = {w for w in words if sex_of(w) is not None}
            known = all(w in given or w in gazetteers.surnames() for w in words)
            if len(words) == 2 and given and known and text[start].islower():
                out = [at for at in out if at[1] <= start or end <= at[0]] + [(start, end)]
                held[start:end] = b"\1" * (end - start)
    others = [s for s in spans if s.label in (Label.CITY, Label.HOSPITAL, Label.ORGANIZATION)]
    for match in _TITLED.finditer(text):
        start, end = match.span("n")
        if not any(held[start:end]) and not any(s.start < end and start < s.end for s in others):
            out.append((start, end))
    return sorted(out)


def _person(text: str, flat: str, at: At) -> Person | None:
    start, end = at
    shown = [m[0] for m in _WORD.finditer(text[start:end])]
    words = [fold(word.replace("’", "'")) for word in shown]
    if not words:
        return None
    title, begin = "", start
    if re.fullmatch(r"[A-Z]{2,4}", text[start:end]) and text[end : end + 1] == "/":
        return None  # initials in a reference
    if match := _BEFORE.search(flat[max(0, start - 24) : start]):
        title, begin = match[1], start - len(match[0])
    if title in PLURALS:
        return None
    given, family = _split(shown, words)
    born: tuple[str, ...] = ()
    if match := _BORN.match(flat, end):
        born = tuple(match["n"].replace("-", " ").split()[:2])
    if born and all(word.isupper() for word in shown) and len(words) > 1:
        given, family = (), tuple(w for w in words if w not in _PARTICLES)
    role, kin = _role(flat, begin, end, title)
    sex = TITLE_SEX.get(title, Sex.UNKNOWN)
    return Person((begin, end), title, sex, tuple(words), given, family, born, role, kin)


def _split(shown: Sequence[str], words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given names and surnames, by capitals ("DURAND Paul"), else by lists and order."""
    named = [(s, w) for s, w in zip(shown, words, strict=True) if w not in _PARTICLES]
    if len(named) == 1:
        word = named[0][1]
        return ((word,), ()) if given_only(word) else ((), (word,))
    upper = [w for s, w in named if s.isupper() and len(s) > 1]
    if upper and len(upper) < len(named):
        return tuple(w for _, w in named if w not in upper), tuple(upper)
    listed = [w for _, w in named if sex_of(w) is not None]
    sure = [w for w in listed if leans(w)]
    if len(named) == 2 and len(listed) == 1 and doubtful(listed[0], *(w for _, w in named)):
        return tuple(w for _, w in named), tuple(w for _, w in named)
    if len(sure) == 1 or (sure and len(sure) < len(named)):
        return tuple(sure), tuple(w for _, w in named if w not in sure)
    if len(listed) == len(named):
        return tuple(listed), tuple(listed)
    return tuple(listed), tuple(w for _, w in named if w not in listed)


_KIN_BEHIND: Final = re.compile(
    rf" ?(?:\( ?|, )(?:sa |son |leur )?({_KIN})(?=[),.;\n]| (?:du|de la) patient)"
)
_BORN_BEHIND: Final = re.compile(
    r"[ ,;:|(-]{0,5}(?:ne(?:e|\(e\))? (?:le\b|en\b|a\b|\d)|ddn\b|date de naissance|n[eé]e? ?:)"
)


def _role(flat: str, begin: int, end: int, title: str) -> tuple[Role, str]:
    before = flat[max(0, begin - 50) : begin]
    line = before.rpartition("\n")[2]
    if match := _KIN_BEFORE.search(before):
        return Role.RELATIVE, match[1]
    if match := _KIN_BEHIND.match(flat[end : end + 25]):
        return Role.RELATIVE, match[1]
    if title in DEGREES or _STAFF.search(line):
        return Role.STAFF, ""
    if re.search(r"\b(?:\d(?:er|e|eme)|premier|deuxieme|leur|son|autre) enfant ?$", line):
        return Role.RELATIVE, ""
    if _PATIENT.search(before) or (title in CIVILITIES and line.startswith("objet")):
        return Role.PATIENT, ""
    born = _BORN_BEHIND.match(flat[end : end + 40])
    return (Role.PATIENT if born else Role.UNKNOWN), ""


def with_patient(people: Sequence[Person], flat: str) -> tuple[Person, ...]:
    """The people with one who is the patient, where the text tells; each mention of the name too.

    "Nom : DURAND" and "Prénom : Paul" are one.
    """
    patients = [one for one in people if one.role is Role.PATIENT]
    others = [one for one in people if one.role is Role.UNKNOWN]
    bearers = (one for one in patients if _is_bearer(flat, one))
    aged = (one for one in others if _aged(flat, one))
    first = next(chain(bearers, patients, aged), None)
    if first is None:
        titled = [one for one in others if one.sex is not Sex.UNKNOWN]
        if not titled or others[0] is not titled[0] or len({one.family for one in titled}) > 1:
            return tuple(people)
        first = titled[0]
    own = set(first.family) | set(first.born)
    given = set(first.given)
    start, end = max(0, first.at[0] - 200), first.at[1] + 250
    whole_names = {one.words[0] for one in people if len(one.words) > 1 and one.given}
    for match in _BORN_FIELD.finditer(flat, start, end):
        if match[0].startswith("nom") and match["n"].split()[0] in whole_names - own:
            continue  # the next row of a list
        named = [p for p in people if p.at[1] <= match.start() and p.at[1] > start]
        named = [p for p in named if "\n" not in flat[p.at[1] : match.start()]]
        if named and named[-1] is not first and (named[-1].kin or named[-1].title):
            continue  # another's maiden name
        if match.start() < first.at[0] - 1 or _same_form(flat, first.at[1], match.start()):
            own |= set(match["n"].replace("-", " ").split()) - _PARTICLES
    for match in re.finditer(r"prenoms? ?[:|]? {0,3}([a-z][a-z-]+)", flat[start:end]):
        given.add(match[1])
    whole = replace(
        first,
        given=tuple(sorted(given)),
        family=tuple(sorted(own - given or own)),
        role=Role.PATIENT,
    )
    out = []
    for one in people:
        if one is first:
            out.append(whole)
        elif one.role is Role.UNKNOWN and one.family and set(one.family) & own and not one.kin:
            clash = one.given and given and not set(one.given) & given
            sexes = {one.sex, first.sex} == {Sex.MALE, Sex.FEMALE}
            out.append(one if clash or sexes else replace(one, role=Role.PATIENT))
        else:
            out.append(one)
    return tuple(out)


def _aged(flat: str, one: Person) -> bool:
    """Whether an age stands behind a whole name: "Lina Peeters, 2 ans"."""
    start, _end = line_of(flat, one.at[0])
    behind = flat[one.at[1] : one.at[1] + 15]
    age = re.match(r"[ ,(]{1,3}\d{1,3} ?(?:ans?|a|mois|m|semaines)\b", behind)
    kin = re.search(rf"\b(?:{_KIN})\b", flat[start : one.at[0]])
    return len(one.words) > 1 and age is not None and kin is None


def _is_bearer(flat: str, one: Person) -> bool:
    start, _end = line_of(flat, one.at[0])
    return bool(one.family) and not re.search(r"medecin|dr |docteur", flat[start : one.at[0]])


def _same_form(flat: str, one: int, other: int) -> bool:
    return flat.count("\n", min(one, other), max(one, other)) <= 3
