"""The rules take linear time on any text: twice the text, at most 2.6 times the time."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import pytest

from dpdeid.detect.rules import Patterns
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.rules.table import Row, Table
from dpdeid.document import Document
from dpdeid.tokens import tokenize
from tests.linear import LIMIT, growth, spent

from .hostile import NAMES, UNITS, build

Work = Callable[[Document], object]


@lru_cache(maxsize=1 << 10)
def document(name: str, length: int) -> Document:
    """A hostile note whose tokens are made already: only the rules are timed."""
    doc = Document(name, build(name, length))
    assert len(doc.tokens) <= length
    return doc


def ratio(work: Work, name: str) -> float:
    """time(2n)/time(n) of some work on a hostile text."""
    return growth(lambda length: partial(work, document(name, length)))


def test_there_are_at_least_thirty_hostile_texts() -> None:
    assert len(NAMES) >= 30
    assert len(set(UNITS.values())) == len(UNITS)


@pytest.mark.parametrize("name", NAMES)
def test_all_rules_together_are_linear(name: str) -> None:
    assert ratio(lambda doc: list(Patterns()(doc)), name) <= LIMIT


def slowest(row: Row, length: int) -> str:
    """The hostile text this row alone takes longest on."""
    scan = Table([row]).scan
    return max(NAMES, key=lambda name: spent(partial(scan, document(name, length))))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_each_row_alone_is_linear_where_it_is_slowest(row: Row) -> None:
    assert ratio(Table([row]).scan, slowest(row, 300)) <= LIMIT


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_linear(name: str) -> None:
    assert ratio(lambda doc: tokenize(doc.text), name) <= LIMIT


@pytest.mark.parametrize("character", ["1", " ", "a"])
def test_ten_megabytes_of_one_character_finish(character: str) -> None:
    doc = Document("large", character * 10_000_000)
    assert spent(lambda: list(Patterns()(doc))) < 60


@pytest.mark.slow
def test_a_quadratic_rule_would_be_caught() -> None:
    def quadratic(doc: Document) -> object:
        return sum(1 for a in doc.text[::8] for b in doc.text[::8] if a == b)

    assert ratio(quadratic, "letter") > LIMIT
