"""Whether a word is rather a given name or a surname."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.names.first_or_last_name import LEANING, leaning
from dpdeid.detect.names.name_tokens import View
from dpdeid.document import Document


@pytest.mark.parametrize("word", ["jacqueline", "zoe", "patrice", "ghislaine", "jean", "odile"])
def test_given_names_lean_to_given_names(word: str) -> None:
    assert LEANING[word] > 3


@pytest.mark.parametrize("word", ["vidal", "nguyen", "leroy", "blanchard", "kervadoret"])
def test_surnames_lean_to_surnames_though_a_list_has_them_as_given_names(word: str) -> None:
    assert LEANING[word] < -1


@pytest.mark.parametrize("name", ["d'Angelo", "D'ANGELO", "Sainte-Rose", "Saint-Jean"])
def test_an_elided_particle_or_a_saint_makes_a_surname(name: str) -> None:
    view = View(Document("x", name))
    unit = view.unit(0)
    assert unit is not None
    assert leaning(view, unit) < 0


def test_a_word_parted_at_the_end_of_a_line_is_one_word() -> None:
    view = View(Document("x", "HU-\nBERT"))
    unit = view.unit(0)
    assert unit is not None
    assert leaning(view, unit) == LEANING["hubert"]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_the_odds_are_bounded(word: str) -> None:
    assert -13 < LEANING[word] < 13
