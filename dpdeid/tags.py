"""BIO tags over tokens: the language of the learned taggers and of the tag-level merge.

A tag is "O", "B-LABEL" or "I-LABEL". A span covers a token if they share a character.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from dpdeid.document import Span
from dpdeid.labels import Label, Role
from dpdeid.tokens import Tokens

OUTSIDE = "O"


def encode(spans: Iterable[Span], tokens: Tokens) -> tuple[str, ...]:
    """One tag a token. Spans must be disjoint; where two share a token the first keeps it."""
    tags = [OUTSIDE] * len(tokens)
    token = 0
    for span in sorted(spans):
        while token < len(tokens) and tokens.ends[token] <= span.start:
            token += 1
        prefix = "B-"
        at = token
        while at < len(tokens) and tokens.starts[at] < span.end:
            if tags[at] == OUTSIDE:
                tags[at] = prefix + span.label
                prefix = "I-"
            at += 1
    return tuple(tags)


def repair(tags: Sequence[str]) -> tuple[str, ...]:
    """The same tags with every I- that continues nothing turned into a B-."""
    fixed = list(tags[:1])
    if fixed and fixed[0].startswith("I-"):
        fixed[0] = "B-" + fixed[0][2:]
    for before, tag in pairwise(tags):
        orphan = tag.startswith("I-") and before[2:] != tag[2:]
        fixed.append("B-" + tag[2:] if orphan else tag)
    return tuple(fixed)


def decode(
    tags: Sequence[str], tokens: Tokens, *, source: str, scores: Sequence[float] | None = None
) -> tuple[Span, ...]:
    """The spans of repaired tags. A span's score is the least of its tokens' scores (default 1)."""
    spans: list[Span] = []
    fixed = repair(tags)
    at = 0
    while at < len(fixed):
        if fixed[at] == OUTSIDE:
            at += 1
            continue
        label = Label(fixed[at][2:])
        last = at + 1
        while last < len(fixed) and fixed[last] == "I-" + label:
            last += 1
        score = 1.0 if scores is None else min(scores[at:last])
        spans.append(
            Span(tokens.starts[at], tokens.ends[last - 1], label, score, source, Role.UNKNOWN)
        )
        at = last
    return tuple(spans)
