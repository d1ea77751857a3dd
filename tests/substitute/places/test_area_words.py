"""The small words before areas: every name that is written has them, and they are French."""

from __future__ import annotations

import re

import pytest

from dpdeid.french.areas import Use
from dpdeid.gazetteers import area_names, place_key, places
from dpdeid.normalize import fold
from dpdeid.substitute.places.lists.areas import area_of
from dpdeid.substitute.places.rendering import introduced

WRITTEN = sorted({*area_names().values(), *filter(None, map(area_of, places()))})
"""Every department, canton or region that a strategy writes."""


@pytest.mark.parametrize("name", WRITTEN)
def test_every_area_that_is_written_has_its_words(name: str) -> None:
    assert all(introduced(name, use) is not None for use in Use)
    assert introduced(name.upper().replace("-", " "), Use.THE) == introduced(name, Use.THE)


@pytest.mark.parametrize("use", Use)
def test_words_are_elided_before_a_vowel_and_nowhere_else(use: Use) -> None:
    for name in WRITTEN:
        word = introduced(name, use)
        assert word is not None
        silent = fold(name)[0] in "aeiou" or place_key(name) in ("herault", "yonne")
        if word.endswith(("'", "la ", "le ", "de ")):
            assert word.endswith("'") == silent, name


def test_words_agree_in_number() -> None:
    for name in WRITTEN:
        several = introduced(name, Use.THE) == "les "
        assert several == (introduced(name, Use.OF_THE) == "des ")
        if several:
            assert re.split(r"[- ]", name)[0].endswith(("s", "x"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Var", ["le ", "du ", "du ", "dans le ", "dans le "]),
        ("Creuse", ["la ", "de la ", "de la ", "en ", "dans la "]),
        ("Aveyron", ["l'", "de l'", "de l'", "dans l'", "dans l'"]),
        ("Landes", ["les ", "des ", "des ", "dans les ", "dans les "]),
        ("Maine-et-Loire", ["le ", "du ", "du ", "en ", "dans le "]),
        ("Bretagne", ["la ", "de ", "de la ", "en ", "en "]),
        ("Île-de-France", ["l'", "d'", "de l'", "en ", "en "]),
        ("Mayotte", ["", "de ", "de ", "à ", "à "]),
        (
            "Vaud",
            ["le canton de ", "de ", "de ", "dans le canton de ", "dans le canton de "],
        ),
    ],
)
def test_each_use_has_its_words(name: str, words: list[str]) -> None:
    assert [introduced(name, use) for use in Use] == words


def test_a_town_has_none() -> None:
    assert introduced("Rennes", Use.THE) is None
