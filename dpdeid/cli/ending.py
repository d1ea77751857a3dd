"""Commands that end as a shell expects: a closed pipe and Ctrl-C without a word, each with its own
exit code. Left alone, typer ends both a closed pipe and a failed check with 1.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any, NoReturn

import typer
from rich.console import Console as RichConsole
from typer.core import TyperGroup

from dpdeid.cli.exits import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, EXIT_TERMINATED


class Commands(TyperGroup):
    """The group of all commands; what is still to be written is written before it ends."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            drop_stdout()
            raise typer.Exit(EXIT_BROKEN_PIPE) from None
        except KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED) from None


class Console(RichConsole):
    """A console that leaves a closed pipe to the command; rich would end with exit code 1."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def drop_stdout() -> None:
    """Lets what is still to be written go nowhere, or the interpreter fails on it once more."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # not a file, or closed: nothing is written any more
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def end_on_term() -> None:
    """Lets the signal TERM end the process as an exit does: half-written files are removed."""
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(EXIT_TERMINATED)
