"""Commands as they run at a terminal, and into a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_LESS = ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "DPDEID_KEY", "DPDEID_CONFIG")


def _env(more: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in _LESS} | {"TERM": "xterm"} | more


def _command(args: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", "dpdeid", *map(str, args)]


def at_terminal(*args: object, **more: str) -> tuple[int, str]:
    """The exit code of a command, and all that a terminal shows of it."""
    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(_command(args), env=_env(more), **streams) as process:
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 1 << 16):
                shown += block
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def piped(*args: object, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """A command whose output goes into a pipe, and that has nothing to read."""
    return subprocess.run(
        _command(args),
        env=_env(more),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
