"""`dpdeid --quiet` and `dpdeid --log FILE`: who hears what a command tells."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dpdeid.cli.app import app
from dpdeid.cli.terminal import Listening, listen, metering, tell
from dpdeid.errors import UsageError
from tests.conftest import KEY, RULES

ROWS = (
    {"id": "a", "text": "Mme Zorguelec, vue le 12/03/2021."},
    {"id": "b", "text": "RAS pour Mme Zorguelec", "note_date": "2099-01-01"},
    {"id": "c"},
)
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (?:INFO|ERROR) ")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    Path("notes.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    Path("rules.yaml").write_text(RULES)
    yield tmp_path
    listen(Listening())


def invoke(*args: str, key: str | None = None) -> Result:
    return CliRunner().invoke(app, args, env={"DPDEID_KEY": key})


RUN = ("run", "notes.jsonl", "-p", "rules.yaml", "--keep-ids")


def test_quiet_says_errors_alone_and_changes_no_row() -> None:
    loud, quiet = invoke(*RUN), invoke("--quiet", *RUN)
    assert "a random key is used" in loud.stderr
    assert "1 row released, 2 failed" in loud.stderr
    assert quiet.stderr == "dpdeid: a record of 1 notes failed: InputError\n"
    assert (quiet.stdout, quiet.exit_code) == (loud.stdout, loud.exit_code)


def test_quiet_says_why_nothing_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("none.jsonl").touch()
    assert invoke("-q", "run", "none.jsonl").stderr == "dpdeid: no row was processed\n"
    assert "Missing argument" in invoke("-q", "run").stderr


def test_quiet_shows_no_progress(monkeypatch: pytest.MonkeyPatch, capsys: object) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = []
    monkeypatch.setattr("rich.progress.Progress.start", lambda self: shown.append(self))
    for quiet in (True, False):
        listen(Listening(quiet))
        with metering("looked at"):
            pass
        assert bool(shown) is not quiet


def test_the_log_has_what_is_said_with_times_and_no_text() -> None:
    first = invoke("--log", "day.log", *RUN)
    second = invoke("--quiet", "--log", "day.log", *RUN)
    path = Path("day.log")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(STAMP.match(line) for line in lines)
    said = [STAMP.sub("dpdeid: ", line) for line in lines]
    assert said[: len(lines) // 2] == first.stderr.splitlines()
    assert len(lines) == 2 * len(first.stderr.splitlines())
    assert second.stderr.splitlines() == [line for line in said[:4] if "record" in line]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "orguelec" not in path.read_text(encoding="utf-8")


def test_workers_are_heard_too() -> None:
    result = invoke("-q", "--log", "day.log", *RUN, "--workers", "2", key=KEY.hex())
    assert result.exit_code == 3
    assert "ERROR a record of 1 notes failed: InputError" in Path("day.log").read_text()


def test_a_log_that_others_could_read_is_closed_to_them() -> None:
    Path("day.log").touch(mode=0o644)
    invoke("--log", "day.log", "policies")
    assert stat.S_IMODE(Path("day.log").stat().st_mode) == 0o600


def test_notes_are_no_log() -> None:
    before = Path("notes.jsonl").read_bytes()
    error = invoke("--log", "notes.jsonl", *RUN).exception
    assert isinstance(error, UsageError)
    assert "what is no log of dpdeid is not added to" in str(error)
    assert Path("notes.jsonl").read_bytes() == before


def test_a_log_that_cannot_be_written_is_refused() -> None:
    error = invoke("--log", "no/day.log", "policies").exception
    assert "cannot write the log no/day.log: No such file" in str(error)


def test_words_are_told_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    tell("50 % of %s")
    assert capsys.readouterr().err == "dpdeid: 50 % of %s\n"
