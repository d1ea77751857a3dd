"""What is said of somebody against the subject it is said of: "Mme Durand a été opéré"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.evaluate.coherence.cues import any_of, cue
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note
from dpdeid.evaluate.coherence.named.titles import OF, given_sex, opposite
from dpdeid.evaluate.coherence.named.words import F, M, U, gender
from dpdeid.french.titles import KIN_SEX
from dpdeid.labels import Role, Sex

_NOUNS: Final = {
    **dict.fromkeys(cue("female_nouns").split("|"), F),
    **dict.fromkeys(cue("male_nouns").split("|"), M),
} | {word: sex for word, sex in KIN_SEX.items() if word != "veuf"}
_WORDS: Final = any_of(_NOUNS)
_NOUN: Final = re.compile(rf"(?<![\w-])(?<!(?<!qu)['’])(?:l')?(?P<n>{_WORDS})(?![\w'’(·-]|\.e)")
_HAS: Final = f"(?:n'|ne )?(?:{cue('is_or_becomes')})"
_HOW: Final = f"(?:{cue('adverbs')})"
_BETWEEN: Final = r"(?: ?\([^()\n]{0,40}\))?(?:,? (?:de |agee? de )?\d{1,3} ?(?:ans|mois|a)\b)?"
_PREDICATE: Final = re.compile(
    rf"{_BETWEEN}(?:,| qui|, qui)? (?P<a>{_HAS})(?: {_HOW}){{0,3}} (?P<w>[^\W\d_]+)(?![\w'’(·-]|"
    rf"\.e)"
)
_APPOSED: Final = re.compile(
    rf"{_BETWEEN} ?[,(|–-]{{0,2}} ?(?P<w>n[ée]e?(?= (?:le|en|à|a|\d|un)\b)|"
    rf"[^\W\d_]+)(?![\w'’(·-]|\.e)"
)
_LIFE: Final = re.compile(cue("told_of_a_life"))
_REFLEXIVE: Final = re.compile(cue("reflexive"))
_WORK: Final = re.compile(
    r"(?:,| est| etait)(?: une)?(?: ancienne| future| jeune)? (?P<w>[a-z]{3,12}(?:euse|trice|"
    r"iere|ienne))\b"
)
_NO_WORK: Final = frozenset(
    {"premiere", "derniere", "entiere", "maniere", "matiere", "carriere", "lumiere", "ancienne"}
)


_PART: Final = re.compile(
    r"\b(?:de|d'|du|par|avec|chez|pour|a|au|et|ou|sur|dont)"
    r"(?: (?:la|le|l'|sa|son|ses|cette|ce|un|une|notre|votre))? ?$"
)
"""Words before a noun that make it no subject."""


_LED: Final = re.compile(r"\b(?:par|avec|chez)(?: [a-z-]+){1,3} $")
"""Words before a name of whom what follows is hardly said: "amenée par son fils Paul, adressée"."""


def said(note: Note) -> Iterator[Clash]:
    """Subjects whose sex is told, with a participle or adjective of the other."""
    for at, sex in _subjects(note):
        word = note.text[slice(*at)].lower()
        start = at[1]
        part = _PART.search(note.before(at[0], 22))
        match = _match(_PREDICATE, note, start)
        if match and (not part or " qui " in match[0]):
            reflexive = match["a"].startswith("s'")
            told = gender(note.text[slice(*match.span("w"))])
            fits = not reflexive or _REFLEXIVE.fullmatch(match["w"])
            if opposite(sex, told) and fits and not (word == "il" and told is M):
                yield Kind.AGREEMENT, at, match.span("w")
                continue
        if word in ("elle", "il"):
            continue
        if (match := _match(_APPOSED, note, start)) and _LIFE.fullmatch(match["w"]):
            shown = note.text[slice(*match.span("w"))]
            label = shown[0].isupper() and not shown.isupper()
            negation = shown.lower() == "ne" and not re.match(
                r" (?:le|en|[àa]|\d)", note.text[match.end() :]
            )
            noun = match["w"] in ("sortie", "entree", "vue", "suivie") and not re.match(
                r",? (?:le|du|de|en|par|ce|hier|avec|pour|depuis|a)\b", note.flat[match.end() :]
            )
            led = _LED.search(note.before(at[0], 35))
            if opposite(sex, gender(shown)) and not (label or negation or noun or led):
                yield Kind.AGREEMENT, at, match.span("w")
                continue
        match = _match(_WORK, note, start)
        listed = match is not None and match[0][0] == "," and "m" not in word.split()[0]
        if match and sex is M and not listed and match["w"] not in _NO_WORK:
            yield Kind.AGREEMENT, at, match.span("w")


def _match(form: re.Pattern[str], note: Note, at: int) -> re.Match[str] | None:
    return form.match(note.flat, at)


def _subjects(note: Note) -> Iterator[tuple[At, Sex]]:
    """Names and nouns that tell a sex, and what follows them is said of."""
    flat = note.flat
    held = [one.at for one in note.people]
    for one in note.people:
        if flat[slice(*one.at)] in _NOUNS:
            continue
        sex = one.sex if one.sex is not U else KIN_SEX.get(one.kin, U)
        if sex is U and one.role in (Role.PATIENT, Role.UNKNOWN):
            sex = given_sex(one) or U
        of_other = not one.kin and OF.search(note.before(one.at[0], 25))
        epicene = re.search(r"\b(?:la|une|cette) [a-z]{4,} $", note.before(one.at[0], 22))
        if sex is M and epicene:
            continue  # "la recrue Mathis Lebrun s'est présentée"
        if sex is not U and not of_other:
            yield one.at, sex
    for match in _NOUN.finditer(flat):
        at = match.span("n")
        named = any(start <= at[0] < end for start, end in held)
        before = note.before(at[0], 22)
        if not named and (match["n"] in ("il", "elle") or not _PART.search(before)):
            yield at, _NOUNS[match["n"]]
