"""`--json FILE`, one rule for all commands that print figures: they stand in a private file too,
and what is printed stays the same.
"""

from __future__ import annotations

import contextlib
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import dpdeid
from dpdeid.cli.app import app
from dpdeid.cli.habits.settings import VARIABLE
from dpdeid.errors import UsageError
from dpdeid.policy.policy import names
from tests.cli.habits.terminals import piped
from tests.conftest import KEY

MODEL = Path(dpdeid.__file__).parent / "models" / "crf.crfsuite"
OPTIONS = Path(dpdeid.__file__).parent / "cli" / "options.tsv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("json")
    (made / "notes.jsonl").write_text('{"id": "a", "text": "le 12/03/2021", "patient_id": "p"}')
    for args in (
        "cohort new c -p hnfc",
        "run notes.jsonl -c c -o o.jsonl --ledger l.json",
        "fasdim init lists",
    ):
        ended(made, args)
    return made


def ended(folder: Path, command: str) -> str:
    env = {"DPDEID_KEY": KEY.hex(), VARIABLE: ""}
    with contextlib.chdir(folder):
        result = CliRunner().invoke(app, command.split(), env=env)
    assert result.exit_code == 0, (command, result.exception, result.stderr)
    return result.stdout


def checked(found: dict[str, Any]) -> bool:
    labels = ", ".join(row["labels"] for row in found["labels"])
    return (found["policy"], found["unit"]) == ("hnfc", "note") and "DATE" in labels


HAS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "policies": lambda found: [*found] == [*names()],
    "check hnfc": checked,
    "cohort show c": lambda found: (found["manifest"]["policy"], found["forgotten"]) == ("hnfc", 0),
    "vault show c": lambda found: found == {"released": 1, "merged": 0},
    "ledger add l.json": lambda found: found["units"][0]["charges"] > 0,
    f"model show {MODEL}": lambda found: found["kind"] == "crf" and found["inputs_now"],
    "fasdim status lists": lambda found: found["starting list"] == "yes",
    "explain notes.jsonl -p hnfc": lambda found: found["spans"][0]["label"] == "DATE",
}


@pytest.mark.parametrize("command", HAS)
def test_the_figures_stand_in_a_private_file_too(command: str, folder: Path) -> None:
    file = folder / "figures.json"
    file.unlink(missing_ok=True)
    shown = ended(folder, command)
    assert ended(folder, f"{command} --json figures.json") == shown
    assert HAS[command](json.loads(file.read_text(encoding="utf-8")))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cohort show c", "c/key"),
        ("vault show c", "c/vault.sqlite"),
        ("ledger add l.json", "l.json"),
        ("fasdim status lists", "lists/policy.yaml"),
        ("explain notes.jsonl", "notes.jsonl"),
        ("check lists/policy.yaml", "lists/policy.yaml"),
    ],
)
def test_nothing_that_is_read_is_overwritten(command: str, file: str, folder: Path) -> None:
    before = (folder / file).read_bytes()
    with contextlib.chdir(folder):
        error = CliRunner().invoke(app, [*command.split(), "--json", file]).exception
    assert isinstance(error, UsageError)
    assert "is an input, or lies in one" in str(error)
    assert (folder / file).read_bytes() == before


def test_it_means_one_thing_in_all_commands() -> None:
    rows = [line.split("\t") for line in OPTIONS.read_text(encoding="utf-8").splitlines()]
    given = [row for row in rows if "--json" in row[2:3]]
    assert len(given) > 2
    for _, _, _, metavar, _, _, said in given:
        assert metavar == "FILE"
        assert said.startswith("Write ")
        assert said.endswith("(mode 0600).")


def test_figures_alone_go_down_a_pipe(folder: Path) -> None:
    done = piped("-q", "policies", "--json", "/dev/stderr", cwd=folder)
    assert [*json.loads(done.stderr)] == [*names()]
