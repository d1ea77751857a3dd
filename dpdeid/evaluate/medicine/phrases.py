"""The kind of a word in its line: a value, a dose, a code, a duration, a name behind its trigger.

Each form stands with the kind that it tells, the deciding ones first; the group `it` is the part
that is meant, the whole match otherwise. A word whose cue stands on another line (a table, a scan)
is told by itself alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

from dpdeid.evaluate.medicine.cues import either, words
from dpdeid.evaluate.medicine.kinds import Kind, kind_by_itself

_AROUND: Final = 160
"""Characters of a line that are read before and after a word."""
_SPOKEN: Final = rf"(?:{'|'.join(sorted(words('numbers in words')))})(?![^\W_])"
_NUMBER: Final = (
    rf"(?:\d+(?:[.,/:-]\d+)*|(?<![^\W_]){_SPOKEN}(?:(?:-|\s)(?:(?:et|virgule)\s)?{_SPOKEN})*)"
)
"""In digits, or dictated: "zéro virgule quatre-vingt-douze"."""
_SIGNS: Final = frozenset("%‰°+<>≤≥±")
_GAP: Final = r"[^\w\n]{0,12}"
_START: Final = r"(?<![^\W_])"
_END: Final = r"(?![^\W_])"
_CAPITALISED: Final = (
    r"(?P<it>(?:[IVX]+\s)?[A-ZÀ-ÖØ-Þ][\w'’-]+(?:[\s-](?:et\s|&\s)?[A-ZÀ-ÖØ-Þ][\w'’-]+){0,3})"
)
_LED_TO: Final = re.compile(
    rf"\s(?:(?:de la|de l['’]|du|des|de|d['’]|type|marque)\s?)?{_CAPITALISED}"
)
_BRANDED: Final = re.compile(rf"\s{_CAPITALISED}")


def kind_of(text: str, start: int, end: int) -> Kind:
    """The kind of a word, or of a mark that stands alone: a sign in a phrase ("50 %", "< 5 mg/l")
    is of its kind, any other is format.

    Args:
        start, end: the word in the text, code points, half-open.
    """
    is_mark = not any(map(str.isalnum, text[start:end]))
    if is_mark and text[start:end] not in _SIGNS:
        return Kind.FORMAT
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    stop = text.find("\n", end)
    last = min(len(text) if stop < 0 else stop, end + _AROUND)
    for kind, its_start, its_end in phrases(text[first:last]):
        if first + its_start < end and start < first + its_end:
            return kind
    if is_mark:
        return Kind.FORMAT
    return kind_by_itself(text[start:end], text[first:start], text[end:last])


def phrases(line: str) -> Iterator[tuple[Kind, int, int]]:
    """Kind, start and end of every phrase of a line, the deciding kinds first."""
    plain = _plain(line)
    for kind, by_case, form in _forms():
        for match in form.finditer(line if by_case else plain):
            yield kind, *match.span("it" if "it" in form.groupindex else 0)
    if not line.isupper():
        for form, tail in ((_leads(), _LED_TO), (_brands(), _BRANDED)):
            for lead in form.finditer(plain):
                if name := tail.match(line, lead.end()):
                    yield Kind.NAMED, *name.span("it")


def _plain(line: str) -> str:
    """A line without case and accents, of the same length."""
    return "".join(unicodedata.normalize("NFD", c)[0].lower()[:1] for c in line)


@cache
def _leads() -> re.Pattern[str]:
    return re.compile(rf"{_START}(?:{either('leads of a name')}){_END}")


@cache
def _brands() -> re.Pattern[str]:
    return re.compile(rf"{_START}(?:{either('names of devices and scores')}){_END}")


@cache
def _forms() -> tuple[tuple[Kind, bool, re.Pattern[str]], ...]:
    """Kind, whether case counts, and form."""
    every = (*_codes(), *_posologies(), *_values(), *_durations(), *_doses(), *_others())
    return tuple((kind, by_case, re.compile(form)) for kind, by_case, form in every)


Rows = Iterator[tuple[Kind, bool, str]]


def _codes() -> Rows:
    written = r"[A-Z]{4}\d{3}|[A-Z]\d\d[A-Z]{2}\d\d|[A-Z]\d\d\.\d{1,3}"
    spread = r"(?:[ ,]?[cp]?N[0-3xX]\w?)?(?:[ ,]?[cp]?M[01xX])?"
    yield Kind.CODE, True, rf"\b(?:{written})\b"
    yield Kind.CODE, True, rf"\b[cpyra]{{1,3}}T(?:[0-4xX]|is)\w{{0,3}}{spread}(?!\w)"
    yield Kind.CODE, True, rf"\bT(?:[0-4xX]|is)[a-d]?(?=[ ,]?[cp]?N[0-3xX]){spread}(?!\w)"
    yield Kind.CODE, True, r"\bG\d{1,2}[ ,]?P\d{1,2}(?:[ ,]?[AEMIF]\w{1,3}){0,3}\b"
    yield Kind.CODE, True, r"\bN[CGMP]_\d{4,}(?:\.\d+)?|(?<!\w)[cgmnp]\.\(?(?=\w*[\d>])[\w*>+-]+\)?"
    lead = rf"{_START}(?:{either('leads of a code')}){_END}\W{{0,4}}"
    yield Kind.CODE, False, rf"{lead}(?P<it>[a-z]\d\d\.?\d{{0,3}}){_END}"
    told = r"(?:\s(?:de|a|est|score|total|initial|revu|cote|evalue|estime|passe)){0,2}"
    score = rf"{_START}(?:{either('scores')}){told}[\s:=(-]{{0,4}}"
    graded = rf"(?:{_NUMBER}|(?:[ivx]{{1,4}}|[a-d])(?![\w'’]))(?:\s?[a-d])?"
    yield Kind.CODE, False, rf"{score}{graded}{_END}(?:\s?(?:/|sur)\s?\d+)?"
    yield Kind.CODE, False, r"\d(?:er|e|eme|nd)\s(?:degre|stade|grade)"
    most = "20|24|28|30|42|56|60|63|100"
    yield Kind.CODE, False, rf"[a-z]{{2,}}\s(?:a\s|de\s|:\s)?\d{{1,3}}\s?/\s?(?:{most})(?![\d/.])"


def _posologies() -> Rows:
    often = r"(?:j|jr|jours?|sem|semaine|24\s?h)"
    amount = rf"(?:{_NUMBER}\s?(?:{either('units of a dose')})?\s?)?"
    yield Kind.DOSE, False, r"(?<![\d/.-])[0-4](?:[.,]5)?(?:\s?-\s?[0-4](?:[.,]5)?){2,3}(?![\d/-])"
    yield Kind.DOSE, False, rf"{_START}{amount}(?:x|fois)\s?\d*\s?(?:/|par)\s?{often}{_END}"
    yield Kind.DOSE, False, rf"{_START}(?:[x×]\s?\d{{1,2}}|\d{{1,2}}\s?[x×]){_END}"
    yield Kind.DOSE, False, rf"(?<![\w/])\d{{1,2}}\s?/\s?{often}{_END}"


def _values() -> Rows:
    level = either("units of a value")
    unit = rf"(?:{level}|{either('units of a dose')}){_END}"
    link = rf"(?:(?:{either('links of a value')}){_END}{_GAP}){{0,3}}"
    more = rf"(?:\s?(?:puis|et|a|contre|->|→|[-/,;])\s?{_NUMBER}(?:\s?{unit})?){{0,4}}"
    analyte = rf"{_START}(?:{either('analytes')}){_END}"
    limits = rf"(?:n\s?[:=]?\s?)?[<>≤≥]?\s?{_NUMBER}(?:\s?(?:-|–|a)\s?{_NUMBER})?\s?(?:{unit})?"
    yield Kind.VALUE, False, rf"{analyte}{_GAP}{link}{_NUMBER}(?:\s?{unit})?{more}"
    span = rf"(?:[|;\t]\s?{_NUMBER}(?:\s?-\s?{_NUMBER})?)?"
    yield Kind.VALUE, False, rf"{_NUMBER}[\s|;]{{0,2}}(?:{level}){_END}{span}"
    yield Kind.VALUE, False, rf"{_NUMBER}(?:\s?{unit})?\s?[\[(]\s?{limits}\s?[\])]"
    yield Kind.VALUE, False, r"(?<![\d/.])(?:[89]\d|1\d\d|2[0-4]\d)/(?:[4-9]\d|1[0-3]\d)(?![\d/])"


def _durations() -> Rows:
    since = "depuis|pendant|durant|dans|sous|apres|toutes|tous|il y a|duree de"
    amount = rf"(?:\d+(?:[.,-]\d+)?(?:e|eme|er)?|{_SPOKEN}|quelques)"
    how_long = rf"{amount}(?:\s?(?:a|ou|-|/)\s?{amount})?\s?(?:{either('units of time')})"
    lead = rf"(?:\b(?:{since})\s(?:les\s|plus de\s|environ\s)?)?"
    yield Kind.DURATION, False, rf"{lead}{_START}{how_long}(?:\s?\d{{1,2}})?{_END}"
    yield Kind.DURATION, False, rf"{_START}j\s?[+-]?\s?\d{{1,3}}{_END}"


def _doses() -> Rows:
    dose = either("units of a dose")
    each = rf"(?:\s?/\s?(?:kg|j|jour|h|24\s?h|prise|m2){_END})?"
    yield Kind.DOSE, False, rf"{_NUMBER}[ \u00a0]?(?:{dose}){_END}{each}"
    yield Kind.DOSE, False, rf"{_START}\d+(?:[.,]\d+)?\s?x\s?\d+(?:[.,]\d+)?{_END}"


def _others() -> Rows:
    yield Kind.TERM, True, r"(?<![.\w])(?:[GD](?![.\w'’])|K(?=\s[a-z]{3}))"  # side, cancer
    yield Kind.ACRONYM, True, r"(?<![.\w])(?:[A-Z]\.){3,}"
    allergic = r"\ballergi\w+\s(?:connue\s|severe\s)?(?:a|aux?|:)\s?(?:la\s|l['’])?"
    yield Kind.DRUG, False, rf"{allergic}(?P<it>[a-z-]{{4,}})"
