"""Codes that stand in a note as codes: "E11.9", "CIM-10 : I10", "HHFA016".

A dotted code speaks for itself. One without a dot needs a word of coding before it, in its line:
"à 18 h", "à 39", "10h30", "J10", "L4", "B12", "lit B20" are none, or a shifted hour would
invent a tuberculosis. A code that the lists do not hold is none either, where there are lists.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from dpdeid.evaluate.coding.contract import Code, Terminology, undotted

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
