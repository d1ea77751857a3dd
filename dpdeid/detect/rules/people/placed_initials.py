"""Initials without dots where staff sign, dictate or are named: "Discuté avec KB", "Op : JPD/KB",
"Réf. : MLB-cg", "(CD/sv)", "[GRV]", and at the end of a line of the ward: "pst refait - KD".

What stands around letters tells that a person is meant; what medicine abbreviates is nobody there,
but behind what only people do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.rules.people.signed_notes import NO_INITIALS, NOBODY
from dpdeid.document import Document, Span
from dpdeid.french.letters.abbreviations import LISTED, STATES, did, leads_to, signs_as
from dpdeid.french.measures import UNITS
from dpdeid.labels import Label, Role
from dpdeid.normalize import fold

_LOUD: Final = re.compile(
    r"(?:(?<=[ (/:+&\[>;,])|(?<=\.:)|(?<=\n))"
    r"(?:[A-Z]{2,4}|[A-Z]{1,2}-[A-Z]{1,3}|[A-Z]d[euA-Z][A-Z]?|[A-Z][a-z][A-Z]|[A-Z]{2}[a-z])"
    r"(?![\w@'’]|\+(?![A-Z])|[.-][^\W_]|/[A-Z]{4})"
)
_SOFT: Final = re.compile(
    r"(?i:\b(?:par|avec|dict[ée]e?|tap[ée]e?|frapp[ée]e?|saisie?|relue?|transcri\w{2,6}|paraphe|init|visa"
    r"|initiales|dactylo|typiste|secr[ée]ta\w{3,5}|secr|sec|signature|r[ée]dacteur|tech|biol?|manip|op|ide|as"
    r"|sf)\b"
    r"\.?(?: le [0-3]?\d[/.][01]?\d(?:[/.]\d{2,4})?)? ?[:(\[]? ?)([a-z]{2,3}|[a-z][A-Z])"
    r"(?=\.?[ \t]{0,3}(?:\n|\Z|[.,;)\]/|]|[-–+&] |  |(?:le|ce|et|à"
    r"|pour) | \d\d?[:hH]\d))"
)
"""Small letters behind what leads to who typed or did it."""
_WROTE: Final = re.compile(r"(?i)\b(?:dict|tap|frapp|sais|relu|valid|vu)\w{0,4} par \Z")
_PAIR: Final = re.compile(
    r"(?<![\w./'-])([A-Z]{2,4}|[A-Z][a-z]{1,2}[A-Z]?|[A-Z](?:[.-]{1,2}[A-Z]){1,3}\.?)"
    r"( ?[/:.;_-] ?| )([a-z]{2,3}"
    r"|[A-Z]{2,4})"
    r"(?=(?:[/ ]\d{2,4})?[.,;]?[ \t]{0,3}(?:\n|\Z|[)\]|]|  |\t))"
)
"""Who dictated and who typed."""
_REFERENCE: Final = re.compile(
    r"(?i)(?<![^\W_])(?:r[ée]f(?:[ée]rences?)?|lecture|lecteurs?|op[ée]rateurs?|staff"
    r"|r[ée]dac(?:tion|teur)?|init(?:iales)?|dict[ée]e?"
    r"|dict[ée]/tap[ée]|auteurs?|frappe)\b\.?[ \t]{0,3}[:=]?[ \t]{0,3}\Z"
)
_TIGHT: Final = re.compile(r"[/:._-]\Z")
_SIGNED: Final = re.compile(
    r"(?m)^[ \t*•-]{0,4}(?:[0-3]?\d[/.-][01]?\d(?:[/.-]\d{2,4})?[ ,à:-]{0,4})?"
    r"(?:[0-2]?\d ?[hH:](?:[0-5]\d)?(?!\d))?(?<=[\dhH]).{2,400}?"
    r"(?:[–—/|] ?|[ ]- ?|// ?|[(\[] ?|[.,;!?] |[ ]{2})([A-Z]{2,3}|[a-z]{2,3})(?=[)\]]?[. \t]{0,3}$)"
)
"""The end of a line that a day or an hour opens."""
_QUIET: Final = re.compile(r"(?:[–—/|(\[] ?|[ ]- ?)\Z")
"""What stands before initials in small letters there."""
_SQUARE: Final = re.compile(r"\[([A-Z]{2,3}|[a-z]{2,3})\]")
_DASHED: Final = re.compile(
    r"(?:(?<=\n)|\A)[ \t]{0,40}(?:--|–|—|//?|-|p[./]?o\.?|[Cc]ordialement,?"
    r"|[Aa]micalement,?|[Mm]erci[,.]?)[ \t]?([a-z]{2,3}|[A-Z]{2,3})[. \t]{0,3}(?=\n|\Z)"
)
_CALLED: Final = re.compile(
    r"(?:\b(?:D[rR]|P[rR]|Docteur|Professeur|DR) (?:[A-ZÀ-Þ][\w'.-]{0,20} ?){1,3}"
    r"|\b(?:à|par|avec|et|secr[ée]tariat|accueil) )\Z"
)
_BRACKETED: Final = re.compile(r"[(/-] ?([a-z]{2,3}|[A-Z]{2,3})(?=\)?[.,;]?[ \t]{0,3}(?:\n|\Z|  ))")
"""Who a doctor or their secretary is, in brackets behind the name: "Dr Orane Kerlubac (OK)"."""
_ONCE: Final = re.compile(
    r"(?:[0-3]?\d[/.-][01]?\d(?:[/.-]\d{2,4})?|[0-2]?\d[hH:][0-5]\d) ?(?:[–—-] ?|\(|\[|: ?)?"
    r"([A-Z]{2,3})(?:[)\]]? ?[:–—-] |[)\]] )(?=[^\W\d_])"
)
"""Who writes at a day or an hour: "12/03 JPD : stable", "08h12 - JPD - stable"."""
_NEAR: Final = 64
_AND: Final = re.compile(r" et | - | ?[,/;+&] ?")
"""What stands between the initials of several."""
_GAP: Final = 4
_NOBODY: Final = NOBODY | voc.words("sic cf nb pj cc bcc tel fax ref obj svp gsm ip dim nuit jour")
_ROWED: Final = re.compile(
    r"(?m)^[ \t]{0,9}([A-Z]{2,4})/([A-Z]{2,4})/([a-z]{2,3})(?=(?:/\d{2,4})?[ \t]{0,3}$)"
)
"""Who dictated, who answers for it, and who typed, alone on a line."""
_ALONE: Final = re.compile(r"\n[ \t]{0,80}([A-Z]{2,3})\.?(?: [0-2]?\d[hH:](?:[0-5]\d)?)?\s*\Z")
"""Who signs, alone on the last line."""
_MEANT: Final = LISTED - STATES
_USUAL: Final = 3
_LONG: Final = 3
"""Letters from which an abbreviation is rather one than somebody's initials."""


def placed_initials(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """The initials of staff by what stands around them; `spans` are not looked at."""
    text = doc.text
    places = {*_named(text), *_pairs(text), *_closing(text)}
    return [
        Span(start, end, Label.FIRST_NAME, 0.85, "patterns/people.placed", Role.STAFF)
        for start, end in sorted(places)
    ]


def _line(text: str, start: int) -> str:
    return text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]


def _named(text: str) -> Iterator[tuple[int, int]]:
    """Behind a title, a role, or what somebody did: "Transmis à LJ", "Opérateurs : JPD - KB"."""
    last, led = -_NEAR, False
    for found in _LOUD.finditer(text):
        start, end = found.span()
        if not is_free(found[0], told=True):
            continue
        if start - last <= _GAP and _AND.fullmatch(text, last, start):
            led = led and fold(found[0]) not in LISTED
        else:
            led = leads_to(text, start, end)
        last = end
        if led or signs_as(text, start, end):
            yield start, end
    for found in _SOFT.finditer(text):
        start, end = found.span(1)
        by = text.endswith(("par ", "avec "), 0, start)
        typed = fold(found[1]) in UNITS and _WROTE.search(text, max(0, start - _NEAR), start)
        if (typed or is_free(found[1], told=True)) and (not by or did(text, start)):
            yield start, end


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Who dictated and typed: behind "Réf.", alone on a line or in brackets."""
    for found in _PAIR.finditer(text):
        before = _line(text, found.start())
        referred = _REFERENCE.search(before) is not None
        shaped = found[3].islower() and _TIGHT.search(found[2].strip())
        alone = not before.strip(" \t") or before.endswith(("(", "["))
        if not referred and not (shaped and alone):
            continue
        words = [fold(found[1]).replace(".", ""), fold(found[3])]
        if referred or not any(w in UNITS or (w in _MEANT and len(w) >= _LONG) for w in words):
            yield found.span(1)
            yield found.span(3)


def _closing(text: str) -> Iterator[tuple[int, int]]:
    """At the end of a line, in square brackets, behind dashes, or where a line says who writes."""
    signed = [sign for sign in _SIGNED.finditer(text) if is_free(sign[1])]
    often = len(signed) > 1
    for sign in signed:
        quiet = _QUIET.search(text, sign.start(), sign.start(1)) is not None
        listed = fold(sign[1]) in LISTED
        if (quiet and (sign[1].islower() or not listed or often)) or (
            not quiet and sign[1].isupper() and not listed
        ):
            yield sign.span(1)
    for form in (_SQUARE, _DASHED, _ONCE):
        for sign in form.finditer(text):
            told = "--" in sign[0]
            if is_free(sign[1], told=told) and (told or fold(sign[1]) not in LISTED):
                yield sign.span(1)
    for signs in _ROWED.finditer(text):
        yield from map(signs.span, (1, 2, 3))
    if (alone := _ALONE.search(text, max(0, len(text) - _NEAR))) and is_free(alone[1]):
        yield alone.span(1)
    for sign in _BRACKETED.finditer(text):
        if is_free(sign[1].upper(), told=True) and _CALLED.search(_line(text, sign.start())):
            yield sign.span(1)


def is_free(letters: str, *, told: bool = False) -> bool:
    """Whether neither the dictionary nor a ward's shorthand knows the letters; where who acts is
    `told`, only what nobody's initials are.
    """
    word = fold(letters)
    known = EVIDENCE[word]
    if word in _NOBODY or voc.TRAITS[word] & (voc.STOP | voc.TITLE | voc.PARTICLE):
        return False
    if letters.islower() and (word in UNITS or (known.word and _is_usual(word))):
        return False
    if told:
        listed = word in LISTED or word in NO_INITIALS
        return len(word) < _LONG or not listed or (word in STATES and word not in NOBODY)
    if word in NO_INITIALS or word in UNITS:
        return False
    meant = word in LISTED or known.word or bool(gazetteers.medical().get(word))
    return len(word) < _LONG or not meant


def _is_usual(word: str) -> bool:
    return len(word) >= _LONG or EVIDENCE[word].frequency > _USUAL
