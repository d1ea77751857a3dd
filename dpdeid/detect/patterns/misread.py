"""Rows for numbers in which a scanner read a letter for a digit: "O6 39 98 12 34", "12/O3/2021"."""

from __future__ import annotations

from typing import Final

from dpdeid.detect.patterns.phrase import starts_word
from dpdeid.detect.patterns.table import Number, Row, Word, words

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "contact.misread",
        Word(words("o"), "0| 0"),
        r"(?P<PHONE>[Oo] ?[1-9]"
        r"(?:([ .\-])[\dOo]{2}(?:\2[\dOo]{2}){3}|[\dOo]{8}))(?!\w|[.,\-/]\d)",
        "au «PHONE:O6 39 98 12 34» le soir",
        0.85,
        starts_word,
        never=("O2 12 34 56", "groupe O 6"),
    ),
    Row(
        "date.misread.inside",
        Number(r"\d0/[0OolI]{2}|\d[OolI]/"),
        r"(?P<DATE>(?=[\d/]{1,6}[OolI])[\dOolI]{2}/[01OolI][\dOolI]/(?:[12][\dO]{3}|[\dO]{2}))(?![\w/])",
        "«DATE:12/O3/2021» : scanner",
        0.9,
        never=("12/03/2021",),
    ),
)
