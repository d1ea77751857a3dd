"""docs/local.md: its commands run in their order, and each finds what the ones before wrote."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dpdeid.policy.policy import load_policy
from dpdeid.synth import corpus

PAGE = (Path(__file__).parents[1] / "docs" / "local.md").read_text(encoding="utf-8")
(BLOCK,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
COMMANDS = [shlex.split(line) for line in BLOCK.splitlines()]
FILES = {"train.jsonl": (0, 24), "validation.jsonl": (24, 30), "test.jsonl": (30, 36)}


@pytest.mark.slow
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    for name in ("torch", "transformers"):
        pytest.importorskip(name)
    notes = list(corpus.notes(36, 3))
    for name, (first, stop) in FILES.items():
        rows = (json.dumps(row) + "\n" for row in notes[first:stop])
        (tmp_path / name).write_text("".join(rows), "utf-8")
    said = ""
    for program, *words in COMMANDS:
        assert program == "dpdeid"
        quick = ["1" if before == "--epochs" else word for before, word in zip(["", *words], words)]  # noqa: B905
        done = subprocess.run(
            [sys.executable, "-m", "dpdeid", *quick], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{words[:2]}: {done.stderr[-1000:]}"
        said += done.stdout
    assert "PRED less --against" in said
    assert "train.jsonl" in said, "the card names what was learned"
    policy = load_policy(tmp_path / "site" / "policy.yaml")
    kinds = [part.name for part in policy.detectors]
    assert kinds.count("crf") == kinds.count("transformer") == 2
    assert policy.name == "dp-site"


def test_no_file_of_the_page_both_teaches_and_measures() -> None:
    taught = {word for words in COMMANDS for word in words if words[1] in ("train", "annotate")}
    measured = {word for words in COMMANDS for word in words if words[1] in ("detect", "evaluate")}
    assert "test.jsonl" in measured - taught
    assert {"train.jsonl", "validation.jsonl"} <= taught - measured
