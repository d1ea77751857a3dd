"""The words and number forms that French notes tell time with, as fragments of expressions.

The rows of dates, times and ages are built from these. All are bounded and hold no named group.
Accents are optional everywhere, because half of the typists leave them out.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.rules.table import Word, words
from dpdeid.detect.rules.word_trees import one_of, opening
from dpdeid.french.calendar import (
    CUT_MONTHS,
    MONTHS,
    SHORT_WEEKDAYS,
    TINY_WEEKDAYS,
    WEEKDAYS,
    either,
)
from dpdeid.french.numerals import WORDS
from dpdeid.normalize import fold

DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
YEAR: Final = r"(?:18[5-9]\d|19\d\d|20\d\d|2100)"


SHORT_MONTH: Final = either(CUT_MONTHS)
FULL_MONTH: Final = either(MONTHS)
MONTH: Final = (
    rf"(?:{FULL_MONTH}(?![a-zà-ÿ])|{SHORT_MONTH}(?![a-zà-ÿ])\.?|(?-i:[sS]ep)(?![a-zà-ÿ])\.?)"
)
"""A month, in full or cut short with or without its dot (use with (?i)); SEP is a disease."""

FOREIGN_MONTH: Final = (
    r"(?:january|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?"
    r"|october|dec(?:ember)?|mar|januar|februar|m[äa]rz|juni|juli|oktober|dezember|dez)"
)
"""English and German months: they come with the headers of forwarded mails, beside a year."""

MONTH_WORDS: Final = words(fold(" ".join((*MONTHS, *CUT_MONTHS))))

WEEKDAY: Final = either(WEEKDAYS)
WEEKDAY_WORDS: Final = words(" ".join((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS))))
SHORT_WEEKDAY: Final = either(SHORT_WEEKDAYS)
SHORT_WEEKDAY_WORDS: Final = words(" ".join(SHORT_WEEKDAYS))
TINY_WEEKDAY: Final = either(TINY_WEEKDAYS)
TINY_WEEKDAY_WORDS: Final = words(" ".join(TINY_WEEKDAYS))

_NUMERAL_WORDS: Final = ",".join(sorted(WORDS - {"zero", "premier", "mil"}))
_NOT_FIRST: Final = {"zero", "premier", "vingts", "cent", "cents", "mille", "mil"}
"""No anchors of a row that begins with a number in words."""
_NUMERAL: Final = one_of(_NUMERAL_WORDS)
NUMBER: Final = rf"(?-i:{_NUMERAL}(?:(?:[ -][eE][tT])?[ -]{_NUMERAL}){{0,6}})"
"""A number in words: quatre-vingt-trois, mille neuf cent trente-quatre."""

NUMERALS: Final = words(" ".join(WORDS - _NOT_FIRST))


def counted(what: str, *more: str) -> Word:
    """The anchor of a row that begins with a number in words, or with one more word.

    Args:
        what: an expression for the first two letters of what is counted.
    """
    return Word(NUMERALS.union(more), rf"(?i:\s(?:{what}))|[ -]{opening(f'et,{_NUMERAL_WORDS}')}")


UNIT: Final = (
    r"(?:[%°×*]|[µmcdkn]?g\b|g/|[µmcd]?l\b|[cmdk]?m\b|cm[²³23]|mm[²³23]|(?:mm|cm)hg|[mµnp]?mol|mn\b"
    r"|min\b|minutes?|sec\b|secondes?|[mµ]?ui?\b|k?cal\b|m?gy\b|cpr?s?\b|comprim|g[ée]l(?:ules)?\b"
    r"|amp(?:oules?)?\b|gouttes?|gttes?\b|bouff[ée]e|inj(?:ections?)?\b|doses?\b|sachets?|fois\b"
    r"|x\b"
    r"|h(?:\b|\d|eures?)|j\b|jours?|sem\b|semaines?|mois|ans?\b|ann[ée]es|sa\b|bpm|bouteille"
    r"|verres?"
    r"|cig|paquets?|pa\b|points?\b|watt|hz\b|db\b|k?v\b|kpa|msv|[pn]g\b|iu\b|po\b|euros?|fr\b|chf"
    r"|crises|s[ée]ances|cures?\b|mbq|mg/|kg/|ans)"
)
"""What makes the number before it a measure, a dose, a count or a span of time (use with (?i))."""


ANNOUNCED: Final = re.compile(
    r"\b(?:(?:le|du|au|dès|des|depuis|jusqu'au)[ \n]"
    rf"|{WEEKDAY}(?: (?:soir|matin))? [(]?)\Z"
)
"""The words after which digits are a date, whatever their form (search the text on the left)."""
