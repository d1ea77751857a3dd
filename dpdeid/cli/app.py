"""Every command with its help and the function that does it: imported when the command
runs, or when its own help is asked for. `options.tsv` tells of the parameters of that function.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperCommand

from dpdeid.cli.terminal import Commands

GROUPS: Final = {
    "key": "Secret keys.",
    "cohort": "Cohorts: the notes that are released together, under one key.",
    "ledger": "What releases cost.",
    "train": "Train what finds, on notes of one's own.",
    "evaluate": "Measure what was found, what was kept and what is at risk.",
    "model": "Trained models.",
}

COMMANDS: Final = {
    "run": (
        "dpdeid.cli.run",
        "run",
        'De-identify notes: one {"id", "text"} or {"id", "error"} a row, and nothing else.',
    ),
    "restore": (
        "dpdeid.cli.restore",
        "restore",
        "Go back from released rows to the original notes, or to whose they are.\n\n"
        "Needs the sealed mapping that `dpdeid run --seal` wrote, and its key. The text comes back "
        "exactly as it was; a row whose text was changed since then gives an error instead.\n\n"
        "Each use is written to FILE.log before anything is shown: who, when, and keyed tags of "
        "the notes.",
    ),
    "forget": (
        "dpdeid.cli.restore",
        "forget",
        "Take a patient out of the mappings and out of the account of a cohort.\n\n"
        "From then on nobody can go back to this patient with these files, and later runs of the "
        "cohort leave the patient out. A line without the id (a keyed tag and the day) stays in "
        "the account.\n\n"
        "Notes that were released stay as they are: their ids are printed, so that you can "
        "withdraw them.",
    ),
    "detect": (
        "dpdeid.cli.detect",
        "detect",
        'Find spans without replacing them: {"id", "entities": [{start, end, label, …}]} a row.',
    ),
    "explain": (
        "dpdeid.cli.detect",
        "explain",
        "Show for every span what replaced it, which strategy, which merge rule, who proposed it.",
    ),
    "check": (
        "dpdeid.cli.check",
        "check",
        "Print what each strategy of a policy does, what it costs, and what is not protected.",
    ),
    "audit": (
        "dpdeid.cli.check",
        "audit",
        "Test whether a policy keeps the losses it states: exactly, and by sampling the engine.",
    ),
    "policies": ("dpdeid.cli.check", "policies", "List the built-in policies."),
    "demo": (
        "dpdeid.cli.synth",
        "demo",
        "De-identify the shipped fictitious notes under hnfc, dp and aphp, side by side.",
    ),
    "synth": (
        "dpdeid.cli.synth",
        "synth",
        "Make fictitious notes with their spans, to train and to test without any patient.",
    ),
    "monitor": (
        "dpdeid.cli.evaluate.monitor",
        "monitor",
        "Compare what a batch held with a baseline: exit code 1 if it drifts, for cron.",
    ),
    "key new": (
        "dpdeid.cli.cohort",
        "new_key",
        "Make a random key, one a cohort. Whoever holds it can invert every surrogate.",
    ),
    "cohort new": (
        "dpdeid.cli.cohort",
        "new",
        "Make a cohort: a random key, a copy of the policy, and a manifest of what must not "
        "change.",
    ),
    "cohort show": (
        "dpdeid.cli.cohort",
        "show",
        "Print the manifest of a cohort and how much it has spent.",
    ),
    "cohort close": (
        "dpdeid.cli.cohort",
        "close",
        "Destroy the key of a cohort, once that is confirmed, and say what that means.",
    ),
    "ledger add": (
        "dpdeid.cli.cohort",
        "add_ledgers",
        "Print what each unit lost over several ledgers; a charge in two of them counts once.",
    ),
    "model show": (
        "dpdeid.cli.model",
        "show",
        "Print the card of a model: what it finds, what it was trained on, what it scores.",
    ),
    "model export": (
        "dpdeid.cli.model",
        "export",
        "Copy a model with its card, for others. Refused for a model of identified notes.",
    ),
    "train mlm": (
        "dpdeid.cli.train",
        "mlm",
        "Train a language model on raw notes, from nothing or on top of a known one.",
    ),
    "train crf": (
        "dpdeid.cli.train",
        "crf",
        "Train a CRF tagger on annotated notes: minutes on one core, no network, a small file.",
    ),
    "train transformer": (
        "dpdeid.cli.train",
        "transformer",
        "Train a tagger on annotated notes and write it as a model folder that needs no torch.",
    ),
    "train flair": (
        "dpdeid.cli.train",
        "flair",
        "Train a bi-LSTM on annotated notes and write it as a model folder. Needs flair.",
    ),
    "evaluate detection": (
        "dpdeid.cli.evaluate.detection",
        "detection",
        "Score found spans against gold: what leaks first, then precision and recall by label.",
    ),
    "evaluate utility": (
        "dpdeid.cli.evaluate.utility",
        "utility",
        "Code the notes before and after with an independent coder: what of the codes is kept.",
    ),
    "evaluate attack": (
        "dpdeid.cli.evaluate.attack",
        "attack",
        "Attack a release, or a policy on made-up patients. What is found is a lower bound on "
        "risk.",
    ),
    "evaluate report": (
        "dpdeid.cli.evaluate.report",
        "report",
        "Put all figures on one page that a data-protection officer can read, in French or "
        "English.",
    ),
}
"""Commands by name: the module, the function in it, the help."""


class _Lazy(TyperCommand):
    """A command whose callback gives the function: the list of all commands needs no more."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        assert self.callback is not None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(self.name, help=self.help)(self.callback())
        return typer.main.get_command(alone).make_context(info_name, args, *rest, **extra)


def _loader(command: str, module: str, function: str) -> Callable[[], Callable[..., Any]]:
    def load() -> Callable[..., Any]:
        does: Callable[..., Any] = getattr(import_module(module), function)
        said = _parameters()
        for name, kind in get_type_hints(does).items():
            if row := said.get((command, name)) or said.get(("", name)):
                does.__annotations__[name] = Annotated[kind, _told(str(kind), *row)]
        return does

    return load


def _parameters() -> dict[tuple[str, str], list[str]]:
    """What `options.tsv` says, by command and parameter."""
    text = (files("dpdeid.cli") / "options.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {(command, name): rest for command, name, *rest in rows}


def _told(kind: str, names: str, metavar: str, least: str, most: str, said: str) -> Any:
    """A row of `options.tsv`, of a parameter of that kind, as typer has it."""
    ends = {name: literal_eval(end) for name, end in (("min", least), ("max", most)) if end}
    common = {"metavar": metavar or None, "help": said or None, **ends}
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
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it and end.")
    ] = False,
) -> None:
    """De-identify French clinical notes: find what identifies, replace it, say what it cost."""


_groups = {name: typer.Typer(help=told, no_args_is_help=True) for name, told in GROUPS.items()}
for _name, _group in _groups.items():
    app.add_typer(_group, name=_name)
for _name, (_module, _function, _help) in COMMANDS.items():
    _of, _, _own = _name.rpartition(" ")
    _groups.get(_of, app).command(_own, cls=_Lazy, help=_help)(_loader(_name, _module, _function))
