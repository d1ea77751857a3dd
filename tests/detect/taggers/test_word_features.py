"""What a tagger is told about a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.features import REACH, keeper, shape, word_memo

WORDS = word_memo(None)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Martin", "Xx"),
        ("MARTIN", "X"),
        ("marTin", "xXx"),
        ("é", "x1"),
        ("M", "X1"),
        ("12", "dd"),
        ("123456789012345", "d" * 11),
        (",", ","),
        ("²", "²"),
    ],
)
def test_shape(text: str, wanted: str) -> None:
    assert shape(text) == wanted


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("Patrick", {"w=patrick", "sg=Xx/f1", "k=Xx/first", "u=ck"}),
        ("patrick", {"w=patrick", "sg=x/f1", "k=x/first"}),
        ("Kervalunec", {"sl=Xx/-", "sg=Xx/-", "k=Xx/?"}),
        ("petit", {"k=x/last?", "sl=x/wm"}),
        ("Dr", {"k=TITLE", "sf=Xx/title"}),
        ("belle", {"k=FAMILY"}),
        ("de", {"k=de", "sz=x/7"}),
        ("Quimper", {"sf=Xx/town"}),
        ("35000", {"zip", "k=d5", "s=ddddd"}),
        ("99999", {"k=d5"}),
        ("2019", {"k=year", "w=2019"}),
        ("9999", {"k=dddd"}),
        ("07", {"k=month"}),
        ("31", {"k=day"}),
        ("42", {"k=dd"}),
        (":", {"k=:", "w=:"}),
        ("²", {"k=²"}),
    ],
)
def test_a_word(text: str, features: set[str]) -> None:
    assert features <= set(WORDS[text].own)


def test_no_list_of_postal_codes_has_every_number() -> None:
    assert "zip" not in WORDS["99999"].own


def test_neighbours_know_on_which_side_the_word_stands() -> None:
    around = WORDS["Monsieur"].around
    assert set(around) == {n for n in range(-REACH, REACH + 1) if n}
    assert {"-1w=monsieur", "-1k=TITLE", "-1f=title"} <= set(around[-1])
    assert {"2w=monsieur", "2k=TITLE"} == set(around[2])


@given(st.text(min_size=1, max_size=8), st.sets(st.sampled_from(["w=a", "k=,", "s=x1", "-1k=,"])))
def test_what_a_model_does_not_know_is_not_made(text: str, known: set[str]) -> None:
    every, some = word_memo(None)[text], word_memo(known)[text]
    assert some.kind == every.kind
    assert some.own == [f for f in every.own if f in known]
    assert some.around == {k: [f for f in v if f in known] for k, v in every.around.items()}


def test_without_a_model_all_are_kept() -> None:
    features = ["a", "b"]
    assert keeper(None)(features) == features
    assert keeper({"b", "c"})(features) == ["b"]
    assert keeper(())(features) == []
