"""The commands of `dpdeid evaluate` with their options. The work of each is in a module of its own:
`evaluate_detection` and its neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

evaluate_app = typer.Typer(
    help="Measure what was found, what was kept and what is at risk.", no_args_is_help=True
)

JsonOption = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here too.")
]
ResamplesOption = Annotated[
    int, typer.Option(min=0, help="Bootstrap samples of the notes for the intervals; 0: none.")
]
SeedOption = Annotated[int, typer.Option(min=0, help="Equal seeds give equal intervals.")]


@evaluate_app.command("detection")
def evaluate_detection(
    gold: Annotated[
        Path, typer.Argument(metavar="GOLD", help="Notes with the spans that should be found.")
    ],
    predicted: Annotated[
        list[Path],
        typer.Argument(
            metavar="PRED…",
            help="What was found in them, as `dpdeid detect` writes it; one file a run (seed).",
        ),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="PRED", help="What another system found; again for another run."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="jsonl, brat, doccano, prodigy or i2b2. Default: told by the content of each.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="YAML with your own label names: a label of ours, or null, each."
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(help="Count in the classes of aphp, hnfc, chuv, i2b2 or partages."),
    ] = None,
    resamples: ResamplesOption = 1_000,
    seed: SeedOption = 0,
    output: JsonOption = None,
) -> None:
    """Score found spans against gold: what leaks first, then precision and recall by label."""
    from dpdeid.cli import evaluate_detection as command

    command.detection(
        gold,
        predicted,
        against=against or (),
        form=form,
        labels=labels,
        scheme=scheme,
        resamples=resamples,
        seed=seed,
        output=output,
    )
