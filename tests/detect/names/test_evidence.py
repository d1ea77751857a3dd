"""What the lists say about a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid import gazetteers
from dpdeid.detect.names.vocabulary import EVIDENCE, SHORTHAND, evidence


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mangerions", {"word": True, "first_name": False, "surname": 0}),
        ("patrick", {"word": False, "first_name": True, "frequency": 4}),
        ("martin", {"first_name": True, "surname": 4}),
        ("payet", {"word": False, "first_name": False, "surname": 4}),
        ("doliprane", {"drug": True, "first_name": False}),
        ("nephropathie", {"medical": True, "drug": False}),
        ("avec", {"word": True, "medical": False, "frequency": 6}),
        ("de", {"frequency": 7}),
        ("hba", {"word": False, "frequency": 0}),
        ("atcd", {"word": False, "shorthand": True}),
        ("zoe", {"word": False, "name_word": True, "first_name": True}),
        ("12", {"word": False, "frequency": 0, "surname": 0}),
        ("", {"word": False, "shorthand": False}),
    ],
)
def test_a_word(word: str, said: dict[str, object]) -> None:
    found = evidence(word)
    assert {key: getattr(found, key) for key in said} == said


@pytest.mark.parametrize("word", ["kervalunec", "xqzt", "patrick", "payet"])
def test_what_no_list_of_words_has_is_suspicious(word: str) -> None:
    assert evidence(word).suspicious
    assert not evidence(word).ambiguous


@pytest.mark.parametrize("word", ["petit", "rose", "marchand", "zoe"])
def test_a_word_that_is_a_name_too_is_ambiguous(word: str) -> None:
    assert evidence(word).ambiguous
    assert not evidence(word).suspicious


@given(st.sampled_from(gazetteers.surname_list()) | st.text(max_size=12))
def test_a_word_is_known_or_suspicious_and_never_both(word: str) -> None:
    found = EVIDENCE[word]
    assert found.known is not found.suspicious
    assert not (found.word and found.name_word)
    assert found == evidence(word)


def test_rarer_surnames_have_lower_classes() -> None:
    ranks = gazetteers.surnames()
    classes = {1: 200_000, 2: 40_000, 3: 5_000, 4: 500}
    by_rank = {rank: name for name, rank in ranks.items() if rank in classes.values()}
    assert {evidence(by_rank[rank]).surname for rank in classes.values()} == set(classes)
    assert all(evidence(by_rank[rank]).surname == wanted for wanted, rank in classes.items())


def test_shorthand_is_in_no_list_of_first_names_that_people_bear_often() -> None:
    frequent = [n for n in list(gazetteers.first_names())[:300] if n in SHORTHAND]
    assert not frequent
