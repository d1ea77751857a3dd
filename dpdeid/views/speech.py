"""What somebody dictated, read as it is written: "virgule", "point à la ligne", "arobase", "treize
du six deux mille vingt".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from dpdeid.french.numerals import WORDS, read
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit

_SAID: Final = {
    "point à la ligne": ".\n",
    "à la ligne": "\n",
    "nouveau paragraphe": "\n\n",
    "nouvelle ligne": "\n",
    "point virgule": ";",
    "points de suspension": "…",
    "point d'interrogation": "?",
    "deux points": ":",
    "virgule": ",",
    "point": ".",
}
_PARENTHESIS: Final = r"(?P<open>ouvr\w{1,3}|ferm\w{1,3}) (?:la |les )?parenth[èe]ses?"
_MARK: Final = re.compile(
    rf"(?i) ?(?<!\w)(?:{_PARENTHESIS}|(?P<said>"
    + "|".join(sorted(_SAID, key=len, reverse=True)).replace("à", "[àa]")
    + r"))(?!\w|')(?! (?:d'|de |du |n'))"
)
_SURE: Final = re.compile(r"(?i)(?<!\w)(?:virgule|[àa] la ligne|parenth[èe]se)(?!\w)")
_ENOUGH: Final = 2
_NO_STOP: Final = re.compile(
    r"(?i)(?:\d|(?<!\w)(?:un|le|ce|au|du|en|de|des|aucun|premier|second|bon|[àa]))\s?\Z"
)
"""Before "point" that is no full stop."""
_LONGEST: Final = 12
_MAIL: Final = re.compile(
    r"(?i)(?<!\w)[\w.-]+(?: (?:point|tiret(?: du (?:bas|six|huit))?|underscore) [\w-]+){0,5}"
    r" (?:arobase|arrobas[e]?|at) [\w.-]+(?: (?:point|tiret) [\w-]+){1,5}"
)
_IN_MAIL: Final = {"point": ".", "tiret": "-", "underscore": "_", "arobase": "@", "at": "@"}
_STEP: Final = re.compile(r"(?i) (point|tiret|underscore|arob|arrob|at)\w*(?: du \w+)? ")
_SPELT: Final = re.compile(r"(?i)(?<!\w)([^\W\d_])( comme [^\W\d_]{2,20})(?!\w)")
"""A letter with a name that begins with it: "G comme Gaston"."""


_TOLD: Final = ("virgule", "la ligne", "parenth", " comme ", " arob", " arrob", " at ")
"""A text without any of these was not dictated."""
_NUMBER: Final = "(?:" + "|".join(sorted(WORDS, key=len, reverse=True)) + ")"
_DAY: Final = re.compile(
    rf"(?i)(?<![\w-])(?P<day>{_NUMBER}(?:[ -](?:et )?{_NUMBER}){{0,2}}) du (?P<month>{_NUMBER})"
    rf"(?P<year>(?:[ -](?:et )?{_NUMBER}){{0,6}})(?![\w-])"
)
_YEARS: Final = (range(100), range(1850, 2100))


def _days(text: str) -> Iterator[Edit]:
    """Days whose month is said by its number: "le treize du six", "premier du quatre soixante"."""
    for said in _DAY.finditer(text):
        day, month = _number(said["day"]), _number(said["month"])
        if not (1 <= (day or 0) <= 31 and 1 <= (month or 0) <= 12):
            continue
        year = _number(said["year"])
        if year is not None and any(year in years for years in _YEARS):
            yield Edit(*said.span(), f"{day:02}/{month:02}/{year:02}")
        else:
            yield Edit(said.start(), said.end("month"), f"{day:02}/{month:02}")


def _number(words: str) -> int | None:
    return read(fold(words).replace("-", " ").split())


def edits(text: str) -> Iterator[Edit]:
    """The marks and days of a dictated text; "point" only where other marks are said as well."""
    low = text.lower()
    if not any(word in low for word in _TOLD):
        return
    mails = [*_MAIL.finditer(text)]
    spelt = [one for one in _SPELT.finditer(text) if fold(one[2][7:8]) == fold(one[1])]
    found = [Edit(*one.span(2), "") for one in spelt if len(spelt) >= _ENOUGH]
    for mail in mails:
        for step in _STEP.finditer(text, mail.start(), mail.end()):
            word = step[1].lower()
            mark = "@" if word.startswith("ar") else _IN_MAIL[word]
            found.append(Edit(step.start(), step.end(), "_" if " du " in step[0] else mark))
    if len(_SURE.findall(text)) >= _ENOUGH:
        found.extend(_days(text))
        for said in _MARK.finditer(text):
            in_mail = any(mail.start() <= said.start() < mail.end() for mail in mails)
            if not in_mail and not _is_word(text, said):
                opens = (said["open"] or "").lower().startswith("o")
                plain = _SAID[_key(said["said"])] if said["said"] else " (" if opens else ")"
                found.append(Edit(said.start(), said.end(), plain, hollow=True))
    yield from sorted(found)


def _is_word(text: str, said: re.Match[str]) -> bool:
    """Whether "point" is no full stop: "un point", "au point"."""
    before = max(0, said.start() - _LONGEST)
    is_stop = (said["said"] or "").lower() != "point"
    return not is_stop and _NO_STOP.search(text, before, said.start()) is not None


def _key(said: str) -> str:
    return said.lower().replace("a la ligne", "à la ligne")
