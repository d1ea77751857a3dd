from __future__ import annotations

import re

import pytest

from dpdeid.french.numerals import read, spell
from dpdeid.normalize import fold


def test_every_number_is_read_back() -> None:
    assert all(read(re.split("[ -]", fold(spell(n)))) == n for n in range(1, 10_000))


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("septante", 70),
        ("nonante neuf", 99),
        ("quatre vingt dix sept", 97),
        ("mille neuf cent trente quatre", 1934),
        ("premier", 1),
    ],
)
def test_regional_and_ordinal_words(words: str, number: int) -> None:
    assert read(words.split()) == number


@pytest.mark.parametrize("words", ["", "et", "huit dix", "vingt vingt", "cent mille", "un et deux"])
def test_what_is_not_one_number_is_none(words: str) -> None:
    assert read(words.split()) is None


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="9,999"):
        spell(10_000)
