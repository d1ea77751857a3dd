"""Hand-written contradictions are found under their kind; what is coherent is left alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dpdeid.document import Document
from dpdeid.evaluate.coherence.facts import Kind
from dpdeid.evaluate.coherence.judge import judge

LINES = [
    line.split("\t")
    for line in (Path(__file__).parent / "planted.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
NOTES = [(kind, text.replace("\\n", "\n")) for kind, text in LINES]
WRONG = [(kind, text) for kind, text in NOTES if not kind.startswith("-")]
RIGHT = [text for kind, text in NOTES if kind.startswith("-")]


@pytest.mark.parametrize(("kind", "text"), WRONG)
def test_a_contradiction_is_found(kind: str, text: str) -> None:
    found = judge([Document("n", text)])
    assert kind in {one.kind.value for one in found}
    for one in found:
        for start, end in (one.first, one.second):
            assert 0 <= start < end <= len(text)


@pytest.mark.parametrize("text", RIGHT)
def test_a_near_miss_is_left_alone(text: str) -> None:
    assert judge([Document("n", text)]) == ()


def test_each_kind_has_several_of_both() -> None:
    wrong = Counter(kind for kind, _ in WRONG)
    right = Counter(kind[1:] for kind, _ in NOTES if kind.startswith("-"))
    assert wrong.keys() == right.keys() == {kind.value for kind in Kind}
    assert min(wrong.values()) >= 8
    assert min(right.values()) >= 3
