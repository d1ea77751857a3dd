"""`dpdeid model`: the cards of trained models, and copies of models for others."""

from __future__ import annotations

import shutil
from pathlib import Path

from rich.table import Table

from dpdeid.cli.ending import Console
from dpdeid.detect.card import (
    ModelCard,
    card_path,
    check_files,
    check_shareable,
    read_card,
)
from dpdeid.errors import ModelError


def show(model: Path) -> None:
    """Prints the card of a model file or folder.

    Raises:
        ModelError: the model or its card is missing or damaged.
    """
    card = read_card(model)
    check_files(model, card)
    table = Table(show_header=False)
    for name, value in _rows(card):
        table.add_row(name, value)
    Console().print(table)


def _rows(card: ModelCard) -> list[tuple[str, str]]:
    return [
        ("model", f"{card.name} ({card.kind}), {card.date}"),
        ("finds", ", ".join(card.labels)),
        *(("trained on", f"{s.name}: {s.notes} notes, {s.licence}") for s in card.data),
        ("identified notes", "yes: it must stay inside" if card.trained_on_identified else "none"),
        *((name, f"{value:.4f}") for name, value in card.scores.items()),
    ]


def export(model: Path, target: Path, *, identified: bool) -> None:
    """Copies a model with its card, for others.

    Args:
        identified: the model may leave although it was trained on identified notes.

    Raises:
        ModelError: the model is damaged or may not leave, or the target exists or cannot be
            written.
    """
    card = read_card(model)
    check_files(model, card)
    check_shareable(card, identified=identified)
    if target.exists():
        raise ModelError(f"{target} exists: an export never overwrites")
    try:
        if model.is_dir():
            shutil.copytree(model, target)
        else:
            target.mkdir(parents=True)
            for file in (model, card_path(model)):
                shutil.copyfile(file, target / file.name)
    except OSError as error:
        raise ModelError(f"cannot write {target}: {error.strerror}") from None
