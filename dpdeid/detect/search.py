"""Finds given strings in a note, whatever stands between their parts: one pass over the tokens.

Targets are folded letters and digits without separators ("legoff", "0612345678"). A hit is a run
of tokens that spells a target exactly; between tokens only the separators of the target's kind may
stand. So "LE GOFF", "Le-Goff", "le\\ngoff" and "LeGoff" are one target, and the cost does not grow
with the number of targets. Not a fuzzy search: see `one_slip` for that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from dpdeid.detect.units import View
from dpdeid.normalize import fold

T = TypeVar("T")

NAME_GAPS: Final = frozenset(" -'\n\r\t")
NUMBER_GAPS: Final = frozenset(" -'\n\r\t./_()[]·,:#*+")
_WORD: Final = re.compile(r"[^\W_]+").findall
_MAX_GAP: Final = 4
_MAX_TARGET: Final = 80


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
    """An index of targets by the tokens they may begin with."""

    __slots__ = ("_by_start",)

    def __init__(self, targets: Iterable[Target[T]]) -> None:
        by_start: dict[str, list[Target[T]]] = defaultdict(list)
        for target in targets:
            key = target.key[:_MAX_TARGET]
            free = target.cuts is None or target.broken
            ends = range(1, len(key) + 1) if free else sorted(target.cuts or ())
            for end in ends:
                by_start[key[:end]].append(target)
        self._by_start: Mapping[str, list[Target[T]]] = by_start

    def find(self, view: View) -> Iterator[tuple[int, int, T]]:
        """Runs of tokens as (first, stop, fact), in order of their first token."""
        by_start = self._by_start
        if not by_start:
            return
        for index, word in enumerate(view.folded):
            if word in by_start:
                for target in by_start[word]:
                    stop = _spell(view, index, target)
                    if stop:
                        yield index, stop, target.fact


def _spell(view: View, at: int, target: Target[T]) -> int:
    """The token after the run that spells the target from token `at`, or 0."""
    key, cuts = target.key, target.cuts
    done = len(view.folded[at])
    index = at + 1
    while done < len(key):
        skipped = 0
        while index < view.size and not view.texts[index].isalnum() and skipped < _MAX_GAP:
            if view.texts[index] not in target.gaps:
                return 0
            skipped += 1
            index += 1
        if index >= view.size or not key.startswith(view.folded[index], done):
            return 0
        gap = view.text[view.ends[index - 1 - skipped] : view.starts[index]]
        if len(gap) > _MAX_GAP and gap.strip(" ") not in ("", "\n"):
            return 0
        if cuts is not None and done not in cuts and not (target.broken and "-\n" in gap):
            return 0
        done += len(view.folded[index])
        index += 1
    return index if done == len(key) else 0


def one_slip(a: str, b: str) -> bool:
    """The words differ by at most one letter: wrong, missing, doubled or swapped.

    >>> one_slip("goff", "gof"), one_slip("marchand", "marchant"), one_slip("martin", "morin")
    (True, True, False)
    """
    if abs(len(a) - len(b)) > 1:
        return False
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    rest_a, rest_b = a[head:], b[head:]
    if rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]:
        return True
    swapped = rest_a[:2] == rest_b[1::-1] if len(rest_b) > 1 else False
    return swapped and rest_a[2:] == rest_b[2:]
