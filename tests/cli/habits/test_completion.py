"""`dpdeid completion`: what a shell offers once it has read the script."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dpdeid.cli.app import app
from dpdeid.formats.kinds import KINDS
from dpdeid.policy.policy import names


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with `dpdeid` in it, as an installation has one."""
    file = tmp_path / "dpdeid"
    code = f"""\
#!{sys.executable}
import sys
sys.argv[0] = "dpdeid"
from dpdeid.cli import main
main()
"""
    file.write_text(code)
    file.chmod(0o755)
    return tmp_path


def script(shell: str) -> str:
    result = CliRunner().invoke(app, ["completion", shell])
    assert result.exit_code == 0
    return result.stdout


def offered(program: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    (program / "script").write_text(script("bash"))
    typed = " ".join(f"'{word}'" for word in ("dpdeid", *words))
    asked = (
        f'source script; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; IFS=" "; '
        '_dpdeid_completion dpdeid; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{program}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", asked],
        cwd=program,
        env={**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["che"], ["check"]),
        (["cohort", ""], ["new", "show", "close"]),
        (["run", "notes.csv", "--dry"], ["--dry-run"]),
        (["check", "dp"], [name for name in names() if name.startswith("dp")]),
        (["run", "--policy", "hn"], [name for name in names() if name.startswith("hn")]),
        (["run", "--format", ""], [kind.name for kind in KINDS]),
        (["completion", "f"], ["fish"]),
        (["run", "note"], []),
    ],
)
def test_bash_is_offered(words: list[str], expected: list[str], program: Path) -> None:
    assert sorted(offered(program, *words)) == sorted(expected)


def test_where_nothing_is_offered_bash_takes_files() -> None:
    assert "complete -o default -F _dpdeid_completion dpdeid" in script("bash")


@pytest.mark.parametrize(("shell", "does"), [("zsh", "compdef"), ("fish", "complete --command")])
def test_other_shells_have_scripts(shell: str, does: str) -> None:
    assert f"{does} " in script(shell)
    assert f"_DPDEID_COMPLETE=complete_{shell}" in script(shell)


def test_no_other_shell_is_known() -> None:
    result = CliRunner().invoke(app, ["completion", "csh"])
    assert result.exit_code == 2
    assert "'bash', 'zsh'" in result.stderr
