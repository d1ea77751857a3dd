"""What somebody is told who does not know yet what to say."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import typer

from dpdeid.cli.terminal import EXIT_USAGE, tell

STEPS: Final = (
    "Make a cohort: dpdeid cohort new site/cohort",
    "Run, first with --dry-run: dpdeid run notes.csv -c site/cohort -o out.jsonl",
    "Read what can be said: dpdeid run --help, docs/formats.md, docs/terminal.md",
)
"""The first three, in this order."""
IN_FRENCH: Final = (
    "Créer une cohorte\xa0: dpdeid cohort new site/cohorte",
    "Lancer, d'abord avec --dry-run\xa0: dpdeid run notes.csv -c site/cohorte -o sortie.jsonl",
    "En savoir plus\xa0: dpdeid run --help, docs/formats.md, docs/terminal.md",
)


def epilog(head: str, steps: Sequence[str]) -> str:
    """The first steps as they stand under the help of the program."""
    return "\n\n".join((head, *steps))


def show_steps(command: str | None, args: Sequence[str], steps: Sequence[str]) -> None:
    """Ends a `dpdeid run` that somebody at a terminal gave nothing, with the first steps."""
    if command != "run" or args or not at_terminal():
        return
    tell("run needs INPUT: a file, a folder, or - for standard input", error=True)
    for number, step in enumerate(steps, 1):
        typer.echo(f"{number}. {step}", err=True)
    raise typer.Exit(EXIT_USAGE)


def at_terminal() -> bool:
    """Whether somebody types and reads what is said."""
    return sys.stdin.isatty() and sys.stderr.isatty()
