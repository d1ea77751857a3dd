"""Cards of trained models: written and read back, and what they refuse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.detect.taggers.card import (
    ModelCard,
    Source,
    card_path,
    check_files,
    check_shareable,
    digests,
    read_card,
    write_card,
)
from dpdeid.errors import ModelError
from dpdeid.labels import Label

CARD = ModelCard(
    name="small",
    kind="crf",
    labels=(Label.LAST_NAME, Label.DATE),
    data=(Source("letters", "CC BY 4.0", 12),),
    trained_on_identified=False,
    date="2026-02-03",
    seeds=(1, 2),
    scores={"letters/direct redacted": 0.97},
    settings={"c1": 0.1},
)

cards = st.builds(
    ModelCard,
    name=st.text(max_size=9),
    kind=st.sampled_from(["crf", "transformer", "flair"]),
    labels=st.lists(st.sampled_from(Label), unique=True).map(tuple),
    data=st.lists(
        st.builds(Source, st.text(max_size=9), st.text(max_size=9), st.integers(0, 999)), max_size=3
    ).map(tuple),
    trained_on_identified=st.booleans(),
    date=st.dates().map(lambda day: day.isoformat()),
    seeds=st.lists(st.integers(0, 99), max_size=3).map(tuple),
    scores=st.dictionaries(st.text(max_size=5), st.floats(0, 1), max_size=3),
    settings=st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3),
)


@given(cards)
def test_a_card_comes_back_as_it_was_written(card: ModelCard) -> None:
    assert ModelCard.from_json(card.to_json(), "here") == card


@pytest.mark.parametrize("folder", [True, False])
def test_it_lies_beside_its_model(tmp_path: Path, folder: bool) -> None:
    model = tmp_path / "model"
    model.mkdir() if folder else model.write_bytes(b"x")
    write_card(model, CARD)
    assert read_card(model) == CARD
    assert card_path(model).name == ("card.json" if folder else "model.card.json")


def test_a_missing_model_and_a_missing_card_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no model at .*absent"):
        read_card(tmp_path / "absent")
    (tmp_path / "bare").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"bare has no card: .*bare\.card\.json"):
        read_card(tmp_path / "bare")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"labels": ["SHOE_SIZE"]}, "SHOE_SIZE"),
        ({"kind": "oracle"}, "kind 'oracle'; allowed: crf, transformer, flair"),
        ({"trained_on_identified": "no"}, "must be true or false"),
        ({"date": "yesterday"}, "yesterday"),
        ({"colour": "red"}, "colour"),
        ({"data": [{"name": "letters"}]}, "licence"),
        ({"scores": 7}, "int"),
    ],
)
def test_a_damaged_card_is_refused_with_its_field(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"x")
    card_path(model).write_text(json.dumps({**json.loads(CARD.to_json()), **change}))
    with pytest.raises(ModelError, match=said):
        read_card(model)


@pytest.mark.parametrize("key", ["name", "labels", "data", "trained_on_identified", "date"])
def test_a_card_without_a_field_is_refused(key: str) -> None:
    row = json.loads(CARD.to_json())
    del row[key]
    with pytest.raises(ModelError, match=key):
        ModelCard.from_json(json.dumps(row), "here")


@pytest.mark.parametrize("text", ["", "[]", "{", "7"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="here is no model card"):
        ModelCard.from_json(text, "here")


def test_files_that_differ_from_the_card_are_refused(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"weights")
    card = replace(CARD, files=digests(tmp_path, ["model"]))
    check_files(model, card)
    model.write_bytes(b"weight")
    with pytest.raises(ModelError, match="model is damaged or not the one of its card"):
        check_files(model, card)
    model.unlink()
    with pytest.raises(ModelError, match="model is missing"):
        check_files(model, card)


def test_a_model_of_identified_notes_is_shared_only_when_asked() -> None:
    check_shareable(CARD, identified=False)
    learned = replace(CARD, trained_on_identified=True)
    check_shareable(learned, identified=True)
    with pytest.raises(ModelError, match="small was trained on identified notes"):
        check_shareable(learned, identified=False)
