"""How far a day lies from another, as the words beside it tell: "il y a 15 ans", "J+5", "39+2 SA".

The phrases are those of `distances.tsv`. An amount tells whole units, and less than a half more: 6
weeks are 42 to 45 days, which are 6 weeks however one counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from dpdeid.french import numerals
from dpdeid.french.tables import rows
from dpdeid.normalize import fold

_SPREAD: Final = 2
"""Days by which months that are numbered may be counted otherwise."""
REACH: Final = 60
"""Words further from a date than so many characters say nothing of it."""
MARK: Final = "\0"
"""Stands for a date, or for anything else that is no kept text."""


class Distance(NamedTuple):
    """That a day lies `least` to `most` days after what it is counted from.

    Args:
        since: "note", "date" (the one before), "event" (the last), "j" (the day J0), "back" (the
            date before, or else the last event the other way) or "pregnancy" (the last period).
        named: whether the words say what the day is, and not only how far off: "DDR", "terme".
    """

    since: str
    least: int
    most: int
    named: bool = False


_UNITS: Final = {
    fold(word): Fraction(days)
    for kind, _, days, words in rows("distances")
    if kind == "unit"
    for word in words.split("|")
}
_WORD: Final = f"(?:{'|'.join(sorted(numerals.WORDS))})"
_NUMBER: Final = rf"(\d{{1,3}}|{_WORD}(?:[ -](?:et )?{_WORD}){{0,3}})"
_AMOUNT: Final = (
    rf"(?:environ |pres de |deja )?{_NUMBER}(?: ?(?:a|ou|-) ?{_NUMBER})?"
    rf" ?({'|'.join(_UNITS)})(?!\w)( et demie?)?"
)
_WEEKS: Final = (
    r"\d{1,2}(?: ?\+ ?\d)? ?(?:sa(?!\w)|semaines? d'amenorrhee)"
    r"(?: ?\+ ?\d(?: ?j(?:ours?)?(?!\w))?| (?:et )?\d(?: ?/ ?7| ?j(?:ours?)?(?!\w)))?"
)
_DAY: Final = r"(?:c ?\d{1,2} ?)?[jmh] ?(?:[+-] ?)?\d{1,3}(?![\w/]|[.,]\d)"
_WORDS: Final = r"[^.;\0\d]{0,30}[^\W\d_]{4}[^.;\0\d]{0,15}?"
_HOLES: Final = {"#": _AMOUNT, "%": _WEEKS, "@": _DAY, "~": _WORDS, " ": " {1,2}"}
_TO_THE_DATE: Final = (
    r"[ ,:=(–-]{0,4}(?:(?:soit|est|etait) )?(?:(?:prevue?|estimee?|theorique|fixee?) )?"
    r"(?:(?:pour )?le |au |en |ce )?[ :=(]{0,3}"
)
_BESIDE: Final = r"[ ,;:()–-]{0,4}(?:(?:soit|donc|avec|pour) )?"


def _phrase(words: str) -> str:
    return "".join(_HOLES.get(sign) or re.escape(sign) for sign in fold(words))


_ROWS: Final = [row for row in rows("distances") if row[0] not in ("unit", "event", "act", "birth")]
_EVENT, _ACT, _BIRTH = (
    re.compile(rf"(?<![\w-])(?:{fold(words)})(?!\w)[^.;\n\0]{{0,40}}\Z")
    for kind in ("event", "act", "birth")
    for side, _, _, words in rows("distances")
    if side == kind
)


_LISTED: Final = re.compile(
    r"[ \t]?[:–—|-] ?(?:(?!date|ancien)[^\W\d_]{2,12} ){0,1}(?:"
    + "|".join(fold(words) for kind, _, _, words in rows("distances") if kind == "event")
    + r")(?!\w)"
)
"""What a list says happened on the day that opens a line of it: "12/10/2021 – Colectomie"."""


def _any(sides: Iterable[str], *since: str) -> str:
    """An expression for the phrases of these sides; the group that matches names the row."""
    found = (
        f"(?P<r{at}>{'|'.join(map(_phrase, words.split('|')))})"
        for at, (side, of, _, words) in enumerate(_ROWS)
        if side in sides and (not since or of in since)
    )
    return f"(?:{'|'.join(found)})"


_BEFORE: Final = rf"(?<![\w'/-])(?<!\d ){_any(['<', '<>'])}{_TO_THE_DATE}\Z"
_BEHIND: Final = (
    (("(", " ("), rf" ?\((?:soit )?{_any(['>', '<>'])} ?[),;]"),
    (
        (" ", ":", "="),
        rf"[ :=]{{1,3}}(?:(?:soit|a) )?{_any(['>', '<>'], 'nothing', 'j', 'pregnancy')}",
    ),
    ((", ",), rf", (?:soit )?{_any(['>', '<>'], 'note', 'event', 'j', 'pregnancy')} ?[).,;:\n]"),
    (
        (" pour ", " avec ", " devant "),
        rf" \w{{4,6}} [^.;\n\0\d]{{1,40}}?[ ,(]{{1,2}}(?:soit|a) {_any(['>', '<>'], 'pregnancy')}",
    ),
)
"""Each behind how it begins."""
_NAMES: Final = "|".join(
    _phrase(words)
    for _, since, days, phrases in _ROWS
    if since == "pregnancy" and days != "+"
    for words in phrases.split("|")
)
_TODAY: Final = (
    rf"(?<!\w)(?<!sa \+ )(?<!sa\+)(?<!sa )(?:{_any(['today'])}"
    rf"|(?<!{MARK} a )(?P<before>{_WEEKS}){_BESIDE}(?:{_NAMES}){_TO_THE_DATE}{MARK}"
    rf"|(?:{_NAMES}){_TO_THE_DATE}{MARK}{_BESIDE}(?P<behind>{_WEEKS}))"
)

_compiled: Final = cache(re.compile)
"""An expression, when it is first asked: each takes as long as some notes, and most need two."""


def told_before(words: str) -> Distance | None:
    """What the folded words right before a date tell of it.

    >>> told_before("controle dans 6 semaines, le ")
    Distance(since='note', least=42, most=45, named=False)
    """
    return _told(_compiled(_BEFORE).search(words))


def is_event(words: str) -> bool:
    """Whether the folded words right before a date name what happened on it, so that days are
    counted from it.
    """
    return _ACT.search(words) is not None or begins_days(words)


def begins_days(words: str) -> bool:
    """Whether that is a day J0, whatever days are counted before it: no act of the course."""
    return _EVENT.search(words) is not None or is_birth(words)


def opens_event(words: str) -> bool:
    """Whether the folded words right behind a date name what happened on it, as in a list."""
    return _LISTED.match(words) is not None


def is_birth(words: str) -> bool:
    """Whether they name a birth."""
    return _BIRTH.search(words) is not None


def told_behind(words: str) -> tuple[Distance | None, int]:
    """What the folded words right behind a date tell of it, and how many characters they are."""
    tried = (_compiled(text).match(words) for begins, text in _BEHIND if words.startswith(begins))
    found = next(filter(None, tried), None)
    return _told(found), found.end() if found else 0


def weeks_today(note: str) -> Distance | None:
    """The weeks of pregnancy that a note tells of its own day: those that it says are of today, or
    that stand beside the last period or the term.

    Args:
        note: folded, with a MARK for each date.
    """
    return _told(_compiled(_TODAY).search(note))


def weeks_of(text: str) -> int | None:
    """The days of the last weeks of pregnancy that a text tells.

    >>> weeks_of("née à 31 SA + 4")
    221
    """
    found = [match[0] for match in _compiled(rf"(?<!\w){_WEEKS}").finditer(fold(text))]
    return _weeks(found[-1])[0] if found else None


def _told(match: re.Match[str] | None) -> Distance | None:
    """The distance of a phrase of a row, or of weeks that stand alone."""
    if match is None:
        return None
    group = match.lastgroup or ""
    if group in ("before", "behind"):
        return Distance("pregnancy", *_weeks(match[group]))
    _, since, days, words = _ROWS[int(group[1:])]
    if since == "nothing":
        return None
    if days[-1] not in "+-":
        return Distance(since, int(days), int(days), named=since == "pregnancy")
    more = int(days[:-1] or 0)
    read = _days if "#" in words else _weeks if "%" in words else _numbered
    least, most = read(match[group])
    return Distance(since, *((more + least, more + most) if days[-1] == "+" else (-most, -least)))


def _days(words: str) -> tuple[int, int]:
    """The days of an amount: "3 a 4 semaines"."""
    ((first, second, name, half),) = re.findall(_AMOUNT, words)
    unit, more = _UNITS[name], Fraction(bool(half), 2)
    least = math.ceil((_number(first) + more) * unit)
    most = math.floor((_number(second or first) + more + Fraction(1, 2)) * unit)
    return least, max(least, most)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else numerals.read(re.split("[ -]", word)) or 0


def _weeks(words: str) -> tuple[int, int]:
    """The days since the last period: "26+3 sa", "39 sa", "39 sa 2/7"."""
    weeks, *days = map(int, re.findall(r"\d+", words))
    return 7 * weeks + (days[0] if days else 0), 7 * weeks + (days[0] if days else 6)


def _numbered(words: str) -> tuple[int, int]:
    """The days of a numbered day, month or hour: "j+5", "c2j1", "m6", "h48"."""
    unit, sign, number = re.findall(r"([jmh]) ?([+-]?) ?(\d+)", words)[-1]
    amount = Fraction(-int(number) if sign == "-" else int(number))
    if unit == "m":
        days = round(amount * _UNITS["mois"])
        return days - _SPREAD, days + _SPREAD
    day = math.ceil(amount / 24) if unit == "h" else int(amount)
    return day, day
