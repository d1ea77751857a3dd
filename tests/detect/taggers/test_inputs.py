"""What feeds the shipped taggers is what they were scored with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import dpdeid
from dpdeid.detect.names import vocabulary
from dpdeid.detect.rules.fragments import family
from dpdeid.detect.taggers import inputs as fed
from dpdeid.detect.taggers.card import read_card, write_card
from dpdeid.detect.taggers.inputs import SHIPPED, drift, inputs, record

MODELS = Path(dpdeid.__file__).parent / "models"


@pytest.mark.parametrize("model", SHIPPED)
def test_shipped_models_are_fed_what_they_were_scored_with(model: str) -> None:
    changed = drift(read_card(MODELS / model))
    assert not changed, (
        f"{model} is fed other {' and '.join(changed)} than when it was scored. Score it again "
        "(benchmarks/detection.py, benchmarks/taggers.py); if it lost, train it again (`dpdeid "
        "train`). Then record what feeds it now: make inputs"
    )


def test_an_edited_row_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def edited(name: str) -> dict[str, object]:
        held = family(name)
        first, *others = held.get("rows", [{}])
        return {**held, "rows": [{**first, "context": [{"drop": "x", "on": "before"}]}, *others]}

    monkeypatch.setattr(fed, "family", edited)
    assert drift(read_card(MODELS / "crf.crfsuite")) == ("rules",)


def test_an_edited_list_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vocabulary.TEXTS, "eponyms", vocabulary.TEXTS["eponyms"] + " durand")
    assert drift(read_card(MODELS / "crf.crfsuite")) == ("lists",)


def test_a_list_against_taggers_feeds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vocabulary.TEXTS, "veto_devices", "durand")
    assert drift(read_card(MODELS / "crf.crfsuite")) == ()


def test_edited_code_is_told_by_what_it_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fed, "word_classes", lambda doc, spans: [0] * len(doc.tokens))
    assert drift(read_card(MODELS / "transformer")) == ("features",)


def test_a_tagger_that_reads_words_alone_has_none() -> None:
    assert inputs("flair") == {}


def test_recording_writes_todays_inputs_on_the_card(tmp_path: Path) -> None:
    card = replace(read_card(MODELS / "crf.crfsuite"), inputs={"rules": "0" * 64})
    model = tmp_path / "m.crfsuite"
    model.touch()
    write_card(model, card)
    assert drift(read_card(model)) == ("rules", "lists", "features")
    record(model)
    assert drift(read_card(model)) == ()
    assert replace(read_card(model), inputs=card.inputs) == card
