"""Names that no list tells, where somebody is surely meant."""

from __future__ import annotations

import pytest

from dpdeid.detect.names.name_tokens import View
from dpdeid.detect.rules.people.name_cues import plain, relative, unlisted
from dpdeid.document import Document


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("courage — SDRA", 1),
        ("courage stable", 0),
        ("chauve, cheveux rasés", 1),
        ("douce caroline va mieux", 2),
        ("stable, apyrétique", 0),
        ("le — matin", 0),
        ("courage", 0),
        ("noir", 1),
    ],
)
def test_a_word_in_small_letters_is_a_surname_where_the_clause_ends(text: str, count: int) -> None:
    assert len(plain(View(Document("x", text)), 0)) == count


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("maman voahangita travaille", True),
        ("mamie Philomette", True),
        ("maman rappelée", False),
        ("enfants bonnombres", False),
        ("fille Nantes", False),
        ("Maman voahangita travaille", False),
    ],
)
def test_who_is_called_behind_a_kinship_noun(text: str, named: bool) -> None:
    view = View(Document("x", text))
    unit = view.unit(1)
    assert unit is not None
    assert bool(relative(view, 0, unit)) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [("NATHANIELSZ", True), ("ANESTHESIE", False), ("SSR", False), ("Dupont", False)],
)
def test_a_name_in_capitals_that_no_list_knows(text: str, named: bool) -> None:
    assert bool(unlisted(View(Document("x", text)), 0)) is named
