"""`dpdeid train crf`: a CRF tagger from annotated notes."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from rich.table import Table

from dpdeid.cli.ending import Console
from dpdeid.detect.card import Source
from dpdeid.errors import TrainingError
from dpdeid.formats.apart import keep_apart
from dpdeid.privacy.rng import Stream
from dpdeid.training import crf
from dpdeid.training.augment import vary
from dpdeid.training.corpus import Note, read_corpus
from dpdeid.training.fragments import fragments
from dpdeid.training.held_out import without_copies
from dpdeid.training.plain import plain_notes

_LINES = 15
"""Lines that are cut from a note."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is learned besides the notes as they stand.

    Args:
        plain: files of texts whose paragraphs without a direct identifier are learned too.
        varied: files of notes that are learned once more, with identities drawn by `seed`.
        cut: files of notes of which single lines and part-lines are learned too.
    """

    plain: Sequence[Path] = ()
    varied: Sequence[Path] = ()
    cut: Sequence[Path] = ()
    seed: int = 0

    def learned(self, parts: Mapping[Path, Sequence[Note]]) -> list[Note]:
        """All that is learned, given the notes of each file; a file that is not there is not."""
        notes = [note for part in parts.values() for note in part]
        draws = Stream(f"vary {self.seed}".encode())
        notes += [vary(*note, draws) for path in self.varied for note in parts.get(path, ())]
        draws = Stream(f"fragments {self.seed}".encode())
        cut = [note for path in self.cut for note in parts.get(path, ())]
        return notes + fragments(cut, draws, each=_LINES)


def train(
    data: Sequence[Path],
    *,
    out: Path,
    dev: Sequence[Path],
    options: crf.Options,
    recipe: Recipe,
    held_out: Sequence[Path],
    calibrated: Sequence[Path],
    recall: float,
    folds: int,
    identified: bool,
    licences: Sequence[str],
) -> None:
    """Trains a model into `out` and prints what it scores, under the detector's own options.

    Args:
        held_out: files of notes; what quotes one of them is left out.
        calibrated: files of notes on which the model is calibrated; what quotes one is left out.
        recall: target of the chances for `recall_first`, in (0, 1).
        licences: of each file of `data`, then of the plain texts, or one for all.

    Raises:
        UsageError: a file of notes is refused or is `out`, the licences do not match the files,
            the model cannot be written, or python-crfsuite is not installed.
    """
    if len(licences) not in (1, len(data) + len(recipe.plain)):
        raise TrainingError("give one --licence for all --data and --plain, or one for each")
    for path in (*recipe.varied, *recipe.cut):
        if path not in data:
            raise TrainingError(f"{path} is no file of --data")
    keep_apart((*data, *dev, *recipe.plain, *held_out, *calibrated), out)
    console = Console()
    held = read_corpus(calibrated) if calibrated else []
    parts = _read(data, recipe.plain, [*held, *(read_corpus(held_out) if held_out else ())])
    notes = recipe.learned(parts)
    if folds:
        console.print(_cross_validated(notes, folds, options))
    card = crf.train_crf(
        notes,
        out,
        options=options,
        held=held,
        recall=recall,
        dev=read_corpus(dev) if dev else (),
        data=[
            Source(path.name, licence, len(part))
            for (path, part), licence in zip(parts.items(), cycle(licences), strict=False)
        ],
        seeds=(recipe.seed,) if recipe.varied or recipe.cut else (),
        identified=identified,
    )
    if card.scores:
        console.print(_table("the held-out notes", {k: (v,) for k, v in card.scores.items()}))
    console.print(f"wrote {out}: {out.stat().st_size:,} bytes, {len(card.labels)} labels")
    console.print(
        f"It knows these notes alone. In a policy, {{crf: {{model: {out}}}}} beside crf adds it to "
        "the shipped model, in its place it replaces that (docs/crf.md).",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


def _read(
    data: Sequence[Path], plain: Sequence[Path], held_out: Sequence[Note]
) -> dict[Path, list[Note]]:
    """The notes of each file, without those that quote a held-out note; and without the texts of
    `plain` that quote a note of `data`.
    """
    parts = {path: without_copies(read_corpus([path]), held_out) for path in data}
    seen = [*held_out, *(note for part in parts.values() for note in part)] if plain else []
    return parts | {path: without_copies(plain_notes(path), seen) for path in plain}


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
