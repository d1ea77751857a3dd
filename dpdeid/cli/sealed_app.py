"""The options of `dpdeid restore` and `dpdeid forget`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

RESTORE_HELP: Final = (
    "Go back from released rows to the original notes, or to whose they are.\n\n"
    "Needs the sealed mapping that `dpdeid run --seal` wrote, and its key. The text comes back "
    "exactly as it was; a row whose text was changed since then gives an error instead.\n\n"
    "Each use is written to FILE.log before anything is shown: who, when, and keyed tags of the "
    "notes."
)
FORGET_HELP: Final = (
    "Take a patient out of the mappings and out of the account of a cohort.\n\n"
    "From then on nobody can go back to this patient with these files, and later runs of the "
    "cohort leave the patient out. A line without the id (a keyed tag and the day) stays in the "
    "account.\n\n"
    "Notes that were released stay as they are: their ids are printed, so that you can withdraw "
    "them."
)


def restore(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RELEASED",
            help="Rows that `dpdeid run` released: -, a .jsonl or .jsonl.gz file, or a folder.",
        ),
    ],
    seal: Annotated[Path, typer.Option(metavar="FILE", help="What `dpdeid run --seal` wrote.")],
    seal_key_file: Annotated[Path, typer.Option(metavar="KEY", help="The key it was sealed with.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Original rows (private). Default: stdout."),
    ] = None,
    ids: Annotated[
        bool, typer.Option("--ids", help="Show only whose note each row is, and no text.")
    ] = False,
) -> None:
    from dpdeid.cli import restore as command

    raise typer.Exit(command.restore(source, seal, seal_key_file, output=output, ids=ids))


def forget(
    patient: Annotated[
        str,
        typer.Argument(
            metavar="PATIENT",
            help="The patient_id of the input; - reads it from standard input, so that the shell "
            "does not remember it.",
        ),
    ],
    cohort: Annotated[
        Path | None, typer.Option("--cohort", "-c", metavar="DIR", help="The folder of the cohort.")
    ] = None,
    ledger_key_file: Annotated[
        Path | None, typer.Option(help="The cohort's ledger key, if it has one of its own.")
    ] = None,
    seal: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A sealed mapping; give it again for another."),
    ] = None,
    seal_key_file: Annotated[
        Path | None, typer.Option(metavar="KEY", help="The key of the sealed mappings.")
    ] = None,
    mapping: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A plain mapping; give it again for another."),
    ] = None,
) -> None:
    from dpdeid.cli import forget as command

    code = command.forget(
        patient,
        cohort=cohort,
        ledger_key_file=ledger_key_file,
        mappings=tuple(mapping or ()),
        seals=tuple(seal or ()),
        seal_key_file=seal_key_file,
    )
    raise typer.Exit(code)
