"""docs/annotate.md: its commands run, and its tables name what there is."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.annotate.exchange import TOOLS
from dpdeid.annotate.preannotation import KINDS
from dpdeid.annotate.units import read_answers
from dpdeid.cli.app import app
from dpdeid.testing import notes
from tests.annotate.tools.simulated import RETURNS

PAGE = (Path(__file__).parents[1] / "docs" / "annotate.md").read_text(encoding="utf-8")


def test_the_commands_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": doc.id, "text": doc.text, "doc_type": "letter"} for doc, _ in notes()]
    Path("notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (block,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
    for line in block.splitlines():
        if " import " in line:
            Path("contest/returned").mkdir()
            RETURNS["prodigy"](Path("contest/prodigy"), Path("contest/returned"))
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.exception)
    answers = read_answers([Path("red.jsonl")])
    assert len(answers) == json.loads(Path("red_counts.json").read_text())["answers"] > 40
    assert any(answer.marked for answer in answers)


def test_every_tool_has_its_rows() -> None:
    assert all(f"| `DIR/{tool}/` |" in PAGE for tool in TOOLS)
    assert re.findall(r"^\| (brat|Doccano|Label Studio|Prodigy) \|", PAGE, re.M) == [
        "brat", "Doccano", "Label Studio", "Prodigy",
    ]  # fmt: skip


def test_every_way_to_alter_a_suggestion_is_told() -> None:
    assert all(f"`{kind}`" in PAGE or f"--perturb {kind}" in PAGE for kind in KINDS)
