r"""Patterns as data: a row is a regular expression, where to try it, and its own test lines.

A row names its labels by its groups: `(?P<ZIP>\d{5}) (?P<CITY>…)` gives two spans; a second group
of one label takes a suffix, `(?P<CITY_2>…)`. Rows are tried only at their anchors, found in one
pass over the tokens, so that a hundred rows cost little more than one:

- folded words, each with an expression that the three characters behind it must match, digits as
  "0" ("" for any): the row's expression is matched at each token that is one of them;
- a `Number`: at each run of digits of that shape that no letter or digit touches on its left;
- an `Ending`: at each word that ends so;
- a literal text such as "@": what lies around each of its places in the note is searched;
- a `Run`: the same, where a match holds no white space.

Every repeat in an expression is bounded, so that the time stays linear in the length of the note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Final

from dpdeid.document import Document, Span
from dpdeid.labels import Label, Role
from dpdeid.lexicon import Memo
from dpdeid.tokens import tokenize

_BEFORE: Final = 160
_AFTER: Final = 640
"""How far around a literal its rows are searched, in characters."""

_CLOSED: Final = frozenset((Label.DATE, Label.PHONE, Label.FAX, Label.SSN))
_SURE: Final = 0.88
"""Score from which a date, phone or social security number is believed: no row is tried inside,
and none behind its own where it begins with a digit."""

_BEHIND: Final = 3
"""Characters behind a word that tell which rows are tried at it."""

_LONGEST: Final = 16
"""Digits after which one more tells no shape from another."""


@dataclass(frozen=True, slots=True)
class Number:
    """Anchor of rows that begin with a number.

    A note is full of numbers, and most rows can tell by the next three characters that one is not
    theirs; which rows are tried for a shape is worked out once.

    Args:
        shape: what the number and the three characters after it must match, digits written as "0",
            but a first digit that is no zero as "1"; at least all that the row's expression admits.
            Case counts as in that expression.
    """

    shape: str


@dataclass(frozen=True, slots=True)
class Word:
    """Anchor of rows that begin with a word of every sentence.

    Args:
        words: the folded words.
        behind: what the three characters after the word must match, digits written as "0"; at
            least all that the row's expression admits. Case counts.
    """

    words: frozenset[str]
    behind: str


@dataclass(frozen=True, slots=True)
class Ending:
    """Anchor of rows that begin with a word of this folded ending, "strasse"."""

    ending: str


@dataclass(frozen=True, slots=True)
class Run:
    """Anchor of rows whose matches hold a literal and no white space: only the run is searched.

    No literal begins another: all are looked for at once.
    """

    literal: str


Check = Callable[[re.Match[str]], bool]
Anchor = Mapping[str, str] | Number | Ending | Run | str


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern.

    Args:
        name: family and what it is, "date.numeric"; part of the source of its spans.
        anchor: folded words with what must stand behind each, at least all that the expression
            admits; a `Number`, an `Ending`, or a literal that every match must hold (but for white
            space at the literal's ends), alone or as a `Run`. A literal alone begins and ends with
            a mark or white space.
        regex: matched at the anchor; groups are named by labels. Case counts unless it says (?i).
        example: a line with the expected spans marked «LABEL:text».
        score: how sure it is, in [0, 1]; .9 and more is strong evidence.
        check: a last look at the match (a control digit, a calendar); False drops it.
        never: lines in which the row must find nothing.
        role: whose name it finds.
    """

    name: str
    anchor: Anchor
    regex: str
    example: str
    score: float = 0.9
    check: Check | None = None
    never: tuple[str, ...] = ()
    role: Role = Role.UNKNOWN


def words(text: str) -> frozenset[str]:
    """The folded words of an anchor, written with spaces between them."""
    return frozenset(text.split())


@dataclass(frozen=True)
class _Compiled:
    """A row, its expression compiled when it is first tried: one note needs a part of them."""

    row: Row

    @cached_property
    def regex(self) -> re.Pattern[str]:
        try:
            regex = re.compile(self.row.regex)
        except re.error as error:
            raise ValueError(f"row {self.row.name}: {error}") from error
        if not regex.groupindex:
            raise ValueError(f"row {self.row.name} names no label")
        return regex

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        return self.regex.match

    @cached_property
    def groups(self) -> tuple[tuple[int, Label], ...]:
        return tuple(
            (number, Label(name if name in Label.__members__ else name.rpartition("_")[0]))
            for name, number in self.regex.groupindex.items()
        )

    @cached_property
    def closed(self) -> bool:
        return self.row.score >= _SURE and all(label in _CLOSED for _, label in self.groups)

    def collect(self, match: re.Match[str], found: list[Span]) -> bool:
        """Adds the spans of a match to those found; returns whether they are closed."""
        row = self.row
        if row.check is not None and not row.check(match):
            return False
        for group, label in self.groups:
            start, end = match.span(group)
            if start < end:
                source = f"patterns/{row.name}"
                found.append(Span(start, end, label, row.score, source, row.role))
        return self.closed

    def within(self, text: str, literal: str, start: int, end: int, found: list[Span]) -> None:
        """Adds the spans of all matches in a stretch; the literal is in each of them."""
        # behind the last literal nothing can match: most of the window is never searched
        while text.find(literal, start, end) >= 0:
            match = self.regex.search(text, start, end)
            if match is None:
                return
            self.collect(match, found)
            start = match.end()


_Rows = tuple[_Compiled, ...]
_Guarded = tuple[re.Pattern[str], _Compiled]
"""A row and what must stand where it is tried."""

_Behind = Callable[[str], _Rows]
"""The rows to try where they depend on the characters behind the word."""

_Tried = tuple[_Rows, _Behind | None, bool]
"""The rows to try at a word, and whether it is a number, which no letter or digit may touch."""

_DIGIT: Final = re.compile(r"\d")
_ANY: Final = re.compile("")


_LEFT: Final = re.compile(r"\S*")
_RUN: Final = re.compile(rf"\S{{0,{_AFTER}}}")


def _run(text: str, at: int) -> tuple[int, int]:
    """Where the stretch without white space around a place of the text begins and ends."""
    left = _LEFT.match(text[max(0, at - _BEFORE) : at][::-1])
    right = _RUN.match(text, at)
    return at - (left.end() if left else 0), right.end() if right else at


def _guarded(rows: Sequence[_Guarded], word: str = "") -> _Behind:
    """The rows whose guards admit the word, if it counts, and what is behind it."""

    def admitted(behind: str) -> _Rows:
        shape = _DIGIT.sub("0", behind)
        if shape != behind:  # worked out once for all digits
            return memo[shape]
        return tuple(row for guard, row in rows if guard.match(word + shape))

    memo: Memo[_Rows] = Memo(admitted)
    return memo.__getitem__


def _of_word(rows: Sequence[_Guarded]) -> _Tried:
    if any(guard.pattern for guard, _ in rows):
        return (), _guarded(rows), False
    return tuple(row for _, row in rows), None, False


class Table:
    """Rows, indexed by anchor. `scan` runs them all over one document."""

    __slots__ = ("_by_literal", "_by_run", "_by_word", "_parts", "_runs")

    def __init__(self, rows: Iterable[Row]) -> None:
        by_word: dict[str, list[_Guarded]] = defaultdict(list)
        by_ending: list[tuple[str, _Compiled]] = []
        by_literal: dict[str, list[_Compiled]] = defaultdict(list)
        by_run: dict[str, list[_Compiled]] = defaultdict(list)
        numbers: list[_Guarded] = []
        for row in rows:
            compiled = _Compiled(row)
            if isinstance(row.anchor, Mapping):
                for word, behind in row.anchor.items():
                    by_word[word].append((re.compile(behind), compiled))
            elif isinstance(row.anchor, Number):
                flags = re.IGNORECASE if row.regex.startswith("(?i)") else 0
                numbers.append((re.compile(row.anchor.shape, flags), compiled))
            elif isinstance(row.anchor, Ending):
                by_ending.append((row.anchor.ending, compiled))
            elif isinstance(row.anchor, Run):
                by_run[row.anchor.literal].append(compiled)
            else:
                by_literal[row.anchor].append(compiled)
        for ending, compiled in by_ending:
            for word, guarded in by_word.items():
                if word.endswith(ending):
                    guarded.append((_ANY, compiled))
        anchors = {word: _of_word(guarded) for word, guarded in by_word.items()}
        shapes = {
            first + "0" * more: ((), _guarded(numbers, first + "0" * more), True)
            for first in "01"
            for more in range(_LONGEST)
        }

        def rows_of(word: str) -> _Tried | None:
            if (rows := anchors.get(word)) is not None:
                return rows
            if not word.isdigit():
                ended = tuple(row for ending, row in by_ending if word.endswith(ending))
                return (ended, None, False) if ended else None
            return shapes[("0" if word[0] == "0" else "1") + "0" * min(len(word) - 1, _LONGEST - 1)]

        self._by_word: Memo[Any] = Memo(rows_of)  # what is None is left out of every pass
        self._by_literal = tuple(
            (literal, frozenset(tokenize(literal).folded), rows)
            for literal, rows in by_literal.items()
        )
        self._parts = frozenset[str]().union(*(parts for _, parts, _ in self._by_literal))
        self._by_run = dict(by_run)
        # of literals that share their first character one expression is quicker than a search each
        self._runs = re.compile("|".join(map(re.escape, by_run)) or "(?!)")

    def scan(self, doc: Document) -> list[Span]:
        """All spans of all rows, in no particular order; they may overlap."""
        text, tokens = doc.text, doc.tokens
        found: list[Span] = []
        first = last = 0  # what was found for sure last
        tried = tuple(map(self._by_word.__getitem__, tokens.folded))
        placed = zip(tokens.starts, tokens.ends, tried, strict=True)
        for start, end, (rows, behind, number) in compress(placed, tried):
            if (start < last and first < start) or (number and start and text[start - 1].isalnum()):
                continue
            for row in rows if behind is None else behind(text[end : end + _BEHIND]):
                match = row.match(text, start)
                if match is not None and row.collect(match, found) and found[-1].end > last:
                    first, last = found[-1].start, found[-1].end
                    if number and first == start:
                        break
        there = self._parts.intersection(tokens.folded)
        for literal, parts, searched in self._by_literal:
            at = text.find(literal) if parts <= there else -1
            while at >= 0:
                start, end = max(0, at - _BEFORE), at + _AFTER
                for row in searched:
                    row.within(text, literal.strip(), start, end, found)
                at = text.find(literal, at + _AFTER // 2)
        done: dict[str, int] = {}  # where the last run with a literal ends
        for place in self._runs.finditer(text):
            literal, at = place[0], place.start()
            if at >= done.get(literal, 0):
                start, done[literal] = _run(text, at)
                for row in self._by_run[literal]:
                    row.within(text, literal, start, done[literal], found)
        return found
