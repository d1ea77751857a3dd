"""Detection scores of a note against its gold spans: exact, partial, by token, and what leaks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from dpdeid.document import Document, Span
from dpdeid.evaluate.counts import Counts, Leak
from dpdeid.labels import KEPT, NAMES, Label
from dpdeid.spans import OUTSIDE
from dpdeid.tokens import Tokens

Stretch = tuple[int, int, str]
"""Start and end (code points, half-open), and a label or class."""


def exact(gold: Iterable[Stretch], predicted: Iterable[Stretch]) -> dict[str, Counts]:
    """By name: a pair has the same start, end and name. The same stretch twice counts once."""
    truth, said = set(gold), set(predicted)
    return _counted(truth & said, truth, said)


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
    return _counted(pairs, truth, said)


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


def _counted(
    pairs: Iterable[Stretch], gold: Iterable[Stretch], predicted: Iterable[Stretch]
) -> dict[str, Counts]:
    found, held, said = (Counter(name for *_, name in each) for each in (pairs, gold, predicted))
    return {
        name: Counts(found[name], said[name] - found[name], held[name] - found[name])
        for name in held | said
    }


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


UNSCORED: Final = frozenset({Label.DURATION})
"""Labels that gold files do not hold."""

LABELS: Final[Mapping[Label, str]] = {label: label for label in Label if label not in UNSCORED}
"""Each label counts by itself."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one or more notes; `a + b` scores both together.

    Args:
        exact, partial, token: by label, or by class.
        leak: by label or class.
        direct, quasi, every: what leaks of direct identifiers, of the others, and of all.
        strict, once: FASDIM's counts of tokens.
        confusion: tokens by gold and predicted label or class, "O" outside.
    """

    exact: Mapping[str, Counts] = field(default_factory=dict)
    partial: Mapping[str, Counts] = field(default_factory=dict)
    token: Mapping[str, Counts] = field(default_factory=dict)
    leak: Mapping[str, Leak] = field(default_factory=dict)
    direct: Leak = field(default_factory=Leak)
    quasi: Leak = field(default_factory=Leak)
    every: Leak = field(default_factory=Leak)
    strict: Counts = field(default_factory=Counts)
    once: Counts = field(default_factory=Counts)
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def __add__(self, other: Scores) -> Scores:
        sums: dict[str, Any] = {}
        for name in (each.name for each in fields(self)):
            a, b = getattr(self, name), getattr(other, name)
            sums[name] = _sum(a, b) if isinstance(a, Mapping) else a + b
        return Scores(**sums)

    def micro(self, of: Mapping[str, Counts], labels: Iterable[str]) -> Counts:
        """The summed counts of some labels."""
        return sum((of[label] for label in labels if label in of), Counts())


def _sum(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> dict[Any, Any]:
    return {**a, **{name: a[name] + more if name in a else more for name, more in b.items()}}


def score(
    doc: Document,
    gold: Sequence[Span],
    predicted: Sequence[Span],
    classes: Mapping[Label, str] = LABELS,
) -> Scores:
    """Scores of one note. Spans of `UNSCORED` labels are left out on both sides.

    Args:
        classes: the class in which a label counts; a label without one is left out of the counts by
            class, and leaks all the same. Where surnames and first names have one class, those
            with only white space between are one name.
    """
    gold = [s for s in gold if s.label not in UNSCORED]
    scored = [s for s in predicted if s.label not in UNSCORED]
    truth, said = (list(in_classes(doc.text, x, classes)) for x in (gold, scored))
    gold_tokens, said_tokens = named_tokens(doc.tokens, truth), named_tokens(doc.tokens, said)
    confusion = Counter(
        (gold_tokens.get(i, OUTSIDE), said_tokens.get(i, OUTSIDE))
        for i in gold_tokens.keys() | said_tokens.keys()
    )
    found = list(covers(doc, gold, predicted))
    by_class: dict[str, list[Cover]] = {name: [] for name in classes.values()}
    for cover in found:
        if cover.label in classes:
            by_class[classes[cover.label]].append(cover)
    strict, once = _removed(doc, found, named_tokens(doc.tokens, in_classes(doc.text, scored)))
    return Scores(
        exact(truth, said),
        partial(truth, said),
        _by_token(confusion),
        {name: _leak(of) for name, of in by_class.items()},
        _leak([cover for cover in found if cover.label.is_direct]),
        _leak([cover for cover in found if not cover.label.is_direct]),
        _leak(found),
        strict,
        once,
        confusion,
    )


def in_classes(
    text: str, spans: Iterable[Span], classes: Mapping[Label, str] = LABELS
) -> Iterator[Stretch]:
    """The spans by class, in order; see `score`."""
    whole = classes.get(Label.LAST_NAME) == classes.get(Label.FIRST_NAME)
    name: tuple[int, int, str] | None = None
    for span in sorted(s for s in spans if s.label in classes):
        if not whole or span.label not in NAMES:
            yield span.start, span.end, classes[span.label]
        elif name is not None and not text[name[1] : span.start].strip():
            name = name[0], max(name[1], span.end), name[2]
        else:
            if name is not None:
                yield name
            name = span.start, span.end, classes[span.label]
    if name is not None:
        yield name


def _by_token(confusion: Mapping[tuple[str, str], int]) -> dict[str, Counts]:
    sums: dict[str, Counts] = defaultdict(Counts)
    for (true, said), count in confusion.items():
        if true == said:
            sums[true] += Counts(tp=count)
        else:
            sums[said] += Counts(fp=count)
            sums[true] += Counts(fn=count)
    sums.pop(OUTSIDE, None)
    return dict(sums)


@dataclass(frozen=True, slots=True)
class Cover:
    """The tokens of a gold span, by index: those that predictions cover, and those that leak."""

    label: Label
    covered: tuple[int, ...]
    leaked: tuple[int, ...]


def covers(doc: Document, gold: Iterable[Span], predicted: Sequence[Span]) -> Iterator[Cover]:
    """What predictions cover of each gold span, in their order (see `Scores` for the rule)."""
    tokens = doc.tokens
    masks: dict[Label | None, bytearray] = {}
    for span in gold:
        kept = span.label if span.label in KEPT else None
        if kept not in masks:
            hiding = (p for p in predicted if p.label == kept or p.label not in KEPT)
            masks[kept] = _hidden(doc.text, hiding)
        hidden = masks[kept]
        found: tuple[list[int], list[int]] = [], []
        for at in words(tokens, span.start, span.end):
            inside = slice(max(tokens.starts[at], span.start), min(tokens.ends[at], span.end))
            found[0 in hidden[inside]].append(at)
        yield Cover(span.label, tuple(found[0]), tuple(found[1]))


def _hidden(text: str, spans: Iterable[Span]) -> bytearray:
    hidden = bytearray(len(text))
    for span in spans:
        hidden[span.start : span.end] = bytes([1]) * len(span)
    return hidden


def _leak(covers: Sequence[Cover]) -> Leak:
    leaked = sum(len(cover.leaked) for cover in covers)
    return Leak(sum(len(cover.covered) for cover in covers), leaked, 1, int(leaked == 0))


def _removed(
    doc: Document, covers: Iterable[Cover], predicted: Iterable[int]
) -> tuple[Counts, Counts]:
    """FASDIM's counts: every token, and every word of the note once."""
    covers = list(covers)
    leaked = {i for cover in covers for i in cover.leaked}
    covered = {i for cover in covers for i in cover.covered} - leaked
    groups = covered, set(predicted) - covered - leaked, leaked
    folded = doc.tokens.folded
    return (
        Counts(*(len(group) for group in groups)),
        Counts(*(len({folded[i] for i in group}) for group in groups)),
    )
