"""A memo gives what its function gives, asks it once, and stays bounded."""

from __future__ import annotations

import pytest

from dpdeid import lexicon as memo
from dpdeid.lexicon import Memo


def test_the_function_is_asked_once() -> None:
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    known = Memo(length)
    assert [known[word] for word in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert asked == ["a", "bb"]


def test_a_full_memo_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_MOST", 3)
    known = Memo(len)
    assert [known["a" * n] for n in range(10)] == list(range(10))
    assert len(known) <= 3
