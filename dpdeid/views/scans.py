"""What a scanner took for something else: "O5/l2/2O21", "DUP0NT", "Mrne".

A letter among digits is the digit it looks like; a digit among letters is the letter, and letters
that look like one are it, where that makes a word or a name that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit
from dpdeid.views.words import IS_KNOWN, runs

_D: Final = "[0-9OolIiSBZ]"
_IN: Final = r"[0-9Ool](?:[0-9Ool]|(?<=\d)[IiSBZ](?=\d))*"
"""A number whose letters stand between digits, but for those that look like nothing else."""
_DAY: Final = r"(?:\d[0-9OolIiSBZ]?|(?!II)[OolIiSBZ][0-9OolI])"
"""A day or month, not a Roman one; one letter alone is none."""
_HOUR: Final = re.compile(
    r"(?<![^\W_])(?!O2:)(?:[0-2OolIZ][0-9OolIiSBZ]|\d)"
    r"(?: ?[hH](?: ?[0-5OolISZ][0-9OolIiSBZ])?|:[0-5OolISZ][0-9OolIiSBZ])(?![^\W_])"
)
"""A time, and not oxygen ("O2:15")."""
_MONTHS: Final = "janv|f[ée]vr|mars|avr|mai|juin|juil|ao[ûu]t|sept|oct|nov|d[ée]c"
_NUMBER: Final = re.compile(
    rf"(?<![^\W_])(?:[0Oo]{_D}(?P<gap>[ .-]?){_D}{{2}}(?:(?P=gap){_D}{{2}}){{3}}"  # a phone
    rf"|[12lI] ?{_D}{{2}} ?{_D}{{2}} ?{_D}{{2}} ?{_D}{{3}} ?{_D}{{3}}(?: ?{_D}{{2}})?"
    rf"|{_DAY}(?P<mark>[/.-]){_DAY}(?P=mark)(?:{_D}{{4}}|{_DAY})"  # a date
    rf"|{_D}{{4}}-{_DAY}-{_DAY}"
    rf"|[12lI][09Oo]{_D}{{2}}"  # a year
    rf"|{_D}{{1,2}}[hH]{_D}{{2}}"
    rf"|{_IN}(?:[/.-]{_IN}){{1,5}}|{_IN})(?![^\W_])"
)
_DAY_OF_MONTH: Final = re.compile(rf"(?<![^\W_])(?:\d[OolI]|[OolI]\d)(?= ?(?:{_MONTHS}))")
_ARTICLE: Final = re.compile(
    r"I(?:(?<![^\W_]I)(?=es?(?![^\W_])|'[^\W\d_])"
    r"|(?:(?<=de I)|(?<=à I)|(?<=sur I)|(?<=par I))(?=a ))"
)
"""A capital that was an article: "Ie 3 mars", "mail de I'Ourcq", and not "stade Ia"."""
_MIXED: Final = re.compile(
    r"[\dOolIiSBZ](?:(?<=\d)(?:[ ./:-]| ?[hH] ?)?[OolIiSBZ](?![^\W_\dOolIiSBZhH])"
    r"|(?<!\d)(?:[ ./:-]| ?[hH] ?)?\d)"
)
"""Without a digit beside such a letter no number is misread."""
_CORSICA: Final = re.compile(r"2[AB]")
_AS_DIGIT: Final = {"O": "0", "o": "0", "l": "1", "I": "1", "i": "1", "S": "5", "B": "8", "Z": "2"}
_BETWEEN: Final = r"(?<=[^\W\d_])[234689](?=[^\W\d_])"
"""Digits that are letters between letters alone: "NGUY3N", and neither "T3" nor "8h"."""
_STEM: Final = r"(?<=[a-zß-ÿ])I(?![A-Z])|(?<![^\W_])I(?=[a-zß-ÿ])"
"""A capital that is a small l: "normaIe", "Iendemain"."""
_WORD: Final = re.compile(
    rf"(?<![^\W_])(?=[^\W_]{{0,20}}(?:[015í]|rn|vv|{_BETWEEN}|{_STEM})|[A-ZÀ-Þ]+l[A-ZÀ-Þ])[^\W_]{{3,24}}"
    r"(?![^\W_])"
)
_AS_LETTERS: Final = {
    "0": "o", "1": "li", "2": "z", "3": "e", "4": "a", "5": "s", "6": "gb", "8": "b", "9": "g",
    "i": "l", "l": "i", "í": "i", "rn": "m", "vv": "w",
}  # fmt: skip
_CAPITALS: Final = re.compile("[A-ZÀ-Þ01]+")
_SECTOR: Final = re.compile(r"\d{2}I\d{2}")
_NEAR: Final = 24
_ORDINAL: Final = re.compile(r"\d+(?:[eè]?re?s?|[eèé]mes?|nde?)", re.I)
_SLIP: Final = re.compile(rf"[015íl]|{_BETWEEN}|{_STEM}|(?i:rn|vv)")
_INSIDE: Final = re.compile("[a-zß-ÿ]I[a-zß-ÿ]")
"""Where a capital is none, whoever is called so: "pIace"."""
_HALF: Final = 0.5
_FEW: Final = 4
_LONG: Final = 6
_LETTERED: Final = 3
"""Letters that a word has at least: "1er" is none."""
_SHORT: Final = 2
"""The same of capitals that a misread word precedes in its line: "NGUY3N TH1 H0A"."""


def edits(text: str) -> Iterator[Edit]:
    """What was misread, read again."""
    found: list[Edit] = []
    if _MIXED.search(text):
        found += _numbers(text)
    found += [Edit(*match.span(), "l") for match in _ARTICLE.finditer(text)]
    if any(map(_SLIPS.__getitem__, runs(text))):
        found += _words(text, {edit.start for edit in found})
    yield from sorted(found)


def _numbers(text: str) -> Iterator[Edit]:
    """The letters of numbers, read as digits."""
    numbers = [m for m in _NUMBER.finditer(text) if _is_number(m[0]) and not _is_code(m)]
    hours = [match for match in _HOUR.finditer(text) if any(map(str.isdigit, match[0]))]
    for match in (*numbers, *hours, *_DAY_OF_MONTH.finditer(text)):
        yield from _digits(text, match)


def _words(text: str, taken: set[int]) -> Iterator[Edit]:
    """The signs of words, read as letters."""
    last = len(text)
    for match in _WORD.finditer(text):
        if taken.isdisjoint(range(match.start(), match.end())):
            goes_on = last < match.start() and "\n" not in text[last : match.start()]
            short = _SHORT if goes_on and _CAPITALS.fullmatch(match[0]) else _LETTERED
            if slips := _LETTERS[match[0], short]:
                yield from (
                    Edit(match.start() + at, match.start() + end, c) for at, end, c in slips
                )
                last = match.end()
            elif letters := _said_elsewhere(text, match[0]):
                pairs = enumerate(zip(match[0], letters, strict=True), match.start())
                yield from (Edit(at, at + 1, new) for at, (old, new) in pairs if old != new)


def _said_elsewhere(text: str, word: str) -> str:
    """A long word in capitals, its digits as letters, if the note has it so: "NZIENGU1", or ""."""
    if len(word) < _LONG or not _CAPITALS.fullmatch(word) or word.isalpha():
        return ""
    meant = (word.replace("0", "O").replace("1", one) for one in "IL")
    return next((one for one in meant if re.search(rf"(?<!\w){one}(?!\w)", text)), "")


def _is_number(text: str) -> bool:
    """Whether some signs are letters, and half or more are digits."""
    signs = [c for c in text if c.isalnum() and c not in "hH"]
    digits = sum(map(str.isdigit, signs))
    return len(signs) >= _FEW and _HALF * len(signs) <= digits < len(signs)


_DIAGNOSIS: Final = re.compile(r"(?<!\w)[IO]\d\d\.\d{1,2}(?![\w.])")


def _is_code(match: re.Match[str]) -> bool:
    """Whether it is the code of a diagnosis, "O14.2", or of a sector of psychiatry for children:
    "secteur 59I03".
    """
    if _DIAGNOSIS.match(match.string, match.start()):
        return True
    near = match.string[max(0, match.start() - _NEAR) : match.start()]
    return _SECTOR.fullmatch(match[0]) is not None and "secteur" in near.lower()


def _digits(text: str, match: re.Match[str]) -> Iterator[Edit]:
    for at in range(match.start(), match.end()):
        if text[at] in _AS_DIGIT and not _CORSICA.fullmatch(text, at - 1, at + 1):
            yield Edit(at, at + 1, _AS_DIGIT[text[at]])


def _letters(asked: tuple[str, int]) -> tuple[tuple[int, int, str], ...]:
    """Which signs of a word of so many letters at least are read as which letters; none if that
    makes no known word.
    """
    word, least = asked
    loud = sum(map(str.isupper, word)) > 1
    slips = [slip for slip in _SLIP.finditer(word) if loud or slip[0] != "l"]
    letters = sum(map(str.isalpha, word))
    if (
        _ORDINAL.fullmatch(word)
        or fold(word) in LISTED  # "MUC1"
        or ((IS_KNOWN[fold(word)] or _is_abroad(word)) and not _INSIDE.search(word))
        or letters < least
        or letters <= _HALF * len(word)
    ):
        return ()
    for choice in (0, -1):
        plain = [_letter(word, slip, choice, loud=loud) for slip in slips]
        new = fold("".join(_spelt(word, plain)))
        if new in gazetteers.words() if word[0] == "I" and not loud else IS_KNOWN[new]:
            return tuple(plain)
    return ()


def _is_abroad(word: str) -> bool:
    """Whether it is a word of a language that notes quote: "Herrn" is not "Herm"."""
    return word.isalpha() and fold(word) in gazetteers.abroad()


def _letter(word: str, slip: re.Match[str], choice: int, *, loud: bool) -> tuple[int, int, str]:
    """What a sign is read as: a capital in a loud word, and for a first one that is no small
    letter, "0livier"; never for a capital that is itself the slip.
    """
    letter, first = _AS_LETTERS[slip[0].lower()][choice:][:1], not slip.start()
    capital = slip[0] != "I" and (loud or (first and not word[0].islower()))
    return *slip.span(), letter.upper() if capital else letter


def _spelt(word: str, slips: Iterable[tuple[int, int, str]]) -> Iterator[str]:
    done = 0
    for start, end, letter in slips:
        yield word[done:start] + letter
        done = end
    yield word[done:]


_LETTERS: Final = Memo(_letters)


def _may_slip(run: str) -> bool:
    """Whether a run of letters and digits may be a misread word."""
    if not _WORD.fullmatch(run):
        return False
    loud = _CAPITALS.fullmatch(run) and not run.isalpha() and len(run) >= _LONG
    return bool(loud or _LETTERS[run, _LETTERED] or _LETTERS[run, _SHORT])


_SLIPS: Final = Memo(_may_slip)
