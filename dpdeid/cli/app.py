"""Every command with its options; those of `train` and `evaluate` are in `train_app` and
`evaluate_app`, `restore` and `forget` in `sealed_app`. The work is in the modules of the same name.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from dpdeid.cli.ending import Commands
from dpdeid.cli.evaluate_app import evaluate_app
from dpdeid.cli.exits import EXIT_NONE
from dpdeid.cli.options import (
    POLICY_HELP,
    CohortArgument,
    Input,
    KeyOption,
    LedgerKeyOption,
    PolicyOption,
    ReferenceOption,
)
from dpdeid.cli.sealed_app import FORGET_HELP, RESTORE_HELP, forget, restore
from dpdeid.cli.train_app import train_app

app = typer.Typer(
    name="dpdeid",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
key_app = typer.Typer(help="Secret keys.", no_args_is_help=True)
cohort_app = typer.Typer(
    help="Cohorts: the notes that are released together, under one key.", no_args_is_help=True
)
ledger_app = typer.Typer(help="What releases cost.", no_args_is_help=True)
app.add_typer(key_app, name="key")
app.add_typer(cohort_app, name="cohort")
app.add_typer(ledger_app, name="ledger")
app.add_typer(train_app, name="train")
app.add_typer(evaluate_app, name="evaluate")
model_app = typer.Typer(help="Trained models.", no_args_is_help=True)
app.add_typer(model_app, name="model")


def _version(asked: bool) -> None:
    if asked:
        import dpdeid

        typer.echo(f"dpdeid {dpdeid.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print it and end."),
    ] = False,
) -> None:
    """De-identify French clinical notes: find what identifies, replace it, say what it cost."""


def ended(code: int) -> typer.Exit:
    """The end of a command that works on rows; where there was none to work on it says so."""
    if code == EXIT_NONE:
        typer.echo("dpdeid: no row was processed", err=True)
    return typer.Exit(code)


@app.command()
def run(
    source: Input,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Released rows. Default: stdout.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", "-p", help=f"{POLICY_HELP} Default: the cohort's, else dp."),
    ] = None,
    cohort: Annotated[
        Path | None,
        typer.Option(
            "--cohort",
            "-c",
            metavar="DIR",
            help="Use the key, e0 and policy of this cohort and count what it has spent.",
        ),
    ] = None,
    key_file: KeyOption = None,
    e0: ReferenceOption = None,
    ledger_key_file: LedgerKeyOption = None,
    keep_ids: Annotated[
        bool, typer.Option("--keep-ids", help="Release the input's ids instead of keyed ones.")
    ] = False,
    keep_order: Annotated[
        bool,
        typer.Option(
            "--keep-order",
            help="Rows in the order of the input, for evaluation. An export sorted by date gives "
            "its dates away by it; default: by released id.",
        ),
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="Release this key of the rows too. note_date comes out as its surrogate."
        ),
    ] = None,
    spans: Annotated[
        Path | None, typer.Option(help="Write the replaced spans here (private).")
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option(help="Write originals and surrogates here (private).")
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Write what was spent and what is guaranteed here.")
    ] = None,
    exclude: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Leave out the patients in this file (who object), one patient_id a line.",
        ),
    ] = None,
    absent_ok: Annotated[
        bool,
        typer.Option(
            "--absent-ok",
            help="Patients of --exclude may have no row here (a standing list). Default: refused, "
            "since it may be a typing error.",
        ),
    ] = False,
    seal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Add here, encrypted, what `dpdeid restore` needs to go back."
        ),
    ] = None,
    seal_key_file: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="The key of --seal; not the one of the cohort."),
    ] = None,
) -> None:
    """De-identify notes: one {"id", "text"} or {"id", "error"} a row, and nothing else."""
    from contextlib import nullcontext

    from dpdeid.cli import run as command
    from dpdeid.manifest import committing, own_files
    from dpdeid.policy import policy_file

    with nullcontext() if cohort is None else committing(cohort) as account:
        deidentifier = command.deidentifier(
            policy, key_file, e0, ledger_key_file=ledger_key_file, cohort=cohort
        )
        with command.sealed_beside(seal, seal_key_file, deidentifier.cohort) as sealer:
            code = command.run(
                source,
                output=output,
                deidentifier=deidentifier,
                keep_ids=keep_ids,
                keep_order=keep_order,
                keep=tuple(keep or ()),
                spans=spans,
                mapping=mapping,
                ledger=ledger,
                account=account,
                sealer=sealer,
                exclude=exclude,
                absent_ok=absent_ok,
                beside=(
                    policy_file(policy),
                    key_file,
                    ledger_key_file,
                    seal,
                    seal_key_file,
                    *own_files(cohort),
                ),
            )
    raise ended(code)


app.command(help=RESTORE_HELP)(restore)
app.command(help=FORGET_HELP)(forget)


@app.command()
def detect(
    source: Input,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Default: stdout.")] = None,
    policy: PolicyOption = "dp",
) -> None:
    """Find spans without replacing them: {"id", "entities": [{start, end, label, …}]} a row."""
    from dpdeid.cli import detect as command

    raise ended(command.detect(source, output=output, policy=policy))


@app.command()
def explain(
    source: Input,
    policy: PolicyOption = "dp",
    key_file: KeyOption = None,
    e0: ReferenceOption = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show original text even into a file or pipe.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help='One {"id", "spans"} a note instead of one line a span.')
    ] = False,
) -> None:
    """Show for every span what replaced it, which strategy, which merge rule, who proposed it."""
    from dpdeid.cli import explain as command
    from dpdeid.cli.run import deidentifier

    used = deidentifier(policy, key_file, e0)
    raise ended(command.explain(source, used, reveal=reveal, as_json=as_json))


@app.command()
def check(policy: Annotated[str, typer.Argument(metavar="POLICY", help=POLICY_HELP)]) -> None:
    """Print what each strategy of a policy does, what it costs, and what is not protected."""
    from dpdeid.cli import check as command

    raise typer.Exit(command.check(policy))


@app.command()
def audit(
    policy: Annotated[str, typer.Argument(metavar="POLICY", help=POLICY_HELP)],
    output: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the checks here too.")
    ] = None,
    draws: Annotated[
        int, typer.Option(min=100, help="Releases of each note in a test of the whole engine.")
    ] = 2_000,
) -> None:
    """Test whether a policy keeps the losses it states: exactly, and by sampling the engine."""
    from dpdeid.cli import audit as command

    raise typer.Exit(command.run(policy, output, draws))


@app.command()
def policies() -> None:
    """List the built-in policies."""
    from dpdeid.cli import check as command

    raise typer.Exit(command.policies())


@app.command()
def demo() -> None:
    """De-identify the shipped fictitious notes under hnfc, dp and aphp, side by side."""
    from dpdeid.cli import demo as command

    raise typer.Exit(command.demo())


@app.command()
def synth(
    notes: Annotated[int, typer.Option("--notes", "-n", min=0, help="How many notes.")] = 100,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal notes.")] = 0,
    types: Annotated[
        list[str] | None, typer.Option(help="A document type; give it again for another. All.")
    ] = None,
    refill: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead, the annotated notes of this .jsonl file with other identities.",
        ),
    ] = None,
    spans: Annotated[
        str, typer.Option(metavar="KEY", help="Where a row of --refill has its spans.")
    ] = "entities",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Default: stdout.")] = None,
) -> None:
    """Make fictitious notes with their spans, to train and to test without any patient."""
    from dpdeid.cli import synth as command

    code = command.synth(
        notes, seed=seed, types=tuple(types or ()), refill=refill, spans=spans, output=output
    )
    raise ended(code)


@app.command()
def monitor(
    source: Annotated[
        Path,
        typer.Argument(metavar="SPANS", help="What `detect` or `run --spans` wrote of a batch."),
    ],
    baseline: Annotated[
        Path,
        typer.Option("--baseline", "-b", metavar="FILE", help="Counts of the notes evaluated."),
    ],
    new_baseline: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            metavar="DATE",
            help="Write the baseline from SPANS instead: its notes were evaluated on that day.",
        ),
    ] = None,
    years: Annotated[
        float, typer.Option(min=0, help="An evaluation older than this raises an alarm.")
    ] = 3.0,
    output: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here too.")
    ] = None,
) -> None:
    """Compare what a batch held with a baseline: exit code 1 if it drifts, for cron."""
    from dpdeid.cli import monitor as command

    code = command.monitor(
        source,
        baseline,
        evaluated=None if new_baseline is None else new_baseline.date(),
        years=years,
        output=output,
        today=datetime.now().astimezone().date(),
    )
    raise ended(code)


@key_app.command("new")
def key_new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the key.")],
) -> None:
    """Make a random key, one a cohort. Whoever holds it can invert every surrogate."""
    from dpdeid.cohort import write_key

    write_key(file)
    typer.echo(f"wrote {file} (mode 0600): keep it secret, and destroy it to close the cohort")


@cohort_app.command("new")
def cohort_new(
    directory: CohortArgument,
    policy: PolicyOption = "dp",
    e0: ReferenceOption = None,
    ledger_key_file: LedgerKeyOption = None,
) -> None:
    """Make a cohort: a random key, a copy of the policy, and a manifest of what must not change."""
    from dpdeid.cli import cohort as command

    command.new(directory, policy, e0.date() if e0 else None, ledger_key_file)


@cohort_app.command("show")
def cohort_show(directory: CohortArgument) -> None:
    """Print the manifest of a cohort and how much it has spent."""
    from dpdeid.cli import cohort as command

    command.show(directory)


@cohort_app.command("close")
def cohort_close(
    directory: CohortArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, for scripts.")] = False,
) -> None:
    """Destroy the key of a cohort, once that is confirmed, and say what that means."""
    from dpdeid.cli import cohort as command

    raise typer.Exit(command.close(directory, sure=yes))


@ledger_app.command("add")
def ledger_add(
    files: Annotated[
        list[Path], typer.Argument(metavar="LEDGER…", help="Files that run --ledger wrote.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the union here too.")
    ] = None,
) -> None:
    """Print what each unit lost over several ledgers; a charge in two of them counts once."""
    from dpdeid.cli import ledger as command

    raise typer.Exit(command.add(files, output))


ModelArgument = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file or folder.")]


@model_app.command("show")
def model_show(model: ModelArgument) -> None:
    """Print the card of a model: what it finds, what it was trained on, what it scores."""
    from dpdeid.cli import model as command

    command.show(model)


@model_app.command("export")
def model_export(
    model: ModelArgument,
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    identified: Annotated[
        bool,
        typer.Option(
            "--identified", help="Even if it was trained on identified notes and may hold words."
        ),
    ] = False,
) -> None:
    """Copy a model with its card, for others. Refused for a model of identified notes."""
    from dpdeid.cli import model as command

    command.export(model, target, identified=identified)
