"""The words and number forms that French notes tell time with, as fragments of expressions.

No row is made here; the rows of `numeric_dates`, `written_dates`, `clock` and `ages` are built from
these. All fragments are bounded and hold no named group. Accents are optional everywhere, because
half of the typists leave them out.
"""

from __future__ import annotations

import re
from typing import Final

from dpdeid.detect.patterns.phrase import one_of, opening
from dpdeid.detect.patterns.table import Word, words

DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
YEAR: Final = r"(?:18[5-9]\d|19\d\d|20\d\d|2100)"

SHORT_MONTH: Final = r"(?:janv|jan|f[ée]vr|f[ée]v|avr|juil|jul|ao[uû]|sept|oct|nov|d[ée]c)"
FULL_MONTH: Final = (
    r"(?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[uû]t"
    r"|septembre|octobre|novembre|d[ée]cembre)"
)
MONTH: Final = rf"(?:{FULL_MONTH}(?![a-zà-ÿ])|{SHORT_MONTH}(?![a-zà-ÿ])\.?)"
"""A month, in full or cut short with or without its dot (use with (?i))."""

FOREIGN_MONTH: Final = (
    r"(?:january|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?"
    r"|october|dec(?:ember)?|mar|januar|februar|m[äa]rz|juni|juli|oktober|dezember|dez)"
)
"""English and German months: they come with the headers of forwarded mails, beside a year."""

MONTH_WORDS: Final = words(
    "janvier janv jan fevrier fevr fev mars avril avr mai juin juillet juil jul aout aou septembre"
    " sept octobre oct novembre nov decembre dec"
)

WEEKDAY: Final = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
WEEKDAY_WORDS: Final = words(
    "lundi mardi mercredi jeudi vendredi samedi dimanche"
    " lundis mardis mercredis jeudis vendredis samedis dimanches"
)
SHORT_WEEKDAY: Final = r"(?:lun|mar|merc?r?|jeu|ven|vend|sam|dim)"
SHORT_WEEKDAY_WORDS: Final = words("lun mar mer merc mercr jeu ven vend sam dim")
TINY_WEEKDAY: Final = r"(?:lu|ma|me|je|ve|sa|di)"
TINY_WEEKDAY_WORDS: Final = words("lu ma me je ve sa di")

_NUMERAL_WORDS: Final = (
    "un,une,deux,trois,quatre,cinq,six,sept,huit,neuf,dix,onze,douze,treize,quatorze,quinze,seize"
    ",vingt,vingts,trente,quarante,cinquante,soixante,septante,huitante,octante,nonante,cent,cents"
    ",mille"
)
_NUMERAL: Final = one_of(_NUMERAL_WORDS)
NUMBER: Final = rf"(?-i:{_NUMERAL}(?:(?:[ -][eE][tT])?[ -]{_NUMERAL}){{0,6}})"
"""A number in words: quatre-vingt-trois, mille neuf cent trente-quatre."""

NUMERALS: Final = words(
    "un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " vingt trente quarante cinquante soixante septante huitante octante nonante"
)


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
    r"|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: (?:soir|matin))? [(]?)\Z"
)
"""The words after which digits are a date, whatever their form (search the text on the left)."""

_LENGTHS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def real_day(day: int, month: int) -> bool:
    """Whether some year has this day."""
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month]


def left(match: re.Match[str], width: int = 24) -> str:
    """The text just before a match, at most `width` characters, in lower case."""
    start = match.start()
    return match.string[max(0, start - width) : start].lower()


def right(match: re.Match[str], width: int = 24) -> str:
    """The text just after a match, at most `width` characters, in lower case."""
    end = match.end()
    return match.string[end : end + width].lower()


def glued(match: re.Match[str], separators: str) -> bool:
    """Whether the match goes on from a number to its left, by one of these separators."""
    start = match.start()
    text = match.string
    return start > 1 and text[start - 1] in separators and text[start - 2].isdecimal()
