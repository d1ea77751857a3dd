"""The value of an address field, whatever it says: "Adresse : derrière la mosquée, case bleue".

A street is mostly found by its noun; what has none ("Les Grouettes", "17, op der Tomm") is an
address only because a field or a verb says so. The pieces between commas are read one by one:
towns, codes and places of care are left to their own rules, and a sentence ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.patterns.phrase import one_of
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.spans import Overlaps

_FIELD: Final = re.compile(
    r"(?i:\b(?:(?:adresse|adr)\.?(?: (?:actuelle|postale|du patient|patient|domicile|exacte))?"
    r"|(?P<home>domicile)|r[ée]sidence actuelle) {0,12}: {0,12})"
    r"|(?P<verb>(?i:\b(?:domicili[ée]e?s?|demeurant|r[ée]sidant|habitant)"
    r"(?: (?:actuellement|maintenant))?(?:,| au| [àa] l'adresse)?) "
    r"(?=\d|(?!(?:[AÀ]|AUX?|EN|DANS|CHEZ|AVEC|SEULE?)\b)[A-ZÀ-Þ]))"
)
_VALUE: Final = re.compile(r"[^\n;|<>@]{2,90}")
_NAMED: Final = re.compile(r"\d|[A-ZÀ-Þ][\w'.-]{0,24} (?:[a-z]{2,3} ){0,2}(?:\d|[A-ZÀ-Þ])")
_NEXT_FIELDS: Final = """
tél, téléphone, mob, gsm, port, né, née, nés, nées, nir, ipp, mail, email, code, digicode, repère,
depuis, chez, avec, qui, est, vit, seul, seule, marié, mariée, profession, portail, mme, mr, sexe,
école
"""
_ENDS: Final = re.compile(
    r" {2,}|\t|(?<=[a-zé)])\. |\.$| ?[([]| – | - | [àa] (?=[A-ZÀ-Þ]|\d{4,5}\b)|,? ?(?:F-|B-|L-"
    r"|CH-)?\b\d{4,5}\b"
    rf"|\b{one_of(_NEXT_FIELDS)}\b"
)
_LETTERS: Final = (
    "dresse", "DRESSE", "dr :", "DR :", "dr:", "DR:", "omicil", "OMICIL", "emeurant", "EMEURANT",
    "habitant ",
)  # fmt: skip
_BACK: Final = 12
_AHEAD: Final = 60
_EMPTY: Final = re.compile(
    r"(?:inconnue?|idem|sans|non|voir|cf|nc|neant|a preciser|hors|visite|fiche|retour|sdf|ccas|oui"
    r"|le |la |l'|ehpad|foyer|home|hopital|clinique|chu?\b|maison|c/o|age|stable|urgence|bloc"
    r"|autonom|aide|essay|hospital|date|heure|nom|prenom|avis|par |\W|lieu|ok|libre|scolaire)"
)
_CODE: Final = re.compile(r"\A(?:[A-Z]-|CH-)?\d{4,5}[ -]+")
"""A postal code before a town: "1015-Lausanne"."""
_LEAST: Final = 4
_INSIDE: Final = frozenset(
    (Label.STREET, Label.ROOM, Label.TIME, Label.LAST_NAME, Label.FIRST_NAME, Label.DATE)
)
"""What other rules may see in the name of a street."""


def grow(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The pieces of addresses that no other rule has found."""
    text, overlaps = doc.text, Overlaps(spans)
    for field in _fields(text):
        value = _VALUE.match(text, field.end())
        if value is None:
            continue
        if field["home"] and not _NAMED.match(value[0]):
            continue  # "Domicile : seule en maison"
        end = _ENDS.search(text, value.start() + 1, value.end())
        stop = end.start() if end else value.end()
        yield from _pieces(doc, overlaps, value.start(), stop, prose=bool(field["verb"]))


def _fields(text: str) -> Iterator[re.Match[str]]:
    """The fields and verbs, found by their letters: a search at every place costs more."""
    for letters in _LETTERS:
        at = text.find(letters)
        while at >= 0:
            field = _FIELD.search(text, max(0, at - _BACK), at + _AHEAD)
            if field is not None and field.start() <= at:
                yield field
            at = text.find(letters, at + len(letters))


def _pieces(doc: Document, spans: Overlaps, start: int, end: int, *, prose: bool) -> Iterator[Span]:
    """The address between two offsets, without the towns in it; prose may go on behind it."""
    first = last = -1
    for piece in re.finditer(r"[^,]+", doc.text[start:end]):
        inside = piece[0].strip()
        at = start + piece.start() + piece[0].index(inside) if inside else start
        known = {span.label for span in spans.over(at, at + len(inside))}
        name = _CODE.sub("", inside)
        town = not name[:1].isdigit() and bool(gazetteers.places_named(fold(name)))
        other = known - _INSIDE
        goes_on = inside[:1].islower() and not doc.text[first:last].isdigit()
        if prose and first >= 0 and goes_on and Label.STREET not in known:
            break
        if first < 0 and (_EMPTY.match(fold(inside)) or "?" in inside):
            return
        if not inside or town or other:
            if first >= 0:
                break
            if other - {Label.CITY}:
                return
            continue
        first = at if first < 0 else first
        last = at + len(inside)
    if last - first >= _LEAST and any(map(str.isalpha, doc.text[first:last])):
        yield Span(first, last, Label.STREET, 0.75, "patterns/places.field")
