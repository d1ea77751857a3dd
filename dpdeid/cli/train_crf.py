"""`dpdeid train crf`: a CRF tagger from annotated notes. Needs the extra crf."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dpdeid.detect.card import Source
from dpdeid.training import crf
from dpdeid.training.corpus import Note, read_corpus


def train(
    data: Sequence[Path],
    *,
    out: Path,
    dev: Sequence[Path],
    options: crf.Options,
    folds: int,
    identified: bool,
    licence: str,
) -> None:
    """Trains a model into `out` and prints what it scores, under the detector's own options.

    Raises:
        UsageError: a file of notes is refused, the model cannot be written, or python-crfsuite is
            not installed.
    """
    console = Console()
    parts = {path: read_corpus([path]) for path in data}
    notes = [note for part in parts.values() for note in part]
    if folds:
        console.print(_cross_validated(notes, folds, options))
    card = crf.train_crf(
        notes,
        out,
        options=options,
        dev=read_corpus(dev) if dev else (),
        data=[Source(path.name, licence, len(part)) for path, part in parts.items()],
        identified=identified,
    )
    if card.scores:
        console.print(_table("the held-out notes", {k: (v,) for k, v in card.scores.items()}))
    console.print(f"wrote {out}: {out.stat().st_size:,} bytes, {len(card.labels)} labels")


def _cross_validated(notes: Sequence[Note], count: int, options: crf.Options) -> Table:
    figures: dict[str, tuple[float, ...]] = {}
    for scores in crf.cross_validate(notes, count, options):
        for name, value in scores.items():
            figures[name] = (*figures.get(name, ()), value)
    return _table(f"{count} folds", figures)


def _table(title: str, figures: dict[str, tuple[float, ...]]) -> Table:
    table = Table("figure", "mean", "sd", title=title)
    for name, values in figures.items():
        spread = f"{statistics.stdev(values):.4f}" if len(values) > 1 else ""
        table.add_row(name, f"{statistics.fmean(values):.4f}", spread)
    return table
