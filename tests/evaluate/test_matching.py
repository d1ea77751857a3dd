"""Matches against a brute force and, for exact ones, against seqeval on random BIO tags."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.evaluate.counts import Counts
from dpdeid.evaluate.detection import Stretch, exact, named_tokens, partial
from dpdeid.evaluate.evaluation import GoldNote, evaluate
from dpdeid.spans import decode, repair
from dpdeid.tokens import tokenize

NAMES = ["CITY", "DATE", "LAST_NAME"]
TAGS = ["O", *(f"{prefix}-{name}" for name in NAMES for prefix in "BI")]
TEXT = "a b c d e f g h"
TOKENS = tokenize(TEXT)

sentences = st.lists(
    st.tuples(*[st.lists(st.sampled_from(TAGS), min_size=8, max_size=8)] * 2),
    min_size=1,
    max_size=4,
)


@st.composite
def disjoint(draw: st.DrawFn) -> list[Stretch]:
    """Disjoint stretches of two names in [0, 20)."""
    cuts = sorted(draw(st.sets(st.integers(0, 20), max_size=12)))
    names = st.sampled_from(["A", "B", None])
    pairs = pairwise(cuts)
    return [(a, b, name) for a, b in pairs if (name := draw(names)) is not None]


def spans_of(tags: Sequence[str]) -> tuple[Span, ...]:
    return decode(tags, TOKENS, source="x")


@given(sentences)
def test_exact_figures_are_seqevals(pairs: list[tuple[list[str], list[str]]]) -> None:
    seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling")
    gold, predicted = [list(repair(a)) for a, _ in pairs], [list(repair(b)) for _, b in pairs]
    assume(any(tag != "O" for tags in gold + predicted for tag in tags))
    notes = [GoldNote(Document(str(i), TEXT), spans_of(tags)) for i, tags in enumerate(gold)]
    own = evaluate(notes, [[spans_of(tags) for tags in predicted]], resamples=0)
    for mean in ("micro", "macro", "weighted"):
        theirs = seqeval.precision_recall_fscore_support(
            gold, predicted, average=mean, zero_division=0
        )
        for ratio, value in zip(("precision", "recall", "f1"), theirs[:3], strict=True):
            ours = own.values[mean, "exact", ratio]
            assert value == pytest.approx(0.0 if math.isnan(ours) else ours), (mean, ratio)
    each = seqeval.precision_recall_fscore_support(gold, predicted, average=None, zero_division=0)
    found = sorted({tag[2:] for tags in gold + predicted for tag in tags if tag != "O"})
    for name, *three, support in zip(found, *each, strict=True):
        ours_of = [own.values["labels", name, "exact", r] for r in ("precision", "recall", "f1")]
        assert three == pytest.approx([0.0 if math.isnan(v) else v for v in ours_of])
        assert support == sum(own.counts["labels", name, "exact", c] for c in ("tp", "fn"))


def best(golds: list[Stretch], others: list[Stretch]) -> int:
    """The most pairs that overlap under one name, by trying all."""
    if not golds:
        return 0
    first, *rest = golds
    counts = [best(rest, others)]
    for at, other in enumerate(others):
        if first[2] == other[2] and first[0] < other[1] and other[0] < first[1]:
            counts.append(1 + best(rest, others[:at] + others[at + 1 :]))
    return max(counts)


@given(disjoint(), disjoint())
def test_partial_pairs_are_the_most_there_can_be(gold: list[Stretch], said: list[Stretch]) -> None:
    counts = partial(gold, said)
    assert sum(c.tp for c in counts.values()) == best(gold, said)
    for name, c in counts.items():
        assert c.tp + c.fn == sum(s[2] == name for s in gold)
        assert c.tp + c.fp == sum(s[2] == name for s in said)
        assert c.tp >= exact(gold, said)[name].tp
    mirrored = partial(said, gold)
    assert counts == {name: Counts(c.tp, c.fn, c.fp) for name, c in mirrored.items()}


def test_a_stretch_is_in_one_pair_only() -> None:
    gold = [(0, 10, "DATE")]
    assert partial(gold, [(0, 4, "DATE"), (5, 10, "DATE")]) == {"DATE": Counts(1, 1, 0)}
    assert partial(gold, [(0, 10, "CITY")]) == {
        "DATE": Counts(0, 0, 1),
        "CITY": Counts(0, 1, 0),
    }
    assert partial(gold, [(10, 12, "DATE")]) == {"DATE": Counts(0, 1, 1)}  # they only touch


def test_an_exact_pair_is_not_taken_by_a_neighbour() -> None:
    nested = [(0, 8, "DATE"), (0, 5, "DATE")]
    assert partial(nested, [(0, 8, "DATE")]) == {"DATE": Counts(1, 0, 1)}
    assert exact(nested, [(0, 8, "DATE"), (0, 8, "DATE")]) == {"DATE": Counts(1, 0, 1)}


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(1, 6), st.sampled_from(NAMES))))
def test_a_token_has_the_name_of_the_first_stretch_over_it(
    drawn: list[tuple[int, int, str]],
) -> None:
    text = "le 12/03 à Brest"
    tokens = tokenize(text)
    stretches = [(start, min(start + size, len(text)), name) for start, size, name in drawn]
    expected = {}
    for i, (start, end) in enumerate(tokens):
        over = [s for s in sorted(stretches) if s[0] < end and start < s[1]]
        if over and text[start].isalnum():
            expected[i] = over[0][2]
    assert named_tokens(tokens, stretches) == expected
