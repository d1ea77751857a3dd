"""All rows, or why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdeid.errors import UsageError
from dpdeid.formats.sources import read_whole


def test_every_row_comes_with_its_note(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y", "w": 1}\n')
    one, two = read_whole(str(path), "NOTES")
    assert one.document is not None
    assert (one.document.text, two.extra) == ("x", {"w": 1})


def test_rows_that_cannot_be_read_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    rows = [{"id": "a", "text": "x"}, *({"id": str(at)} for at in range(12))]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(UsageError, match=r"^NOTES: row 2: no text; .* and 2 more rows$"):
        read_whole(str(path), "NOTES")


def test_a_source_without_a_note_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^NOTES: no notes$"):
        read_whole(str(tmp_path), "NOTES")
