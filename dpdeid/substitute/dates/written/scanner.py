"""The words and numbers of a written date, in order, before anybody asks what they mean.

One pass with one regular expression cuts the text into numbers, words and what lies between; a word
that no date holds ends the reading. Which number is the day and which the month is for
`dpdeid.substitute.dates.written.parser` to say.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from dpdeid.french import numerals
from dpdeid.french.calendar import (
    LATIN_OF,
    MONTH_OF,
    MONTHS,
    PARTS,
    SEASONS,
    SHORT_MONTHS,
    WEEKDAY_OF,
    WEEKDAYS,
    Holiday,
    holiday,
)
from dpdeid.french.numerals import in_digits
from dpdeid.normalize import fold


class Item(NamedTuple):
    """One number or word.

    Args:
        kind: n (number of one or two digits), Y (year of four), M (month), W (weekday), S (season),
            P (part of a month or year), A ("années"), H (holiday), K (week of a year).
        text: as it stands, for numbers in digits.
        style: how it is written (see `date_parser.Piece`), "" where only the context can say.
    """

    kind: str
    value: int
    text: str = ""
    style: str = ""
    case: str = "lower"
    plain: bool = False
    word: str = ""
    holiday: Holiday | None = None


class Scan(NamedTuple):
    """Items, and the text before each of them and after the last.

    `joined[i]` tells whether the gap before item i holds a word that joins two dates.
    """

    items: tuple[Item, ...]
    gaps: tuple[str, ...]
    joined: tuple[bool, ...]


_TOKEN: Final = re.compile(r"(?<=1)[eE][rR]|[^\W\d_]+|\d+|(?:&nbsp;|&#160;|[\W_])+")
_GAP: Final = re.compile(r"(?:&nbsp;|&#160;|[\s/.,'’\-–—‑‐_#\\|+*~()])*")
_LONGEST_NUMBER: Final = 9
"""Words of "mille neuf cent quatre-vingt-dix-neuf", and some."""
_JOINERS: Final = frozenset({"au", "et", "a", "ou", "puis"})
_FILLERS: Final = frozenset(
    {"de", "d", "le", "la", "l", "du", "des", "les", "courant", "environs", "an", "annee"}
)
_HOLIDAY_FILLERS: Final = _FILLERS - {"an", "annee"}
_WEEK: Final = frozenset({"semaine", "sem", "s"})
_LAST_WEEK: Final = 53
_FULL_MONTHS: Final = {fold(word): word for word in MONTHS}
_SHORT: Final = {fold(word) for word in SHORT_MONTHS} | {"juill"}
_ACCENTED: Final = frozenset({"fevrier", "aout", "decembre", "fevr", "fev", "aou", "dec", "ete"})


def scan(text: str) -> Scan | None:
    """The items of a text that holds nothing but a date; None if it holds anything else."""
    tokens = _TOKEN.findall(text)
    if len(tokens) == 1 and tokens[0].isdigit() and len(text) in (6, 8):
        tokens = _glued(text)
    return _Reader(tokens).read() or _holiday(tokens)


SCANNED: Final = re.compile(
    r"(?=[Ool]{0,2}\d)[\dOol]{2}([/.-])[\dOol]{2}(?:\1(?:[12][\dOo]{3}|[\dOo]{2}))?"
)
"""A date in which a scanner may have read letters for digits: "l2/O4/2023"."""
_SLASHES: Final = re.compile(r"([\dOolI]{2})[lI|/1]([\dOolI]{2})[lI|/]([12lI][\dOolI]{3})")
_TELLING: Final = re.compile(r"\d|[^\W\d_]{3}")
"""A digit or a word, without which letters stand for no date."""
_RUN: Final = re.compile(r"[^\W_]+")
_APART: Final = re.compile(r"([^\W\d_]+) ([^\W\d_]+)")
_LETTERS: Final = str.maketrans("015", "ols")
_NAMES: Final = tuple(map(fold, (*MONTHS, *WEEKDAYS)))
"""Words in which any letter may have been read as a digit: "f6vrier", "d3cembre"."""


def read_again(text: str) -> str:
    """The text as it was before a scanner: "l2 rnars 2O19" is "12 mars 2019", "2 ju illet" "2
    juillet"; "O2l11/1966" had slashes.
    """
    if _TELLING.search(text) is None:
        return text
    if slashes := _SLASHES.fullmatch(text):
        text = "/".join(slashes.groups())
    text = _APART.sub(lambda two: _joined(two[1], two[2]), text)
    return _RUN.sub(lambda run: _meant(run[0]), text)


def _joined(head: str, tail: str) -> str:
    return f"{head}{tail}" if fold(head + tail) in MONTH_OF else f"{head} {tail}"


def _meant(run: str) -> str:
    """The number, month or weekday that a scanned run of letters and digits was; else itself."""
    if len(run) > 1 and (number := in_digits(run)) is not None:
        return number
    word = fold(run).translate(_LETTERS).replace("rn", "m")
    if word not in MONTH_OF and word not in WEEKDAY_OF:
        slip = re.sub(r"\d", ".", fold(run).replace("rn", "m"))
        names = [name for name in _NAMES if re.fullmatch(slip, name) is not None]
        word = names[0] if len(names) == 1 and "..." not in slip else run
    if word in (run, fold(run)):
        return run
    return word.upper() if run.isupper() else word.capitalize() if run[0].isupper() else word


def _glued(text: str) -> list[str]:
    """The fields of "24121965", "20191224" or "241265"."""
    day_first = len(text) == 6 or 1850 <= int(text[4:]) <= 2100
    cuts = (0, 2, 4, len(text)) if day_first else (0, 4, 6, 8)
    return [text[a:b] for a, b in pairwise(cuts)]


def _case(word: str) -> str:
    if word.isupper():
        return "upper"
    return "title" if word[0].isupper() else "lower"


class _Reader:
    """Reads tokens from left to right. Lives for one text."""

    __slots__ = ("at", "gap", "gaps", "items", "joined", "joins", "tokens")

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.items: list[Item] = []
        self.gaps: list[str] = []
        self.joins: list[bool] = []
        self.gap = ""
        self.joined = False

    def read(self) -> Scan | None:
        tokens = self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            if token.isdecimal():
                known = self._number(token)
            elif token.isalpha():
                known = self._word(token, fold(token))
            else:
                known = _GAP.fullmatch(token) is not None
                self.gap += token
            if not known:
                return None
        if not self.items:
            return None
        return Scan(tuple(self.items), (*self.gaps, self.gap), tuple(self.joins))

    def _add(self, item: Item) -> bool:
        self.items.append(item)
        self.gaps.append(self.gap)
        self.joins.append(self.joined)
        self.gap = ""
        self.joined = False
        return True

    def _number(self, token: str) -> bool:
        if len(token) not in (1, 2, 4):
            return False
        return self._add(Item("Y" if len(token) == 4 else "n", int(token), token))

    def _word(self, token: str, word: str) -> bool:
        last = self.items[-1] if self.items else None
        if word == "er":
            if last is None or last.kind != "n" or last.value != 1 or self.gap.strip():
                return False
            self.items[-1] = last._replace(style="er")
            self.gap = ""
            return True
        after_day = last is not None and last.kind == "n"
        if after_day and token in LATIN_OF:
            return self._add(Item("M", LATIN_OF[token], style="latin"))
        if word in numerals.WORDS and not (word == "sept" and not self._counts_seven()):
            return self._numeral(token)
        if word in MONTH_OF and (word != "mar" or after_day or self._year_follows()):
            return self._month(token, word)
        if word in WEEKDAY_OF:
            return self._add(
                Item("W", WEEKDAY_OF[word], style=_weekday_style(word), case=_case(token))
            )
        if word in SEASONS:
            plain = word in _ACCENTED and token.isascii()
            return self._add(Item("S", SEASONS[word], case=_case(token), plain=plain))
        if word in PARTS:
            return self._part(token, word)
        if word in _WEEK:
            return self._week(token)
        if word == "annees":
            return self._add(Item("A", 0, style=token))
        if word in _JOINERS or (word in _FILLERS and self._is_filler(word)):
            self.joined = self.joined or word in _JOINERS
            self.gap += token
            return True
        return False

    def _follows(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _is_filler(self, word: str) -> bool:
        """Whether a small word only links: "l2/03" is a misread 12, "an" leads to a year."""
        if word == "annee":
            return self._year_follows() and "K" in [item.kind for item in self.items]
        if word == "an":
            return not self.items and self._year_follows()
        follows = self._follows()
        return word not in ("l", "d") or (follows != "" and not follows.isdecimal())

    def _month(self, token: str, word: str) -> bool:
        if word in _FULL_MONTHS:
            style = "full"
        else:
            style = "short" if word in _SHORT else "brief"
            if self._follows().startswith(".") and not self.gap.endswith("."):
                style += "."
                self.tokens[self.at] = self._follows()[1:]
        plain = word in _ACCENTED and token.isascii()
        return self._add(Item("M", MONTH_OF[word], style=style, case=_case(token), plain=plain))

    def _week(self, token: str) -> bool:
        gap = "" if self._follows().isdecimal() else self._follows()
        rest = self.tokens[self.at + bool(gap) :]
        number = rest[0] if rest else ""
        if _GAP.fullmatch(gap) is None or not number.isdecimal() or len(number) > 2:
            return False
        self.at += bool(gap) + 1
        self.gap += token + gap
        padded = number[0] == "0"
        return 1 <= int(number) <= _LAST_WEEK and self._add(
            Item("K", int(number), number, style="2" if padded else "1")
        )

    def _part(self, token: str, word: str) -> bool:
        follows = self._follows()
        if follows.strip() not in ("", "-") or not follows:
            return False
        self.at += 1
        separator = follows if word == "mi" else "-"
        return self._add(Item("P", PARTS[word], style=separator, case=_case(token), word=word))

    def _numeral(self, token: str) -> bool:
        """Adds the numbers of a run of number words, each as long as can be."""
        words = [fold(token)]
        ends = [self.at]
        at = self.at
        while at + 1 < len(self.tokens) and self.tokens[at].strip() in ("", "-"):
            word = fold(self.tokens[at + 1])
            if word not in numerals.WORDS and word != "et":
                break
            words.append(word)
            at += 2
            ends.append(at)
        while words[-1] == "et":
            words.pop()
        gap, case = self.gap, _case(token)
        while words:
            for size in range(min(len(words), _LONGEST_NUMBER), 0, -1):
                value = numerals.read(words[:size])
                if value is not None:
                    break
            else:
                return False
            self.gap = gap
            kind = "n" if value < 100 else "Y"
            self._add(Item(kind, value, style="word", case=case))
            self.at = ends[size - 1]
            words, ends, gap = words[size:], ends[size:], " "
        return True

    def _counts_seven(self) -> bool:
        """Whether "sept" is a number here: another word of a date follows that is not a year."""
        rest = [fold(t) for t in self.tokens[self.at :] if t.isalpha()]
        return bool(rest) and (rest[0] in _FULL_MONTHS or rest[0] in numerals.WORDS)

    def _year_follows(self) -> bool:
        rest = [t for t in self.tokens[self.at :] if t.isdecimal()]
        return bool(rest) and len(rest[0]) == 4


def _weekday_style(word: str) -> str:
    if word in WEEKDAYS:
        return "full"
    return "plural" if word.endswith("s") and word[:-1] in WEEKDAYS else str(len(word))


def _holiday(tokens: list[str]) -> Scan | None:
    """A holiday by its name, with or without a year: "lundi de Pâques", "Noël 2019", "St-Jean"."""
    words: list[str] = []
    year: str | None = None
    before_year = ""
    for token in tokens:
        if token.isdecimal():
            if year is not None or len(token) not in (2, 4):
                return None
            year = token
        elif token.isalpha():
            word = fold(token)
            if year is not None:
                return None
            if word not in _HOLIDAY_FILLERS:
                words.append("saint" if word in ("st", "ste", "sainte") else word)
        elif _GAP.fullmatch(token) is None:
            return None
        else:
            before_year = token
    meant = holiday(" ".join(words))
    if meant is None:
        return None
    capitals = all(token.isupper() for token in tokens if token.isalpha())
    item = Item("H", 0, case="upper" if capitals else "lower", holiday=meant)
    if year is None:
        return Scan((item,), ("", ""), (False,))
    kind = "Y" if len(year) == 4 else "n"
    return Scan((item, Item(kind, int(year), year)), ("", before_year, ""), (False, False))
