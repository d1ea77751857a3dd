"""The linear classifier learns what words tell, and shows where they were taken away."""

from __future__ import annotations

import numpy as np

from dpdeid.evaluate.classifier import FEATURES, FEWEST, counted, features, train, transfer

COUNT = 8 * FEWEST
SICK = [f"patient {at} avec toux grasse et fièvre" for at in range(COUNT)]
WELL = [f"patient {at} sans plainte ce jour" for at in range(COUNT)]
TEXTS = [text for pair in zip(SICK, WELL, strict=True) for text in pair]
CODES = [frozenset({"R05"}), frozenset()] * COUNT
IDS = [f"note-{at}" for at in range(2 * COUNT)]
HIDDEN = [text.replace("avec toux grasse et fièvre", "sans plainte ce jour") for text in TEXTS]


def test_features_are_words_and_pairs_without_case_accents_or_numbers() -> None:
    assert features("Fièvre élevée 39").tolist() == features("fievre ELEVEE 40").tolist()
    assert len(features("un deux trois")) == 5
    assert features("").tolist() == []
    index = features(" ".join(TEXTS))
    assert index.tolist() == sorted(set(index.tolist()))
    assert 0 <= index.min() <= index.max() < FEATURES


def test_it_learns_what_the_words_tell() -> None:
    model = train(TEXTS, CODES)
    assert model.codes == ("R05",)
    found = counted(model, TEXTS, CODES)
    assert found.f1 == 1
    assert model("Toux grasse et fièvre") == {"R05"}


def test_equal_notes_give_an_equal_model() -> None:
    one, other = train(TEXTS, CODES), train(TEXTS, CODES)
    assert np.array_equal(one.weights, other.weights)


def test_rare_codes_are_not_learnt() -> None:
    rare = [frozenset({"R05"})] * (FEWEST - 1) + [frozenset()] * (2 * COUNT - FEWEST + 1)
    assert train(TEXTS, rare).codes == ()
    assert train(TEXTS, [frozenset({"R05"})] * (2 * COUNT)).codes == ()


def test_transfer() -> None:
    same = transfer(IDS, TEXTS, TEXTS, CODES)
    assert {way: counts.f1 for way, counts in same.items()} == dict.fromkeys(
        ("before→before", "before→after", "after→before", "after→after"), 1.0
    )
    lost = transfer(IDS, TEXTS, HIDDEN, CODES)
    assert lost["before→before"].f1 == 1
    assert lost["before→after"].recall == 0
    assert lost["after→before"].f1 < 0.9
