"""The commands of `dpdeid evaluate` with their options. The work of each is in a module of its own:
`evaluate_detection` and its neighbours."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from dpdeid.cli.options import INPUT_HELP

evaluate_app = typer.Typer(
    help="Measure what was found, what was kept and what is at risk.", no_args_is_help=True
)

JsonOption = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here too.")
]
LabelsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Labels: a code, a tab and a label a line, .gz or not."),
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
        typer.Option(help="Count in the classes of aphp, hnfc, chuv or i2b2."),
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


@evaluate_app.command("utility")
def evaluate_utility(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help=f"The original notes: {INPUT_HELP}")
    ],
    after: Annotated[
        str, typer.Argument(metavar="AFTER", help="The same notes, as `run --keep-ids` wrote them.")
    ],
    coder: Annotated[
        str,
        typer.Option(
            help="full (edsnlp with negation, family and hypothesis) or labels (edsnlp, faster), "
            "which need the extra utility, or light (our wordings and your label files)."
        ),
    ] = "full",
    icd10: LabelsOption = None,
    atc: LabelsOption = None,
    ccam: LabelsOption = None,
    classifier: Annotated[
        bool,
        typer.Option(
            "--classifier", help="Train a linear classifier on each side and test it on the other."
        ),
    ] = False,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="GOLD",
            help="The originals with what had to change: counts by kind every other word that did.",
        ),
    ] = None,
    spans: Annotated[
        Path | None,
        typer.Option(help="What was replaced (`dpdeid run --spans`): makes that count exact."),
    ] = None,
    finds: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write each of these words here (private)."),
    ] = None,
    output: JsonOption = None,
) -> None:
    """Code the notes before and after with an independent coder: what of the codes is kept."""
    from dpdeid.cli import evaluate_utility as command
    from dpdeid.evaluate.coding.contract import Terminology

    given = {Terminology.ICD10: icd10, Terminology.ATC: atc, Terminology.CCAM: ccam}
    command.utility(
        before,
        after,
        coder=coder,
        files={kind: path for kind, path in given.items() if path is not None},
        classifier=classifier,
        gold=gold,
        spans=spans,
        finds=finds,
        output=output,
    )


@evaluate_app.command("attack")
def evaluate_attack(
    before: Annotated[
        Path | None,
        typer.Argument(
            metavar="BEFORE",
            help='Originals: rows {"id", "text"}, with "patient_id" and "entities" if known.',
        ),
    ] = None,
    after: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="AFTER…",
            help="Their release with the same ids (`dpdeid run --keep-ids`); more than one, if it "
            "was released more than once.",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            "-p",
            help="What --simulate releases under. For files: whose detectors find what identifies, "
            "where no file says it.",
        ),
    ] = "dp",
    simulate: Annotated[
        int | None,
        typer.Option(min=100, metavar="N", help="Instead of files: attack N made-up patients."),
    ] = None,
    setting: Annotated[
        Literal["stays", "life"],
        typer.Option(help="Of --simulate: dates of ten years in stays, or of a whole life."),
    ] = "stays",
    known: Annotated[
        list[int] | None,
        typer.Option(min=1, max=9, help="How many dates somebody knows; again for more. 1, 2, 3."),
    ] = None,
    spans: Annotated[
        Path | None, typer.Option(help="What was replaced in the release: `dpdeid run --spans`.")
    ] = None,
    output: JsonOption = None,
) -> None:
    """Attack a release, or a policy on made-up patients. What is found is a lower bound on risk."""
    from dpdeid.cli import evaluate_attack as command

    command.attack(
        before,
        after or (),
        policy=policy,
        simulate=simulate,
        setting=setting,
        known=known or (1, 2, 3),
        spans=spans,
        output=output,
    )


@evaluate_app.command("report")
def evaluate_report(
    html: Annotated[
        Path, typer.Option("--html", metavar="FILE", help="Where to write the page (private).")
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[JSON…]",
            help="What `evaluate detection`, `utility` and `attack` wrote with --json.",
        ),
    ] = None,
    lang: Annotated[str, typer.Option(help="fr or en.")] = "en",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", "-p", help="Draw what this one does to made-up people; again for another."
        ),
    ] = None,
    reveal: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="GOLD PRED",
            help="List every error with its text: the page holds originals then.",
        ),
    ] = None,
    output: JsonOption = None,
) -> None:
    """Put all figures on one page that a data-protection officer can read, in French or English."""
    from dpdeid.cli import evaluate_report as command

    command.report(
        files or (),
        html,
        lang=lang,
        policies=policy or ("dp", "aphp", "dp-strict", "hnfc"),
        reveal=reveal,
        output=output,
        today=datetime.now().astimezone().date(),
    )
