"""`dpdeid synth` as a user runs it."""

from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.errors import UsageError
from dpdeid.synth import corpus
from tests.conftest import altered_gzip


def invoke(*args: object) -> Result:
    return CliRunner().invoke(app, ["synth", *map(str, args)])


def parsed(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_it_writes_as_many_notes_as_asked(tmp_path: Path) -> None:
    out = tmp_path / "c.jsonl"
    result = invoke("--notes", 6, "--seed", 4, "-o", out)
    assert result.exit_code == 0
    assert parsed(out.read_text(encoding="utf-8")) == list(corpus.notes(6, 4))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_types() -> None:
    result = invoke("-n", 5, "--types", "rcp", "--types", "cro")
    assert result.exit_code == 0
    assert {row["doc_type"] for row in parsed(result.stdout)} <= {"rcp", "cro"}
    assert isinstance(invoke("--types", "opera").exception, UsageError)
    assert invoke("-n", 0).exit_code == 4


def test_refill(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": "M. Durand", "spans": [{"start": 3, "end": 9, "label": "LAST_NAME"}]},
        {"id": "b", "text": "M. Durand"},
    ]
    source = tmp_path / "n.jsonl.gz"
    lines = [*(json.dumps(row) for row in rows), "{"]
    source.write_bytes(gzip.compress("\n".join(lines).encode()))
    result = invoke("--refill", source, "--spans", "spans", "--seed", 2)
    assert result.exit_code == 3
    good, bad, broken = parsed(result.stdout)
    assert good["id"] == "a-refill-2"
    assert good["text"].startswith("M. ")
    assert "Durand" not in good["text"]
    assert bad == {"id": None, "error": "row 2: no list of spans under spans"}
    assert broken == {"id": None, "error": "row 3: not valid JSON"}
    source.write_bytes(altered_gzip(lines[0].encode()))
    result = invoke("--refill", source, "--spans", "spans")
    assert result.exit_code == 4
    assert "damaged file" in parsed(result.stdout)[-1]["error"]


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    result = invoke("--refill", tmp_path / "none.jsonl")
    assert isinstance(result.exception, UsageError)
    assert "no such file" in str(result.exception)
