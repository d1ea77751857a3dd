"""Where the texts of a language model come from follows its taggers."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdeid.detect.taggers.card import Source
from dpdeid.errors import TrainingError
from dpdeid.training.bases import Origins, read_origins, write_origins

LETTERS = Source("letters", "CC BY 4.0", 12)
NOTES = Source("notes", "ours", 3)


def test_they_come_back_as_they_were_written(tmp_path: Path) -> None:
    for origins in (Origins(), Origins((LETTERS, NOTES), True)):
        write_origins(tmp_path, origins)
        assert read_origins(str(tmp_path)) == origins


def test_a_sum_names_each_once_and_never_forgets_identified_notes() -> None:
    both = Origins((LETTERS,), True) + Origins((LETTERS, NOTES), False)
    assert both == Origins((LETTERS, NOTES), True)


def test_a_base_without_them_is_named() -> None:
    assert read_origins("hub/some-bert").data == (Source("some-bert", "see its own card", 0),)
    assert read_origins(None) == Origins()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"data": [7], "trained_on_identified": true}'])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "origins.json").write_text(text)
    with pytest.raises(TrainingError, match=r"origins\.json is damaged"):
        read_origins(str(tmp_path))
