"""What an identifier looks like: the parts rows are built from, and when to believe a match.

A code is digits, with letters, marks or single spaces between them ("23MAT01902", "TDM 4410 7720",
"2020/003417/25"). What follows a word may also be a date, a dose, a year or a telephone number: the
checks here tell these apart. No row and no label is here.
"""

from __future__ import annotations

import re
from typing import Final

WORD: Final = r"[^\W\d_]{1,24}+"
"""The word a row is anchored at, whatever its accents and case."""

GLUE: Final = r"(?:[\s:=|.,#>\[\"'«*~·_\-–/]|\((?!\d\d\))|&nbsp;|</?[a-z]{1,6}\d?/?>){0,30}+"
"""What stands between a word and its number: marks, line breaks, table pipes, HTML."""

MARK: Final = (
    r"(?:(?i:n(?:(?:os?|um(?:[ée]ros?)?|r|b)\.?(?![^\W_])|°|&deg;|&#176;)|num[ée]ro|number)|№|[Nn]º"
    r"|[Nn](?= \d{4})|#(?!\w{4};)|(?:ID|Id)(?![^\W_]))"
)
"""The word "number" in its forms."""

LINK: Final = rf"{GLUE}(?:{MARK}{GLUE}){{0,2}}"
FAR: Final = (
    r"(?:[ (:/]{1,3}(?!\w{1,14}\d|article|loi\b)[A-Za-zÀ-ÿ'./&;]{2,16}+){1,4}?"
    rf"[ :=|.,#(«\"]{{0,20}}+(?:(?:{MARK}|°)[ :=.]{{0,5}}+)?"
)
"""As LINK, over one to four words of the same line; the last may hold the n of "n°"."""

_UNIT: Final = (
    r"(?! ?(?:[%°€]|(?:m?[gl]|[cmk]m|kg|mmol|µg|mcg|ng|ui|h|hz|bpm|ans?|mois|jours?|j|sem|semaines?"
    r"|heures?|min|euros?|fois|cp|comprim[ée]s?|gouttes?|amp|mmhg|m|cc|habitants|kcal|gy|w|v|u)\b))"
)
_STOP: Final = rf"(?![^\W_])(?![.,:/]\d)(?i:{_UNIT})"
_TAIL: Final = (
    r"(?:[\-/_+](?:[A-Z\d]{1,16}|[a-z]{1,3})(?![^\W_])|[\-/_.][A-Z]{0,4}\d[A-Z\d]{0,16}){0,6}"
)
_NO_PREFIX: Final = (
    r"(?!(?:AT|EI|NC|MP|AU|DE|LE|LA|DU|ET|EN|TA|PA|FC|FR|NN|SS|NO|NR|RG|SN|ID|IPP|NIP|NDA|IEP|NIR|LOT"
    r"|REF|AVS|NSS|GLN|RCC|AM|TEL|FAX|DDN|NE|NEE|AGE|J|LIE|LES|DES|PAR|SUR|LIT|BOX|INS|PID|EDS"
    r"|CAF|MSA|AME|CSS) )"
)
_HEAD: Final = (
    rf"(?:{_NO_PREFIX}[A-Z]{{1,3}} (?=[A-Z\d])|[A-Z]{{1,6}}(?:[\-./_+]|\+ )"
    r"|[A-Za-z]{1,4}[\-./](?=[A-Za-z]{0,4}\d)|[\d.]{1,4}-[A-Z]{1,5}-)"
)
_BODY: Final = r"[A-Za-z]{0,8}\d(?:[A-Z\d]|[a-z]{1,2}(?![a-zà-ÿ])){0,24}"
_LONG: Final = rf"[A-Za-z]{{0,6}}\d{{8,24}}[A-Za-z]?{_TAIL}"
_CHUNKED: Final = (
    rf"{_BODY}{_TAIL}(?: (?:\d{{2,12}}|[A-Z]\d{{4,12}}){_TAIL}{_STOP}){{0,5}}"
    rf"(?: \d{_STOP}| [A-Z](?![^\W_])(?! ?\.|'))?"
)
_OPENING: Final = r"(?=\(?[A-Za-z]{0,8}+[\d\-./_+]|[A-Z]{1,3} )"
"""What every code opens with: most words are left at once."""
CODE: Final = rf"{_OPENING}(?:\(\d\d\))?(?:{_HEAD}){{0,3}}(?:{_LONG}(?![^\W_])|{_CHUNKED}){_STOP}"
"""The identifier itself. The longest reading that no unit of measure follows."""

_SECOND: Final = r"(?!0 ?[1-9](?:[ .\-]?\d){8})(?=(?:[A-Z]{1,4}-?)?[\d.\-/ ]{0,12}\d{3})"


def more(label: str) -> str:
    """A second code after the first: "SG2-7714-90 / SG2-7714-91", "22092801147 et 22092900312"."""
    return rf"(?:(?: ?/ ?| et | à |, ?)(?P<{label}_2>{_SECOND}{CODE}))?"


DATE: Final = re.compile(
    r"(?:\d{1,2}(?:[/.]\d{1,2}){0,2}-)?\d{1,2}[/.\-]\d{1,2}(?:[/.\-](?:19|20)?\d\d)?"
    r"|(?:19|20)\d\d[/.\-]\d{1,2}(?:[/.\-]\d{1,2}(?:T\d\d)?)?"
    r"|\d{1,2}[\-./ ](?:\d\d|[A-Z]{1,4})[\-./ ](?:19|20)\d\d"
    r"|(?:0?[1-9]|1[0-2])[/.\-](?:19|20)\d\d|\d{1,2}[hH:]\d{0,2}"
)
PHONE: Final = re.compile(r"0[1-9]\d{8}")
_SPACED_PHONE: Final = r"0\d(?P<gap>[ .\-])\d\d(?:(?P=gap)\d\d){3}|0\d{2}[ /.]\d{3}[ .]\d\d[ .]\d\d"
_ORDINAL: Final = r"[A-Z]?\d{1,2}(?:er|[eè]me|e|nd|re)|[JTLGPC]\d{1,2}"
_MEASURE: Final = r"(?:[A-Z]{1,3} ?)?\d{1,3}[/.,]\d{1,2}|\d{1,3} \d{1,3}|\d{1,3}(?: 000)+"
_DOSE: Final = r"\d{1,4} ?(?:m?g|ml|mcg|[Uu][Ii]|cp)\b.*"
_HOURS: Final = r"[A-Z]{1,3} \d{1,3} ?[hHjJ]\d{0,2}"
_STAGE: Final = r"[cpy]{0,2}T[0-4X][a-d]?N[0-3X][a-c]?(?:M[01X][a-c]?)?"
_REPEATED: Final = r"(?P<digit>\d)(?P=digit)*"
_ANALYTE: Final = (
    r"(?i:ggt|crp|cp?k|ldh|(?:nt-?pro)?bnp|plq|plt|asat|alat|sgot|sgpt|pal|tsh|psa|hb|gb|gr|vgm|dfg"
    r"|pct|ace|afp|lipase|tropo(?:nine)?|d-dim[èe]res|ferritine|cr[ée]at?|ur[ée]e|na|cl|ca|qtc?|fc|sat"
    r"|spo2|uf|qb|qd) ?\d{1,5}"
)
_NO_CODE: Final = re.compile(
    f"{_ANALYTE}|{DATE.pattern}|{_SPACED_PHONE}|{_ORDINAL}|{_MEASURE}|{_DOSE}|{_HOURS}|{_STAGE}|{_REPEATED}"
)
_MARK_BEFORE: Final = re.compile(
    r"(?i)(?:n(?:[°ºo]|um[ée]ro|&deg;|&#176;)|#|\bid|r[ée]f\.?)[ .:]{0,3}(?:d[eu' ]{0,3}|l'|s)?\s?$"
)
_LAW: Final = re.compile(
    r"(?i)\b(?:lois?|organique|d[ée]cret|ordonnance|r[èe]glement|\((?:UE|CE|CEE)\)|directive)[\sn°º]*$"
)
_MARK_INSIDE: Final = re.compile(rf"{MARK}|[:#=]")


def first(match: re.Match[str]) -> str:
    """The name of the first group of a row."""
    return next(iter(match.re.groupindex))


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def evident(match: re.Match[str]) -> bool:
    """After a word that only identifiers follow: no date, year, telephone, ordinal or measure."""
    value = match[first(match)]
    if _NO_CODE.fullmatch(value):
        return False
    digits = _digits(value)
    if value.isdigit() and (digits < 4 or (digits == 4 and "1920" <= value <= "2039")):
        return False
    return digits >= 3 or (digits == 2 and len(value) >= 4)


def likely(match: re.Match[str]) -> bool:
    """After a word that often means something else: "n°", a colon or a code that is one."""
    value = match[first(match)]
    if not evident(match) or PHONE.fullmatch(value):
        return False
    digits = _digits(value)
    between = match.string[match.start() : match.start(first(match))]
    if "\n" in between and digits < 6:
        return False
    if digits >= 6 or (digits >= 4 and any(map(str.isalpha, value))):
        return True
    before = match.string[max(0, match.start() - 12) : match.start()]
    return bool(_MARK_INSIDE.search(between) or _MARK_BEFORE.search(before))


def numbered(match: re.Match[str]) -> bool:
    """After a bare "n°": long enough to be no house, room or rank, and not the number of a law."""
    value = match[first(match)]
    if not evident(match) or PHONE.fullmatch(value):
        return False
    if _LAW.search(match.string[max(0, match.start() - 16) : match.start(first(match))]):
        return False
    return _digits(value) >= 4 or (_digits(value) >= 3 and any(map(str.isalpha, value)))


_RUN: Final = re.compile(r"\d{4}")


def solid(match: re.Match[str]) -> bool:
    """Far from its word: six digits, four of them in a row."""
    value = match[first(match)]
    return likely(match) and _digits(value) >= 6 and _RUN.search(value) is not None
