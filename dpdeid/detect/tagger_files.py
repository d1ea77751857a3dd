"""The folder of a transformer tagger: what lies in it, and why another folder is refused.

    tagger.json         tags, word classes, window, calibration (see `TaggerSpec`)
    tokenizer.json      word pieces with offsets (Hugging Face `tokenizers`)
    model.onnx          the network, for onnxruntime; or, where torch is at hand,
    model.safetensors   its weights, with the shape of the encoder in config.json
    card.json           what it was trained on

Nothing in it is code, and no pickle is read.
"""

from __future__ import annotations

import atexit
import json
import math
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Self

from dpdeid.detect.alignment import WIDTH
from dpdeid.detect.word_classes import CLASSES
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.tags import OUTSIDE

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SPEC: Final = "tagger.json"
TOKENIZER: Final = "tokenizer.json"
CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
ONNX: Final = "model.onnx"
SHIPPED: Final = "shipped"
"""Names the model that comes with the package."""
READ: Final = (SPEC, TOKENIZER, CONFIG, WEIGHTS, ONNX, "card.json")
_RETRAIN: Final = "make one with `dpdeid train transformer --base FOLDER`"


def bio_tags(labels: tuple[Label, ...]) -> tuple[str, ...]:
    """The tags of some labels: "O", then "B-" and "I-" of each."""
    return (OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI"))


def check_tags(tags: tuple[str, ...], source: str, fix: str) -> None:
    """Refuses tags that no labels of ours have.

    Args:
        source, fix: name the file and the way out in errors.

    Raises:
        ModelError: a tag is not one of ours.
        ValueError: they do not stand in the order of `bio_tags`.
    """
    if other := sorted(set(tags) - set(bio_tags(tuple(Label)))):
        raise ModelError(
            f"{source}: the tag {other[0]!r} is not one of ours (B- or I- and a label of "
            f"dpdeid.labels); {fix}"
        )
    if tags != bio_tags(tuple(Label(tag[2:]) for tag in tags if tag.startswith("B-"))):
        raise ValueError("tags must be O, then B- and I- of each label")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerSpec:
    """How a network is fed and read.

    Args:
        tags: of its outputs, in their order; "O" first.
        classes: the word classes it takes beside the pieces; none for a plain encoder.
        prefix, suffix: ids put around each window.
        room: most pieces in a window, prefix and suffix left out.
        words, overlap: most tokens in a window; how many two neighbours share.
        temperature: divides the scores, so that a probability of 0.9 is right nine times in ten.
        start, steps: log scores of the first tag (K) and of steps (K x K) that a CRF head learned;
            empty without one.
        recall: label → what is added to its log scores where recall comes first.
    """

    tags: tuple[str, ...]
    classes: tuple[str, ...] = ()
    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()
    room: int = 254
    words: int = 384
    overlap: int = 24
    temperature: float = 1.0
    start: tuple[float, ...] = ()
    steps: tuple[tuple[float, ...], ...] = ()
    recall: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels it can find."""
        return tuple(Label(tag[2:]) for tag in self.tags if tag.startswith("B-"))

    @property
    def width(self) -> int:
        """How many numbers beside its id a piece has, see `class_rows`."""
        return WIDTH if self.classes else 0

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """The specification in a text. `source` names it in errors.

        Raises:
            ModelError: it is damaged, or its tags or classes are not ours.
        """
        try:
            row = json.loads(text)
            row["steps"] = tuple(map(tuple, row.get("steps", ())))
            frozen: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
            spec = cls(**frozen)
            spec._check(source)
        except (AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{source} is damaged: {error}; {_RETRAIN}") from None
        return spec

    def _check(self, source: str) -> None:
        check_tags(self.tags, source, _RETRAIN)
        if self.classes not in ((), CLASSES):
            raise ModelError(
                f"{source}: the word classes are not those of this version of dpdeid; {_RETRAIN}"
            )
        if not 0 <= self.overlap < self.words or self.room < 1:
            raise ValueError("0 <= overlap < words and room >= 1 are needed")
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError("temperature must be > 0")
        count = len(self.tags)
        if self.steps and {len(self.steps), len(self.start), *map(len, self.steps)} != {count}:
            raise ValueError("start and steps must have one entry a tag")


def find_folder(model: str) -> Path:
    """The local folder of a model: `SHIPPED`, a path, or the copy of a hub repository.

    Raises:
        ModelError: there is none.
    """
    if model == SHIPPED:
        return _shipped()
    path = Path(model)
    if path.is_dir():
        return path
    if path.exists():
        raise ModelError(f"{model} is a file: a transformer is a folder with {SPEC}")
    if path.is_absolute() or model.count("/") != 1:
        raise ModelError(f"no model folder {model}: train one with `dpdeid train transformer`")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise ModelError(
            f"{model} is no local folder, and the hub needs pip install '.[transformers]' in a "
            "checkout of dpdeid"
        ) from None
    try:
        return Path(snapshot_download(model, allow_patterns=list(READ)))
    except Exception as error:
        raise ModelError(
            f"{model} is neither a local folder nor to be had from the hub ({type(error).__name__})"
        ) from None


def _shipped() -> Path:
    folder = shipped_folder("transformer")
    if folder is None:
        raise ModelError(
            "no transformer ships with this version: train one with `dpdeid train transformer` and "
            "name its folder under `model:`"
        )
    return folder


def shipped_folder(name: str) -> Path | None:
    """A folder of models in the package, None if it is not there.

    Of a package inside a zip file it is a copy that lasts as long as the process.
    """
    held = files("dpdeid") / "models" / name
    if not held.is_dir():
        return None
    if isinstance(held, Path):
        return held
    copies = ExitStack()
    atexit.register(copies.close)
    folder = Path(copies.enter_context(TemporaryDirectory(prefix="dpdeid-")))
    for file in held.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def read_spec(folder: Path) -> TaggerSpec:
    """The specification of a model folder.

    Raises:
        ModelError: it is missing or damaged, or not for this package.
    """
    path = folder / SPEC
    if not path.is_file():
        if (folder / CONFIG).is_file():
            raise ModelError(
                f"{folder} has no {SPEC}: it is a language model or a tagger with other labels; "
                f"make ours of it with `dpdeid train transformer --base {folder}`"
            )
        raise ModelError(f"{path} is missing; {_RETRAIN}")
    try:
        return TaggerSpec.from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read {path}: {type(error).__name__}") from None


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a model folder, without truncation or padding.

    Raises:
        ModelError: it is missing, damaged, or `tokenizers` is not installed.
    """
    path = folder / TOKENIZER
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ModelError(
            "onnxruntime and tokenizers are missing: pip install onnxruntime tokenizers"
        ) from None
    if not path.is_file():
        raise ModelError(
            f"{path} is missing: only a fast tokenizer gives offsets; save one with "
            "transformers' `AutoTokenizer.from_pretrained(…, use_fast=True).save_pretrained`"
        )
    try:
        tokenizer: Any = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises Exception itself
        raise ModelError(f"{path} is damaged ({type(error).__name__}); copy it again") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
