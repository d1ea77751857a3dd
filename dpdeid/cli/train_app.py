"""The commands of `dpdeid train` with their options. The work is in `train`, `train_crf` and
`train_flair`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

train_app = typer.Typer(help="Train what finds, on notes of one's own.", no_args_is_help=True)

OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The model folder.")]
FictitiousOption = Annotated[
    bool,
    typer.Option(
        "--fictitious",
        help="No note is about a real person. Without it the card says that the model saw "
        "identified notes: it must stay inside.",
    ),
]
LicenceOption = Annotated[str, typer.Option(help="Licence of the texts, for the card.")]


Data = Annotated[
    list[Path],
    typer.Option(help='Rows {"id", "text", "entities": [{start, end, label}]}, .gz or not.'),
]
Stopping = Annotated[
    list[Path] | None,
    typer.Option(help="Notes that decide when to stop. Default: 15 % of the data."),
]
Seeds = Annotated[int, typer.Option(min=1, help="Train this often; the best is kept.")]
Epochs = Annotated[int, typer.Option(min=1, help="Most passes.")]
Minutes = Annotated[float, typer.Option(min=0.01, help="Most wall clock of a seed.")]
Steps = Annotated[bool, typer.Option("--crf", help="Learn the steps between tags.")]
Vary = Annotated[bool, typer.Option(help="Show notes with other names and in other cases too.")]
Threads = Annotated[int, typer.Option(min=1)]
HalfPrecision = Annotated[
    bool, typer.Option("--bf16", help="16-bit products, where the processor has them.")
]


@train_app.command("mlm")
def train_mlm(
    text: Annotated[
        list[Path],
        typer.Option(
            help="A .jsonl or .txt file, .gz or not; named twice, it counts twice.",
        ),
    ],
    out: OutOption,
    base: Annotated[
        str | None,
        typer.Option(
            help="Folder or hub name to continue, or shipped. Default: a small model from nothing."
        ),
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="Wall clock; then it is done.")] = 95.0,
    rate: Annotated[float, typer.Option(help="Highest learning rate.")] = 8e-4,
    batch: Annotated[int, typer.Option(min=1, help="Sequences in a step.")] = 8,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    threads: Threads = 1,
    bf16: HalfPrecision = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    fictitious: FictitiousOption = False,
    licence: LicenceOption = "not stated",
) -> None:
    """Train a language model on raw notes, from nothing or on top of a known one."""
    from dpdeid.cli import train as command
    from dpdeid.training.mlm import Plan

    plan = Plan(minutes=minutes, rate=rate, batch=batch, seed=seed, threads=threads, bf16=bf16)
    command.mlm(
        text,
        out=out,
        base=base,
        plan=plan,
        resume=resume,
        identified=not fictitious,
        licence=licence,
    )


@train_app.command("crf")
def train_crf(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The model file.")],
    dev: Annotated[
        list[Path] | None, typer.Option(help="Notes to score the model on, for its card.")
    ] = None,
    plain: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Texts (.jsonl, .txt) of which the paragraphs without a direct identifier are "
            "learned: what to leave alone.",
        ),
    ] = None,
    apart: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Notes kept for measuring: what shares 25 words in a row with one is not learned.",
        ),
    ] = None,
    c1: Annotated[float, typer.Option(min=0, help="Weight of the L1 penalty.")] = 0.2,
    c2: Annotated[float, typer.Option(min=0, help="Weight of the L2 penalty.")] = 0.02,
    rarest: Annotated[int, typer.Option(min=1, help="Fewest sights of a feature.")] = 2,
    iterations: Annotated[int, typer.Option(min=1, help="Most steps.")] = 100,
    forgotten: Annotated[
        int, typer.Option(min=0, max=100, help="Percentage of the rules' proposals left out.")
    ] = 15,
    vary: Annotated[
        list[Path] | None,
        typer.Option(help="Files of --data to learn once more, with other names and cases."),
    ] = None,
    lines: Annotated[
        list[Path] | None,
        typer.Option(help="Files of --data of which single lines and part-lines are learned too."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of --vary and --lines.")] = 0,
    calibrate: Annotated[
        list[Path] | None,
        typer.Option(
            help="Notes to calibrate the model on: what shares 25 words in a row is not learned."
        ),
    ] = None,
    recall: Annotated[
        float, typer.Option(min=0.5, max=0.9999, help="Target of --calibrate for each label.")
    ] = 0.99,
    cross: Annotated[
        int, typer.Option("--folds", min=0, help="Cross-validate first, in so many parts.")
    ] = 0,
    fictitious: FictitiousOption = False,
    licence: Annotated[
        list[str] | None,
        typer.Option(help="Of all files, or of each --data and then each --plain; for the card."),
    ] = None,
) -> None:
    """Train a CRF tagger on annotated notes: minutes on one core, no network, a small file."""
    from dpdeid.cli import train_crf as command
    from dpdeid.training.crf import Options

    command.train(
        data,
        out=out,
        dev=dev or (),
        options=Options(c1=c1, c2=c2, rarest=rarest, iterations=iterations, forgotten=forgotten),
        recipe=command.Recipe(plain or (), vary or (), lines or (), seed),
        held_out=apart or (),
        calibrated=calibrate or (),
        recall=recall,
        folds=cross,
        identified=not fictitious,
        licences=licence or ["not stated"],
    )


@train_app.command("transformer")
def train_transformer(
    data: Data,
    base: Annotated[str, typer.Option(help="Folder or hub name of an encoder, or shipped.")],
    out: OutOption,
    dev: Stopping = None,
    seeds: Seeds = 1,
    epochs: Epochs = 20,
    minutes: Minutes = 60.0,
    rate: Annotated[float, typer.Option(help="Highest rate; 5e-5 for a large encoder.")] = 3e-4,
    crf: Steps = False,
    classes: Annotated[bool, typer.Option(help="Word shapes and lists as inputs.")] = True,
    vary: Vary = True,
    threads: Threads = 1,
    bf16: HalfPrecision = False,
    keep_torch: Annotated[
        bool, typer.Option("--keep-torch", help="Write the weights for torch too.")
    ] = False,
    fictitious: FictitiousOption = False,
    licence: LicenceOption = "not stated",
) -> None:
    """Train a tagger on annotated notes and write it as a model folder that needs no torch."""
    from dpdeid.cli import train as command
    from dpdeid.training.fitting import Options

    options = Options(
        epochs=epochs,
        minutes=minutes,
        rate=rate,
        crf=crf,
        classes=classes,
        vary=vary,
        threads=threads,
        bf16=bf16,
    )
    command.transformer(
        data,
        base=base,
        dev=dev or [],
        out=out,
        seeds=range(seeds),
        options=options,
        keep_torch=keep_torch,
        identified=not fictitious,
        licence=licence,
    )


@train_app.command("flair")
def train_flair(
    data: Data,
    out: OutOption,
    dev: Stopping = None,
    layers: Annotated[int, typer.Option(min=1, max=4, help="Of the LSTM.")] = 1,
    crf: Steps = False,
    seeds: Seeds = 1,
    epochs: Epochs = 40,
    minutes: Minutes = 60.0,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 4e-3,
    vary: Vary = True,
    fictitious: FictitiousOption = False,
    licence: LicenceOption = "not stated",
) -> None:
    """Train a bi-LSTM on annotated notes and write it as a model folder. Needs flair."""
    from dpdeid.cli import train_flair as command
    from dpdeid.training.flair import Options

    command.train(
        data,
        dev=dev or [],
        out=out,
        seeds=range(seeds),
        options=Options(
            layers=layers,
            crf=crf,
            epochs=epochs,
            minutes=minutes,
            rate=rate,
            vary=vary,
        ),
        identified=not fictitious,
        licence=licence,
    )
