"""Initials against the names of their owners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dpdeid.evaluate.coherence.cues import cue
from dpdeid.evaluate.coherence.facts import At, Clash, Kind, Note, Person
from dpdeid.evaluate.coherence.named.titles import given_sex, opposite
from dpdeid.evaluate.coherence.reading.flat import flat
from dpdeid.french.titles import TITLE_SEX
from dpdeid.labels import Role, Sex
from dpdeid.normalize import fold

_PAIR: Final = (
    r"[A-ZÀ-Ü](?:(?:\.[ -]?|-)[A-ZÀ-Ü]){1,3}\.?|[a-z]\.(?:[ -]?[a-z]\.){1,2}|[A-ZÀ-Ü]\.|[A-Z]{2,3}"
)
_BRACKET: Final = re.compile(
    rf"(?:, [a-zé -]{{3,25}}(?= [(\[]))?[ ,;\n]{{0,3}}"
    rf"[(\[/](?P<c>[^()\[\]\n]{{0,25}}?[ :])?(?P<i>{_PAIR})"
    r"(?P<m>[ ,;/-][^()\[\]\n]{0,50})?[)\]/]"
)
_CUED: Final = re.compile(
    rf"(?i:\b(?P<c>{cue('before_initials')}))(?:\(s\))?\)?"
    rf"(?P<w>(?: ?[(,]? ?(?:{cue('between_initials')})\)?){{0,5}})"
    rf" ?[:|(«\"]? ?\(?(?P<i>{_PAIR})(?![\w'’-])(?!\.? ?[A-ZÀ-Ü][a-zà-ü])"
)
_TITLES: Final = frozenset(
    {"DR", "PR", "MR", "LE", "LA", "DU", "EN", "AU", "ME", "MME", "NON", "OUI", "OK"}
)
_SIGNS: Final = re.compile(cue("who_signs"))
_OF_PATIENT: Final = re.compile(
    r"patient|designe|code|anonym|abreg|nomme|identif|mention|essai|etude|initiales$"
)


_NO_INITIALS: Final = frozenset(cue("no_initials").split("|"))
"""Abbreviations of two or three capitals that stand behind names."""


def initials_name(note: Note) -> Iterator[Clash]:
    """Initials that are not those of the name they stand for."""
    text, seen = note.text, set[int]()
    named = [p for p in note.people if len(p.words) > 1 and any(len(w) > 2 for w in p.words)]
    for one in named:
        match = _BRACKET.match(text, one.at[1])
        if match is None:
            continue
        if re.match(r" [A-ZÀ-Ü][\w'’-]{2}", match["m"] or ""):
            continue  # the first letter of a given name
        signs = _SIGNS.search(flat((match["c"] or "") + (match["m"] or "")))
        plain = (len(match["i"]) < 3 and match["i"][1:] in ("", ".")) or match["i"][0].islower()
        if "." not in match["i"] and match["m"] and not signs:
            continue
        loose = match["c"] or match["m"] or "\n" in match[0][: match.start("i") - match.start()]
        if not signs and (plain or (loose and "." not in match["i"])):
            continue
        if _differ(match["i"], one, cued=bool(signs)):
            seen.add(match.start("i"))
            yield Kind.INITIALS_NAME, one.at, match.span("i")
    for match in _CUED.finditer(text):
        if match.start("i") in seen or (match["i"][1:] in ("", ".") and len(match["i"]) < 2):
            continue
        if "." not in match["i"] and (
            not re.match(r"[ \t]*(?:$|[\n,.;)»|/])", text[match.end() :]) or match["i"] in _TITLES
        ):
            continue
        words = flat(match["c"] + match["w"])
        own = [p for p in named if p.role is Role.PATIENT and not p.kin]
        own = own or [p for p in named if p.role is Role.UNKNOWN and not p.kin][:1]
        staff = [p for p in named if _close(note, p.at, match.span())]
        staff = [p for p in staff if p.role is Role.STAFF] or staff
        signed = _SIGNS.search(words) and not re.search("patient|designe|code|essai|etude", words)
        if signed and not words.startswith("initiale"):
            owners = staff or (own if "paraphe" in words else [])
        elif _OF_PATIENT.search(words) and not staff:
            owners = own
        else:
            of_both = words.startswith("initiale") and "patient" not in words
            owners = [*staff, *own] if of_both else own
        if owners and all(_differ(match["i"], p, cued=True) for p in owners):
            yield Kind.INITIALS_NAME, owners[-1].at, match.span("i")
    yield from _explained(note, seen)
    yield from _reference(note)
    yield from _initialled(note, named)


def _close(note: Note, one: At, other: At) -> bool:
    between = note.flat[min(one[1], other[1]) : max(one[0], other[0])]
    return (
        len(between) < 80 and between.count("\n") <= 1 and not re.search(r"[.;] [a-z]{4}", between)
    )


def _differ(written: str, one: Person, cued: bool = False) -> bool:
    """Whether no order or choice of the name's initials gives what is written."""
    letters = re.sub(r"[^A-Z]", "", flat(written).upper())
    if (letters in _NO_INITIALS and not cued) or len(letters) > 3:
        return False
    parts = [p for w in (*one.words, *one.born) for p in re.split(r"[-' ]", w) if p]
    own = [p[0].upper() for p in parts]
    rest = list(own)
    for letter in letters:
        if letter not in rest:
            return True
        rest.remove(letter)
    return False


_KEYED: Final = re.compile(
    r"(?<![\w.'-])(?P<i>[A-Z](?:\.[ -]?[A-Z]){1,2}\.?|[A-Z]{2,3})(?: ?[=→] ?| ?\((?=(?:Dr|Pr|"
    r"M\.|Mme|M) )|, soit )"
    r"(?:le |la )?(?:Dr|Pr|M\.|Mme|Mlle|IDE|interne|docteur)?\.? ?$"
)


def _explained(note: Note, seen: set[int]) -> Iterator[Clash]:
    """ "CP = Dr Jean Martin": a key of initials."""
    for one in note.people:
        start = max(0, one.at[0] - 25)
        match = _KEYED.search(note.text[start : one.at[0]])
        if match is None or len(one.words) < 2 or start + match.start("i") in seen:
            continue
        if match["i"] not in _TITLES and _differ(match["i"], one):
            yield Kind.INITIALS_NAME, one.at, (start + match.start("i"), start + match.end("i"))


_REFERENCE: Final = re.compile(
    r"\b(?:Réf|Ref|RÉF|REF|N/Réf|V/Réf|Nos réf)\.? ?:? ?(?P<i>[A-Z]{2,3})/[a-zA-Z]{2,3}\b(?! ?\d|"
    r"/)"
)


def _reference(note: Note) -> Iterator[Clash]:
    """ "Réf. SD/cb" in a letter of which nobody signs so."""
    staff = [p for p in note.people if p.role is Role.STAFF and len(p.words) > 1]
    for match in _REFERENCE.finditer(note.text):
        if staff and all(_differ(match["i"], p, cued=True) for p in staff):
            yield Kind.INITIALS_NAME, staff[-1].at, match.span("i")


_ONE_LETTER: Final = re.compile(
    r"(?<![\w.])(?P<t>[Pp]atiente|M\.|Mr|MR|Mme|MME|Mlle|Monsieur|Madame|mr|mme|"
    r"m\.) (?P<l>[A-ZÀ-Ü](?:\.[ -]?[A-ZÀ-Ü])?|"
    r"[A-ZÀ-Ü]-[A-ZÀ-Ü]|[A-Z] [A-Z])(?:\.|(?= (?:est|a|se|présente|vit|n'|"
    r"sera)\b))(?! ?[A-ZÀ-Ü][\w'])"
)


def _initialled(note: Note, named: Sequence[Person]) -> Iterator[Clash]:
    """ "Patient : DURAND Paul … M. L. est sorti"."""
    own = [p for p in named if p.role is Role.PATIENT and not p.kin]
    if not own:
        behind = [p for p in named if re.match(r" ?\(patiente?\b", note.flat[p.at[1] :])]
        own = behind[:1]
    if not own:
        own = [p for p in note.people if p.role is Role.PATIENT and p.family][:1]
    if not own:
        own = [p for p in named if p.role is Role.UNKNOWN and p.title and not p.kin][:1]
    for match in _ONE_LETTER.finditer(note.text):
        sex = TITLE_SEX.get(fold(match["t"].strip(".")), Sex.FEMALE)
        before = note.before(match.start(), 25)
        if _OTHERS.search(before):
            continue
        mine = [p for p in own if not opposite(sex, p.sex) and not opposite(sex, given_sex(p))]
        letters = re.sub(r"[^A-ZÀ-Ü]", "", match["l"])
        if not mine:
            continue
        told = len(letters) > 1 or re.match(
            r"\.?,? (?:est|a|se|presente|vit|sera|n'|ne|peut|doit|reste|sort|entre|rentre|va|dit|"
            r"prend)\b",
            note.flat[match.end("l") : match.end("l") + 12],
        )
        if told and all(_differ(letters, p, cued=True) for p in mine):
            yield Kind.INITIALS_NAME, mine[0].at, match.span("l")
            return


_OTHERS: Final = re.compile(rf"\b(?:{cue('of_another')})\b[^.;\n]{{0,8}}$")
