"""Whether letters and digits that stand apart say a dose, a way or an order: "1 G A L", "I V L",
"J 1 A J 3", or which of two is ticked: "F_X_ M___". They look like a name that is spelt, or like a
number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from dpdeid.french.tables import words_by_key

_KINDS: Final = {kind: frozenset(words) for kind, words in words_by_key("doses").items()}
_SURE: Final = _KINDS["way"] | _KINDS["short"]
_LONGEST: Final = max(map(len, frozenset[str]().union(*_KINDS.values())))
_MONTH: Final = re.compile(r"\d(?:janv?|fevr?|mars|avr|mai|juin|juil|aou|sept?|oct|nov|dec)")
"""A day and its month in boxes: "1 4 S E P"."""
_DIGITS: Final = 4
"""Digits of the longest dose: "5000 UI"."""
_ALL_DIGITS: Final = 6
"""Digits in all from which they rather are a number in boxes."""


def is_order(signs: Sequence[str]) -> bool:
    """Whether folded single letters and digits, in their order, are all parts of a dose or order:
    letters alone must have a way or an abbreviation among them.
    """
    digits = sum(map(str.isdigit, signs))
    if digits and _MONTH.search("".join(signs)):
        return False
    return (
        digits < len(signs) > 1 and digits <= _ALL_DIGITS and _reads("".join(signs), bool(digits))
    )


def is_ticked(signs: Sequence[str]) -> bool:
    """Whether folded letters are those of two boxes, sex or yes and no, and a cross."""
    return "".join(signs) in _KINDS["tick"]


@cache
def _pieces(text: str, before: str) -> tuple[str, ...]:
    """The kinds of what a text may be as a whole, behind a piece of another kind."""
    if text.isdigit():
        return ("number",) if len(text) <= _DIGITS and not text[0] == "0" != text else ()
    if text in _KINDS["unit"] and before in ("number", "unit"):
        return ("unit",)
    if text in _SURE:
        return ("sure",)
    kinds = []
    if text in _KINDS["letter"]:
        kinds.append("letter")
    if text in _KINDS["word"]:
        kinds.append("word")
    return tuple(kinds)


def _reads(text: str, sure: bool) -> bool:
    """Whether a text is pieces one behind the other, a sure one among them unless `sure`."""
    waiting, seen = {(0, "", sure)}, set[tuple[int, str, bool]]()
    while waiting:
        state = waiting.pop()
        seen.add(state)
        at, before, told = state
        if at == len(text):
            if told and before != "letter":
                return True
            continue
        for stop in range(at + 1, min(len(text), at + _LONGEST) + 1):
            piece = text[at:stop]
            if before == "letter" and not piece.isdigit():
                break
            if piece.isdigit() and text[stop : stop + 1].isdigit():
                continue
            for kind in _pieces(piece, before):
                after = (stop, kind, told or kind == "sure")
                if after not in seen:
                    waiting.add(after)
    return False
