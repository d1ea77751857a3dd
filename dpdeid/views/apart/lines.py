"""Numbers that open every line of a note, left out: "003: TA 12/8", "[014] …", "L07 …", "0001|…".

They count up by one step from line to line and are written in one way; what only has a number at
some lines, as a list or a grid of days has, is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dpdeid.views.reading import Edit

_OPENS: Final = re.compile(
    r"(?m)^[ \t]{0,40}(?P<before>[*-]{0,2}[\[<({#§«]{1,2}|[A-Za-z]\.?[-_]?"
    r"|(?i:\(?(?:lignes?|line|row|rang|lgn?|ln|item|point|no|num[ée]ro|n°|nº)[ ._:-]?))?"
    r"(?P<number>\d{1,6})"
    r"(?P<after>[\]>)}»°º*]{0,2}[ ]?(?:[|.)\-–—_;>#~*]|[:/=,](?!\d)|->|→|=>|::|\|\||\.-|\.\))?)"
    r"(?P<gap>[ \t]{0,40})(?P<rest>[^\n]*)$"
)
_SAYS: Final = re.compile(r"\S")
_FEW: Final = 3
"""Lines from which marked or padded numbers number these."""
_MORE: Final = 5
"""The same of numbers with nothing but a blank behind them."""
_NEARLY: Final = 0.7
"""The share of lines with numbers that nothing else is, where others are a heading or broken."""
_LETTERED: Final = 0.5
"""The share of lines that say something in letters."""


def edits(text: str) -> Iterator[Edit]:
    """Nothing in place of each line's number and what frames it."""
    first = _SAYS.search(text)
    opening = _OPENS.match(text, text.rfind("\n", 0, first.start()) + 1) if first else None
    if first and (opening is None or not _is_numbered(opening)):  # perhaps below a heading
        below = _SAYS.search(text, max(text.find("\n", first.start()), 0))
        opening = _OPENS.match(text, text.rfind("\n", 0, below.start()) + 1) if below else None
        if opening is None or not _is_strong(opening):
            return
    if opening is None or not _is_numbered(opening):
        return
    lines = [_OPENS.match(text, at) for at in _lines(text)]
    form = _form(opening)
    strong = _is_strong(opening)
    marks = [line for line in lines if line and (not strong or _form(line) == form)]
    if len(marks) < (_FEW if _is_marked(opening) else _MORE):
        return
    if len(marks) < len(lines) * (_NEARLY if strong else 1):
        return
    if len({_form(line) for line in marks}) > 1:
        return
    numbers = [int(line["number"]) for line in marks]
    steps = {b - a for a, b in pairwise(numbers)}
    said = sum(re.search(r"[^\W\d_]{2}", line["rest"]) is not None for line in marks)
    if len(steps) > 1 or min(steps) < 1 or said < _LETTERED * len(marks):
        return
    for line in marks:
        start = line.start()
        begins = start - 1 if start and text[start - 1] == "\n" else start
        yield Edit(begins, line.start("rest"), text[begins:start], hollow=True)


def _lines(text: str) -> Iterator[int]:
    """Where the lines begin that are not blank."""
    at = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            yield at
        at += len(line) + 1


def _is_numbered(line: re.Match[str]) -> bool:
    """Whether something parts the number from what it numbers, or frames it."""
    return bool(line["after"] or line["gap"] or not line["rest"])


def _is_marked(line: re.Match[str]) -> bool:
    return bool(line["before"] or line["after"].strip() or line["number"].startswith("0"))


def _is_strong(line: re.Match[str]) -> bool:
    """Whether hardly anything but the number of a line is written so: "L007:", "[12]", "0004|"."""
    framed = bool(line["before"]) and line["after"].strip() != ""
    return framed or (line["number"].startswith("00") and _is_numbered(line))


def _form(line: re.Match[str]) -> tuple[str | bool, ...]:
    return line["before"] or "", line["after"].strip(), _is_numbered(line)
