"""Detection scores of a note against its gold spans: exact, partial, token, and what leaks.

Conventions, which every figure of the project shares:

- a token is a clinical token with a letter or digit; it is in a span if they share a character;
- exact: same start, end and label; partial: same label and a shared character, one to one; token:
  same label on the token;
- redacted (AP-HP): share of gold tokens whose letters and digits are all covered by predicted spans
  that the default policy replaces, or that carry the gold label itself. Blind to labels otherwise;
- fully redacted (AP-HP): share of notes without a leaked token; a note without gold counts as such;
- strict (FASDIM): tokens, blind to labels; covered as for redacted, left, or predicted outside all
  gold spans; a repeated error counts each time. Once: the same word of a note counts once;
- a ratio over nothing is nan and is printed as "–".

Worked example: gold "Mme «LAST_NAME:Le Goff» vue le «DATE:12/03»", predicted "Le", "Goff" (two
LAST_NAME) and "12" (AGE). Exact: 0 of 2. Partial: LAST_NAME 1 of 1 with one "Goff" too many. Token
recall 2/4 (LAST_NAME 2/2, DATE 0/2); redacted 3/4, no note in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from dpdeid.document import Document, Span
from dpdeid.evaluate.counts import Counts, Leak
from dpdeid.evaluate.matching import Stretch, exact, named_tokens, partial, words
from dpdeid.labels import NAMES, Label
from dpdeid.tags import OUTSIDE

KEPT: Final = frozenset(
    {
        Label.COUNTRY,
        Label.NATIONALITY,
        Label.PROFESSION,
        Label.MARITAL_STATUS,
        Label.KINSHIP,
        Label.DURATION,
        Label.UNIT,
    }
)
"""Labels that the default policy keeps: covering a name with one of them does not redact it."""

UNSCORED: Final = frozenset({Label.DURATION})
"""Labels that gold files do not hold."""

LABELS: Final[Mapping[Label, str]] = {label: label for label in Label if label not in UNSCORED}
"""Each label counts by itself."""

C = TypeVar("C", Counts, Leak)


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
        return Scores(
            _sum(self.exact, other.exact, Counts()),
            _sum(self.partial, other.partial, Counts()),
            _sum(self.token, other.token, Counts()),
            _sum(self.leak, other.leak, Leak()),
            self.direct + other.direct,
            self.quasi + other.quasi,
            self.every + other.every,
            self.strict + other.strict,
            self.once + other.once,
            Counter(self.confusion) + Counter(other.confusion),
        )

    def micro(self, of: Mapping[str, Counts], labels: Iterable[str]) -> Counts:
        """The summed counts of some labels."""
        return sum((of[label] for label in labels if label in of), Counts())


def _sum(a: Mapping[str, C], b: Mapping[str, C], zero: C) -> dict[str, C]:
    return {name: a.get(name, zero) + b.get(name, zero) for name in {**a, **b}}


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
    covers = list(_covers(doc, gold, predicted))
    by_class: dict[str, list[Cover]] = {name: [] for name in classes.values()}
    for cover in covers:
        if cover.label in classes:
            by_class[classes[cover.label]].append(cover)
    strict, once = _removed(doc, covers, named_tokens(doc.tokens, in_classes(doc.text, scored)))
    return Scores(
        exact(truth, said),
        partial(truth, said),
        _by_token(confusion),
        {name: _leak(of) for name, of in by_class.items()},
        _leak([cover for cover in covers if cover.label.is_direct]),
        _leak([cover for cover in covers if not cover.label.is_direct]),
        _leak(covers),
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
    sums: dict[str, list[int]] = {}
    for (true, said), count in confusion.items():
        if true == said:
            sums.setdefault(true, [0, 0, 0])[0] += count
        else:
            sums.setdefault(said, [0, 0, 0])[1] += count
            sums.setdefault(true, [0, 0, 0])[2] += count
    sums.pop(OUTSIDE, None)
    return {name: Counts(*of) for name, of in sums.items()}


@dataclass(frozen=True, slots=True)
class Cover:
    """The tokens of a gold span, by index: those that predictions cover, and those that leak."""

    label: Label
    covered: tuple[int, ...]
    leaked: tuple[int, ...]


def _covers(doc: Document, gold: Iterable[Span], predicted: Sequence[Span]) -> Iterator[Cover]:
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
    """One byte a character: 1 where a span covers it."""
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
