"""Units with suggestions, of texts that tools are known to shift."""

from __future__ import annotations

from hypothesis import strategies as st

from dpdeid.annotate.schemes import schemes
from dpdeid.annotate.units import Marked, Unit

HARD = [
    "a", "É", "e\u0301", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "🙂", "👩🏽‍⚕️", "🇫🇷",
    "\u00a0", "\u2028", "\x00", "\x0c", "\ud800", "«", "'", '"', "<b>", "&amp;", "|", "#",
    "T1\t", "Dr", "12/03", "Durand", "\ufeff", "\u202e",
]  # fmt: skip
"""Pieces that shift an offset, end a line, or mean something to a tool. Of surrogate pairs only a
first half: JSON, by which notes come in, joins a pair.
"""

texts = st.lists(st.sampled_from(HARD), min_size=1, max_size=14).map("".join)


@st.composite
def units(draw: st.DrawFn, scheme: str = "chuv") -> list[Unit]:
    """A few units of any text, each with disjoint marks that hold no white space at their ends."""
    names = list(schemes()[scheme].categories)
    found = []
    for number, text in enumerate(draw(st.lists(texts, min_size=1, max_size=4))):
        cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
        marks = []
        for start, end in zip(cuts[::2], cuts[1::2], strict=False):
            start += len(text[start:end]) - len(text[start:end].lstrip())
            end = start + len(text[start:end].strip())
            if start < end:
                marks.append(Marked(start, end, draw(st.sampled_from(names))))
        doc = draw(st.sampled_from(["n", "../n", "é/🙂", "a b\n"]))
        found.append(Unit(f"{doc}#{number}", doc, "", 3 * number, text, tuple(marks)))
    return found
