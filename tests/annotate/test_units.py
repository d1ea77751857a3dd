"""Units and answers: what is written is read, and what is wrong names its row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpdeid.annotate.units import Answer, Marked, Unit, read_answers
from dpdeid.errors import AnnotationError

UNIT = Unit("n1#0", "n1", "letter", 0, "Vu par Anne", (Marked(7, 11, "NOM"),))
ANSWER = Answer(UNIT, "A", "red", (Marked(7, 11, "NOM"),), "2026-01-01T10:00:00", 4.5)


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    bare = Answer(Unit("n1#1", "n1", "", 11, ""), "B", ignored=True)
    path = written(tmp_path / "a.jsonl", ANSWER.row(), bare.row())
    assert read_answers([path]) == [ANSWER, bare]


def test_a_text_may_hold_half_a_surrogate_pair() -> None:
    assert Unit("u", "d", "", 0, "\ud800").digest != Unit("u", "d", "", 0, "?").digest


def test_one_id_has_one_text(tmp_path: Path) -> None:
    other = ANSWER.row()
    other["unit"]["text"] = "Vu par Marc"
    path = written(tmp_path / "a.jsonl", ANSWER.row(), other)
    with pytest.raises(AnnotationError, match="line 2: another text under n1#0"):
        read_answers([path])


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("unit", "n1", "unit is no object"),
        ("annotator", 3, "annotator is not of its kind"),
        ("ignored", "yes", "ignored is not of its kind"),
        ("annotator", "", "no annotator of n1#0"),
        ("seconds", -1, "seconds is no duration"),
        ("seconds", True, "seconds is no duration"),
        ("marked", {}, "marked is no list"),
        ("marked", [[0, 4]], "marked holds what is no"),
        ("marked", [[0, 99, "NOM"]], "marked holds a mark outside"),
        ("marked", [[4, 4, "NOM"]], "marked holds a mark outside"),
        ("marked", [[0, 8, "NOM"], [7, 11, "NOM"]], "marked holds marks that overlap, of n1#0"),
    ],
)
def test_what_is_wrong_is_named_and_not_repeated(
    tmp_path: Path, key: str, value: object, said: str
) -> None:
    path = written(tmp_path / "a.jsonl", ANSWER.row() | {key: value})
    with pytest.raises(AnnotationError, match=f"line 1: {said}") as raised:
        read_answers([path])
    assert "Anne" not in str(raised.value)


@pytest.mark.parametrize("key", ["id", "document", "doc_type", "start", "text"])
def test_a_unit_has_all_its_keys(tmp_path: Path, key: str) -> None:
    row = ANSWER.row()
    del row["unit"][key]
    with pytest.raises(AnnotationError, match=f"line 1: no {key}"):
        read_answers([written(tmp_path / "a.jsonl", row)])


def test_a_start_is_a_whole_number(tmp_path: Path) -> None:
    row = ANSWER.row()
    row["unit"]["start"] = True
    with pytest.raises(AnnotationError, match="start is not of its kind"):
        read_answers([written(tmp_path / "a.jsonl", row)])
