"""Rows for what a scanner misread: letters for digits, "O6 39 98 12 34", and "H0PITAL"."""

from __future__ import annotations

from typing import Final

from dpdeid.detect.patterns.phrase import NAME, PARTICLES, starts_word
from dpdeid.detect.patterns.table import Number, Row, Word, words
from dpdeid.detect.patterns.timewords import MONTH, WEEKDAY, WEEKDAY_WORDS, YEAR

_TWO: Final = r"(?-i:[lIO][\dlIOo]|[0-3][lIOo])"
"""Two digits, at least one of which was read as a letter."""

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
    Row(
        "date.misread.written",
        Word(words("l o i lo io ll il ii oi ol"), r"(?:0)? [a-zA-Zéû]"),
        rf"(?i)(?P<DATE>{_TWO} {MONTH}(?: {YEAR}(?!\d))?)",
        "revu le «DATE:l2 décembre» et le «DATE:lO mars 2018»",
        0.9,
        starts_word,
        never=("l2 gauche", "le mars"),
    ),
    Row(
        "date.misread.written.end",
        Number(r"\d[lIOo] "),
        rf"(?i)(?P<DATE>{_TWO} {MONTH}(?: {YEAR}(?!\d))?)",
        "sorti le «DATE:2O juin»",
        0.9,
        never=("3l de sang", "2O mg"),
    ),
    Row(
        "date.misread.weekday",
        WEEKDAY_WORDS,
        rf"(?i)(?P<DATE>{WEEKDAY} {_TWO})(?!\w|[.,/]\d)",
        "sortie «DATE:samedi lO», revue",
        0.9,
        never=("samedi le soir", "lundi 12"),
    ),
    Row(
        "time.misread",
        Number(r"\d{1,2} ?h"),
        r"(?P<TIME>(?:[01]?\d|2[0-3]) ?h ?(?:[lIO][\dlIOo]|[0-5][lIOo]))(?!\w)",
        "clampage à «TIME:9h l7», bien toléré",
        0.9,
        never=("9h 17", "9h le matin"),
    ),
    Row(
        "care.hospital.misread",
        Word(words("h c cl hopita"), r"0[PpIiNn ]"),
        r"(?P<HOSPITAL>(?:H0PITAL|[HhCc](?:0pital|1inique|l1nique)|C1INIQUE|CL1NIQUE|[Hh][ôo]pita1)"
        rf" {PARTICLES}{NAME})",
        "«HOSPITAL:H0PITAL PRIVE DE LA SEILLE»",
        0.9,
        starts_word,
        never=("H0 positif",),
    ),
)
