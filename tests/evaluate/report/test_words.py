"""French and English say the same things."""

from __future__ import annotations

from string import Formatter

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.report.page import LANGS, every_text, words


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("key", every_text())
def test_both_languages_fill_the_same_places(key: str) -> None:
    text = every_text()[key]
    assert set(text) == set(LANGS)
    assert all(text.values())
    assert places(text["fr"]) == places(text["en"])


def test_numbers_are_written_as_the_language_does() -> None:
    assert words("fr").share(0.984) == "98,4 %"
    assert words("en").share(0.984) == "98.4 %"


def test_a_column_without_a_name_stands_for_itself() -> None:
    assert words("fr").column("label") == "Catégorie"
    assert words("fr").column("dp-strict") == "dp-strict"


def test_another_language_is_refused() -> None:
    with pytest.raises(UsageError, match="fr, en"):
        words("de")
