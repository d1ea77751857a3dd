"""What the classes of a word say."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given

from dpdeid.detect.taggers.inputs import CLASSES, word_classes
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.testing.strategies import texts


def classes_of(text: str, word: str, rules: Iterable[Span] = ()) -> set[str]:
    doc = Document("n", text)
    bits = word_classes(doc, rules)[doc.tokens.texts.index(word)]
    return {name for index, name in enumerate(CLASSES) if bits >> index & 1}


@pytest.mark.parametrize(
    ("word", "has", "lacks"),
    [
        ("Martin", {"title_case", "surname", "first_name"}, {"unknown", "upper_case"}),
        ("MARTIN", {"upper_case", "surname"}, {"title_case"}),
        ("maison", {"lower_case", "word", "common_word"}, {"unknown"}),
        ("Zxqwvoul", {"title_case", "unknown"}, {"surname", "word"}),
        ("Quimper", {"place", "large_place"}, {"country"}),
        ("Belgique", {"country"}, {"digits_1"}),
        ("2021", {"digits_4"}, {"mark", "lower_case"}),
        ("123456789", {"digits_5"}, {"digits_4"}),
        (":", {"mark"}, {"upper_case", "lower_case"}),
        ("Dr", {"civility"}, {"unknown"}),
    ],
)
def test_shape_and_lists(word: str, has: set[str], lacks: set[str]) -> None:
    found = classes_of(f"ici {word} là", word)
    assert has <= found
    assert not lacks & found


def test_the_place_on_the_line() -> None:
    text = "Nom\n\nDurand Luc,vu\nfin"
    assert {"opens_line", "closes_line"} <= classes_of(text, "Nom")
    assert {"opens_line", "opens_paragraph"} <= classes_of(text, "Durand")
    assert not {"opens_line", "closes_line", "glued"} & classes_of(text, "Luc")
    assert "glued" in classes_of(text, "vu")
    assert "opens_paragraph" not in classes_of(text, "fin")


@given(texts())
def test_one_number_a_token(text: str) -> None:
    doc = Document("n", text)
    bits = word_classes(doc, ())
    assert len(bits) == len(doc.tokens)
    assert all(0 < number < 1 << len(CLASSES) for number in bits if number)


def test_every_class_has_a_name_of_its_own() -> None:
    assert len(set(CLASSES)) == len(CLASSES)


def test_what_the_rules_say() -> None:
    rules = [Span(3, 11, Label.LAST_NAME), Span(6, 11, Label.CITY)]
    assert {"rule_LAST_NAME", "rule_begins"} <= classes_of("M. Le Goffic", "Le", rules)
    goffic = classes_of("M. Le Goffic", "Goffic", rules)
    assert "rule_LAST_NAME" in goffic
    assert not {"rule_begins", "rule_CITY"} & goffic
    assert not any(name.startswith("rule") for name in classes_of("M. Le Goffic", "M", rules))
