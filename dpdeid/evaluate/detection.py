"""Detection scores against gold spans: exact and token P/R/F1, redacted, fully redacted.

Conventions, which every figure of the project shares:

- a token is a clinical token with a letter or digit; it is in a span if they share a character;
- exact: same start, end and label. Token: same label on the token;
- redacted (AP-HP): share of gold tokens whose letters and digits are all covered by predicted spans
  that the default policy replaces, or that carry the gold label itself. Blind to labels otherwise;
- fully redacted (AP-HP): share of notes without a leaked token; a note without gold counts as such;
- a ratio over nothing is nan and is printed as "–".

Worked example: gold "Mme «LAST_NAME:Le Goff» vue le «DATE:12/03»", predicted "Le", "Goff" (two
LAST_NAME) and "12" (AGE). Exact: 0 of 2. Token recall 2/4 (LAST_NAME 2/2, DATE 0/2); redacted 3/4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from dpdeid.document import Document, Span
from dpdeid.labels import Label

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


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; they add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(frozen=True, slots=True)
class Leak:
    """Gold tokens covered and left, and notes without a leaked token; they add up."""

    covered: int = 0
    leaked: int = 0
    notes: int = 0
    clean_notes: int = 0

    def __add__(self, other: Leak) -> Leak:
        return Leak(
            self.covered + other.covered,
            self.leaked + other.leaked,
            self.notes + other.notes,
            self.clean_notes + other.clean_notes,
        )

    @property
    def redacted(self) -> float:
        return _ratio(self.covered, self.covered + self.leaked)

    @property
    def fully_redacted(self) -> float:
        return _ratio(self.clean_notes, self.notes)


C = TypeVar("C", Counts, Leak)


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one or more notes, by label; `a + b` scores both together."""

    exact: Mapping[Label, Counts] = field(default_factory=dict)
    token: Mapping[Label, Counts] = field(default_factory=dict)
    leak: Mapping[Label, Leak] = field(default_factory=dict)
    direct: Leak = field(default_factory=Leak)
    quasi: Leak = field(default_factory=Leak)

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            _sum(self.exact, other.exact, Counts()),
            _sum(self.token, other.token, Counts()),
            _sum(self.leak, other.leak, Leak()),
            self.direct + other.direct,
            self.quasi + other.quasi,
        )

    def micro(self, of: Mapping[Label, Counts], labels: Iterable[Label]) -> Counts:
        """The summed counts of some labels."""
        return sum((of[label] for label in labels if label in of), Counts())


def _sum(a: Mapping[Label, C], b: Mapping[Label, C], zero: C) -> dict[Label, C]:
    return {label: a.get(label, zero) + b.get(label, zero) for label in {**a, **b}}


def _token_labels(doc: Document, spans: Iterable[Span]) -> dict[int, Label]:
    """Label of each covered token (its index); the first span in order keeps a shared token."""
    labels: dict[int, Label] = {}
    tokens = doc.tokens
    at = 0
    for span in sorted(spans):
        while at < len(tokens) and tokens.ends[at] <= span.start:
            at += 1
        index = at
        while index < len(tokens) and tokens.starts[index] < span.end:
            if any(map(str.isalnum, tokens.texts[index])):
                labels.setdefault(index, span.label)
            index += 1
    return labels


def _leaks(doc: Document, gold: Span, predicted: Sequence[Span]) -> tuple[int, int]:
    """How many tokens of a gold span are covered, and how many leak."""
    hiding = [p for p in predicted if p.label == gold.label or p.label not in KEPT]
    seen = {i for p in hiding for i in range(max(p.start, gold.start), min(p.end, gold.end))}
    covered = leaked = 0
    for start, end in doc.tokens:
        inside = [
            i for i in range(max(start, gold.start), min(end, gold.end)) if doc.text[i].isalnum()
        ]
        if inside:
            covered += seen.issuperset(inside)
            leaked += not seen.issuperset(inside)
    return covered, leaked


def score(doc: Document, gold: Sequence[Span], predicted: Sequence[Span]) -> Scores:
    """Scores of one note. Spans of `UNSCORED` labels are left out on both sides."""
    gold = [s for s in gold if s.label not in UNSCORED]
    hiding = predicted
    predicted = [s for s in predicted if s.label not in UNSCORED]
    labels = {s.label for s in (*gold, *predicted)}
    truth = {(s.start, s.end, s.label) for s in gold}
    said = {(s.start, s.end, s.label) for s in predicted}
    gold_tokens, said_tokens = _token_labels(doc, gold), _token_labels(doc, predicted)
    exact, token, leak = {}, {}, {}
    leaks = [(s.label, *_leaks(doc, s, hiding)) for s in gold]
    for label in labels:
        a = {s for s in truth if s[2] == label}
        b = {s for s in said if s[2] == label}
        exact[label] = Counts(len(a & b), len(b - a), len(a - b))
        a_tokens = {i for i, found in gold_tokens.items() if found == label}
        b_tokens = {i for i, found in said_tokens.items() if found == label}
        token[label] = Counts(
            len(a_tokens & b_tokens), len(b_tokens - a_tokens), len(a_tokens - b_tokens)
        )
    for label in Label:
        leak[label] = _leak([row for row in leaks if row[0] == label])
    return Scores(
        exact,
        token,
        leak,
        _leak([row for row in leaks if row[0].is_direct]),
        _leak([row for row in leaks if not row[0].is_direct]),
    )


def _leak(rows: Sequence[tuple[Label, int, int]]) -> Leak:
    leaked = sum(row[2] for row in rows)
    return Leak(sum(row[1] for row in rows), leaked, 1, int(leaked == 0))
