"""The plan of a flair network: it comes back as written, and what is none is refused."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.flair import Numbering, fold_digits, read_plan, shape
from dpdeid.detect.taggers.sequences import UNKNOWN, FlairPlan, bio_tags
from dpdeid.errors import ModelError
from dpdeid.labels import Label

PLAN = FlairPlan(
    tags=bio_tags((Label.LAST_NAME, Label.CITY)),
    vocabulary=(*UNKNOWN, "vue", "Mme", "00", "à"),
    layers=2,
    crf=True,
)


def test_it_comes_back_as_it_was_written() -> None:
    assert FlairPlan.from_json(PLAN.to_json(), "p") == PLAN
    assert PLAN.labels == (Label.LAST_NAME, Label.CITY)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tags": ["O", "B-PER", "I-PER"]}, "the tag 'B-PER' is not one of ours"),
        ({"tags": ["B-CITY", "I-CITY", "O"]}, "tags must be O, then"),
        ({"tags": 3}, "is damaged"),
        ({"vocabulary": [*UNKNOWN, "zorblax", "zorblax"]}, "a word stands twice"),
        ({"vocabulary": ["zorblax"]}, "must begin with <lower>"),
        ({"vocabulary": [*UNKNOWN, ""]}, "must be words"),
        ({"vocabulary": [*UNKNOWN, ["zorblax"]]}, "must be words"),
        ({"vocabulary": 7}, "is damaged"),
        ({"layers": 0}, "layers must be a whole number"),
        ({"layers": True}, "layers must be a whole number"),
        ({"hidden": 1e9}, "hidden must be a whole number"),
        ({"embedding": 10**9}, "embedding must be a whole number"),
        ({"words": "128"}, "words must be a whole number"),
        ({"overlap": 128}, "overlap must be a whole number"),
        ({"crf": 1}, "crf must be true or false"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_plan_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ModelError, match=said) as raised:
        FlairPlan.from_json(json.dumps(asdict(PLAN) | change), "m/plan.json")
    assert "m/plan.json" in str(raised.value)
    assert "dpdeid train flair" in str(raised.value)
    assert "zorblax" not in str(raised.value)  # a word of the training notes


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", "\ud800"])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="plan is damaged"):
        FlairPlan.from_json(text, "plan")


def test_a_folder_without_a_readable_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"plan\.json is missing: .* is no flair model"):
        read_plan(tmp_path)
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelError, match=r"cannot read .*plan\.json: UnicodeDecodeError"):
        read_plan(tmp_path)


def test_words_are_known_as_they_stand_or_in_small_letters_or_by_their_shape() -> None:
    numbering = Numbering(PLAN.vocabulary)
    known = {word: number for number, word in enumerate(PLAN.vocabulary)}
    assert numbering.ids(["Mme", "VUE", "17", "\u0967\u0968", "MME"]) == [
        known[word] for word in ("Mme", "vue", "00", "00", "<UPPER>")
    ]
    texts = ["zorblax", "Zorblax", "McZorblax", "ZORBLAX", "B0", "000", "/"]
    shapes = ["<lower>", "<Title>", "<Title>", "<UPPER>", "<digits>", "<digits>", "<other>"]
    assert [shape(text) for text in texts] == shapes
    assert numbering.ids(texts) == [known[shape] for shape in shapes]


@given(st.lists(st.text(min_size=1)))
def test_every_word_has_a_number(texts: list[str]) -> None:
    ids = Numbering(UNKNOWN).ids(texts)
    assert len(ids) == len(texts)
    assert all(0 <= number < len(UNKNOWN) for number in ids)


@given(st.text())
def test_folding_keeps_all_but_digits(text: str) -> None:
    folded = fold_digits(text)
    assert len(folded) == len(text)
    assert fold_digits(folded) == folded
    assert all(a == b or (a.isdecimal() and b == "0") for a, b in zip(text, folded, strict=True))
