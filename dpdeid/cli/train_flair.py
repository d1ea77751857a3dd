"""`dpdeid train flair`: a bi-LSTM from annotated notes. Needs the extra flair."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from dpdeid.detect.card import Source
from dpdeid.errors import TrainingError
from dpdeid.training.corpus import read_corpus, split

try:
    from dpdeid.training.flair import Options, train_flair, write_model
except ImportError as error:
    raise TrainingError(f"training needs pip install 'dpdeid[flair]' (no {error.name})") from None

_HELD_OUT: Final = 0.15


def train(
    data: Sequence[Path],
    *,
    dev: Sequence[Path],
    out: Path,
    seeds: Sequence[int],
    options: Options,
    identified: bool,
    licence: str,
) -> None:
    """Trains a tagger into the folder `out` and prints what it scores on the held-out notes.

    Raises:
        UsageError: the data are refused, or the folder cannot be written.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("dpdeid").setLevel(logging.INFO)
    notes = read_corpus(data)
    learned, held = (notes, read_corpus(dev)) if dev else split(notes, share=_HELD_OUT, seed=0)
    best, spread = train_flair(learned, held, seeds=seeds, options=options)
    write_model(
        out,
        best,
        data=[Source(path.name, licence, len(read_corpus([path]))) for path in data],
        identified=identified,
        seeds=seeds,
        spread=spread,
        options=options,
    )
    for figure, (mean, deviation) in spread.items():
        typer.echo(f"{figure:24s} {mean:.4f} ± {deviation:.4f}   kept {best.scores[figure]:.4f}")
    typer.echo(f"wrote {out}: {len(best.plan.vocabulary):,} words, {len(best.plan.labels)} labels")
