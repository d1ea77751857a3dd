"""The card of a trained model: what it was made from, what it scores, and whether it may travel.

A card is JSON beside its model: `card.json` in a model folder, `NAME.card.json` beside a model
file. It holds no text of a note. A model that saw identified notes may hold their words (a CRF does
in clear), so its card says so: `run` logs it, and it is shared only when that is asked for.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal, Self, get_args

from dpdeid.errors import ModelError
from dpdeid.labels import Label

Kind = Literal["crf", "transformer", "flair"]

_NAME: Final = "card.json"
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """One corpus that a model was trained on, with its licence and its size in notes."""

    name: str
    licence: str
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What stands on a card.

    Args:
        name: of the model; a cohort names it.
        kind: the tagger that reads it.
        labels: what it can find.
        data: what it was trained on.
        trained_on_identified: whether a note of a real person was among the data.
        date: the day of the training, ISO.
        seeds: of every run that the scores stand for; empty where training draws nothing.
        scores: "set/figure" → value, in [0, 1] where it is a ratio.
        settings: the options of the training.
        files: file of the model → its SHA-256 (hex); see `check_files`.
        inputs: the fingerprint of what fed it when it was scored; see `inputs` beside this.
    """

    name: str
    kind: Kind
    labels: tuple[Label, ...]
    data: tuple[Source, ...]
    trained_on_identified: bool
    date: str
    seeds: tuple[int, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    settings: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    inputs: Mapping[str, str] = field(default_factory=dict, hash=False)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """The card in a text. `source` names it in errors.

        Raises:
            ModelError: not a card; names the first field that is wrong.
        """
        try:
            row = json.loads(text)
            known = {"labels", "data", "seeds"}
            card = cls(
                labels=tuple(map(Label, row["labels"])),
                data=tuple(Source(**source) for source in row["data"]),
                seeds=tuple(row.get("seeds", ())),
                **{key: value for key, value in row.items() if key not in known},
            )
            card._check()
        except KeyError as error:
            raise ModelError(f"{source} is no model card: {error.args[0]} is missing") from None
        except (AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{source} is no model card: {error}") from None
        return card

    def _check(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind {self.kind!r}; allowed: {', '.join(get_args(Kind))}")
        if not isinstance(self.trained_on_identified, bool):
            raise TypeError("trained_on_identified must be true or false")
        for value in (self.scores, self.settings, self.files, self.inputs):
            dict(value)
        dt.date.fromisoformat(self.date)


def card_path(model: Path) -> Path:
    """Where the card of a model file or folder lies."""
    return model / _NAME if model.is_dir() else model.with_name(f"{model.name}.{_NAME}")


def read_card(model: Path) -> ModelCard:
    """The card of a model file or folder.

    Raises:
        ModelError: the model or its card is missing, or the card is damaged.
    """
    path = card_path(model)
    if not model.exists():
        raise ModelError(f"no model at {model}: train one with `dpdeid train`, or name its place")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelError(f"{model} has no card: {path} must lie beside it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read the model card {path}: {type(error).__name__}") from None
    return ModelCard.from_json(text, str(path))


def write_card(model: Path, card: ModelCard) -> None:
    """Writes the card beside its model, which must exist.

    Raises:
        ModelError: it cannot be written.
    """
    try:
        card_path(model).write_text(card.to_json(), encoding="utf-8")
    except OSError as error:
        raise ModelError(f"cannot write the card of {model}: {error.strerror}") from None


def digests(model: Path, names: Iterable[str]) -> dict[str, str]:
    """File → SHA-256 (hex) of files of a model, for `ModelCard.files`.

    Args:
        model: a model folder, or the folder of a model file.

    Raises:
        ModelError: a file is missing or cannot be read.
    """
    found = {}
    for name in names:
        try:
            found[name] = hashlib.sha256((model / name).read_bytes()).hexdigest()
        except OSError:
            raise ModelError(f"the model file {model / name} is missing or unreadable") from None
    return found


def check_files(model: Path, card: ModelCard) -> None:
    """Refuses a model whose files are not those of its card: torn copies, or another training.

    Raises:
        ModelError: a file is missing or differs.
    """
    folder = model if model.is_dir() else model.parent
    for name, digest in digests(folder, card.files).items():
        if digest != card.files[name]:
            raise ModelError(
                f"the model file {folder / name} is damaged or not the one of its card: "
                "copy the model and its card again"
            )


def checked_card(model: Path) -> ModelCard:
    """The card of a model whose files it was written for; logs a model of identified notes.

    Raises:
        ModelError: see `read_card` and `check_files`.
    """
    card = read_card(model)
    check_files(model, card)
    if card.trained_on_identified:
        _log.warning("the model %s was trained on identified notes: keep it inside", model)
    return card


def check_shareable(card: ModelCard, *, identified: bool) -> None:
    """Refuses to share a model of identified notes unless the caller says so.

    Args:
        identified: the caller knows that the model saw identified notes and shares it all the same.

    Raises:
        ModelError: the model saw identified notes.
    """
    if card.trained_on_identified and not identified:
        raise ModelError(
            f"{card.name} was trained on identified notes and may hold words of them: it is "
            "exported only with --identified"
        )
