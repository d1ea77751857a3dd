"""Help, errors and messages in French: for whom, which texts, and the commands that show them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from dpdeid.cli.habits.first import IN_FRENCH, epilog
from dpdeid.cli.terminal import EXIT_CHECK_FAILED, Commands, speak

PROGRAM: Final = "dpdeid"
"""The program, in the tables: what is said before any command."""
VARIABLE: Final = "DPDEID_LANG"

_USAGE: Final = "Utilisation : "
_COMMAND: Final = "COMMANDE [ARGS]..."
_HELP: Final = "Affiche cette aide et termine."
_WORDS: Final = {
    "DEFAULT_STRING": "[défaut : {}]",
    "ENVVAR_STRING": "[variable d'environnement : {}]",
    "REQUIRED_LONG_STRING": "[obligatoire]",
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commandes",
    "ERRORS_PANEL_TITLE": "Erreur",
    "ABORTED_TEXT": "Abandon.",
    "RICH_HELP": "[blue]'{command_path} {help_option}'[/] affiche l'aide.",
}
"""Names of `typer.rich_utils`."""
_WRAPPED: Final = {"re_word": re.compile(r"[^\S\xa0]*[\S\xa0]+[^\S\xa0]*")}
"""Names of `rich._wrap`: a line ends at any space for rich, and for French not before a colon."""
_HELD: Final = re.compile(r"\{([a-z_]+)\}")
_NUMBER: Final = re.compile("n(_|$)")
"""What a message holds in braces: a number, words that must be known in French (`told`), or any."""
_Refused: Final[Any] = typer.BadParameter.__mro__[2]
"""Whatever typer refuses with words: it has no public name for that."""


class Language(StrEnum):
    """What the command line speaks."""

    FRENCH = "fr"
    ENGLISH = "en"


def asked(args: Sequence[str], environ: Mapping[str, str], commands: Container[str]) -> Language:
    """The language that a reader asks for: by --lang before the command, else by DPDEID_LANG, else
    by the first of LC_ALL, LC_MESSAGES and LANG that is set. What is no language is passed over.
    """
    named = environ.get(VARIABLE, "")
    words = iter(args)
    for word in words:
        option, _, value = word.partition("=")
        if option == "--lang":
            named = value or next(words, "")
        elif word in commands:
            break
    if named in {*Language}:
        return Language(named)
    set_ = (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    is_french = re.match(r"fr(?![a-z])", next(filter(None, set_), ""), re.I)
    return Language.FRENCH if is_french else Language.ENGLISH


def rows(name: str) -> list[list[str]]:
    """The rows of a table of `dpdeid/cli`, without its comments."""
    text = (files("dpdeid.cli") / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


class Told:
    """A command or a group that tells of itself in French once it has its place in the tables."""

    french: str | None = None

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, self.french and _USAGE)

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        with _typer_in_french() if self.french else nullcontext():
            if self.french:
                self.get_help_option(ctx).help = _HELP
            super().format_help(ctx, formatter)  # type: ignore[misc]


class Command(Told, TyperCommand):
    """A command that may be told in French."""


class Group(Told, TyperGroup):
    """A group that may be told in French."""


class Program(Told, Commands):
    """The group of all commands, told in the language that is asked for."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        given = sys.argv[1:] if args is None else args
        if asked(given, os.environ, self.commands) is Language.ENGLISH:
            speak(str)
            return super().main(args, *rest, **extra)
        speak(message_in_french)
        into_french(self, PROGRAM)
        self.epilog = epilog("Premiers pas\xa0:", IN_FRENCH)
        try:
            sys.exit(super().main(args, *rest, **extra | {"standalone_mode": False}))
        except _Refused as error:
            said = error_in_french(error.format_message())
            error.format_message = lambda: said
            with _typer_in_french() as shown:
                shown.rich_format_error(error)
            sys.exit(error.exit_code)
        except typer.Abort:
            with _typer_in_french() as shown:
                shown.rich_abort_error()
            sys.exit(EXIT_CHECK_FAILED)


def into_french(command: Any, path: str) -> None:
    """Puts French in the place of what a command, and all below it, says of itself.

    Args:
        path: its key in `commands.fr.tsv`: "run", "key new".
    """
    command.french = path
    command.help = _commands().get(path, command.help)
    for parameter in command.params:
        own, common = (path, parameter.name), ("", parameter.name)
        if told := _parameters().get(own) or _parameters().get(common):
            parameter.metavar, parameter.help = (text or None for text in told)
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = _COMMAND
        for name, below in command.commands.items():
            into_french(below, name if path == PROGRAM else f"{path} {name}")


def error_in_french(said: str) -> str:
    """What typer says of wrong usage, in French as far as `errors.fr.tsv` knows it."""
    for english, french in rows("errors.fr.tsv"):
        said = re.sub(english, french, said)
    return said


def message_in_french(said: str) -> str:
    """What a command says on standard error, or why it refuses, in French line by line, as far as
    `messages.fr.tsv` knows it.
    """
    return "\n".join(_line_in_french(line) or line for line in said.split("\n"))


def _line_in_french(said: str) -> str | None:
    line = said.lstrip(" ")
    for english, french in _messages():
        if found := english.fullmatch(line):
            told = french
            for name, text in found.groupdict().items():
                if (held := _held_in_french(name, text)) is None:
                    break
                told = told.replace(f"{{{name}}}", held)
            else:
                return said[: len(said) - len(line)] + told
    return None


def _held_in_french(name: str, text: str) -> str | None:
    """What is put into a message: a number as French writes it, words as far as they are known."""
    if _NUMBER.match(name):
        return text.replace(",", "\xa0").replace(".", ",")
    return _line_in_french(text) or (None if name == "told" else text)


@cache
def _messages() -> Sequence[tuple[re.Pattern[str], str]]:
    """Messages as expressions, and in French; those with the most words of their own come first."""
    by_words = sorted(rows("messages.fr.tsv"), key=lambda row: -len(_HELD.sub("", row[0])))
    return [(re.compile(_expression(english)), french) for english, french in by_words]


def _expression(english: str) -> str:
    pieces = _HELD.split(english)
    for at in range(1, len(pieces), 2):
        is_again = pieces[at] in pieces[1:at:2]
        kind = r"\d[\d,]*(?:\.\d+)?" if _NUMBER.match(pieces[at]) else ".*?"
        pieces[at] = f"(?P={pieces[at]})" if is_again else f"(?P<{pieces[at]}>{kind})"
    for at in range(0, len(pieces), 2):
        pieces[at] = re.escape(pieces[at]).replace(r"\(s\)", "s?")
    return "".join(pieces)


@cache
def _commands() -> Mapping[str, str]:
    return {path: said.replace("\\n", "\n") for path, said in rows("commands.fr.tsv")}


@cache
def _parameters() -> Mapping[tuple[str, str], tuple[str, str]]:
    return {(of, name): (metavar, said) for of, name, metavar, said in rows("options.fr.tsv")}


@contextmanager
def _typer_in_french() -> Iterator[Any]:
    """What typer shows help and errors with; its own words are French until the block ends."""
    shown = import_module("typer.rich_utils")
    with _replaced(shown, _WORDS), _replaced(import_module("rich._wrap"), _WRAPPED):
        yield shown


@contextmanager
def _replaced(module: ModuleType, values: Mapping[str, Any]) -> Iterator[None]:
    """Gives names of a module other values until the block ends; one that it lacks is no error."""
    own = vars(module)
    before = {name: own[name] for name in values.keys() & own.keys()}
    own.update(values)
    try:
        yield
    finally:
        own.update(before)
