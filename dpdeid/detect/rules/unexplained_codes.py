"""Whose number it is, where its own words do not say: "n°", "réf.", "dossier" or nothing.

The nearest word before it on its line decides, then the words after it; codes of one form in one
note are of one kind, so that those with a cue tell for those without.

Numbers that stand for one person, stay, order, caregiver or thing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import Final

from dpdeid.detect.rules.codes import DATE
from dpdeid.detect.rules.fragments import folded
from dpdeid.document import Document, Span
from dpdeid.labels import Label

_CUES: Final = {
    "VISIT_CUES": Label.VISIT_ID,
    "OFFICES, OTHER_CUES": Label.OTHER_ID,
    "EXAMS, ORDER_CUES": Label.ORDER_ID,
    "PROVIDER_CUES": Label.PROVIDER_ID,
}
"""Lists of words that say whose a number is; of two for one word the last counts."""
_FILES: Final = frozenset(("patterns/id.patient.number", "patterns/id.dossier.far"))
_OPEN: Final = frozenset(
    ("patterns/id.numbered", "patterns/id.reference", "patterns/id.unexplained")
)
_PATIENTS: Final = frozenset(("ipp", "nip", "niss"))
_BACK: Final = 12
_AHEAD: Final = 10
_DIGIT: Final = re.compile(r"\d")
_OWN: Final = re.compile(r"[A-Z]{3,8}(?=[ \-/_.])")
"""What a code begins with and may say what it counts: "IRM-24-118", "CRO 2018/3377"."""


@cache
def _cues() -> dict[str, Label]:
    return {word: label for names, label in _CUES.items() for word in folded(names)}


def relabelled(doc: Document, spans: Sequence[Span]) -> Iterator[Span]:
    """The doubtful identifiers among `spans` for which a cue is found, with its label."""
    known: dict[str, Counter[Label]] = {}
    left: list[tuple[str, Span]] = []
    for span in spans:
        if span.source in _FILES:
            label = _of_file(doc, span)
        elif span.source in _OPEN:
            label = _cue(doc, span)
            shape = _DIGIT.sub("0", doc.text[span.start : span.end])
            if label is None:
                left.append((shape, span))
            else:
                known.setdefault(shape, Counter())[label] += 1
        else:
            continue
        if label is not None and label is not span.label:
            yield _as(span, label)
    for shape, span in left:
        if shape in known:
            label = known[shape].most_common(1)[0][0]
            if label is not span.label:
                yield _as(span, label)


def _as(span: Span, label: Label) -> Span:
    return replace(span, label=label, score=span.score + 0.02, source="patterns/id.cue")


def _line(doc: Document, span: Span) -> tuple[Iterable[str], Iterable[str]]:
    """The folded tokens before the span on its line, nearest first, and those after it."""
    tokens, text = doc.tokens, doc.text
    at = bisect_left(tokens.starts, span.start)
    start = text.rfind("\n", 0, span.start) + 1
    low = max(bisect_left(tokens.starts, start), at - _BACK)
    stop = bisect_left(tokens.starts, span.end)
    line_end = text.find("\n", span.end)
    high = stop + _AHEAD
    if line_end >= 0:
        high = min(high, bisect_left(tokens.starts, line_end))
    return reversed(tokens.folded[low:at]), tokens.folded[stop:high]


def _cue(doc: Document, span: Span) -> Label | None:
    own = _OWN.match(doc.text, span.start, span.end)
    if own and (label := _cues().get(own[0].lower())) is not None:
        return label
    before, behind = _line(doc, span)
    for word in before:
        if (label := _cues().get(word)) is not None:
            return label
    return next((Label.ORDER_ID for word in behind if word in folded("EXAMS, ORDER_CUES")), None)


def _of_file(doc: Document, span: Span) -> Label | None:
    """What a number after "dossier" is: the patient's, unless a cue or an IPP stands before it."""
    before, _ = _line(doc, span)
    for word in before:
        if (label := _cues().get(word)) is not None:
            return label
        if word in _PATIENTS:
            return Label.VISIT_ID
        if word in ("patient", "patiente", "identifiant"):
            return None
    return None


_LEAST, _MOST = 3, 24
"""Digits in a row of a code."""
_AROUND: Final = re.compile(r"[A-Z\d./\-]{0,32}")
_PATHOLOGY: Final = re.compile(r"\d\d[A-Z]{1,2}\d{4,6}(?:-\d{1,2})?|\d\d-\d{5,6}")
_CODED: Final = re.compile(
    r"\d{8,20}|\d\d-\d{5,6}|[A-Z]{1,4}-\d\d-\d{2,6}|\d{2,6}(?:-\d{3,6}){2,3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[1-9]-[A-Z]{3}-\d{3}"
    r"|(?![RLDA]\.?\d{3,4}-\d)(?=[A-Z\d\-/.]{0,16}\d{4})(?=[\d\-/.]{0,12}[A-Z])"
    r"[A-Z\d]{1,16}(?:[\-/.][A-Z\d]{1,16}){0,5}"
    r"|(?=(?:[A-Z]{0,8}\d){5})(?=(?:\d{0,8}[A-Z]){2})[A-Z\d]{8,16}"
)
_ELSE: Final = re.compile(
    r"\d+(?:UI|U|MG|ML|G|H|M|KG|MCG|MUI)|[A-Z]+-?(?:19|20)\d\d|[A-Z]{1,3}-\d{4,5}"
    r"|[A-Z]\d{4}[A-Z]?|NCT\d{8}|HL7\d{4}"
)
"""A dose, a name with a year, a postal code with its country, a diagnosis or mutation, a trial, a
table of HL7."""


_BIRTH: Final = Label.BIRTH_DATE
_BESIDE_BIRTH: Final = re.compile(
    r"[ \t|;*–/-]{1,24}(?:[MFH][ \t|;*–-]{1,12})?([A-Z]?\d{6,10})(?![^\W_]|[.,/ ]\d)"
)
"""The number in the column behind a birth date, which in a list is the patient's."""


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The code that holds a run of digits: capitals, digits and marks, no mark at its ends."""
    before = text[max(0, start - 32) : start]
    kept = _AROUND.match(before[::-1])
    start -= len(kept[0].rstrip("./-")) if kept else 0
    after = _AROUND.match(text, end)
    end += len(after[0].rstrip("./-")) if after else 0
    return start, end


def unexplained_codes(doc: Document, spans: Sequence[Span]) -> Iterable[Span]:
    """Long numbers and codes that no row explains, with a low score; doubtful ones by their cue."""
    text, last = doc.text, 0
    found: list[Span] = []
    explained = bytearray(len(text))
    for span in spans:
        explained[span.start : span.end] = b"\x01" * (span.end - span.start)
    tokens = doc.tokens
    for index in compress(range(len(tokens)), map(str.isdecimal, tokens.texts)):
        start, end = tokens.starts[index], tokens.ends[index]
        if not _LEAST <= end - start <= _MOST or start < last or explained[start]:
            continue
        start, end = _word_around(text, start, end)
        last = end
        if end - start < 5 or text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
            continue
        code = text[start:end]
        if not _CODED.fullmatch(code) or DATE.fullmatch(code) or _ELSE.fullmatch(code):
            continue
        if text[max(0, start - 2) : start] == "&#" or _decimal(text, start, end):
            continue
        if explained.find(1, start, end) < 0:
            label = Label.ORDER_ID if _PATHOLOGY.fullmatch(code) else Label.OTHER_ID
            found.append(Span(start, end, label, 0.5, "patterns/id.unexplained"))
    found.extend(
        Span(*cell.span(1), Label.PATIENT_ID, 0.7, "patterns/id.beside_birth")
        for span in spans
        if span.label is _BIRTH and (cell := _BESIDE_BIRTH.match(text, span.end))
    )
    yield from found
    yield from relabelled(doc, (*spans, *found))


def _decimal(text: str, start: int, end: int) -> bool:
    return (text[start - 1 : start] == "," and text[start - 2 : start - 1].isdigit()) or (
        text[end : end + 1] == "," and text[end + 1 : end + 2].isdigit()
    )
