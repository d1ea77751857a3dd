"""Words that a scanner or an old system cut with a blank, read whole: "hospi tali sation", "D r",
and in a text with several of them names and towns too: "Dr Ro land Mé nard", "Stras bourg".

A text is cut if pieces that no list has make words of the dictionary with what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dpdeid import gazetteers
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.french.tables import words_by_key
from dpdeid.french.titles import TITLES
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.views.reading import Edit
from dpdeid.views.words import IS_KNOWN, is_name, words

_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
_PIECES: Final = 4
"""Into so many a word is cut at most."""
_LEAST: Final = 5
"""Letters of a word that was cut; of one whose pieces are all words, one more."""
_CUT: Final = 2
"""Different words in pieces from which all of a text is looked through."""
_OFTEN: Final = 4
"""Words in pieces from which names are read whole wherever they stand."""
_CUT_TITLE: Final = re.compile(
    r"(?<![^\W_])(?:D r|P r|M (?:r|me|lle|onsieur|ad ?ame)|Doc teur)(?=\.? [A-ZÀ-Þ])"
)
_SMALL: Final = frozenset(
    ("a", "y", "de", "du", "des", "la", "le", "les", "en", "et", "au", "un", "l", "d")
)
"""Words that stand before and behind names: no half of a word where few are cut."""
_USUAL: Final = 4
"""How usual a word is that is nobody's half: "par", "sous"."""
_LONGEST: Final = 14
_SHORTENED: Final = frozenset(words_by_key("specialties")["short"])
"""Specialties as they are shortened."""
_BEHIND: Final = frozenset(
    ("et", "ou", "ne", "nee", "dit", "dite", "vu", "vue", "est", "qui", "pour", "avec", "par")
)
"""Words between a name and another."""


class _Text:
    """The words of a text and whether one blank stands before each."""

    __slots__ = ("_text", "ends", "starts", "words")

    def __init__(self, text: str) -> None:
        found = [match.span() for match in _WORD.finditer(text)]
        self._text = text
        self.starts = [start for start, _ in found]
        self.ends = [end for _, end in found]
        self.words = [text[start:end] for start, end in found]

    def follows(self, at: int) -> bool:
        return at < len(self.words) and self._text[self.ends[at - 1] : self.starts[at]] == " "

    def reach(self, at: int) -> tuple[int, int]:
        """The words that stand with this one, one blank apart, as far as one word may be cut."""
        low, high = at, at + 1
        while low > at - _PIECES and self.follows(low):
            low -= 1
        while high < at + _PIECES and self.follows(high):
            high += 1
        return low, high

    def runs(self, first: int, stop: int) -> bool:
        """Whether one blank stands between the words, and their letters are alike."""
        words = self.words[first:stop]
        if not (all(map(str.islower, words[1:])) or all(map(str.isupper, words))):
            return False
        return stop <= len(self.words) and all(map(self.follows, range(first + 1, stop)))


def edits(text: str) -> Iterator[Edit]:
    """The blanks inside of words, read as nothing."""
    letters = words(text)
    odd = {word for word in letters if _ODD[word]}
    titled, halves = _CUT_TITLE.search(text) is not None, _halves(letters)
    if not odd and not titled and not halves:
        return
    view = _Text(text)
    sure = [*_disjoint((*_told(view, halves), *_around(view, odd)))]
    found = dict(sure)
    if titled or len({"".join(view.words[a:b]).lower() for a, b in sure}) >= _CUT:
        found = dict(_disjoint((*sure, *_titles(view), *_anywhere(view))))
        found |= dict(_names(view, found))
        if len(found) >= _OFTEN:
            more = [run for run in _named_anywhere(view) if not _overlaps(run, found)]
            found |= dict(_disjoint(more))
    gaps = {
        (view.ends[at], view.starts[at + 1]) for a, b in found.items() for at in range(a, b - 1)
    }
    yield from (Edit(*gap, "") for gap in sorted(gaps))


def _disjoint(
    runs: Sequence[tuple[int, int]] | Iterator[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
    """Runs of words without those that overlap one before; of two that begin alike the longer."""
    done = -1
    for first, stop in sorted(runs, key=lambda run: (run[0], -run[1])):
        if first >= done:
            yield first, stop
            done = stop


def _halves(words: frozenset[str]) -> frozenset[tuple[str, str]]:
    """The halves, in small letters, of names that stand whole among the words of a text and in two
    words too: "LANTERNIER … LAN TERNIER". No particle is a half, nor are two names.
    """
    small = {word.lower() for word in words}
    names = (word for word in small if _LEAST < len(word) <= _LONGEST and _UNLISTED[word])
    return frozenset(
        (word[:at], word[at:])
        for word in names
        for at in range(2, len(word) - 1)
        if word[:at] in small and word[at:] in small and _ARE_HALVES[word[:at], word[at:]]
    )


def _are_halves(halves: tuple[str, str]) -> bool:
    pair = [*map(fold, halves)]
    named = all(len(half) >= _USUAL and is_name(half) for half in pair)
    return _SMALL.isdisjoint(pair) and not named and not _WHOLE["".join(halves)]


def _told(view: _Text, halves: frozenset[tuple[str, str]]) -> Iterator[tuple[int, int]]:
    small = [word.lower() for word in view.words] if halves else []
    for first, pair in enumerate(pairwise(small)):
        if pair in halves and view.runs(first, first + 2):
            yield first, first + 2


def _around(view: _Text, odd: set[str]) -> Iterator[tuple[int, int]]:
    """Words of the dictionary that pieces in no list make with their neighbours."""
    for at, word in enumerate(view.words):
        if word not in odd:
            continue
        low, high = view.reach(at)
        for size in range(min(_PIECES, high - low), 1, -1):
            firsts = range(max(low, at - size + 1), min(at, high - size) + 1)
            yield from (
                (first, first + size)
                for first in firsts
                if view.runs(first, first + size)
                and _SMALL.isdisjoint(map(fold, view.words[first : first + size]))
                and _WHOLE["".join(view.words[first : first + size])]
            )


def _anywhere(view: _Text) -> Iterator[tuple[int, int]]:
    """Words and towns in pieces that are words too, but not all usual ones."""
    for first in range(len(view.words) - 1):
        for size in range(_PIECES, 1, -1):
            pieces = view.words[first : first + size]
            if not view.runs(first, first + size) or all(_IS_USUAL[piece] for piece in pieces):
                continue
            whole = "".join(pieces)
            if _WHOLE[whole] or (size == 2 and _PLACE[whole]):
                yield first, first + size


def _titles(view: _Text) -> Iterator[tuple[int, int]]:
    """Titles in pieces: "D r", "M ad ame"."""
    for first, word in enumerate(view.words):
        if len(word) == 1 and word in "DPM":
            for size in (4, 3, 2):
                if (
                    view.runs(first, first + size)
                    and fold("".join(view.words[first : first + size])) in TITLES
                ):
                    yield first, first + size
                    break


def _names(view: _Text, found: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Names in pieces behind a title, up to two: the longest that a list has, else a piece and
    those behind it that are no words.
    """
    at, left = 0, 0
    while at < len(view.words):
        stop = found.get(at, at + 1)
        word = fold("".join(view.words[at:stop]))
        listed = left and _listed_at(view, at)
        if not listed and word in TITLES and (len(word) > 1 or view.words[at] == "M"):
            left = 2
        elif left and (view.words[at][0].isupper() or listed):
            own = _name_at(view, at, stop)
            left -= 1
            if own > at + 1:
                yield at, own
            stop = own
        else:
            left = 0
        at = stop


def _named_anywhere(view: _Text) -> Iterator[tuple[int, int]]:
    """Names of the lists in pieces, of which one behind the first is no usual word: "Cher rier"."""
    for first, word in enumerate(view.words):
        if not word[0].isupper():
            continue
        for size in range(_PIECES, 1, -1):
            if not view.runs(first, first + size):
                continue
            tail = view.words[first + 1 : first + size]
            whole = fold("".join(view.words[first : first + size]))
            odd = any(_is_rare(fold(piece)) for piece in tail)
            if odd and len(whole) >= _USUAL and is_name(whole):
                yield first, first + size


def _is_rare(piece: str) -> bool:
    return gazetteers.frequency().get(piece, 0) <= _USUAL and piece not in _BEHIND


def _overlaps(run: tuple[int, int], found: dict[int, int]) -> bool:
    return any(a < run[1] and run[0] < b for a, b in found.items())


def _name_at(view: _Text, first: int, stop: int) -> int:
    """Where the name ends that begins with a piece."""
    if end := _listed_at(view, first):
        stop = end
    elif is_name(fold(view.words[first])) and len(view.words[first]) > _USUAL:
        return stop
    while stop in range(first + 1, first + _PIECES) and view.runs(first, stop + 1):
        piece = fold(view.words[stop])
        between = view.follows(stop + 1) and view.words[stop + 1][0].isupper()
        word = piece in gazetteers.words() and len(piece) > 1
        if (word and (piece in _BEHIND or not between)) or (end and not between):
            break
        stop += 1
    return stop


def _listed_at(view: _Text, first: int) -> int:
    """Where the name of a list ends that begins with a piece; 0 if none does."""
    whole = len(view.words[first]) >= _USUAL and is_name(fold(view.words[first]))
    for end in range(first + _PIECES, first + 1, -1):
        named = view.runs(first, end) and is_name(fold("".join(view.words[first:end])))
        if named and not (whole and _IS_USUAL[view.words[end - 1]]):
            return end
    return 0


def _is_odd(word: str) -> bool:
    if not 1 < len(word) <= _LONGEST:
        return False
    folded = fold(word)
    if word.islower():  # names and towns are not written so where words are cut
        listed = folded in gazetteers.words() or folded in gazetteers.medical()
        return not (listed or folded in TITLES)
    return not IS_KNOWN[folded]


def _is_usual(word: str) -> bool:
    return gazetteers.frequency().get(fold(word), 0) >= _USUAL and len(word) > 1


def _is_whole(word: str) -> bool:
    folded = fold(word)
    listed = folded in gazetteers.words() or bool(gazetteers.medical().get(folded))
    one_case = word.islower() or word.isupper()  # "PICC line" is two words
    listed = listed or (one_case and folded in LISTED) or folded in _SHORTENED
    usual = word.islower() and gazetteers.frequency().get(folded, 0) >= _USUAL - 1
    named = is_name(folded) and len(folded) <= 2 * _USUAL and not usual
    return len(folded) >= _LEAST and listed and not named


def _is_place(word: str) -> bool:
    return len(word) > _LEAST and word[0].isupper() and fold(word) in gazetteers.place_keys()


_ARE_HALVES: Final = Memo(_are_halves)
_ODD: Final = Memo(_is_odd)
_UNLISTED: Final = Memo(lambda word: word not in gazetteers.words())
_IS_USUAL: Final = Memo(_is_usual)
_WHOLE: Final = Memo(_is_whole)
_PLACE: Final = Memo(_is_place)
