r"""Twelve ways in which one note reaches a file: capitals, other bytes, other lines, marks between.

A typing is a reading of the plain note, as `dpdeid.views` has them the other way round: what is
found in it is carried back to the plain note exactly, so that all typings have the same words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle, pairwise
from typing import Final

from dpdeid.views.reading import Edit, Reading

WIDTH: Final = 60
_BREAK: Final = re.compile(r"\r?\n")
_LINE: Final = re.compile(r"(?m)^")
_LIGATURES: Final = {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE"}
_INVISIBLE: Final = "\u200f\u200b\u200e\u00ad\u2060\ufeff"
"""Right-to-left and left-to-right marks, spaces of no width, soft hyphens, word joiners."""


def _letters(change: Callable[[str], str]) -> Callable[[str], Iterator[Edit]]:
    def edits(text: str) -> Iterator[Edit]:
        for at, sign in enumerate(text):
            if (new := change(sign)) != sign:
                yield Edit(at, at + 1, new)

    return edits


def _breaks(new: str) -> Callable[[str], Iterator[Edit]]:
    return lambda text: (Edit(*m.span(), new, hollow=True) for m in _BREAK.finditer(text))


def _bare(sign: str) -> str:
    parted = unicodedata.normalize("NFD", _LIGATURES.get(sign, sign))
    return "".join(c for c in parted if not unicodedata.combining(c))


def _opened(opening: Callable[[int], str]) -> Callable[[str], Iterator[Edit]]:
    """Something before each line, by its number."""
    return lambda text: (
        Edit(m.start(), m.start(), opening(number), hollow=True)
        for number, m in enumerate(_LINE.finditer(text), 1)
    )


def _wrapped(text: str) -> Iterator[Edit]:
    """Lines of at most 60 columns, where their words allow it."""
    for line in re.finditer(r"[^\n]+", text):
        begin = line.start()
        words = [*re.finditer(r"\S+", line[0])]
        for before, word in pairwise(words):
            if line.start() + word.end() - begin > WIDTH:
                yield Edit(line.start() + before.end(), line.start() + word.start(), "\n", True)
                begin = line.start() + word.start()


def _hyphenated(text: str) -> Iterator[Edit]:
    """Lines of 60 columns; a word of letters that does not fit is broken, others go below."""
    for line in re.finditer(r"[^\n]+", text):
        begin = line.start()
        words = [*re.finditer(r"\S+", line[0])]
        for before, word in pairwise(words):
            start, end = (line.start() + at for at in word.span())
            if end - begin <= WIDTH:
                continue
            room = min(begin + WIDTH - 1 - start, len(word[0]) - 3)
            if room > 2 and word[0][: room + 3].isalpha():
                begin = start + room
                yield Edit(begin, begin, "-\n", hollow=True)
            else:
                yield Edit(line.start() + before.end(), start, "\n", hollow=True)
                begin = start


def _marked(text: str) -> Iterator[Edit]:
    """A character that nobody sees beside each space, before and behind it in turn."""
    for number, (space, mark) in enumerate(zip(re.finditer(" +", text), cycle(_INVISIBLE))):
        at = space.end() if number % 2 else space.start()
        yield Edit(at, at, mark, hollow=True)


TYPINGS: Final[Mapping[str, Callable[[str], Iterable[Edit]]]] = {
    "upper": _letters(str.upper),
    "bare": _letters(_bare),
    "decomposed": _letters(lambda sign: unicodedata.normalize("NFD", sign)),
    "latin-1": _letters(lambda sign: sign.encode().decode("latin-1")),
    "hl7": _breaks("\\.br\\"),
    "breaks": _breaks("<br/>"),
    "one-line": _breaks(" "),
    "wrapped": _wrapped,
    "hyphenated": _hyphenated,
    "quoted": _opened(lambda _: "> "),
    "numbered": _opened(lambda number: f"{number:3d}  "),
    "marked": _marked,
}


def typed(text: str, name: str) -> Reading:
    """The note in a typing; its raw text is the plain note."""
    return Reading(text, text).edited(TYPINGS[name](text))
