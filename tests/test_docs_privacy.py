"""The privacy page names tests, commands and figures that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.privacy.skeleton import Shown

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
TESTS = re.findall(r"`(tests/[\w/]+\.py)((?:::\w+)+)`", PAGE)


@pytest.mark.parametrize(("path", "name"), TESTS, ids=[name for _, name in TESTS])
def test_every_named_test_exists(path: str, name: str) -> None:
    code = (ROOT / path).read_text(encoding="utf-8")
    *classes, function = name.strip(":").split("::")
    assert re.search(rf"^\s*def {function}\(", code, re.M)
    assert all(re.search(rf"^class {one}\b", code, re.M) for one in classes)


def test_it_lists_the_skeleton_in_full() -> None:
    _, _, behind = PAGE.partition("- **S**")
    listed = re.findall(r"^  - (.*(?:\n    .*)*)", behind.partition("- **z**")[0], re.M)
    assert [" ".join(one.split()) for one in listed] == list(Shown)


def test_every_hole_has_its_row_and_a_test() -> None:
    rows = re.findall(r"^\| (\d+) .*\|(.*)\|$", PAGE, re.M)
    assert [int(number) for number, _ in rows] == list(range(1, 16))
    assert all("::test_" in tests for _, tests in rows)


def test_the_commands_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.jsonl").write_text('{"id": "a", "text": "Vue le 12/03/2021."}\n')
    (block,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
    for line in block.splitlines():
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.exception)
