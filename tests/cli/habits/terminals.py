"""Commands as they run at a terminal, and into a pipe."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
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


def piped(
    *args: object, cwd: Path | None = None, beside: int = 0, **more: str
) -> subprocess.CompletedProcess[str]:
    """A command whose output goes into a pipe.

    Args:
        beside: columns of the terminal at which it is typed; 0 for none, and nothing to read.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 50, beside, 0, 0))
    try:
        return subprocess.run(
            _command(args),
            env=_env(more),
            cwd=cwd,
            stdin=theirs if beside else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
