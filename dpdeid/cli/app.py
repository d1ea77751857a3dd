"""Every command with its options. The work is in the modules of the same name."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="dpdeid",
    help="De-identify French clinical notes: find what identifies, replace it, say what it cost.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
key_app = typer.Typer(help="Secret keys.", no_args_is_help=True)
app.add_typer(key_app, name="key")

INPUT_HELP = "-, a .txt, .jsonl or .jsonl.gz file, or a folder of them."
POLICY_HELP = "A built-in policy (see `dpdeid policies`) or a YAML file."
Input = Annotated[str, typer.Argument(metavar="INPUT", help=INPUT_HELP)]
PolicyOption = Annotated[str, typer.Option("--policy", "-p", help=POLICY_HELP)]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key-file", "-k", help="The cohort's key (see `dpdeid key new`). Default: DPDEID_KEY."
    ),
]
ReferenceOption = Annotated[
    datetime | None,
    typer.Option(
        "--e0",
        formats=["%Y-%m-%d"],
        help="The cohort's public reference date, on or after every note date.",
    ),
]


@app.command()
def run(
    source: Input,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Released rows. Default: stdout.")
    ] = None,
    policy: PolicyOption = "dp",
    key_file: KeyOption = None,
    e0: ReferenceOption = None,
    keep_ids: Annotated[
        bool, typer.Option("--keep-ids", help="Release the input's ids instead of keyed ones.")
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
) -> None:
    """De-identify notes: one {"id", "text"} or {"id", "error"} a row, and nothing else."""
    from dpdeid.cli import run as command

    code = command.run(
        source,
        output=output,
        deidentifier=command.deidentifier(policy, key_file, e0),
        keep_ids=keep_ids,
        keep=tuple(keep or ()),
        spans=spans,
        mapping=mapping,
        ledger=ledger,
    )
    raise typer.Exit(code)


@app.command()
def detect(
    source: Input,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Default: stdout.")] = None,
    policy: PolicyOption = "dp",
) -> None:
    """Find spans without replacing them: {"id", "entities": [{start, end, label, …}]} a row."""
    from dpdeid.cli import detect as command

    raise typer.Exit(command.detect(source, output=output, policy=policy))


@app.command()
def explain(
    source: Input,
    policy: PolicyOption = "dp",
    key_file: KeyOption = None,
    e0: ReferenceOption = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show original text even into a file or pipe.")
    ] = False,
) -> None:
    """Show for every span who proposed it, which merge rule decided, which strategy acted."""
    from dpdeid.cli import explain as command
    from dpdeid.cli.run import deidentifier

    raise typer.Exit(command.explain(source, deidentifier(policy, key_file, e0), reveal=reveal))


@app.command()
def check(policy: Annotated[str, typer.Argument(metavar="POLICY", help=POLICY_HELP)]) -> None:
    """Print what each strategy of a policy does, what it costs, and what is not protected."""
    from dpdeid.cli import check as command

    raise typer.Exit(command.check(policy))


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


@key_app.command("new")
def key_new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the key.")],
) -> None:
    """Make a random key, one a cohort. Whoever holds it can invert every surrogate."""
    from dpdeid.cohort import write_key

    write_key(file)
    typer.echo(f"wrote {file} (mode 0600): keep it secret, and destroy it to close the cohort")
