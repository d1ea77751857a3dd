"""Which texts a language model is given, and which files are refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dpdeid.errors import TrainingError
from dpdeid.training.corpus import read_texts
from tests.conftest import altered_gzip


def test_rows_of_json_lines_are_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    rows = [{"id": 1, "text": "vue\nle"}, {"id": 2, "text": "sortie", "label": "x"}]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    assert list(read_texts([path])) == ["vue\nle", "sortie"]


def test_lines_of_a_text_are_put_together(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    lines = [f"{number} " + "é" * 998 for number in range(10, 17)]
    path.write_text("\n\n".join(lines), encoding="utf-8")
    documents = list(read_texts([path]))
    assert [len(d.split("\n")) for d in documents] == [3, 3, 1]
    assert "\n".join(documents).split("\n") == lines


def test_a_file_named_twice_counts_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("vue")
    assert list(read_texts([path, path])) == ["vue", "vue"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.pdf", b"x", r"a\.pdf: texts are \.txt or \.jsonl"),
        ("a.jsonl", b'{"text": "x"}\n{', r"a\.jsonl, row 2: not valid JSON"),
        ("a.jsonl", b'{"txt": "x"}', r"a\.jsonl, row 1: there is no text"),
        ("a.jsonl", b'{"text": 7}', r"a\.jsonl, row 1: there is no text, or it is not text"),
        ("a.jsonl", b"[7]", r"a\.jsonl, row 1: not a JSON object"),
        ("a.txt", b"\xff\xfe\xfa", r"a\.txt: damaged file \(UnicodeDecodeError\)"),
        ("a.txt.gz", b"no gzip", r"a\.txt\.gz: damaged file"),
        ("a.txt.gz", altered_gzip(b"x"), r"a\.txt\.gz: damaged file"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(TrainingError, match=said):
        list(read_texts([path]))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"no such file: .*absent\.txt"):
        list(read_texts([tmp_path / "absent.txt"]))
