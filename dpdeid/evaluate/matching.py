"""Which predicted stretches match which gold ones: exactly, in part, and token by token."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from dpdeid.evaluate.counts import Counts
from dpdeid.tokens import Tokens

Stretch = tuple[int, int, str]
"""Start and end (code points, half-open), and a label or class."""


def exact(gold: Iterable[Stretch], predicted: Iterable[Stretch]) -> dict[str, Counts]:
    """By name: a pair has the same start, end and name. The same stretch twice counts once."""
    truth, said = set(gold), set(predicted)
    return tallied(truth & said, said - truth, truth - said)


def partial(gold: Iterable[Stretch], predicted: Iterable[Stretch]) -> dict[str, Counts]:
    """By name: a pair has the same name and shares a character; a stretch is in one pair at most.

    Exact pairs first, then from left to right: the most pairs there can be where the stretches of
    a name and side are disjoint.
    """
    truth, said = set(gold), set(predicted)
    pairs = list(truth & said)
    left: dict[str, tuple[list[Stretch], list[Stretch]]] = defaultdict(lambda: ([], []))
    for side, rest in enumerate((truth - said, said - truth)):
        for stretch in sorted(rest, key=lambda s: (s[1], s[0])):
            left[stretch[2]][side].append(stretch)
    for golds, others in left.values():
        pairs += _overlapping(golds, others)
    found = tallied(pairs, (), ())
    held, given = tallied(truth, (), ()), tallied(said, (), ())
    none = Counts()
    return {
        name: Counts(
            tp := found.get(name, none).tp,
            given.get(name, none).tp - tp,
            held.get(name, none).tp - tp,
        )
        for name in held | given
    }


def _overlapping(golds: Sequence[Stretch], others: Sequence[Stretch]) -> Iterable[Stretch]:
    """One gold stretch for each pair; both are sorted by end."""
    i = j = 0
    while i < len(golds) and j < len(others):
        if golds[i][1] <= others[j][0]:
            i += 1
        elif others[j][1] <= golds[i][0]:
            j += 1
        else:
            yield golds[i]
            i, j = i + 1, j + 1


def tallied(
    tp: Iterable[Stretch], fp: Iterable[Stretch], fn: Iterable[Stretch]
) -> dict[str, Counts]:
    """How many of each name."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for place, stretches in enumerate((tp, fp, fn)):
        for _, _, name in stretches:
            sums[name][place] += 1
    return {name: Counts(*of) for name, of in sums.items()}


def named_tokens(tokens: Tokens, stretches: Iterable[Stretch]) -> dict[int, str]:
    """Name of each token with a letter or digit that shares a character with a stretch, by its
    index; the first stretch in order keeps a shared token.
    """
    names: dict[int, str] = {}
    for start, end, name in sorted(stretches):
        for index in words(tokens, start, end):
            names.setdefault(index, name)
    return names


def words(tokens: Tokens, start: int, end: int) -> list[int]:
    """Indices of the tokens with a letter or digit that share a character with [start, end)."""
    shared = range(bisect_right(tokens.ends, start), bisect_left(tokens.starts, end))
    texts = tokens.texts
    return [i for i in shared if texts[i][0].isalnum()]  # all letters, all digits or one mark
