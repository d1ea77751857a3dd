"""`dpdeid train crf|mlm|transformer|flair|decision`: what finds, of one's own notes.

Networks need the extra `transformers` or `flair`, imported when a training begins.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import cycle
from math import nan
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

import typer
from rich.table import Table

from dpdeid.cli.terminal import Console, table
from dpdeid.detect.taggers.card import Source
from dpdeid.errors import TrainingError
from dpdeid.formats.write import keep_apart, write_json
from dpdeid.policy.policy import load_policy, policy_file
from dpdeid.privacy.rng import Stream
from dpdeid.training.augment import fragments
from dpdeid.training.augment import vary as varied
from dpdeid.training.bases import Origins, find_base, read_origins, write_origins
from dpdeid.training.corpus import Note, plain_notes, read_corpus, read_texts, split, without_copies
from dpdeid.training.crf import Options, cross_validate, train_crf
from dpdeid.training.extending.crf import Options as Extension
from dpdeid.training.extending.crf import extend_crf
from dpdeid.training.extending.decision import extend_decision
from dpdeid.training.extending.gain import FIGURES, Gain

_LINES = 15
"""Lines that are cut from a note."""
_PARTS: Final = 3
"""Of the notes, in turn held out to measure what extending a model gains."""


def crf(
    data: list[Path],
    out: Path,
    dev: list[Path] | None = None,
    plain: list[Path] | None = None,
    apart: list[Path] | None = None,
    c1: float = 0.2,
    c2: float = 0.02,
    rarest: int = 2,
    iterations: int = 100,
    forgotten: int = 15,
    vary: list[Path] | None = None,
    lines: list[Path] | None = None,
    seed: int = 0,
    calibrate: list[Path] | None = None,
    recall: float = 0.99,
    cross: int = 0,
    extend: str | None = None,
    pull: float = Extension().pull,
    output: Path | None = None,
    fictitious: bool = False,
    licence: list[str] | None = None,
) -> None:
    """Trains a model into `out` and prints what it scores, under the detector's own options; or
    extends one and prints what that gained.

    Raises:
        UsageError: a file of notes is refused or is `out`, the licences do not match the files,
            the model cannot be written, or python-crfsuite is not installed.
    """
    licences, texts, again, cut = licence or ["not stated"], plain or [], vary or [], lines or []
    options = Options(c1=c1, c2=c2, rarest=rarest, iterations=iterations, forgotten=forgotten)
    _alone(
        extend,
        output,
        "--c1, --c2, --rarest, --iterations, --vary, --lines, --plain and --calibrate",
        options != Options(forgotten=forgotten) or bool(again or cut or texts or calibrate),
    )
    if len(licences) not in (1, len(data) + len(texts)):
        raise TrainingError("give one --licence for all --data and --plain, or one for each")
    for path in (*again, *cut):
        if path not in data:
            raise TrainingError(f"{path} is no file of --data")
    keep_apart((*data, *(dev or ()), *texts, *(apart or ()), *(calibrate or ())), out)
    if output is not None:
        keep_apart((*data, *(dev or ()), out), output)
    console = Console()
    held = read_corpus(calibrate) if calibrate else []
    parts = _read(data, texts, [*held, *(read_corpus(apart) if apart else ())])
    notes = [note for part in parts.values() for note in part]
    sources = [
        Source(path.name, of, len(part))
        for (path, part), of in zip(parts.items(), cycle(licences), strict=False)
    ]
    if extend is not None:
        card, gain = extend_crf(
            extend,
            notes,
            out,
            dev=read_corpus(dev) if dev else (),
            parts=cross or _PARTS,
            data=sources,
            identified=not fictitious,
            options=Extension(pull=pull, forgotten=forgotten),
        )
        _show_gain(gain, output)
        console.print(f"wrote {out}: {out.stat().st_size:,} bytes, {len(card.labels)} labels")
        return
    draws = Stream(f"vary {seed}".encode())
    notes += [varied(*note, draws) for path in again for note in parts[path]]
    draws = Stream(f"fragments {seed}".encode())
    notes += fragments([note for path in cut for note in parts[path]], draws, each=_LINES)
    if cross:
        console.print(_cross_validated(notes, cross, options))
    card = train_crf(
        notes,
        out,
        options=options,
        held=held,
        recall=recall,
        dev=read_corpus(dev) if dev else (),
        data=sources,
        seeds=(seed,) if again or cut else (),
        identified=not fictitious,
    )
    if card.scores:
        console.print(_table("the held-out notes", {k: (v,) for k, v in card.scores.items()}))
    console.print(f"wrote {out}: {out.stat().st_size:,} bytes, {len(card.labels)} labels")
    console.print(
        f"It knows these notes alone. In a policy, {{crf: {{model: {out}}}}} beside crf adds it to "
        "the shipped model, in its place it replaces that; --extend shipped goes on from that "
        "(docs/crf.md).",
        markup=False,
        soft_wrap=True,
    )


def _read(
    data: Sequence[Path], plain: Sequence[Path], held_out: Sequence[Note]
) -> dict[Path, list[Note]]:
    """The notes of each file but those that quote a held-out note, or for `plain` one of `data`."""
    parts = {path: without_copies(read_corpus([path]), held_out) for path in data}
    seen = [*held_out, *(note for part in parts.values() for note in part)] if plain else []
    return parts | {path: without_copies(plain_notes(path), seen) for path in plain}


def _cross_validated(notes: Sequence[Note], count: int, options: Options) -> Table:
    figures: dict[str, tuple[float, ...]] = {}
    for scores in cross_validate(notes, count, options):
        for name, value in scores.items():
            figures[name] = (*figures.get(name, ()), value)
    return _table(f"{count} folds", figures)


def _table(title: str, figures: dict[str, tuple[float, ...]]) -> Table:
    rows = (
        (name, f"{fmean(values):.4f}", f"{stdev(values):.4f}" if len(values) > 1 else "")
        for name, values in figures.items()
    )
    return table(("figure", "mean", "sd"), rows, title=title)


_HELD_OUT: Final = 0.15


def mlm(
    text: list[Path],
    out: Path,
    base: str | None = None,
    minutes: float = 95.0,
    rate: float = 8e-4,
    batch: int = 8,
    seed: int = 0,
    threads: int = 1,
    bf16: bool = False,
    resume: bool = False,
    fictitious: bool = False,
    licence: str = "not stated",
) -> None:
    """Trains a language model into `out` and writes where its texts come from beside it.

    Raises:
        UsageError: a text file, the base or the checkpoint is refused, or torch is missing.
    """
    with _training("transformers"):
        from dpdeid.training.language_model import Plan, pretrain
    base = base and find_base(base)
    documents = list(read_texts(text))
    own = tuple(Source(path.name, licence, sum(1 for _ in read_texts([path]))) for path in text)
    before = read_origins(str(out) if resume else base)
    out.mkdir(parents=True, exist_ok=True)
    write_origins(out, before + Origins(own, not fictitious))  # first: a run may be cut short
    plan = Plan(minutes=minutes, rate=rate, batch=batch, seed=seed, threads=threads, bf16=bf16)
    progress = pretrain(documents, out=out, base=base, plan=plan, resume=resume)
    typer.echo(
        f"wrote {out}: {progress.steps} steps, {progress.tokens} pieces in "
        f"{progress.seconds / 60:.1f} minutes, loss {progress.loss:.3f}"
    )


def transformer(
    data: list[Path],
    out: Path,
    base: str | None = None,
    extend: str | None = None,
    output: Path | None = None,
    dev: list[Path] | None = None,
    cross: int = _PARTS,
    seeds: int = 1,
    epochs: int | None = None,
    minutes: float = 60.0,
    rate: float | None = None,
    crf: bool = False,
    classes: bool = True,
    vary: bool = True,
    threads: int = 1,
    bf16: bool = False,
    keep_torch: bool = False,
    fictitious: bool = False,
    licence: str = "not stated",
) -> None:
    """Trains a tagger into `out` and prints what it scores on the held-out notes; or extends one
    and prints what that gained.

    Raises:
        UsageError: the data or the base is refused, or torch is missing.
    """
    if (base is None) == (extend is None):
        raise TrainingError("give --base to train a tagger, or --extend to go on from one")
    _alone(
        extend,
        output,
        "--seeds, --minutes, --crf and --no-classes",
        seeds != 1 or minutes != 60.0 or crf or not classes,
    )
    with _training("transformers"):
        from dpdeid.training.export import write_model
        from dpdeid.training.extending import transformer as extending
        from dpdeid.training.transformer import Options, train_transformer
    if output is not None:
        keep_apart((*data, *(dev or ())), output)
    given = {"epochs": epochs, "rate": rate}
    both: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    both |= {"vary": vary, "threads": threads, "bf16": bf16}
    if extend is not None:
        _, gain = extending.extend_transformer(
            extend,
            read_corpus(data),
            out,
            dev=read_corpus(dev) if dev else (),
            parts=cross,
            data=Origins(_sources(data, licence), not fictitious),
            options=extending.Options(**both),
            keep_torch=keep_torch,
        )
        _show_gain(gain, output)
        typer.echo(f"wrote {out}")
        return
    assert base is not None
    options = Options(minutes=minutes, crf=crf, classes=classes, **both)
    base = find_base(base)
    train, held = _learned_and_held(data, dev)
    best, spread = train_transformer(base, train, held, seeds=range(seeds), options=options)
    write_model(
        out,
        best,
        held,
        origins=read_origins(base) + Origins(_sources(data, licence), not fictitious),
        seeds=range(seeds),
        spread=spread,
        settings=asdict(options),
        keep_torch=keep_torch,
    )
    _show_scores(spread, best.scores)
    typer.echo(f"wrote {out}")


def flair(
    data: list[Path],
    out: Path,
    dev: list[Path] | None = None,
    layers: int = 1,
    crf: bool = False,
    seeds: int = 1,
    epochs: int = 40,
    minutes: float = 60.0,
    rate: float = 4e-3,
    vary: bool = True,
    fictitious: bool = False,
    licence: str = "not stated",
) -> None:
    """Trains a bi-LSTM into `out` and prints what it scores on the held-out notes.

    Raises:
        UsageError: the data are refused, the folder cannot be written, or flair is missing.
    """
    with _training("flair"):
        from dpdeid.training.flair import Options, train_flair, write_model
    options = Options(layers=layers, crf=crf, epochs=epochs, minutes=minutes, rate=rate, vary=vary)
    learned, held = _learned_and_held(data, dev)
    best, spread = train_flair(learned, held, seeds=range(seeds), options=options)
    write_model(
        out,
        best,
        origins=Origins(_sources(data, licence), not fictitious),
        seeds=range(seeds),
        spread=spread,
        options=options,
    )
    _show_scores(spread, best.scores)
    typer.echo(f"wrote {out}: {len(best.plan.vocabulary):,} words, {len(best.plan.labels)} labels")


def decision(
    data: list[Path],
    out: Path,
    policy: str = "dp",
    dev: list[Path] | None = None,
    cross: int = _PARTS,
    output: Path | None = None,
) -> None:
    """Goes on with the trees of a policy's decision, into `out`, and prints what that gained.

    Raises:
        UsageError: the data or the policy is refused, the file cannot be written, or scikit-learn
            is not installed.
    """
    keep_apart((*data, *(dev or ()), policy_file(policy)), out)
    if output is not None:
        keep_apart((*data, *(dev or ()), out), output)
    held = read_corpus(dev) if dev else ()
    gain = extend_decision(load_policy(policy), read_corpus(data), out, dev=held, parts=cross)
    _show_gain(gain, output)
    typer.echo(f"wrote {out}: merge: {{decision: {{trees: {out}}}}} in a policy uses it")


@contextmanager
def _training(extra: str) -> Iterator[None]:
    """A block that imports a training."""
    try:
        yield
    except ImportError as error:
        raise TrainingError(
            f"training needs pip install '.[{extra}]' in a checkout of dpdeid (no {error.name})"
        ) from None
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _alone(extend: str | None, output: Path | None, names: str, given: bool) -> None:
    """Refuses options of one way to train where the other was asked for."""
    if extend is None and output is not None:
        raise TrainingError("--json writes what --extend gained: give both")
    if extend is not None and given:
        raise TrainingError(f"{names} are not for --extend: they train a model anew")


def _show_gain(gain: Gain, output: Path | None) -> None:
    rows = (
        (name, *(f"{100 * side.get(name, nan):.1f}" for side in (gain.start, gain.extended)))
        for name in FIGURES
    )
    title = f"{gain.notes} notes that neither learned, per cent of words"
    console = Console()
    console.print(table(("", "as it was", "extended"), rows, title=title))
    console.print(gain.verdict, soft_wrap=True)
    if output is not None:
        write_json(output, gain.to_json())


def _learned_and_held(
    data: Sequence[Path], dev: Sequence[Path] | None
) -> tuple[list[Note], list[Note]]:
    """The notes to learn, and those that decide when to stop: `dev`, else 15 % of the patients."""
    notes = read_corpus(data)
    return (notes, read_corpus(dev)) if dev else split(notes, share=_HELD_OUT, seed=0)


def _sources(data: Sequence[Path], licence: str) -> tuple[Source, ...]:
    return tuple(Source(path.name, licence, len(read_corpus([path]))) for path in data)


def _show_scores(spread: Mapping[str, tuple[float, float]], kept: Mapping[str, float]) -> None:
    for figure, (mean, deviation) in spread.items():
        typer.echo(f"{figure:24s} {mean:.4f} ± {deviation:.4f}   kept {kept[figure]:.4f}")
