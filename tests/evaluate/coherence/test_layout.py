"""Dictated numbers and keys of messages come out in one layout, with the way back."""

from __future__ import annotations

import pytest

from dpdeid.evaluate.coherence.named.words import gender
from dpdeid.evaluate.coherence.reading import layout
from dpdeid.evaluate.coherence.reading.reader import raw
from dpdeid.labels import Sex
from dpdeid.normalize import clean


@pytest.mark.parametrize(
    ("text", "laid"),
    [
        ("opéré en mars deux mille vingt et un", "opéré en mars 2021"),
        ("le zéro quatre soixante-dix-huit trente-neuf onze cinquante-deux", "le 0478391152"),
        ("sophie point garrec arobase clinique point example", "sophie.garrec@clinique.example"),
        ("Madame Petit, virgule, soixante ans, point.", "Madame Petit, 60 ans."),
        ("PV1|1|ADMIT=20240611", "PV1 | 1 | Entrée le : 11/06/2024"),
        ("sa sœur", "sa soeur"),
        ("deux mille cinq cents euros", "deux mille cinq cents euros"),
    ],
)
def test_one_layout(text: str, laid: str) -> None:
    assert layout.lines(clean(text)).text == laid


def test_a_place_in_the_layout_has_its_place_in_the_text() -> None:
    text = "Née en deux mille deux, à Brest"
    plain = layout.lines(clean(text))
    at = plain.text.index("2002")
    start, end = raw((at, at + 4), plain)
    assert text[start:end] == "deux mille deux"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("opéré", Sex.MALE),
        ("opérée", Sex.FEMALE),
        ("OPEREE", Sex.FEMALE),
        ("opere", Sex.UNKNOWN),
        ("présenté", Sex.MALE),
        ("présente", Sex.FEMALE),
        ("veuve", Sex.FEMALE),
        ("calme", Sex.UNKNOWN),
        ("journée", Sex.UNKNOWN),
    ],
)
def test_the_gender_of_a_word(word: str, told: Sex) -> None:
    assert gender(word) is told
