"""The rules take linear time on any text: twice the text, at most 2.6 times the time."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import lru_cache

import pytest

from dpdeid.detect.patterns import ROWS, Patterns
from dpdeid.detect.patterns.table import Row, Table
from dpdeid.document import Document
from dpdeid.tokens import tokenize

from .hostile import NAMES, UNITS, build

LIMIT = 2.6
ENOUGH = 0.002
"""Seconds of processor time below which a ratio is noise."""

Work = Callable[[Document], object]


@lru_cache(maxsize=1 << 10)
def document(name: str, length: int) -> Document:
    """A hostile note whose tokens are made already: only the rules are timed."""
    doc = Document(name, build(name, length))
    assert len(doc.tokens) <= length
    return doc


def spent(work: Work, doc: Document) -> float:
    """Seconds of processor time, the collector of garbage at rest (it is not linear)."""
    gc.disable()
    try:
        start = time.process_time()
        work(doc)
        return time.process_time() - start
    finally:
        gc.enable()


def ratio(work: Work, name: str) -> float:
    """time(2n)/time(n), n large enough to be measured.

    Least times of at least three runs in turn. A ratio over the limit is measured again at twice
    the length: noise goes, what is not linear stays.
    """
    length = 2_000
    while spent(work, document(name, length)) < ENOUGH and length < 8_000:
        length *= 2
    found = float("inf")
    for _ in range(3):
        short, long = document(name, length), document(name, 2 * length)
        best_short = best_long = float("inf")
        for times in range(7):
            best_short = min(best_short, spent(work, short))
            best_long = min(best_long, spent(work, long))
            if times >= 2 and best_long <= LIMIT * best_short:
                return best_long / best_short
        found = min(found, best_long / best_short)
        length *= 2
    return found


def test_there_are_at_least_thirty_hostile_texts() -> None:
    assert len(NAMES) >= 30
    assert len(set(UNITS.values())) == len(UNITS)


@pytest.mark.parametrize("name", NAMES)
def test_all_rules_together_are_linear(name: str) -> None:
    assert ratio(lambda doc: list(Patterns()(doc)), name) <= LIMIT


def slowest(row: Row, length: int) -> str:
    """The hostile text this row alone takes longest on."""
    scan = Table([row]).scan
    return max(NAMES, key=lambda name: spent(scan, document(name, length)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_row_alone_is_linear_where_it_is_slowest(row: Row) -> None:
    assert ratio(Table([row]).scan, slowest(row, 300)) <= LIMIT


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_linear(name: str) -> None:
    assert ratio(lambda doc: tokenize(doc.text), name) <= LIMIT


@pytest.mark.parametrize("character", ["1", " ", "a"])
def test_ten_megabytes_of_one_character_finish(character: str) -> None:
    doc = Document("large", character * 10_000_000)
    assert spent(lambda doc: list(Patterns()(doc)), doc) < 60


def test_a_quadratic_rule_would_be_caught() -> None:
    def quadratic(doc: Document) -> object:
        return sum(1 for a in doc.text[::20] for b in doc.text[::20] if a == b)

    assert ratio(quadratic, "letter") > LIMIT
