"""What a table says of the words in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.decision.tables import COLUMNS, in_tables
from dpdeid.document import Document

ROSTER = """lun 01    KB         TB         LG
mar 02    mb         KB         ND
mer 03    KB         RS         LG"""
SHEET = """Heure | IDE | TA   | Lact
08:00 | KB  | 12/8 | 2,1
12:00 | mb  | 13/7 | 3"""


def said(text: str, word: str, column: str, nth: int = 0) -> float:
    doc = Document("a", text)
    at = [n for n, one in enumerate(doc.tokens.texts) if one == word][nth]
    return float(in_tables(doc)[at, COLUMNS.index(column)])


@pytest.mark.parametrize(
    ("text", "word", "column", "value"),
    [
        (ROSTER, "ND", "column of initials", 1),
        (ROSTER, "LG", "same in column", 1),
        (ROSTER, "KB", "cells of row", 4),
        (ROSTER, "KB", "rows of table", 3),
        (ROSTER, "KB", "is head", 0),
        (SHEET, "KB", "column of initials", 1),
        (SHEET, "KB", "head of column", 1),
        (SHEET, "mb", "column of numbers", 0),
        (SHEET, "TA", "is head", 1),
        (SHEET, "3", "column of numbers", 1),
        (SHEET, "3", "column of decimals", 1),
        ("Vu par KB ce jour", "KB", "cells of row", 0),
        ("KB    TB    LG", "KB", "rows of table", 0),
    ],
)
def test_what_a_table_says_of_a_word(text: str, word: str, column: str, value: float) -> None:
    assert said(text, word, column) == value


def test_a_mark_and_a_blank_part_alike() -> None:
    """The same cells, however they are parted, but for the mark."""
    for mark in ("|", ";", "\t"):
        bars = Document("a", SHEET.replace(" | ", mark).replace("|", mark))
        wide = Document("a", SHEET.replace(" | ", "    ").replace("|", "    "))
        tokens = [n for n, text in enumerate(bars.tokens.texts) if text not in ("|", ";")]
        assert in_tables(bars)[tokens].tolist() == in_tables(wide).tolist()


@given(st.text(st.sampled_from("aB1 |;\t\n.-"), max_size=80))
def test_any_text_is_read(text: str) -> None:
    doc = Document("a", text)
    found = in_tables(doc)
    assert found.shape == (len(doc.tokens), len(COLUMNS))
    shares = found[:, 3:7]
    assert ((shares >= 0) & (shares <= 1)).all()
