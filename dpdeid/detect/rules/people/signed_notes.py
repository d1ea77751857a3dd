"""Who signed a line of the ward: initials in brackets that close or open it, or in its last cell.

"16h change, talon D rouge (RGB)", "08h | constantes ok | KD |", "M. Payet (JC) accompagne". What
medicine abbreviates stands in brackets too: letters that a list knows, that the words before them
begin with ("infection urinaire (IU)"), or that the note uses elsewhere are nobody's initials.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.french.measures import HEADS, UNITS
from dpdeid.french.tables import rows
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_CLOSING: Final = re.compile(r"(?<=\S) ?\(([A-Z]{2,3})\)[ \t]{0,3}(?=\n|\||\Z|[.;] ?(?:\n|\||\Z))")
_OPENING: Final = re.compile(r"(?:(?<![^\n])|(?<=\n- )|(?<=\n\* )) ?\(([A-Z]{2,3})\)(?= [^\W\d_])")
_BEARER: Final = re.compile(
    r"(?:\b(?:M\.|Mr|Mme|Dr|Pr) [A-ZÀ-Þ][\w'-]{1,20}(?: [A-ZÀ-Þ][\w'-]{1,20})?|: ?) ?"
    r"\(([A-Z]{2,3})\)(?= [a-zà-ÿ])"
)
_CELL: Final = re.compile(
    r"(?m)^[ \t|]*(?:(?:[0-3]?\d[/.-][01]?\d(?:[/.-]\d{2,4})?)?[ \t,|-]*(?:[0-2]?\d ?[hH:](?:[0-5]\d)?)?)"
    r"(?<=[\dhH/.|])[ \t]*\|[^\n]{3,400}\|[ \t]*([A-Z]{2,3}|[a-z]{2,3})[ \t]*\|?[ \t]*$"
)
"""A row that opens with a day or an hour, and its last cell."""
_ROLES: Final = voc.SHORT_ROLES - {"psy", "ergo", "diet"} | voc.words("ap secr asd interne")
_LEADS: Final = frozenset(("par", "avec", "et", "de", "|", "+", "/", ",", ";", ":", "(", "-", ".", "a"))
_ACTING: Final = frozenset(("par", "avec"))
_ENDS: Final = re.compile(r"(?= ?(?:[|+/,;:.)(\n-]|\Z| \d| (?:et|ok|vu|pr|pour|de|du|ce|hier|le|lors)\b))")
_PETS: Final = frozenset(fold(pet) for pet, *_ in rows("pet_names")) | voc.words(
    "fab nath flo lulu tof jess momo lolo nono nini fifi mimi kiki gigi vero isa sab steph manu seb gwen"
    " aurel audr elo emi emie jojo juju lili lolo sev soso tati tina titi val virg xav yoyo zaza"
)
_LONG: Final = 7
_MEASURES: Final = UNITS | HEADS
_TWICE: Final = 2
_USUAL: Final = 4
_SMALL: Final = 3
_ROMAN: Final = re.compile(r"[IVX]+\Z")
_REACH: Final = 60
_NO_INITIALS: Final = (
    voc.ABBREVIATIONS
    | voc.SHORTHAND
    | voc.SHORT_ROLES
    | voc.DEGREES
    | frozenset(map(fold, voc.TEXTS["place_cantons"].split()))
    | voc.words(
        "ok oui non ras nc na nr vu fait idem dr pr mme mr med chir xx xxx mat soir cf nb ex"
        " rh drh dg daf ce cse dp ase pmi caf mas esat cdd cdi us usa ue onu pdf tv id idr sn mt"
    )
)


def signed_notes(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The initials of those who signed; `spans` are not looked at."""
    yield from _nicknames(doc)
    if "(" in doc.text:
        for form in (_CLOSING, _OPENING, _BEARER):
            for sign in form.finditer(doc.text):
                if _are_initials(sign) and not _stands_elsewhere(doc.text, sign):
                    yield _span(sign)
    if "|" in doc.text:
        yield from (_span(sign) for sign in _CELL.finditer(doc.text) if _are_initials(sign))


def _nicknames(doc: Document) -> Iterator[Span]:
    """Pet names in small letters before a short name of a profession: "vu par fab ide"."""
    if _ROLES.isdisjoint(doc.tokens.folded):
        return
    tokens, text = doc.tokens, doc.text
    for at, word in enumerate(tokens.folded[1:], 1):
        if word not in _ROLES or not tokens.texts[at].islower():
            continue
        name, start, end = tokens.folded[at - 1], tokens.starts[at - 1], tokens.ends[at - 1]
        if text[end : tokens.starts[at]] != " " or not tokens.texts[at - 1].islower():
            continue
        led = at == 1 or tokens.folded[at - 2] in _LEADS or "\n" in text[tokens.ends[at - 2] : start]
        before = tokens.folded[at - 2] if at > 1 else ""
        if led and _is_pet_name(name, told=before in _ACTING) and _ENDS.match(text, tokens.ends[at]):
            yield Span(start, end, Label.FIRST_NAME, 0.85, "patterns/people.nickname", Role.STAFF)


def _is_pet_name(name: str, *, told: bool) -> bool:
    """Whether it is a pet or given name, or in no list where "par" or "avec" leads to it."""
    known = EVIDENCE[name]
    if name in _PETS:
        return True
    given = known.first_name and not (known.word or known.medical or known.drug or known.shorthand)
    return given or (told and bool(voc.UNLISTED[name]) and len(name) <= _LONG)


def _span(sign: re.Match[str]) -> Span:
    return Span(*sign.span(1), Label.LAST_NAME, 0.8, "patterns/people.signed", Role.STAFF)


def _are_initials(sign: re.Match[str]) -> bool:
    """Whether neither a list nor the words before it say what the letters mean."""
    word = fold(sign[1])
    known = EVIDENCE[word]
    usual = known.word and (sign[1].islower() or known.frequency > _USUAL)
    if word in _NO_INITIALS or known.shorthand or usual or _ROMAN.match(sign[1]):
        return False
    if gazetteers.medical().get(word) or (word in _MEASURES and sign.string.count(sign[1]) < _TWICE):
        return False
    text = sign.string[max(0, sign.start() - _REACH) : sign.start()]
    return not _begin(re.findall(r"[^\W\d_]+", text.rpartition("\n")[2]), word)


def _begin(words: Sequence[str], letters: str) -> bool:
    """Whether the letters are those with which the last words begin, small ones left out or not."""
    long = [word for word in words if len(word) > _SMALL]
    return any(
        "".join(fold(word)[0] for word in some[-len(letters) :]) == letters for some in (words, long)
    )


def _stands_elsewhere(text: str, sign: re.Match[str]) -> bool:
    """Whether the note has the letters elsewhere than in brackets or alone in a cell."""
    return any(_places(text, sign[1]))


def _places(text: str, letters: str) -> Iterator[bool]:
    for other in re.finditer(rf"(?<!\w){letters}(?!\w)", text):
        before = text[max(0, other.start() - 2) : other.start()].strip()
        after = text[other.end() : other.end() + 2].strip()
        yield not (before.endswith(("(", "|")) and after.startswith((")", "|")))
