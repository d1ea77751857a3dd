"""The first steps: told to somebody at a terminal, not to a script."""

from __future__ import annotations

import os

import pytest

from dpdeid.cli.habits.first import STEPS
from tests.cli.habits.terminals import at_terminal, piped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")


def test_run_alone_says_what_to_do_next() -> None:
    code, shown = at_terminal("run")
    first, *steps = shown.splitlines()
    assert code == 2
    assert first.startswith("dpdeid: run needs INPUT")
    assert steps == [f"{number}. {step}" for number, step in enumerate(STEPS, 1)]
    assert max(map(len, shown.splitlines())) <= 80


def test_a_script_gets_an_error_of_usage() -> None:
    done = piped("run")
    assert done.returncode == 2
    assert "Missing argument 'INPUT'" in done.stderr
    assert STEPS[0] not in done.stderr + done.stdout


def test_another_error_is_none_of_a_beginner() -> None:
    code, shown = at_terminal("run", "-o", "out.jsonl")
    assert code == 2
    assert "Missing argument" in shown
    assert STEPS[0] not in shown


def test_the_program_alone_shows_help_and_the_first_steps() -> None:
    shown = " ".join(piped().stdout.split())
    assert "[OPTIONS] COMMAND [ARGS]" in shown
    assert all(step in shown for step in STEPS)
