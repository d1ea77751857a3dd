"""What is read as a number, and which words stand beside it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from dpdeid.detect.names.name_tokens import View
from dpdeid.document import Document
from dpdeid.fasdim.numbers import START, Number, Shape, numbers
from dpdeid.testing.strategies import texts


def view(text: str) -> View:
    return View(Document("n", text))


def first(text: str) -> Number:
    return next(numbers(view(text)))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("fréquence respiratoire de 24 cycles", "respiratoire", "cycles"),
        ("sorti le 24 janvier", "le", "janvier"),
        ("FC à 80/min", "fc", "/min"),
        ("TA : 12/8", "ta", ""),
        ("Hb = 9,8 g/dL", "hb", "g"),
        ("température 38 °C", "temperature", "°c"),
        ("17 rue", START, "rue"),
        ("née\n17 rue", START, "rue"),
        ("pièce 12\nrue", "piece", ""),
    ],
)
def test_the_words_beside_a_number_are_those_of_its_line(
    text: str, before: str, after: str
) -> None:
    found = first(text)
    assert (found.before, found.after) == (before, after)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("hb 9,8 g", Shape.TINY),
        ("poids 106 kg", Shape.SMALL),
        ("en 2019 vu", Shape.YEAR),
        ("plaquettes 250 000 ici", Shape.VALUE),
        ("ta 120/80 ici", Shape.PAIR),
        ("nodule 31x28x21 mm", Shape.PLAIN),
        ("cp 1-0-1 ici", Shape.PLAIN),
        ("le 12/03/2021 vu", Shape.OTHER),
        ("dossier 0412 ici", Shape.OTHER),
        ("trois enfants", Shape.SMALL),
    ],
)
def test_shapes(text: str, shape: Shape) -> None:
    assert first(text).shape is shape


def test_a_telephone_number_holds_no_measure() -> None:
    found = list(numbers(view("tél 02 98 52 60 61")))
    assert len(found) == 5
    assert {number.shape for number in found} == {Shape.OTHER}


def test_letters_count_as_numbers_and_elisions_do_not() -> None:
    assert first("hépatite C chronique").before == "hepatite"
    assert first("vu par J. Durand").shape is Shape.OTHER
    assert not list(numbers(view("l'aorte n'a pas d'anévrisme, il y a à dire")))


@given(texts())
def test_numbers_are_sorted_and_disjoint_in_any_text(text: str) -> None:
    found = list(numbers(view(text)))
    assert all(number.first < number.stop <= number.tail for number in found)
    assert all(one.stop <= other.first for one, other in pairwise(found))
