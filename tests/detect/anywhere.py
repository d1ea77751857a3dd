"""Checks a detector on lines that hold something to find, cut and joined with any characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.rules.table import Row
from dpdeid.document import Span

_MARK: Final = re.compile(r"«[A-Z_]+(?:/[A-Z]+)?:([^»]*)»")
_CUT: Final = 8
"""Up to so many characters are cut off a line at either end."""


def plain(rows: Iterable[Row]) -> list[str]:
    """The example lines of rows, without their marks."""
    return [_MARK.sub(r"\1", row.example) for row in rows]


def spans_lie_in_any_text(
    detect: Callable[[str], Iterable[Span]], lines: Sequence[str], characters: str
) -> None:
    """Fails where a span is empty, leaves the text or begins or ends with a space.

    A text has one line whole among cut ones and any characters. Also fails where nothing is found
    in half of the texts, as nothing would be checked then.
    """
    whole = st.sampled_from(lines).map(lambda line: f"\n{line}\n")
    cut = st.tuples(st.sampled_from(lines), st.integers(0, _CUT), st.integers(0, _CUT)).map(
        lambda drawn: drawn[0][drawn[1] : len(drawn[0]) - drawn[2]]
    )
    around = st.lists(st.one_of(cut, st.text(characters, max_size=_CUT)), max_size=3).map("".join)
    texts = st.tuples(around, whole, around).map("".join)
    tried, hit = 0, 0

    @given(texts)
    def lie(text: str) -> None:
        nonlocal tried, hit
        found = tuple(detect(text))
        tried, hit = tried + 1, hit + bool(found)
        for span in found:
            assert 0 <= span.start < span.end <= len(text)
            assert text[span.start : span.end].strip() == text[span.start : span.end]

    lie()
    assert hit > tried / 2, f"something was found in {hit} of {tried} texts only"
