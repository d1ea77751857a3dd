"""BIO tags: spans and back, and the repair of what a merge tears apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Span
from dpdeid.labels import Label
from dpdeid.spans import decode, disjoint, encode, repair
from dpdeid.testing.strategies import spans
from dpdeid.tokens import tokenize

TAGS = st.sampled_from(["O", "B-CITY", "I-CITY", "B-LAST_NAME", "I-LAST_NAME"])


def test_encode_marks_beginning_and_inside() -> None:
    text = "Mme Le Goff à Brest"
    tags = encode([Span(4, 11, Label.LAST_NAME), Span(14, 19, Label.CITY)], tokenize(text))
    assert tags == ("O", "B-LAST_NAME", "I-LAST_NAME", "O", "B-CITY")


@pytest.mark.parametrize(
    ("torn", "whole"),
    [
        (["I-CITY", "O"], ["B-CITY", "O"]),
        (["O", "I-CITY", "I-CITY"], ["O", "B-CITY", "I-CITY"]),
        (["B-CITY", "I-LAST_NAME"], ["B-CITY", "B-LAST_NAME"]),
        (["B-CITY", "B-CITY", "I-CITY"], ["B-CITY", "B-CITY", "I-CITY"]),
        ([], []),
    ],
)
def test_repair(torn: list[str], whole: list[str]) -> None:
    assert list(repair(torn)) == whole


@given(st.lists(TAGS))
def test_repair_is_idempotent_and_keeps_labels(tags: list[str]) -> None:
    fixed = repair(tags)
    assert repair(fixed) == fixed
    assert [t[2:] for t in fixed] == [t[2:] for t in tags]


@given(st.lists(spans()).map(disjoint))
def test_decode_of_encode_covers_the_same_tokens(given_spans: tuple[Span, ...]) -> None:
    tokens = tokenize("ab cd, ef12 gh'ij kl mn-op qr. st uv wx 9")
    tags = encode(given_spans, tokens)
    assert encode(decode(tags, tokens, source="x"), tokens) == tags


def test_decode_takes_the_least_score() -> None:
    tokens = tokenize("Le Goff")
    (span,) = decode(["B-LAST_NAME", "I-LAST_NAME"], tokens, source="crf", scores=[0.9, 0.4])
    assert (span.start, span.end, span.score, span.source) == (0, 7, 0.4, "crf")
