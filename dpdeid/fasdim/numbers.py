"""The numbers of a note, each with the word before and the word after it: what a number protection
pattern of FASDIM is about. Single letters ("hépatite C") and number words ("deux") count as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from dpdeid.detect.names.name_tokens import View
from dpdeid.french import numerals
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

START: Final = "^"
"""The word before a number that opens its line."""
GLUED: Final = "0"
"""Ends the word after a number that another number touches: "8h12", "67G08"."""

_INNER: Final = frozenset(".,/-x×:+*")
_PASSED: Final = frozenset(":=(<>~+≥≤≈-")
"""Marks between a number and the word before it."""
_LINKS: Final = frozenset(("a", "de", "est", "d", "egal", "egale", "'"))
"""Words between a number and the word it belongs to: "FC à 80"."""
_ELISIONS: Final = frozenset("cdjlmnstCDJLMNST")
_WORDS: Final = frozenset("aàyÀA")
"""Letters that are words."""
WORDS: Final = numerals.WORDS - {"un", "une", "premier"}
_MARKS: Final = frozenset("%°×€^+/.)-–")
"""Marks behind a number that tell what it is."""
_UNITS: Final = 3
"""Words of one unit: "mg/kg/j"."""


class Shape(Enum):
    """What a number may be.

    TINY has two digits at most before its mark and two behind it; SMALL is whole and below 1,000,
    or a number word, or a letter right behind a word and with no mark behind it; YEAR from 1900 to
    2099; VALUE has at most four digits before its mark or groups of three; PAIR is two values with
    a slash, hyphen or x between; PLAIN is measures ("31x28x21") or single digits in a row
    ("1-0-1"), which are nothing else; OTHER is no measure.
    """

    TINY = re.compile(r"(?!0\d)\d{1,2}(?:[.,]\d{1,2})?")
    SMALL = re.compile(r"(?!0\d)\d{1,3}|[^\W\d_]+")
    YEAR = re.compile(r"(?:19|20)\d\d")
    VALUE = re.compile(r"(?!0\d)(?:\d{1,4}(?:[.,]\d{1,3})?|\d{1,3}(?: \d{3})+|\d{1,4},\d+)")
    PAIR = re.compile(r"(?!0\d)\d{1,3}(?:[.,]\d{1,2})? ?[/x-] ?\d{1,3}(?:[.,]\d{1,2})?")
    PLAIN = re.compile(r"\d(?:[-.]\d){2,3}|\d{1,3}(?:[.,]\d)?(?:[x×]\d{1,3}(?:[.,]\d)?){1,2}")
    OTHER = re.compile(r"(?s).*")


@dataclass(frozen=True, slots=True)
class Number:
    """The tokens `first` to `stop` (exclusive) of a note.

    Args:
        before, after: the folded words beside it on its line, `START` or "" where there is none.
            After it also "%", "°c", "/min".
        tail: the first token behind the words of its unit.
    """

    first: int
    stop: int
    before: str = field(repr=False)
    after: str = field(repr=False)
    tail: int
    shape: Shape


def numbers(view: View) -> Iterator[Number]:
    """All numbers, from left to right."""
    stop = 0
    for at, text in enumerate(view.texts):
        if at < stop or not _MAY_BE[text] or not is_number(view, at):
            continue
        stop = _stop(view, at)
        text = view.text[view.starts[at] : view.ends[stop - 1]]
        shape = next(shape for shape in Shape if shape.value.fullmatch(text))
        if _is_in_row(view, at, stop) or _is_initial(view, at):
            shape = Shape.OTHER
        after, tail = _after(view, stop)
        yield Number(at, stop, _before(view, at), after, tail, shape)


def is_number(view: View, at: int) -> bool:
    """Whether a token is read as a number is."""
    text = view.texts[at]
    if text.isalpha() and len(text) == 1:
        dotted = text == "A" and view.glued(at + 1) and view.texts[at + 1] == "."
        return (text not in _WORDS or dotted) and not is_elision(view, at)
    return text[0].isdigit() or view.folded[at] in WORDS


def _may_be(text: str) -> bool:
    """Whether `is_number` may say yes of a token, wherever it stands."""
    return text[0].isdigit() or (len(text) == 1 and text.isalpha()) or fold(text) in WORDS


_MAY_BE: Final = Memo(_may_be)


def is_elision(view: View, at: int) -> bool:
    """The letter of "l'aorte"."""
    return view.texts[at] in _ELISIONS and view.texts[at + 1 : at + 2] == ("'",)


def _stop(view: View, at: int) -> int:
    texts, stop = view.texts, at + 1
    if not texts[at].isdigit():
        return stop
    while stop + 1 < view.size and texts[stop] in _INNER and view.glued(stop):
        if not (view.glued(stop + 1) and texts[stop + 1].isdigit()):
            break
        stop += 2
    if stop > at + 1 or len(texts[at]) > 3 or (at and texts[at - 1].isdigit()):
        return stop
    groups = stop
    while groups < view.size and texts[groups].isdigit() and view.gap(groups) == " ":
        if len(texts[groups]) != 3:
            return stop  # "02 98 52 60 61"
        groups += 1
    return groups


def _is_in_row(view: View, first: int, stop: int) -> bool:
    """Another number stands right beside it, as in telephone numbers."""
    before = first > 1 and view.texts[first - 1].isdigit() and not _is_formula(view, first - 1)
    after = stop < view.size and view.texts[stop].isdigit() and not _is_formula(view, first)
    return view.texts[first].isdigit() and (
        (before and first not in view.breaks) or (after and stop not in view.breaks)
    )


def _is_formula(view: View, at: int) -> bool:
    """The digit of "SpO2"."""
    return len(view.texts[at]) == 1 and view.glued(at) and view.texts[at - 1].isalpha()


def _is_initial(view: View, at: int) -> bool:
    """A letter that stands by itself, or before the point or hyphen of an initial."""
    if len(view.texts[at]) > 1 or not view.texts[at].isalpha():
        return False
    alone = at == 0 or at in view.breaks or not view.texts[at - 1].isalpha()
    if alone or not view.glued(at + 1) or view.texts[at + 1] not in ".-":
        return alone
    return at + 2 < view.size and at + 2 not in view.breaks and view.texts[at + 2][0].isupper()


def _before(view: View, at: int) -> str:
    passed = 0
    while at and at not in view.breaks and passed < 4:
        at, passed = at - 1, passed + 1
        word = view.folded[at]
        if word not in _PASSED and word not in _LINKS:
            return word if word.isalnum() or word == "×" else ""
    return START if at == 0 or at in view.breaks else ""


def _after(view: View, at: int) -> tuple[str, int]:
    if at >= view.size or at in view.breaks:
        return "", at
    word = view.folded[at]
    if not word.isalnum() and word not in _MARKS:
        return "", at
    if view.glued(at + 1) and view.texts[at + 1].isdigit():
        return f"{word}{GLUED}", at
    if word == "°" and view.word(at + 1) == "c":
        return "°c", at + 2
    if word == "/" and view.word(at + 1).isalpha():
        word, at = f"/{view.word(at + 1)}", at + 1
    tail = at + 1
    for _ in range(_UNITS - 1):
        if view.texts[tail : tail + 1] == ("/",) and view.word(tail + 1).isalpha():
            tail += 2
    return word, tail
