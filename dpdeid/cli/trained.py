"""What the training commands share: which notes are held out, and what is told of a run."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import typer

from dpdeid.detect.card import Source
from dpdeid.training.corpus import Note, read_corpus, split

_HELD_OUT: Final = 0.15


def show_progress() -> None:
    """Shows what our own training logs; the libraries' own is left out."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("dpdeid").setLevel(logging.INFO)


def learned_and_held(data: Sequence[Path], dev: Sequence[Path]) -> tuple[list[Note], list[Note]]:
    """The notes to learn, and those that decide when to stop: of `dev`, else 15 % of the patients.

    Raises:
        TrainingError: a file is refused, or there are too few patients.
    """
    notes = read_corpus(data)
    return (notes, read_corpus(dev)) if dev else split(notes, share=_HELD_OUT, seed=0)


def sources(data: Sequence[Path], licence: str) -> Iterator[Source]:
    """Files of notes as a card tells of them."""
    return (Source(path.name, licence, len(read_corpus([path]))) for path in data)


def tell(spread: Mapping[str, tuple[float, float]], kept: Mapping[str, float]) -> None:
    """Prints the figures of all runs, and of the one that is kept."""
    for figure, (mean, deviation) in spread.items():
        typer.echo(f"{figure:24s} {mean:.4f} ± {deviation:.4f}   kept {kept[figure]:.4f}")
