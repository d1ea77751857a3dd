"""The linear classifier learns what words tell, and shows where they were taken away."""

from __future__ import annotations

import sys

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.classifier import FEWEST, counted, learnable, train, transfer

COUNT = 8 * FEWEST
SICK = [f"patient {at} avec toux grasse et fièvre" for at in range(COUNT)]
WELL = [f"patient {at} sans plainte ce jour" for at in range(COUNT)]
TEXTS = [text for pair in zip(SICK, WELL, strict=True) for text in pair]
CODES = [frozenset({"R05"}), frozenset()] * COUNT
IDS = [f"note-{at}" for at in range(2 * COUNT)]
HIDDEN = [text.replace("avec toux grasse et fièvre", "sans plainte ce jour") for text in TEXTS]


def test_features_are_words_and_pairs_without_case_accents_or_numbers() -> None:
    features = train(TEXTS, ["R05"], CODES)[0].transform
    one, other = features(["Fièvre élevée 39"]), features(["fievre ELEVEE 40"])
    assert (one != other).nnz == 0
    assert features(["un deux trois"]).nnz == 5
    assert features([""]).nnz == 0


def test_it_learns_what_the_words_tell() -> None:
    assert learnable(CODES) == ("R05",)
    model = train(TEXTS, ["R05"], CODES)
    assert counted(model, ["R05"], TEXTS, CODES).f1 == 1
    assert model.predict(["Toux grasse et fièvre"]).tolist() == [[1]]


def test_equal_notes_give_an_equal_model() -> None:
    one, other = (train(TEXTS, ["R05"], CODES) for _ in range(2))
    assert (one.predict_proba(TEXTS)[0] == other.predict_proba(TEXTS)[0]).all()


def test_rare_codes_are_not_learnt() -> None:
    rare = [frozenset({"R05"})] * (FEWEST - 1) + [frozenset[str]()] * (2 * COUNT - FEWEST + 1)
    assert learnable(rare) == ()
    assert learnable([frozenset({"R05"})] * (2 * COUNT)) == ()
    assert transfer(IDS, TEXTS, TEXTS, rare)["before→before"].tp == 0


def test_transfer() -> None:
    same = transfer(IDS, TEXTS, TEXTS, CODES)
    assert {way: counts.f1 for way, counts in same.items()} == dict.fromkeys(
        ("before→before", "before→after", "after→before", "after→after"), 1.0
    )
    lost = transfer(IDS, TEXTS, HIDDEN, CODES)
    assert lost["before→before"].f1 == 1
    assert lost["before→after"].recall == 0
    assert lost["after→before"].f1 < 0.9


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.pipeline", None)
    with pytest.raises(UsageError, match=r"\.\[evaluate\]"):
        train(TEXTS, ["R05"], CODES)
