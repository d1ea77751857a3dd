"""`dpdeid train flair`: a bi-LSTM from annotated notes. Needs the extra flair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from dpdeid.cli.trained import learned_and_held, show_progress, sources, tell
from dpdeid.errors import TrainingError

try:
    from dpdeid.training.flair import Options, train_flair, write_model
except ImportError as error:
    raise TrainingError(
        f"training needs pip install '.[flair]' in a checkout of dpdeid (no {error.name})"
    ) from None


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
    show_progress()
    learned, held = learned_and_held(data, dev)
    best, spread = train_flair(learned, held, seeds=seeds, options=options)
    write_model(
        out,
        best,
        data=list(sources(data, licence)),
        identified=identified,
        seeds=seeds,
        spread=spread,
        options=options,
    )
    tell(spread, best.scores)
    typer.echo(f"wrote {out}: {len(best.plan.vocabulary):,} words, {len(best.plan.labels)} labels")
