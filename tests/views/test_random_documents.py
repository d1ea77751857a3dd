"""Random pages and envelopes, with every offset known: what is read leads back exactly."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdeid.document import Mention, Span, Surrogate, rewrite
from dpdeid.labels import Label
from dpdeid.views.plain import reading_of
from dpdeid.views.reading import Reading
from dpdeid.views.written import written

VALUES = {
    "DUPONTEL": (
        "DUPONTEL",
        "ＤＵＰＯＮＴＥＬ",
        "DUP&#79;NTEL",
        "DUPON<b>TEL</b>",
        "DUPON\u200bTEL",
    ),
    "Schaeffli": ("Schaeffli", "Schaeﬄi", "Schae&#xFB04;i", "<i>Schae</i>ffli"),
    "Hélène": ("Hélène", "H&eacute;l&egrave;ne", "He\u0301le\u0300ne", "H&#233;l&#xE8;ne"),
    "12/03/1958": ("12/03/1958", "１２/０３/１９５８", "12/03/<u>1958</u>", "12&#47;03&#47;1958"),
    "4011": ("4011", "４０１１", "40<sup>11</sup>", "𝟜𝟘𝟙𝟙"),
}
"""Values, and how they may stand in a file."""
PROSE = (
    "Vue ce jour", "CRP &lt; 5 mg/L", "10⁹/L", "m²", "½ cp", "fi&egrave;vre", "ﬁbrillation", "37 ℃",
    "0,5 ㎎", "HbA1c 7,2 %", "Ⅳ", "va mieux", "&amp;", "é", "e\u0301", "\u00a0", "(œdème)",
    "le\n  soir",
)  # fmt: skip
_FIRST = re.compile(r"\A(?:<|&lt;)\w+(?:>|&gt;)")
_LAST = re.compile(r"(?:<|&lt;)/\w+(?:>|&gt;)\Z")
BLOCKS = ("p", "div", "li", "h2", "blockquote", "paragraph", "item")


@dataclass(frozen=True)
class Piece:
    """A stretch of a file, and the value that it holds if it is one."""

    raw: str
    value: str = ""


Pieces = tuple[Piece, ...]


def joined(parts: list[Pieces]) -> Pieces:
    return tuple(piece for part in parts for piece in part)


def within(before: str, after: str, content: Pieces) -> Pieces:
    return (Piece(before), *content, Piece(after))


def value() -> st.SearchStrategy[Pieces]:
    """A value, set apart from what stands around it."""
    forms = st.sampled_from([(plain, raw) for plain, raws in VALUES.items() for raw in raws])
    return forms.map(lambda form: (Piece(" ; "), Piece(form[1], form[0]), Piece(" ; ")))


def prose() -> st.SearchStrategy[Pieces]:
    return st.sampled_from(PROSE).map(lambda text: (Piece(f" {text} "),))


def lines() -> st.SearchStrategy[Pieces]:
    return st.lists(st.one_of(prose(), value()), min_size=1, max_size=4).map(joined)


def table() -> st.SearchStrategy[Pieces]:
    """Rows of cells, with their end tags or without."""
    ends = st.booleans()
    cell = st.tuples(lines(), ends).map(lambda c: within("<td>", "</td>" if c[1] else "", c[0]))
    row = st.tuples(st.lists(cell, min_size=1, max_size=3).map(joined), ends)
    rows = row.map(lambda r: within('<tr class="a">', "</tr>" if r[1] else "", r[0]))
    body = st.lists(rows, min_size=1, max_size=3).map(joined)
    return body.map(lambda b: within('<table border="1">', "</table>", b))


def blocks() -> st.SearchStrategy[Pieces]:
    """Paragraphs, tables and lists in lists."""
    leaf = st.one_of(lines(), table())
    closed = st.sampled_from(BLOCKS)

    def wider(inner: st.SearchStrategy[Pieces]) -> st.SearchStrategy[Pieces]:
        several = st.lists(inner, min_size=1, max_size=3).map(joined)
        named = st.tuples(closed, several).map(lambda b: within(f"<{b[0]}>", f"</{b[0]}>", b[1]))
        listed = st.lists(inner, min_size=1, max_size=3).map(
            lambda items: within("<ul>", "</ul>", joined([within("<li>", "", i) for i in items]))
        )
        return st.one_of(named, listed)

    return st.recursive(leaf, wider, max_leaves=5)


def escaped(pieces: Pieces) -> Pieces:
    """A page as the text of an element."""
    return tuple(Piece(html.escape(piece.raw, quote=False), piece.value) for piece in pieces)


def documents() -> st.SearchStrategy[Pieces]:
    """Pages, bare, in a section of data, or escaped in an envelope."""
    page = st.lists(blocks(), min_size=1, max_size=3).map(joined)
    heads = st.sampled_from(["", "<!-- fin -->", "<br/>", '<a href="#x">', "\n"])
    page = st.tuples(heads, page).map(lambda p: (Piece(p[0]), *p[1]))
    envelope = '<?xml version="1.0"?>\n<doc><texte type="html">'
    return st.one_of(
        page,
        page.map(lambda p: within(f"{envelope}<![CDATA[", "]]></texte></doc>", p)),
        page.map(lambda p: within(envelope, "</texte></doc>", escaped(p))),
    )


def check(pieces: Pieces) -> None:
    """Every character leads back, every value to its stretch, and nothing else changes."""
    raw = "".join(piece.raw for piece in pieces)
    ends = [*accumulate(len(piece.raw) for piece in pieces)]
    reading = reading_of(raw)
    stretches_are_right(reading)
    done, surrogates, expected = 0, [], []
    for piece, end in zip(pieces, ends, strict=True):
        expected.append(piece.raw)
        if not piece.value:
            continue
        at = reading.text.index(piece.value, done)
        done = at + len(piece.value)
        start, stop = reading.to_raw(at, done) or (0, 0)
        before, tail = (len(tags.sub("", piece.raw)) for tags in (_FIRST, _LAST))
        before, tail = len(piece.raw) - before, len(piece.raw) - tail
        assert (start, stop) == (end - len(piece.raw) + before, end - tail)
        surrogates.append(
            Surrogate(Mention(0, Span(at, done, Label.OTHER_ID), piece.value), "NEUF", "test")
        )
        (one,) = written(reading, surrogates[-1:])
        assert (one.mention.span.start, one.mention.span.end) == (start, stop)
        expected[-1] = piece.raw[:before] + one.text + raw[stop:end]
    assert rewrite(raw, written(reading, ())) == raw
    assert rewrite(raw, written(reading, surrogates)) == "".join(expected)


def stretches_are_right(reading: Reading) -> None:
    """Each plain character stands where the raw one is, or where its escape or sign is."""
    done = 0
    for at, sign in enumerate(reading.text):
        stretch = reading.to_raw(at, at + 1)
        if stretch is None:
            continue
        start, end = stretch
        assert done <= start < end <= len(reading.raw)
        there = reading.raw[start:end]
        if len(there) > 1:
            assert there[0] == "&" or not there.isascii() or (sign == " " and there.isspace())
        elif there.isascii():
            assert there == (" " if sign == " " and there == "\n" else sign)
        done = start


@settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents())
def test_what_is_read_leads_back(pieces: Pieces) -> None:
    check(pieces)


@pytest.mark.slow
@settings(max_examples=10_000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents())
def test_what_is_read_of_many_documents_leads_back(pieces: Pieces) -> None:
    check(pieces)
