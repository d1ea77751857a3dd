"""`dpdeid train`: language models and taggers, on notes of one's own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from dpdeid.cli.trained import learned_and_held, show_progress, sources, tell
from dpdeid.detect.card import Source
from dpdeid.errors import TrainingError
from dpdeid.training.origins import Origins, read_origins, write_origins
from dpdeid.training.texts import read_texts

try:
    from dpdeid.training import mlm as language_model
    from dpdeid.training.bases import find_base
    from dpdeid.training.export import write_model
    from dpdeid.training.fitting import Options
    from dpdeid.training.transformer import train_transformer
except ImportError as error:
    raise TrainingError(
        f"training needs pip install '.[transformers]' in a checkout of dpdeid (no {error.name})"
    ) from None


def mlm(
    texts: Sequence[Path],
    *,
    out: Path,
    base: str | None,
    plan: language_model.Plan,
    resume: bool,
    identified: bool,
    licence: str,
) -> None:
    """Trains a language model into `out` and writes where its texts come from beside it.

    Raises:
        UsageError: a text file, the base or the checkpoint is refused.
    """
    _quiet()
    base = base and find_base(base)
    documents = list(read_texts(texts))
    own = tuple(Source(path.name, licence, sum(1 for _ in read_texts([path]))) for path in texts)
    before = read_origins(str(out) if resume else base)
    out.mkdir(parents=True, exist_ok=True)
    write_origins(out, before + Origins(own, identified))  # first: a run may be cut short
    progress = language_model.pretrain(documents, out=out, base=base, plan=plan, resume=resume)
    typer.echo(
        f"wrote {out}: {progress.steps} steps, {progress.tokens} pieces in "
        f"{progress.seconds / 60:.1f} minutes, loss {progress.loss:.3f}"
    )


def transformer(
    data: Sequence[Path],
    *,
    base: str,
    dev: Sequence[Path],
    out: Path,
    seeds: Sequence[int],
    options: Options,
    keep_torch: bool,
    identified: bool,
    licence: str,
) -> None:
    """Trains a tagger into `out` and prints what it scores on the held-out notes.

    Raises:
        UsageError: the data or the base is refused.
    """
    _quiet()
    base = find_base(base)
    train, held = learned_and_held(data, dev)
    best, spread = train_transformer(base, train, held, seeds=seeds, options=options)
    origins = read_origins(base) + Origins(tuple(sources(data, licence)), identified)
    write_model(
        out,
        best,
        held,
        name=out.name,
        data=origins.data,
        identified=origins.trained_on_identified,
        seeds=seeds,
        spread=spread,
        options=options,
        keep_torch=keep_torch,
    )
    tell(spread, best.scores)
    typer.echo(f"wrote {out}")


def _quiet() -> None:
    show_progress()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
