"""docs/evaluation.md names every key, format and scheme there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.document import Document
from dpdeid.evaluate.evaluation import GoldNote, as_json, evaluate
from dpdeid.formats.annotations import FORMATS
from dpdeid.formats.label_names import CLASSES
from dpdeid.labels import CATEGORIES
from dpdeid.testing import marked

PAGE = (Path(__file__).parents[1] / "docs" / "evaluation.md").read_text(encoding="utf-8")
TEXT, GOLD = marked("M. «LAST_NAME:Morel» à «CITY:Brest»")
NOTE = GoldNote(Document("n", TEXT), GOLD, "lettre")
REPORT = as_json(evaluate([NOTE], [[GOLD], [GOLD]], against=[[GOLD], [GOLD[:1]]], resamples=5))


def leaves(tree: object) -> set[str]:
    """The keys of the innermost objects."""
    if not isinstance(tree, dict):
        return set()
    inner = {key for value in tree.values() for key in leaves(value)}
    return inner | {key for key, value in tree.items() if not isinstance(value, dict)}


@pytest.mark.parametrize("key", sorted(set(REPORT) | leaves(REPORT) - {"CITY", "LAST_NAME"}))
def test_every_key_is_documented(key: str) -> None:
    assert f"`{key}" in PAGE or f".{key}`" in PAGE, key


@pytest.mark.parametrize("name", [*FORMATS, *CLASSES, *sorted(set(CATEGORIES.values()))])
def test_every_format_scheme_and_category_is_named(name: str) -> None:
    assert name in PAGE
