"""What a coder is: a note in, codes with their places out.

A coder reads a `Document`, which is the text and the hospital's structured facts, and knows nothing
of de-identification. Any other that satisfies `Coder` (a hospital's own, a trained one) can stand
in the comparison of `dpdeid.evaluate.utility`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
