"""The command line of two tables: `commands.tsv` has every command with its help and the function
that does it, `options.tsv` tells of the parameters of that function. A function is imported when
its command runs, or when its own help is asked for. French stands in `language`.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from dpdeid.cli.habits.completion import named
from dpdeid.cli.habits.first import IN_FRENCH, STEPS, epilog, show_steps
from dpdeid.cli.habits.settings import in_force
from dpdeid.cli.language.french import (
    VARIABLE,
    Command,
    Group,
    Language,
    Program,
    into_french,
    rows,
)
from dpdeid.cli.terminal import Listening, listen

GROUPS: Final = {name: told for name, told, *_ in rows("groups.tsv")}


class _Lazy(Command):
    """A command whose callback gives the function: the list of all commands needs no more."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        assert self.callback is not None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(self.name, help=self.help, cls=Command)(self.callback())
        loaded = typer.main.get_command(alone)
        if self.french:
            into_french(loaded, self.french)
        show_steps(self.name, args, IN_FRENCH if self.french else STEPS)
        return in_force(loaded, info_name, args, *rest, **extra)


def _loader(command: str, place: str) -> Callable[[], Callable[..., Any]]:
    def load() -> Callable[..., Any]:
        module, _, function = place.partition(":")
        does: Callable[..., Any] = getattr(import_module(f"dpdeid.cli.{module}"), function)
        said = {(of, name): rest for of, name, *rest in rows("options.tsv")}
        for name, kind in get_type_hints(does).items():
            if row := said.get((command, name)) or said.get(("", name)):
                does.__annotations__[name] = Annotated[kind, _told(str(kind), named(name), *row)]
        return does

    return load


def _told(kind: str, known: Any, names: str, metavar: str, least: str, most: str, said: str) -> Any:
    """A row of `options.tsv`, of a parameter of that kind, as typer has it; what is known of its
    value completes it.
    """
    ends = {name: literal_eval(end) for name, end in (("min", least), ("max", most)) if end}
    common = {"metavar": metavar or None, "help": said or None, "autocompletion": known, **ends}
    if names == "argument":
        return typer.Argument(**common)
    formats = ["%Y-%m-%d"] if "datetime" in kind else None
    return typer.Option(*names.split() if names != "option" else (), formats=formats, **common)


def _version(asked: bool) -> None:
    if asked:
        import dpdeid

        typer.echo(f"dpdeid {dpdeid.__version__}")
        raise typer.Exit


app = typer.Typer(
    name="dpdeid",
    cls=Program,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=epilog("First steps:", STEPS),
)


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it and end.")
    ] = False,
    lang: Annotated[
        Language | None,
        typer.Option(
            envvar=VARIABLE,
            is_eager=True,
            help="The language of help, errors and messages, before the command: fr or en. "
            "Default: by LC_ALL, LC_MESSAGES or LANG.",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing on standard error but errors.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Add what is said on standard error to this file too, with times (mode 0600).",
        ),
    ] = None,
) -> None:
    """De-identify French clinical notes: find what identifies, replace it, say what it cost."""
    listen(Listening(quiet, log))


_groups = {
    name: typer.Typer(cls=Group, help=told, no_args_is_help=True) for name, told in GROUPS.items()
}
for _name, _group in _groups.items():
    app.add_typer(_group, name=_name)
for _name, _place, _said in rows("commands.tsv"):
    _of, _, _own = _name.rpartition(" ")
    _help = _said.replace("\\n", "\n")
    _groups.get(_of, app).command(_own, cls=_Lazy, help=_help)(_loader(_name, _place))
