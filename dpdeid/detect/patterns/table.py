"""Patterns as data: a row is a regular expression, where to try it, and its own test lines.

A row names its labels by its groups: `(?P<ZIP>\\d{5}) (?P<CITY>…)` gives two spans; a second group
of one label takes a suffix, `(?P<CITY_2>…)`. Rows are tried only at their anchors, found in one
pass over the tokens, so that a hundred rows cost little more than one:

- a set of folded words: the expression is matched at each token that is one of them;
- `DIGITS`: at each run of digits that no letter or digit touches on its left;
- a literal text such as "@": what lies around each of its places in the note is searched.

Every repeat in an expression is bounded, so that the time stays linear in the length of the note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role

DIGITS: Final = "0-9"
"""Anchor of rows that begin with a number."""

_BEFORE: Final = 160
_AFTER: Final = 640
"""How far around a literal its rows are searched, in characters."""

Check = Callable[[re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern.

    Args:
        name: family and what it is, "date.numeric"; part of the source of its spans.
        anchor: folded words, `DIGITS`, or a literal that must occur in the note.
        regex: matched at the anchor; groups are named by labels. Case counts unless it says (?i).
        example: a line with the expected spans marked «LABEL:text».
        score: how sure it is, in [0, 1]; .9 and more is strong evidence.
        check: a last look at the match (a control digit, a calendar); False drops it.
        never: lines in which the row must find nothing.
        role: whose name it finds.
    """

    name: str
    anchor: frozenset[str] | str
    regex: str
    example: str
    score: float = 0.9
    check: Check | None = None
    never: tuple[str, ...] = ()
    role: Role = Role.UNKNOWN


def words(text: str) -> frozenset[str]:
    """The folded words of an anchor, written with spaces between them."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class _Compiled:
    match: Callable[[str, int], re.Match[str] | None]
    search: Callable[[str, int, int], Iterator[re.Match[str]]]
    groups: tuple[tuple[int, Label], ...]
    check: Check | None
    score: float
    source: str
    role: Role

    def spans(self, match: re.Match[str]) -> Iterator[Span]:
        if self.check is not None and not self.check(match):
            return
        for group, label in self.groups:
            start, end = match.span(group)
            if start < end:
                yield Span(start, end, label, self.score, self.source, self.role)


_GROUP: Final = re.compile(r"\(\?P<(\w+)>")
_REFERENCE: Final = re.compile(r"\(\?P=(\w+)\)")


class _Probe:
    """Which of many rows match at one place, told by a single expression.

    Each row stands in it as an optional look-ahead with an empty group behind it that is set if the
    row matches, so that the many rows that do not match cost one call instead of one call each.
    """

    __slots__ = ("_markers", "_match")

    def __init__(self, rows: Sequence[tuple[Row, _Compiled]]) -> None:
        pieces, self._markers = [], []
        for number, (row, compiled) in enumerate(rows):
            body = row.regex.removeprefix("(?i)")
            if _REFERENCE.search(body):
                own = _GROUP.sub(rf"(?P<r{number}_\1>", body)
                own = _REFERENCE.sub(rf"(?P=r{number}_\1)", own)
            else:
                own = _GROUP.sub("(?:", body)
            scoped = own if body == row.regex else f"(?i:{own})"
            pieces.append(f"(?:(?={scoped})(?P<r{number}>)|)")
            self._markers.append((f"r{number}", compiled))
        self._match = re.compile("".join(pieces)).match

    def rows(self, text: str, start: int) -> Sequence[_Compiled]:
        """The rows that match `text` at `start`, in their order."""
        match = self._match(text, start)
        if match is None or match.lastindex is None:
            return ()
        return [row for marker, row in self._markers if match.start(marker) >= 0]


def _compile(row: Row) -> _Compiled:
    regex = re.compile(row.regex)
    groups = []
    for name, number in regex.groupindex.items():
        label = Label(name if name in Label.__members__ else name.rpartition("_")[0])
        groups.append((number, label))
    if not groups:
        raise ValueError(f"row {row.name} names no label")
    return _Compiled(
        regex.match,
        regex.finditer,
        tuple(groups),
        row.check,
        row.score,
        f"patterns/{row.name}",
        row.role,
    )


class Table:
    """Rows, indexed by anchor. `scan` runs them all over one document."""

    __slots__ = ("_by_literal", "_by_word", "_digits")

    def __init__(self, rows: Iterable[Row]) -> None:
        by_word: dict[str, list[_Compiled]] = defaultdict(list)
        by_literal: dict[str, list[_Compiled]] = defaultdict(list)
        digits: list[tuple[Row, _Compiled]] = []
        for row in rows:
            compiled = _compile(row)
            if isinstance(row.anchor, frozenset):
                for word in row.anchor:
                    by_word[word].append(compiled)
            elif row.anchor == DIGITS:
                digits.append((row, compiled))
            else:
                by_literal[row.anchor].append(compiled)
        self._by_word = dict(by_word)
        self._by_literal = dict(by_literal)
        self._digits = _Probe(digits)

    def scan(self, doc: Document) -> list[Span]:
        """All spans of all rows, in no particular order; they may overlap."""
        text, tokens = doc.text, doc.tokens
        found: list[Span] = []
        by_word, digits = self._by_word, self._digits
        for index, word in enumerate(tokens.folded):
            rows: Sequence[_Compiled]
            if word in by_word:
                rows = by_word[word]
            elif word.isdigit():
                start = tokens.starts[index]
                touched = start > 0 and text[start - 1].isalnum()
                rows = () if touched else digits.rows(text, start)
            else:
                continue
            start = tokens.starts[index]
            for row in rows:
                if (match := row.match(text, start)) is not None:
                    found.extend(row.spans(match))
        for literal, rows in self._by_literal.items():
            at = text.find(literal)
            while at >= 0:
                for row in rows:
                    for match in row.search(text, max(0, at - _BEFORE), at + _AFTER):
                        found.extend(row.spans(match))
                at = text.find(literal, at + _AFTER // 2)
        return found
