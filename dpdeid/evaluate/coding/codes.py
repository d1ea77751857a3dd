"""What a coder is: a note in, codes with their places out.

A coder reads a `Document`, which is the text and the hospital's structured facts, and knows nothing
of de-identification. Any other that satisfies `Coder` (a hospital's own, a trained one) can stand
in the comparison of `dpdeid.evaluate.utility`.

Codes that stand in a note as codes ("E11.9", "CIM-10 : I10", "HHFA016"), and which finds stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from dpdeid.document import Document


class Terminology(StrEnum):
    """What a code belongs to. The last two group a stay, as hospital payment does."""

    ICD10 = "icd10"
    ATC = "atc"
    CCAM = "ccam"
    AGE = "age"
    STAY = "stay"


@dataclass(frozen=True, slots=True, order=True)
class Code:
    """A code and the words that carry it.

    Args:
        start, end: code points of the note, half-open.
        value: without dots ("E119", "N02BE01").
    """

    start: int
    end: int
    value: str
    terminology: Terminology


@runtime_checkable
class Coder(Protocol):
    """Codes one note. The same note gives the same codes in any process."""

    name: str

    def __call__(self, doc: Document) -> Iterable[Code]: ...


_FORMS: Final = (
    (Terminology.ICD10, re.compile(r"[A-Z]\d[0-9A-Z](?:\d{0,4}|[+]\d{1,3}|\d[+]\d{1,3})")),
    (Terminology.ATC, re.compile(r"[A-Z]\d\d[A-Z]{0,2}|[A-Z]\d\d[A-Z]{2}\d\d")),
    (Terminology.CCAM, re.compile(r"[A-Z]{4}\d{3}")),
)


def terminology_of(value: str) -> Terminology | None:
    """The terminology whose form a code without dots has, ICD-10 where two have it."""
    return next((name for name, form in _FORMS if form.fullmatch(value)), None)


def undotted(code: str) -> str:
    """A code as `Code.value` holds it.

    >>> undotted(" e11.9 ")
    'E119'
    """
    return code.strip().replace(".", "").upper()


_CODE: Final = r"[A-Z]\d{2}"
_DOTTED: Final = re.compile(rf"(?<![\w.+/-]){_CODE}\.\d{{1,3}}(?![\w.,/-]\d|\w)")
_CUE: Final = re.compile(
    r"(?i:\bcim\W{0,3}10|\bicd\W{0,3}10|\bcod(?:e|es|é|ée|age)\b|"
    r"\bdiagnostics?\W{1,2}(?:principal|reli[ée]s?|associ[ée]s?)|\bDAS?\b|\bD[PR]\b)"
)
_BARE: Final = re.compile(rf"(?<![\w.+/-]){_CODE}\d{{0,3}}(?![\w.,/-]\d|\w| ?[h°])")
_PLACE: Final = re.compile(r"(?i)\b(?:chambre|lit|salle|badge|porte|bureau|box|poste|n°)\W{0,3}$")
_CCAM: Final = re.compile(r"(?<!\w)[A-Z]{4}\d{3}(?!\w)")
_REACH: Final = 60
"""A cue counts for the codes that follow it within so many characters of its line."""


def written_codes(
    text: str, known: Collection[str] = frozenset(), ccam: Collection[str] = frozenset()
) -> Iterator[Code]:
    """The codes written in a text.

    Args:
        known: the ICD-10 codes there are; empty lets every form pass.
        ccam: the CCAM codes there are; empty finds none.
    """
    for match in _DOTTED.finditer(text):
        if not _PLACE.search(text, max(0, match.start() - 12), match.start()):
            yield from _icd10(match, known)
    for cue in _CUE.finditer(text):
        end = min(cue.end() + _REACH, len(text))
        line = text.find("\n", cue.end(), end)
        for match in _BARE.finditer(text, cue.end(), end if line < 0 else line):
            yield from _icd10(match, known)
    if ccam:
        for match in _CCAM.finditer(text):
            if match[0] in ccam:
                yield Code(match.start(), match.end(), match[0], Terminology.CCAM)


def _icd10(match: re.Match[str], known: Collection[str]) -> Iterator[Code]:
    value = undotted(match[0])
    if not known or value in known:
        yield Code(match.start(), match.end(), value, Terminology.ICD10)


_TITLE: Final = re.compile(
    r"(?:\b(?:M|MM|Mme|Mlle|Dr|Drs|Pr|Me|Mr)\.?|\b(?:Monsieur|Madame|Mademoiselle|Docteur|Professeur|"
    r"Ma[îi]tre|M[ée]decin|Nom|Pr[ée]nom)s?)\s*:?\s+(?:[A-ZÀ-Ý](?:\.|[\w'’-]{0,30})\s+){0,2}$"
)
_BACK: Final = 80


def is_name(text: str, code: Code) -> bool:
    """Whether the words of a code are somebody's name: capitalised, after a title.

    >>> from dpdeid.evaluate.coding.codes import Terminology
    >>> is_name("Mme Rougeole", Code(4, 12, "B05", Terminology.ICD10))
    True
    """
    if not text[code.start].isupper():
        return False
    return _TITLE.search(text[max(0, code.start - _BACK) : code.start]) is not None


def settled(text: str, found: Iterable[Code]) -> tuple[Code, ...]:
    """The codes that stay, sorted and disjoint, with the longest words first, then the earliest.

    What is given first stays where two are of equal words.
    """
    kept: list[Code] = []
    taken = bytearray(len(text))
    for code in sorted(found, key=lambda c: (c.start - c.end, c.start)):
        if not any(taken[code.start : code.end]) and not is_name(text, code):
            taken[code.start : code.end] = b"\1" * (code.end - code.start)
            kept.append(code)
    return tuple(sorted(kept))
