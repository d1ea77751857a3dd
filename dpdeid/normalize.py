"""Plain views of raw text: a clean copy to search in, and folded words to compare.

`clean` gives what detectors read: NFC, ordinary spaces, apostrophes and hyphens, no invisible
characters, with a map back to the raw offsets. `fold` gives the key under which two spellings of a
word are the same ("Éléonore", "ELEONORE"); it does not keep lengths and is for comparing only.
`one_slip` says whether two folded words are one slip of the pen apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_ONE_TO_ONE: Final = {
    **dict.fromkeys("\u00a0\u2000\u2002\u2003\u2007\u2008\u2009\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4\u2032", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-"),
    "\uff20": "@",
}
_ODD: Final = re.compile("[^\t-~\u0080-\u009f\u00a1-\u00ac\u00ae-\u00b3\u00b5-\u00ff]")
"""Whatever may need a look: all beyond Latin-1, a few of its characters, NUL and its neighbours."""
_AS_IT_IS: Final = frozenset("œŒŸ€–—“”…•→←≥≤≈™\ufffd")
"""Of these, the usual characters that stand for themselves."""
_INVISIBLE: Final = re.compile(
    "[\0-\b\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_LOOSE: Final = re.compile("[^\t-~\u0080-\u00ac\u00ae-\u02ff]")
"""Whatever may join the sign before it or be composed anew."""
_WIDE_DIGIT: Final = re.compile(r"[^\D0-9]")


@dataclass(frozen=True, slots=True)
class Clean:
    """A readable copy of a raw text.

    Args:
        starts, ends: of each character of `text` its raw stretch, half-open, whole clusters; None
            where the offsets are the same.
    """

    text: str = field(repr=False)
    starts: Sequence[int] | None = field(default=None, repr=False)
    ends: Sequence[int] | None = field(default=None, repr=False)


def clean(text: str) -> Clean:
    """A copy of `text` without typographic and Unicode variants, with the way back to its offsets.

    Equal lengths (the usual case) need no map. Combining accents are composed, invisible characters
    are removed: both stay inside the raw span of the characters around them.
    """
    odd = set(_ODD.findall(text)) - _AS_IT_IS
    for variant in odd & _ONE_TO_ONE.keys():
        text = text.replace(variant, _ONE_TO_ONE[variant])
    if odd <= _ONE_TO_ONE.keys():
        return Clean(text)
    if _WIDE_DIGIT.search(text):
        text = _WIDE_DIGIT.sub(lambda m: str(unicodedata.decimal(m[0])), text)
    if unicodedata.is_normalized("NFC", text) and not _INVISIBLE.search(text):
        return Clean(text)
    return _compose(text)


def _compose(text: str) -> Clean:
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _LOOSE.finditer(text):
        start = match.start()
        if start < done:
            continue
        start -= start > done and _joins(text[start])
        end = start + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        composed = unicodedata.normalize("NFC", _INVISIBLE.sub("", text[start:end]))
        out += (text[done:start], composed)
        starts += (*range(done, start), *[start] * len(composed))
        ends += (*range(done + 1, start + 1), *[end] * len(composed))
        done = end
    out.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return Clean("".join(out), starts, ends)


def _joins(sign: str) -> bool:
    """Whether it belongs to the sign before it."""
    return bool(unicodedata.combining(sign) or _INVISIBLE.match(sign))


_LETTERS: Final = str.maketrans(
    {"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_FOREIGN: Final = re.compile("[^\0-\x7f\u0300-\u036f]")
"""What is neither ASCII nor an accent."""
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u201b\u02bc\u00b4`", "''''''")


def fold(word: str) -> str:
    """The comparison key of a word: lower case, no accents, plain apostrophes.

    >>> fold("Éléonore"), fold("LEFÈVRE"), fold("Cœur d\u2019Or")
    ('eleonore', 'lefevre', "coeur d'or")
    """
    if word.isascii():
        return word.lower().replace("`", "'")
    # the acute accent alone first: NFKD would part it from its space
    parted = unicodedata.normalize("NFKD", word.replace("\u00b4", "'"))
    if not _FOREIGN.search(parted):
        return parted.encode("ascii", "ignore").decode().lower().replace("`", "'")
    marked = unicodedata.normalize("NFKD", word.translate(_APOSTROPHES)).lower()
    return "".join(c for c in marked if not unicodedata.combining(c)).translate(_LETTERS)


def one_slip(a: str, b: str) -> bool:
    """The words differ by at most one letter: wrong, missing, doubled or swapped.

    >>> one_slip("goff", "gof"), one_slip("marchand", "marchant"), one_slip("martin", "morin")
    (True, True, False)
    """
    if not -2 < len(a) - len(b) < 2:
        return False
    head = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        head += 1
    rest_a, rest_b = a[head:], b[head:]
    if rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]:
        return True
    swapped = rest_a[:2] == rest_b[1::-1] if len(rest_b) > 1 else False
    return swapped and rest_a[2:] == rest_b[2:]
