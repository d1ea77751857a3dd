"""Finds given strings in a note, whatever stands between their parts: one pass over the tokens.

Targets are folded letters and digits without separators ("legoff", "0612345678"). A hit is a run
of tokens that spells a target exactly; between tokens only the separators of the target's kind may
stand. So "LE GOFF", "Le-Goff", "le\\ngoff" and "LeGoff" are one target, and the cost does not grow
with the number of targets. Not a fuzzy search: see `dpdeid.normalize.one_slip`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, compress
from typing import Final, Generic, NamedTuple, TypeVar

from dpdeid.detect.units import View
from dpdeid.normalize import fold

T = TypeVar("T")

NAME_GAPS: Final = frozenset(" -'\n\r\t")
NUMBER_GAPS: Final = frozenset(" -'\n\r\t./_()[]·,:#*+")
_WORD: Final = re.compile(r"[^\W_]+").findall
_MAX_GAP: Final = 4
MAX_TARGET: Final = 80


@dataclass(frozen=True, slots=True)
class Target(Generic[T]):
    """What to find: `key` as folded letters and digits, and how it may be parted.

    Args:
        fact: what a hit is reported with.
        cuts: offsets in `key` where it may be parted; None for anywhere.
        gaps: the marks that may stand at a cut.
        broken: whether a word may also be broken by a hyphen at the end of a line.
    """

    key: str = field(repr=False)
    fact: T = field(repr=False)
    cuts: frozenset[int] | None = None
    gaps: frozenset[str] = NUMBER_GAPS
    broken: bool = False


def squeeze(text: str) -> str:
    """The folded letters and digits of a text, nothing else."""
    return "".join(_WORD(fold(text)))


def parts(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(_WORD(fold(text)))


def name_target(
    words: Iterable[str], fact: T, gaps: frozenset[str] = NAME_GAPS, *, broken: bool = False
) -> Target[T]:
    """A target that may be parted between its words only, or glued."""
    cuts, key = set(), ""
    for word in words:
        key += word
        cuts.add(len(key))
    return Target(key, fact, frozenset(cuts), gaps, broken)


class Finder(Generic[T]):
    """An index of targets: the strings that begin one, and those that are one."""

    __slots__ = ("_begins", "_kinds")

    def __init__(self, targets: Iterable[Target[T]]) -> None:
        self._kinds: dict[frozenset[str], _Kind[T]] = {}
        for target in targets:
            kind = self._kinds.setdefault(target.gaps, _Kind({}, {}))
            key = target.key[:MAX_TARGET]
            kind.whole.setdefault(key, []).append(target.fact)
            if target.cuts is None:
                kind.heads.update(dict.fromkeys(accumulate(key[:-1]), True))
                continue
            kind.heads.update((key[:end], True) for end in target.cuts if end < len(key))
            if target.broken:
                for end in range(1, len(key)):
                    kind.heads.setdefault(key[:end], False)
        self._begins = frozenset[str]().union(
            *(words for kind in self._kinds.values() for words in (kind.heads, kind.whole))
        )

    def find(self, view: View) -> Iterator[tuple[int, int, T]]:
        """Runs of tokens as (first, stop, fact)."""
        places = tuple(compress(range(view.size), map(self._begins.__contains__, view.folded)))
        for gaps, kind in self._kinds.items():
            whole, heads = kind.whole, kind.heads
            for index in places:
                word = view.folded[index]
                if word not in heads:  # nothing longer begins with it
                    for fact in whole.get(word, ()):
                        yield index, index + 1, fact
                    continue
                if word not in whole:
                    both = word + view.folded[index + 1] if index + 1 < view.size else word
                    if both.isalnum() and both not in heads and both not in whole:
                        continue
                for stop, facts in _spell(view, index, kind, gaps):
                    for fact in facts:
                        yield index, stop, fact


class _Kind(NamedTuple, Generic[T]):
    """Targets that share their gaps. A head is True where it may be parted by any of them, and
    False where only by a hyphen at the end of a line."""

    heads: dict[str, bool]
    whole: dict[str, list[T]]


def _spell(
    view: View, at: int, kind: _Kind[T], gaps: frozenset[str]
) -> Iterator[tuple[int, list[T]]]:
    """What the tokens from `at` on spell, as (token after it, facts)."""
    spelt, index = view.folded[at], at + 1
    while True:
        if (facts := kind.whole.get(spelt)) is not None:
            yield index, facts
        if (parted := kind.heads.get(spelt)) is None:
            return
        before = index - 1
        while index < view.size and view.texts[index] in gaps and index - before <= _MAX_GAP:
            index += 1
        if index >= view.size or not view.texts[index].isalnum():
            return
        gap = view.text[view.ends[before] : view.starts[index]]
        if (len(gap) > _MAX_GAP and gap.strip(" ") not in ("", "\n")) or (
            not parted and "-\n" not in gap
        ):
            return
        spelt += view.folded[index]
        index += 1
