"""`dpdeid model`: the cards of trained models, and copies of models for others."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from dpdeid.cli.terminal import Console, table
from dpdeid.detect.taggers.card import ModelCard, card_path, check_files, check_shareable, read_card
from dpdeid.detect.taggers.inputs import drift, inputs
from dpdeid.errors import ModelError
from dpdeid.formats.write import keep_apart, write_json


def show(model: Path, output: Path | None = None) -> None:
    """Prints the card of a model file or folder.

    Raises:
        ModelError: the model or its card is missing or damaged.
        UsageError: the file of figures cannot be written, or is of the model.
    """
    keep_apart((model, card_path(model)), output)
    card = read_card(model)
    check_files(model, card)
    if output is not None:
        write_json(output, asdict(card) | {"inputs_now": dict(inputs(card.kind))})
    rows = (
        ("model", f"{card.name} ({card.kind}), {card.date}"),
        ("finds", ", ".join(card.labels)),
        *(("trained on", f"{s.name}: {s.notes} notes, {s.licence}") for s in card.data),
        ("identified notes", "yes: it must stay inside" if card.trained_on_identified else "none"),
        *((name, str(of)) for name, of in card.settings.items() if name.startswith("extends")),
        *((name, f"{value:.4f}") for name, value in card.scores.items()),
        *_inputs(card),
    )
    Console().print(table((), rows, show_header=False))


def _inputs(card: ModelCard) -> Iterator[tuple[str, str]]:
    """What feeds the model, and whether that is still what it was scored with."""
    other = drift(card)
    for part, now in inputs(card.kind).items():
        if part not in other:
            yield part, f"{now[:12]}, as when it was scored"
        elif part in card.inputs:
            yield part, f"{now[:12]}, but {card.inputs[part][:12]} when it was scored"
        else:
            yield part, f"{now[:12]}; its card says nothing of them"


def export(model: Path, target: Path, identified: bool = False) -> None:
    """Copies a model with its card, for others.

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
