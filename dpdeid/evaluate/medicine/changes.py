"""The words of a note outside its gold spans that do not stand in the release any more.

Conventions:

- a word is a run of letters and digits; a number keeps the marks inside it ("12,3", "12/8",
  "1-0-1"). It counts once, however much of it changed;
- an atom (letters, digits or one mark) that touches a gold span or is glued to it never counts;
- with the replaced spans every other atom must stand in the release, in order, and only those in
  the spans can have changed; without them the atoms outside gold are aligned with all of it;
- an article or preposition before a gold span or a changed word is grammar: "de Lyon", "d'Angers";
- what stands in the place of a word is what lies between the nearest kept atoms. Where a gold span
  lies there too, the first or last piece of it is taken, by the side on which the word stood.

Worked example: "Hb 12,3, vu par M. «Petit»" released as "Hb 14,3, vu par M. Roux": one word of kind
value ("12,3"), silent.

The pairs are a longest common subsequence (bit-parallel: Hyyrö 2004), so that no alignment keeps
more atoms. Time and memory grow with the product of the lengths over 64: 20,000 atoms on both sides
take 50 MB and a second.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from dpdeid.document import Document, Span
from dpdeid.errors import UsageError
from dpdeid.evaluate.medicine.kinds import WORD, Kind, cue_words, kind_of
from dpdeid.normalize import fold

_ATOM: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")

Pairs = list[tuple[int, int]]
"""Indices on both sides, rising on both."""


class Atom(NamedTuple):
    """A stretch of a text: code points, half-open."""

    start: int
    end: int
    text: str


def atoms(text: str) -> list[Atom]:
    """The atoms of a text; only white space lies between them."""
    return [Atom(*match.span(), match[0]) for match in _ATOM.finditer(text)]


def common(one: Sequence[str], other: Sequence[str]) -> Pairs:
    """The pairs of a longest common subsequence.

    >>> common("abc", "axc")
    [(0, 0), (2, 2)]
    """
    head = _alike(one, other)
    rest, its_rest = one[head:], other[head:]
    tail = _alike(rest[::-1], its_rest[::-1])
    middle = _longest(rest[: len(rest) - tail], its_rest[: len(its_rest) - tail])
    return [
        *((at, at) for at in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(one) - at, len(other) - at) for at in range(tail, 0, -1)),
    ]


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    for item, its in zip(one, other, strict=False):
        if item != its:
            break
        same += 1
    return same


def _longest(one: Sequence[str], other: Sequence[str]) -> Pairs:
    """A row for each item of `one`: bit j is 0 where `other[: j + 1]` has one item more in common
    with `one` up to there than `other[:j]`.
    """
    places: dict[str, int] = {}
    for at, item in enumerate(other):
        places[item] = places.get(item, 0) | 1 << at
    full = (1 << len(other)) - 1
    row, rows = full, []
    for item in one:
        found = row & places.get(item, 0)
        row = (row + found | row - found) & full
        rows.append(row)
    pairs = []
    i, j = len(one), len(other)
    while i and j:
        if rows[i - 1] >> (j - 1) & 1:
            j -= 1
        else:
            i -= 1
            if not i or rows[i - 1] >> (j - 1) & 1:
                j -= 1
                pairs.append((i, j))
    return pairs[::-1]


_MASK: Final = re.compile(
    r"[\[<{][^\[\]<>{}\n]{0,40}[\]>}]|\([A-ZÀ-Ý_ /]{3,40}\)|[*#█]{2,}|_{3,}|\b[Xx]{3,}\b|…"
)
"""What a redaction leaves: a label in brackets, a row of marks or of X."""
_PIECE: Final = re.compile(rf"{_MASK.pattern}|\S+")
_NEXT: Final = re.compile(r"\w+|[^\w\s]")

Found = tuple[int, int, str]
"""Start and end of a changed word, and what stands in its place."""


class How(StrEnum):
    """What stands in the place of a changed word."""

    SILENT = "silent"
    MASKED = "masked"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """A word of the original that changed.

    Args:
        start, end: code points of the original, half-open.
        place: words of one kind that follow each other share this number.
        after: what stands there in the release.
        taken_for: the label of the replaced span, "" where it is not known.
    """

    start: int
    end: int
    kind: Kind
    how: How
    place: int
    after: str = field(default="", repr=False)
    taken_for: str = ""


@dataclass(frozen=True, slots=True)
class NoteChanges:
    """What changed in one note outside its gold spans.

    Args:
        words: of the original, gold or not.
        changed: in order.
        inserted: words of the release where nothing stood.
    """

    words: int
    changed: tuple[Change, ...] = ()
    inserted: int = 0


def compare_note(
    before: Document,
    after: str,
    gold: Iterable[Span],
    replaced: Sequence[Span] | None = None,
) -> NoteChanges:
    """The changed words of a note.

    Args:
        after: its release.
        gold: what had to change in it.
        replaced: what the run replaced, if that is known.

    Raises:
        UsageError: a word outside `replaced` is not in the release; names the note.
    """
    old, new = atoms(before.text), atoms(after)
    due = _touched(old, gold)
    kept = dict(_kept(before, old, new, due, replaced))
    gone = [at for at in range(len(old)) if at not in kept and not due[at]]
    found = [
        (start, end, _instead(old, new, after, kept, due, first))
        for start, end, first in _whole_words(before.text, old, gone)
    ]
    kinds = _kinds(before.text, found, old, due)
    places = _places(before.text, found, kinds)
    changed = tuple(
        Change(start, end, kind, _how(what), place, what, _label(start, end, replaced or ()))
        for (start, end, what), kind, place in zip(found, kinds, places, strict=True)
    )
    words = sum(1 for _ in WORD.finditer(before.text))
    return NoteChanges(words, changed, _inserted(old, new, after, kept))


def _label(start: int, end: int, replaced: Iterable[Span]) -> str:
    return next(
        (span.label.value for span in replaced if span.start < end and start < span.end), ""
    )


def _touched(pieces: Sequence[Atom], spans: Iterable[Span]) -> list[bool]:
    """Which atoms a span touches, letters and digits glued to it ("12nov") too."""
    starts, ends = [p.start for p in pieces], [p.end for p in pieces]
    touched = [False] * len(pieces)
    for span in spans:
        for at in range(bisect_left(ends, span.start), bisect_right(starts, span.end)):
            inside = ends[at] > span.start and starts[at] < span.end
            touched[at] |= inside or pieces[at].text.isalnum()
    return touched


def _kept(
    before: Document,
    old: Sequence[Atom],
    new: Sequence[Atom],
    due: Sequence[bool],
    replaced: Sequence[Span] | None,
) -> Pairs:
    """The atoms outside gold that stand in the release, and where."""
    if replaced is None:
        return _aligned(old, new, [at for at in range(len(old)) if not due[at]], range(len(new)))
    open_to = _touched(old, replaced)
    fixed = [at for at in range(len(old)) if not open_to[at]]
    held = _aligned(old, new, fixed, range(len(new)))
    if len(held) != len(fixed):
        raise UsageError(f"note {before.id}: a word outside the replaced spans has changed")
    pairs = list(held)
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *held, (len(old), len(new))]):
        inside = [at for at in range(i + 1, next_i) if not due[at]]
        pairs += _aligned(old, new, inside, range(j + 1, next_j))
    return sorted(pairs)


def _aligned(
    old: Sequence[Atom], new: Sequence[Atom], mine: Sequence[int], its: Sequence[int]
) -> Pairs:
    pairs = common([old[at].text for at in mine], [new[at].text for at in its])
    return _beside([(mine[i], its[j]) for i, j in pairs], old, new)


def _beside(pairs: Pairs, old: Sequence[Atom], new: Sequence[Atom]) -> Pairs:
    """The pairs, an atom beside its old neighbour wherever an equal one stands there."""
    at = dict(pairs)
    for i, j in reversed(pairs):
        nearer = at.get(i + 1, len(new) if i + 1 == len(old) else j + 1) - 1
        if nearer > j and new[nearer].text == old[i].text:
            at[i] = nearer
    for i in at:
        nearer = at.get(i - 1, -1 if i == 0 else at[i] - 1) + 1
        if nearer < at[i] and new[nearer].text == old[i].text:
            at[i] = nearer
    return list(at.items())


def _whole_words(
    text: str, old: Sequence[Atom], gone: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Start and end of each word that holds such an atom, or of a mark alone, and the atom."""
    words = [match.span() for match in WORD.finditer(text)]
    starts = [start for start, _ in words]
    done = -1
    for at in gone:
        atom = old[at]
        held = bisect_right(starts, atom.start) - 1
        if held >= 0 and atom.start < words[held][1]:
            start, end = words[held]
        else:
            start, end = atom.start, atom.end
        if start > done:
            yield start, end, at
            done = start


def _instead(
    old: Sequence[Atom],
    new: Sequence[Atom],
    after: str,
    kept: Mapping[int, int],
    due: Sequence[bool],
    at: int,
) -> str:
    """What stands in the release where an atom stood."""
    left = next((i for i in range(at - 1, -1, -1) if i in kept), -1)
    right = next((i for i in range(at + 1, len(old)) if i in kept), len(old))
    first = kept[left] + 1 if left >= 0 else 0
    last = kept[right] if right < len(old) else len(new)
    if first == last:
        return ""
    there = after[new[first].start : new[last - 1].end]
    pieces = [piece[0] for piece in _PIECE.finditer(there)]
    if not any(due[left + 1 : at]) and any(due[at + 1 : right]):
        return pieces[0]
    return pieces[-1] if any(due[left + 1 : at]) and not any(due[at + 1 : right]) else there


def _how(instead: str) -> How:
    if any(map(str.isalnum, _MASK.sub(" ", instead))):
        return How.SILENT
    return How.MASKED if _MASK.search(instead) else How.REMOVED


def _kinds(
    text: str, found: Sequence[Found], old: Sequence[Atom], due: Sequence[bool]
) -> list[Kind]:
    """The kind of each word; grammar where it leads to something that changed or had to."""
    moved = {start for start, *_ in found}
    moved |= {atom.start for atom, is_due in zip(old, due, strict=True) if is_due}
    return [
        Kind.GRAMMAR
        if _agrees(text[start:end]) and _leads_on(text, end, moved)
        else kind_of(text, start, end)
        for start, end, _ in found
    ]


def _agrees(word: str) -> bool:
    """Whether a word may change with what comes next."""
    return fold(word) in cue_words("words that agree with the next")


def _leads_on(text: str, end: int, moved: set[int]) -> bool:
    """Whether what comes next changed or had to, words that agree with it left out."""
    following = (
        match.start()
        for match in _NEXT.finditer(text, end)
        if match[0] not in "'’`" and not _agrees(match[0])
    )
    return next(following, -1) in moved


def _places(text: str, found: Sequence[Found], kinds: Sequence[Kind]) -> Iterator[int]:
    """The number of the place of each word: a new one where a word or another kind lies between."""
    place = 0
    for number, (start, _, _) in enumerate(found):
        if number:
            between = text[found[number - 1][1] : start]
            place += WORD.search(between) is not None or kinds[number] is not kinds[number - 1]
        yield place


def _inserted(old: Sequence[Atom], new: Sequence[Atom], after: str, kept: Mapping[int, int]) -> int:
    """Words of the release between two kept atoms that were neighbours."""
    ends = [(-1, -1), *sorted(kept.items()), (len(old), len(new))]
    return sum(
        len(WORD.findall(after[new[j + 1].start : new[next_j - 1].end]))
        for (i, j), (next_i, next_j) in pairwise(ends)
        if next_i == i + 1 and next_j > j + 1
    )
