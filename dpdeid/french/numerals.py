"""French number words: what "deux mille dix-neuf" counts, and how 2019 is spelt.

Numbers 0 to 9,999, folded words without hyphens; Belgian and Swiss septante, huitante, octante,
nonante are read, standard French is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dpdeid.french.tables import rows
from dpdeid.normalize import fold

_ROWS: Final = [(int(value), word, use) for value, word, use in rows("numerals")]
_SPELT: Final = {value: word for value, word, use in _ROWS if use == "="}
_VALUES: Final = {fold(word): value for value, word, use in _ROWS if use != "*"}
WORDS: Final = frozenset(fold(word) for _, word, _ in _ROWS)
"""The folded words a number can begin with or hold ("et" apart)."""


_SCANNED: Final = re.compile(r"[0-9OolI]+")
_DIGITS: Final = str.maketrans("OolI", "0011")


def in_digits(run: str) -> str | None:
    """The digits of a number in which a scanner read letters, None if it is no such number.

    >>> in_digits("2O19"), in_digits("l2"), in_digits("12"), in_digits("loi")
    ('2019', '12', '12', None)
    """
    return run.translate(_DIGITS) if _SCANNED.fullmatch(run) else None


def read(words: Sequence[str]) -> int | None:
    """The number that folded words spell, None if they are not one number.

    >>> read(["deux", "mille", "vingt", "et", "un"]), read(["huit", "dix"])
    (2021, None)
    """
    thousands = next((i for i, word in enumerate(words) if word in ("mille", "mil")), None)
    if thousands is None:
        return _below_thousand(words)
    front = 1 if thousands == 0 else _below_thousand(words[:thousands])
    tail = words[thousands + 1 :]
    rest = _below_thousand(tail) if tail else 0
    return None if front is None or rest is None or front > 9 else front * 1000 + rest


def _below_thousand(words: Sequence[str]) -> int | None:
    hundreds = next((i for i, word in enumerate(words) if word in ("cent", "cents")), None)
    if hundreds is None:
        return _below_hundred(words)
    if hundreds > 1:
        return None
    front = _VALUES.get(words[0]) if hundreds else 1
    tail = words[hundreds + 1 :]
    rest = _below_hundred(tail) if tail else 0
    return None if front is None or rest is None or front > 19 else front * 100 + rest


def _below_hundred(words: Sequence[str]) -> int | None:
    if tuple(words[:2]) in (("quatre", "vingt"), ("quatre", "vingts")):
        tens, rest = 80, words[2:]
    elif words and _VALUES.get(words[0], 0) >= 20:
        tens, rest = _VALUES[words[0]], words[1:]
    else:
        tens, rest = 0, words
    if rest and rest[0] == "et" and tens and len(rest) > 1:
        rest = rest[1:]
    if not rest:
        return tens or None
    if len(rest) > 2 or rest[0] not in _VALUES:
        return None
    unit = _VALUES[rest[0]]
    if len(rest) == 2:
        if unit != 10 or not 7 <= _VALUES.get(rest[1], 0) <= 9:
            return None
        unit += _VALUES[rest[1]]
    room = 20 if tens in (0, 60, 80) else 10
    return tens + unit if unit < room and (unit or not tens) else None


def spell(number: int) -> str:
    """A number from 0 to 9,999 in words.

    >>> spell(71), spell(80), spell(1981), spell(2019)
    ('soixante et onze', 'quatre-vingts', 'mille neuf cent quatre-vingt-un', 'deux mille dix-neuf')
    """
    if not 0 <= number <= 9999:
        raise ValueError("spell needs a number from 0 to 9,999")
    thousands, rest = divmod(number, 1000)
    hundreds, low = divmod(rest, 100)
    parts = []
    if thousands:
        parts.append("mille" if thousands == 1 else f"{_SPELT[thousands]} mille")
    if hundreds:
        many = "cents" if hundreds > 1 and not low else "cent"
        parts.append(many if hundreds == 1 else f"{_SPELT[hundreds]} {many}")
    if low or not parts:
        parts.append(_spell_low(low))
    return " ".join(parts)


def _spell_low(number: int) -> str:
    if number <= 16:
        return _SPELT[number]
    if number < 20:
        return f"dix-{_SPELT[number - 10]}"
    if number == 80:
        return "quatre-vingts"
    tens = 80 if number > 80 else min(number // 10 * 10, 60)
    rest = number - tens
    front = "quatre-vingt" if tens == 80 else _SPELT[tens]
    if not rest:
        return front
    joiner = " et " if rest in (1, 11) and tens != 80 else "-"
    return f"{front}{joiner}{_spell_low(rest)}"
