"""Hypothesis strategies for the package's values. Needs the `test` extra."""

from __future__ import annotations

from hypothesis import strategies as st

from dpdeid.document import Span
from dpdeid.labels import Label, Role


def spans(longest: int = 40) -> st.SearchStrategy[Span]:
    """Spans within [0, longest), of any label, score, source and role."""
    return st.tuples(st.integers(0, longest - 1), st.integers(1, longest)).flatmap(
        lambda at: st.builds(
            Span,
            start=st.just(at[0]),
            end=st.just(min(longest, at[0] + at[1])),
            label=st.sampled_from(Label),
            score=st.sampled_from([0.5, 0.9, 1.0]),
            source=st.sampled_from(["crf", "patterns/a", "patterns/b", "lookup"]),
            role=st.sampled_from(Role),
        )
    )


def texts() -> st.SearchStrategy[str]:
    """Short texts with what breaks parsers: accents, combining marks, controls, RTL, surrogates."""
    pieces = st.sampled_from(
        ["Mme ", "Dupont", " né le ", "12/03/2021", "\n", "\r\n", "e\u0301", " \u0301 ", "\u200b",
         "\u202e", "\x00", "\ud800", "ﬁ", "Œ", "١٢", "É", "'", "\u2019", "\u00a0", "-",
         "06 39 98 01 02"]
    )  # fmt: skip
    return st.lists(st.one_of(pieces, st.text(max_size=5)), max_size=12).map("".join)
