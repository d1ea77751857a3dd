"""What stands around a match, and lists of decisions on it.

A row's `context` is a list of steps, `drop` or `keep`, each with conditions that must all fit; the
first step that fits decides. A match that no step decides is kept, unless the last step is `keep`.
A condition is an expression for one of these texts, "no" before its name turns it round:

- `before`, `after`: the text beside the match, in small letters;
- `written before`, `written after`: the same as written;
- `text before`, `line before`, `line after`: the same folded; "line" ends at the line's ends;
- `match`, `found`: all that the row matched, and its first span, as written, searched anywhere.

What stands before must end at the match, what stands after must begin behind it. `within` says how
far before the match is read; `is` names a predicate, asked last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from dpdeid.detect.rules.fragments import pattern
from dpdeid.detect.rules.table import Check
from dpdeid.normalize import fold

_AFTER: Final = 40
"""How far behind a match is read, in characters; before it, where a row does not say it."""


_folded: Final = lru_cache(maxsize=8)(fold)
"""Several texts, and several rows at one place, read the same stretch."""


def written_before(match: re.Match[str], width: int = _AFTER) -> str:
    """The text just before a match."""
    start = match.start()
    return match.string[max(0, start - width) : start]


def written_after(match: re.Match[str]) -> str:
    """The text just after a match."""
    end = match.end()
    return match.string[end : end + _AFTER]


def text_before(match: re.Match[str], width: int) -> str:
    """The folded text before a match."""
    return _folded(written_before(match, width))


def line_before(match: re.Match[str], width: int = _AFTER) -> str:
    """The folded text before a match, from its own line."""
    return _folded(written_before(match, width).rpartition("\n")[2])


_Read = Callable[[re.Match[str], int], str]

_TEXTS: Final[Mapping[str, _Read]] = {
    "before": lambda match, width: written_before(match, width).lower(),
    "written before": written_before,
    "text before": text_before,
    "line before": line_before,
    "after": lambda match, _: written_after(match).lower(),
    "written after": lambda match, _: written_after(match),
    "line after": lambda match, _: fold(written_after(match).partition("\n")[0]),
    "match": lambda match, _: match[0],
    "found": lambda match, _: match[next(iter(match.re.groupindex))],
}

_Text = tuple[_Read, int]
"""What reads a text, and how far it goes."""

_Condition = tuple[_Text, Callable[[str], re.Match[str] | None], bool]
"""A text, what is looked for in it, and whether it must not be there."""


class _Around(dict[_Text, str]):
    """The texts around one match, each read when a condition first asks for it."""

    __slots__ = ("match",)

    match: re.Match[str]

    def __missing__(self, text: _Text) -> str:
        read, width = text
        found = self[text] = read(self.match, width)
        return found


def decisions(
    steps: Sequence[Mapping[str, Any]], predicates: Mapping[str, Check], within: int = _AFTER
) -> Check:
    """A check that takes the first step whose conditions fit; compiled where it is first asked."""
    for step in steps:
        ((what, conditions),) = step.items()
        if what not in ("keep", "drop"):
            raise ValueError(f"a step of a context is keep or drop, not {what}")
        for name, text in conditions.items():
            bare = name.removeprefix("no ")
            if bare == "is":
                predicates[text]  # an unknown one is an error at once
            elif bare not in _TEXTS and bare != "within":
                raise ValueError(f"unknown text {name!r}; there are {sorted(_TEXTS)}")

    @cache
    def compiled() -> list[tuple[bool, list[_Condition], list[Check]]]:
        taken = []
        for step in steps:
            ((what, conditions),) = step.items()
            width = conditions.get("within", within)
            found: list[_Condition] = []
            # those before the match last: a search there costs most
            for name, text in sorted(conditions.items(), key=lambda c: c[0].endswith("before")):
                bare = name.removeprefix("no ")
                if bare in _TEXTS:
                    found.append(((_TEXTS[bare], width), _search(bare, text), bare != name))
            asked = [predicates[text] for name, text in conditions.items() if name == "is"]
            taken.append((what == "keep", found, asked))
        return taken

    otherwise = "drop" in steps[-1]

    def decide(match: re.Match[str]) -> bool:
        around = _Around()
        around.match = match
        for keep, conditions, checks in compiled():
            for text, search, absent in conditions:
                if (search(around[text]) is None) is not absent:
                    break
            else:
                if not checks or all(check(match) for check in checks):
                    return keep
        return otherwise

    return decide


def _search(name: str, text: str) -> Callable[[str], re.Match[str] | None]:
    if name.endswith("before"):
        return pattern(rf"(?:{text})\Z").search
    return pattern(text).search if name in ("match", "found") else pattern(text).match
