"""Who signed a line of the ward: initials in brackets that close or open it, or in its last cell.

"16h change, talon D rouge (RGB)", "08h | constantes ok | KD |", "M. Payet (JC) accompagne". What
medicine abbreviates stands in brackets too: letters that a list knows, that the words before them
begin with ("infection urinaire (IU)"), or that the note uses elsewhere are nobody's initials.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.pet_names import PETS, is_pet_name
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document, Span
from dpdeid.french.letters.abbreviations import begin
from dpdeid.french.measures import HEADS, UNITS
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_BRACKETED: Final = re.compile(r"[(\[]([A-Z]{2,3})[)\]]")
_PET: Final = re.compile(
    r"(?<![^\W_])[(\[]([^\W\d_]{3,10})[)\]]|(?<=\|)[ \t]{1,9}([^\W\d_]{3,10})[ \t]{1,9}(?=\||\n|\Z)"
)
"""A word alone in brackets or in a cell."""
_ACTED: Final = re.compile(r"(?i)(?:\b(?:par|avec|et|ide|as|de)|[+/,&]) ?\Z")
_WHO: Final = voc.words(
    "sf ide idel as ash puer pueri puericultrice iade ibode aux kine int interne ext externe cadre"
    " senior aide soignant soignante inf infirmier infirmiere manip secr secretaire brancardier"
    " ambulancier stagiaire eleve apprenti apprentie diet psy ergo psychomot nuit jour"
    " matin soir releve collegue binome chef med soeur frere tante tonton oncle cousin cousine tata"
    " tati papy papi mamie mamy meme pepe parrain marraine copain copine voisin voisine ami amie"
    " panseuse instrumentiste circulante chirurgien chirurgienne anesth anesthesiste nounou"
    " gardienne aidant aidante sociale avs aes amp benevole"
)
"""Who works or belongs to somebody, before a pet name: "SF: mag, puer: laeti"."""
_GOES_BY: Final = re.compile(
    r"[ \t]{0,2}(?:[,;.)|/+&\n]|\Z)| (?:a|au|ok|est|pr[ée]v|vient|passe|appel|rappel|ce|pour)\b"
)
"""What stands behind such a name."""
_CLOSES: Final = re.compile(r"[ \t]{0,3}(?:\n|\||\Z|[.;] ?(?:\n|\||\Z))")
_ENDS_SENTENCE: Final = re.compile(r"[.;] {1,2}(?=[A-ZÀ-Þ]|\d)")
_OPENS: Final = re.compile(r"(?:\A|\n)(?:[-*•] )? ?\Z")
_GOES_ON: Final = re.compile(r" [^\W\d_]")
_BEARER: Final = re.compile(
    r"(?:\b(?:M\.|Mr|Mme|Dr|Pr) [A-ZÀ-Þ][\w'-]{1,20}(?: [A-ZÀ-Þ][\w'-]{1,20})?|:) ?\Z"
)
_LETTERS: Final = re.compile(r"(?<!\w)[A-Z]{2,3}(?!\w)")
_CELL: Final = re.compile(r"(?m)\|[ \t]*([A-Z]{2,3}|[a-z]{2,3})[ \t]*\|?[ \t]*$")
_ROW: Final = re.compile(
    r"[ \t|]*(?:[0-3]?\d[/.-][01]?\d(?:[/.-]\d{2,4})?)?[ \t,|-]*"
    r"(?:[0-2]?\d ?[hH:](?:[0-5]\d)?)?(?<=[\dhH/.|])[ \t]*\|[^\n]{3}"
)
"""A row that opens with a day or an hour."""
_ROLES: Final = voc.SHORT_ROLES - {"psy", "ergo", "diet"} | voc.words("ap secr asd interne")
_LEADS: Final = frozenset("|+/,;:(-.") | voc.words("par avec et de a")
_ACTING: Final = frozenset(("par", "avec"))
_ENDS: Final = re.compile(
    r"(?= ?(?:[|+/,;:.)(\n-]|\Z| \d| (?:et|ok|vu|pr|pour|de|du|ce|hier|le|lors)\b))"
)
_LONG: Final = 7
_MOST: Final = 10
_MEASURES: Final = UNITS | HEADS
"""What must stand twice to be somebody's: "(BT)"."""
_USUAL: Final = 4
_SMALL: Final = 3
_ROMAN: Final = re.compile(r"[IVX]+\Z")
_REACH: Final = 60
_BEARING: Final = 48
NOBODY: Final = (
    voc.SHORT_ROLES
    | voc.DEGREES
    | frozenset(map(fold, voc.TEXTS["place_cantons"].split()))
    | voc.words(
        "ok oui non ras nc na nr vu fait idem dr pr mme mr med chir xx xxx mat soir cf nb ex"
        " rh drh dg daf ce cse dp ase pmi caf mas esat cdd cdi us usa ue onu pdf tv id idr sn mt"
    )
)
"""Letters that stand where initials do and are nobody's, whatever leads to them."""
NO_INITIALS: Final = NOBODY | voc.ABBREVIATIONS | voc.SHORTHAND


def signed_notes(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The initials of those who signed; `spans` are not looked at."""
    yield from _nicknames(doc)
    yield from _pet_names(doc.text)
    yield from _called(doc)
    text = doc.text
    found = [*_BRACKETED.finditer(text)]
    often = Counter(sign[1] for sign in found)
    signs = [
        sign
        for sign in found
        if (_is_placed(sign) or (often[sign[1]] > 1 and _ENDS_SENTENCE.match(text, sign.end())))
        and _are_initials(sign)
    ]
    cells = [cell for cell in _CELL.finditer(text) if _is_of_row(cell) and _are_initials(cell)]
    if not signs and not cells:
        return
    alone, elsewhere = Counter[str](), set[str]()
    for letters in _LETTERS.finditer(text):
        before = text[max(0, letters.start() - 2) : letters.start()].strip()
        after = text[letters.end() : letters.end() + 2].strip()
        alone[letters[0]] += 1
        if not (before.endswith(("(", "[", "|")) and after.startswith((")", "]", "|"))):
            elsewhere.add(letters[0])
    signs = [sign for sign in signs if sign[1] not in elsewhere]
    for sign in (*signs, *cells):
        if fold(sign[1]) not in _MEASURES or alone[sign[1]] > 1:
            yield Span(*sign.span(1), Label.LAST_NAME, 0.8, "patterns/people.signed", Role.STAFF)


def _is_of_row(cell: re.Match[str]) -> bool:
    begins = cell.string.rfind("\n", 0, cell.start()) + 1
    return _ROW.match(cell.string, begins, cell.start() + 1) is not None


def _is_placed(sign: re.Match[str]) -> bool:
    """Whether brackets close or open a line or cell, or stand behind somebody's name."""
    text, start, end = sign.string, sign.start(), sign.end()
    if text[start] == "[" and _ACTED.search(text[max(0, start - _BEARING) : start]):
        return True
    if _CLOSES.match(text, end):
        return bool(text[max(0, start - 2) : start].strip())
    before = text[max(0, start - _BEARING) : start]
    goes_on = _GOES_ON.match(text, end) is not None
    return goes_on and bool(_OPENS.search(before) or _BEARER.search(before))


def _nicknames(doc: Document) -> Iterator[Span]:
    """Pet names in small letters before a short name of a profession: "vu par fab ide"."""
    tokens, text = doc.tokens, doc.text
    for at in compress(range(len(tokens)), map(_ROLES.__contains__, tokens.folded)):
        if not at or not tokens.texts[at].islower():
            continue
        name, start, end = tokens.folded[at - 1], tokens.starts[at - 1], tokens.ends[at - 1]
        if text[end : tokens.starts[at]] != " " or not tokens.texts[at - 1].islower():
            continue
        before = tokens.folded[at - 2] if at > 1 else "."
        led = before in _LEADS or "\n" in text[tokens.ends[at - 2] : start]
        named = led and _ENDS.match(text, tokens.ends[at])
        if named and _is_named(name, told=before in _ACTING):
            yield Span(start, end, Label.FIRST_NAME, 0.85, "patterns/people.nickname", Role.STAFF)


def _pet_names(text: str) -> Iterator[Span]:
    """Pet names alone in brackets or in a cell, and behind who works."""
    if "(" in text or "[" in text or "|" in text:
        for found in _PET.finditer(text):
            group = 1 if found[1] else 2
            if is_pet_name(fold(found[group])) and not _is_usual(found[group]):
                yield _pet(*found.span(group))


def _called(doc: Document) -> Iterator[Span]:
    """Pet names behind who works or who belongs to somebody."""
    tokens, text = doc.tokens, doc.text
    for at in compress(range(len(tokens)), map(_WHO.__contains__, tokens.folded)):
        marked = tokens.texts[at + 1 : at + 2] in ((":",), ("=",))
        name = at + 1 + marked
        if name >= len(tokens) or not _SMALL <= len(tokens.folded[name]) <= _MOST:
            continue
        word, start, end = tokens.folded[name], tokens.starts[name], tokens.ends[name]
        if not is_pet_name(word, told=marked) or (_is_usual(word) and not marked):
            continue
        if len(text[tokens.ends[at] : start].strip(":= ")) == 0 and _GOES_BY.match(text, end):
            yield _pet(start, end)


def _is_usual(word: str) -> bool:
    """Whether a word in brackets or cells is rather a word: "(coco)" is not, "(max)" is."""
    known = EVIDENCE[fold(word)]
    return known.word and known.frequency > _USUAL and not known.first_name


def _pet(start: int, end: int) -> Span:
    return Span(start, end, Label.FIRST_NAME, 0.85, "patterns/people.nickname", Role.STAFF)


def _is_named(name: str, *, told: bool) -> bool:
    """Whether it is a pet or given name, or in no list where "par" or "avec" leads to it."""
    known = EVIDENCE[name]
    if name in PETS:
        return True
    given = known.first_name and not (known.word or known.medical or known.drug or known.shorthand)
    return given or (told and bool(voc.UNLISTED[name]) and len(name) <= _LONG)


def _are_initials(sign: re.Match[str]) -> bool:
    """Whether neither a list nor the words before them say what the letters mean."""
    word = fold(sign[1])
    known = EVIDENCE[word]
    usual = known.word and (sign[1].islower() or known.frequency > _USUAL)
    if word in NO_INITIALS or known.shorthand or usual or _ROMAN.match(sign[1]):
        return False
    if gazetteers.medical().get(word):
        return False
    text = sign.string[max(0, sign.start() - _REACH) : sign.start()]
    return not begin(re.findall(r"[^\W\d_]+", text.rpartition("\n")[2]), word)
