"""What is printed into a pipe: 80 columns, no word lost; and no colour where nobody wants one."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dpdeid
from dpdeid.cli.app import app
from dpdeid.cli.terminal import PIPED, Console, table
from dpdeid.labels import Label
from tests.cli.habits.terminals import at_terminal, piped
from tests.conftest import KEY

MODEL = Path(dpdeid.__file__).parent / "models" / "crf.crfsuite"
WARD = "service-de-neurochirurgie-et-de-chirurgie-du-rachis"
COLOUR = re.compile(r"\x1b\[[0-9;]*(?<![0-9])(3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What commands of tables read, with long names where there may be some."""
    made = tmp_path_factory.mktemp("width")
    text = "Mme Anne Zorguelec, née le 02/11/1958, vue le 12/03/2021 à Lyon, RAS."
    labels = [*Label]
    rows, gold, found = [], [], []
    for n in range(12):
        row = {"id": f"{WARD}-{n}", "patient_id": f"p{n // 2}", "text": text, "doc_type": WARD}
        spans = [
            {"start": at, "end": at + 3, "label": labels[(n + at) % len(labels)]}
            for at in range(0, 60, 4)
        ]
        rows.append(row)
        gold.append(row | {"entities": spans})
        found.append({"id": row["id"], "entities": spans[n % 3 :]})
    for name, lines in (("notes", rows), ("gold", gold), ("found", found)):
        (made / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for args in (
        ("cohort", "new", WARD, "-p", "hnfc"),
        ("run", "notes.jsonl", "-p", "hnfc", "--ledger", "l.json", "-o", "out.jsonl", "--keep-ids"),
        ("monitor", "found.jsonl", "-b", "base.json", "--new-baseline", "2026-01-31"),
        ("fasdim", "init", "lists"),
        ("fasdim", "extract", "notes.jsonl", "-l", "lists"),
    ):
        ended(made, *args)
    return made


def ended(folder: Path, *args: str, columns: str | None = None) -> str:
    env = {"COLUMNS": columns, "NO_COLOR": None, "DPDEID_KEY": KEY.hex()}
    with contextlib.chdir(folder):
        result = CliRunner().invoke(app, args, env=env)
    assert result.exit_code in (0, 1), (args, result.exception, result.stderr)
    return result.stdout


def letters(shown: str) -> list[str]:
    """All letters and figures of what is shown, in any order: columns part the words of a cell."""
    return sorted(filter(str.isalnum, shown))


COMMANDS = (
    "policies",
    *(f"check {name}" for name in ("dp", "hnfc", "aphp")),
    f"cohort show {WARD}",
    "ledger add l.json",
    f"model show {MODEL}",
    "run notes.jsonl --dry-run -p hnfc -o o.jsonl",
    "evaluate detection gold.jsonl found.jsonl --resamples 20",
    "evaluate detection gold.jsonl" + " found.jsonl" * 12 + " --against found.jsonl --resamples 20",
    "evaluate utility notes.jsonl out.jsonl --coder light --gold gold.jsonl",
    "evaluate attack gold.jsonl out.jsonl",
    "evaluate coherence out.jsonl --original notes.jsonl",
    "monitor found.jsonl -b base.json",
    "fasdim status lists",
    "review gold.jsonl --effort -p hnfc",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_into_a_pipe_no_line_is_wider_than_80(command: str, folder: Path) -> None:
    shown = ended(folder, *command.split())
    assert shown.count("\n") > 2
    assert not [line for line in shown.splitlines() if len(line) > PIPED]
    assert "\x1b" not in shown
    assert letters(shown) == letters(ended(folder, *command.split(), columns="1000"))


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize(("asked", "wide"), [({}, 80), ({"COLUMNS": "120"}, 120)])
def test_a_wide_terminal_beside_a_pipe_changes_nothing(asked: dict[str, str], wide: int) -> None:
    shown = piped("policies", beside=200, **asked).stdout
    assert max(map(len, shown.splitlines())) == wide


@pytest.mark.parametrize("columns", [3, 18])
def test_no_letter_of_a_table_is_lost(columns: int, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [f"{chr(97 + at)}{WARD}" for at in range(columns)]
    Console().print(table((), [cells], show_header=False))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= PIPED
    assert letters(shown) == letters("".join(cells))


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("args", [["--help"], ["policies"], ["policies", "--nothing"]])
def test_no_colour_where_nobody_wants_one(args: Sequence[str]) -> None:
    _, plain = at_terminal(*args, NO_COLOR="1")
    assert len(plain) > 100
    assert not COLOUR.search(plain)


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_without_that_wish_there_are_colours() -> None:
    assert COLOUR.search(at_terminal("--help")[1])
