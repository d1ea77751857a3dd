"""Options and arguments that several commands have."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

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
        help="The cohort's public reference date, on or after every note date: never taken from "
        "the notes. Default: the policy's, else the end of the fourth year from now for a new "
        "cohort and 2030-12-31 without one.",
    ),
]
CohortArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the cohort.")]
LedgerKeyOption = Annotated[
    Path | None,
    typer.Option(
        "--ledger-key-file",
        help="A long-lived key under which patients have one tag in the ledgers of all cohorts.",
    ),
]
