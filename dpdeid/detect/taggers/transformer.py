"""The transformer tagger: BIO tags of our labels over the clinical tokens of a note.

The AP-HP design (Tannier et al. 2024): an encoder, a tag for each word at its first piece, windows
cut at sentence starts, valid sequences only, decoded over the whole note. A score is the calibrated
probability of the label, the least over the tokens of the span. Its folder:

    tagger.json         tags, word classes, window, calibration (see `TaggerSpec`)
    tokenizer.json      word pieces with offsets (Hugging Face `tokenizers`)
    model.onnx          the network, for onnxruntime; or, where torch is at hand,
    model.safetensors   its weights, with the shape of the encoder in config.json
    card.json           what it was trained on

Nothing in it is code, and no pickle is read.
"""

from __future__ import annotations

import atexit
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary

import numpy as np

from dpdeid.detect.names.name_tokens import without_eponyms
from dpdeid.detect.taggers.card import checked_card, read_card
from dpdeid.detect.taggers.inputs import CLASSES, WIDTH, class_rows, cut, rule_spans
from dpdeid.detect.taggers.sequences import (
    CONFIG,
    FORBIDDEN,
    WEIGHTS,
    NetworkSpec,
    best_tags,
    by_token,
    constraints,
    in_chunks,
    sentence_starts,
    spans_of,
    windows,
)
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    Array = np.ndarray[Any, np.dtype[Any]]


SPEC: Final = "tagger.json"
TOKENIZER: Final = "tokenizer.json"
ONNX: Final = "model.onnx"
SHIPPED: Final = "shipped"
"""Names the model that comes with the package."""
READ: Final = (SPEC, TOKENIZER, CONFIG, WEIGHTS, ONNX, "card.json")
_RETRAIN: Final = "make one with `dpdeid train transformer --base FOLDER`"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerSpec(NetworkSpec):
    """How a network is fed and read.

    Args:
        classes: the word classes it takes beside the pieces; none for a plain encoder.
        prefix, suffix: ids put around each window.
        room: most pieces in a window, prefix and suffix left out.
        temperature: divides the scores, so that a probability of 0.9 is right nine times in ten.
        start, steps: log scores of the first tag (K) and of steps (K x K) that a CRF head learned;
            empty without one.
        recall: label → what is added to its log scores where recall comes first.
    """

    retrain: ClassVar[str] = _RETRAIN
    classes: tuple[str, ...] = ()
    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()
    room: int = 254
    words: int = 384
    temperature: float = 1.0
    start: tuple[float, ...] = ()
    steps: tuple[tuple[float, ...], ...] = ()
    recall: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def width(self) -> int:
        """How many numbers beside its id a piece has, see `class_rows`."""
        return WIDTH if self.classes else 0

    def check(self, source: str) -> None:
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
        if folder := shipped_folder("transformer"):
            return folder
        raise ModelError(
            "no transformer ships with this version: train one with `dpdeid train transformer` and "
            "name its folder under `model:`"
        )
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
    return TaggerSpec.read(path)


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


Network = Callable[["Array", "Array"], "Array"]
"""ids (1, T) int64 and classes (1, T, C) float32 → scores (1, T, K) float32."""


@dataclass(frozen=True, slots=True)
class Transformer:
    """Finds spans with a trained network.

    Args:
        model: its folder, a hub name, or "shipped".
        recall_first: use the offsets that were chosen for a target recall, at a cost in precision.
    """

    name: ClassVar[str] = "transformer"
    model: str = SHIPPED
    recall_first: bool = False

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note.

        Raises:
            ModelError: the model is missing, damaged or of another kind.
        """
        return without_eponyms(doc, loaded(self.model).tag(doc, recall_first=self.recall_first))

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex).

        Raises:
            ModelError: the model or its card is missing or damaged.
        """
        return read_card(find_folder(self.model)).files


@cache
def loaded(model: str) -> Tagger:
    """The tagger of a model (see `Transformer`), read once. Raises `ModelError` as `load` does."""
    return load(find_folder(model))


def load(folder: Path) -> Tagger:
    """The tagger of a model folder. Logs it if it was trained on identified notes.

    Raises:
        ModelError: something in the folder is missing, damaged or of another kind.
    """
    spec, tokenizer = read_spec(folder), read_tokenizer(folder)
    checked_card(folder)
    if (folder / ONNX).is_file():
        return Tagger(spec, tokenizer, onnx_network(folder / ONNX, spec))
    if (folder / WEIGHTS).is_file() and (folder / CONFIG).is_file():
        return Tagger(spec, tokenizer, _torch(folder, spec))
    raise ModelError(f"{folder} has neither {ONNX} nor {WEIGHTS} with {CONFIG}: copy it again")


class Tagger:
    """A network with its tokenizer, ready to tag. Holds what it thinks of notes that live."""

    __slots__ = ("_kept", "_network", "_start", "_steps", "_tokenizer", "spec")

    def __init__(self, spec: TaggerSpec, tokenizer: Tokenizer, network: Network) -> None:
        self.spec = spec
        self._tokenizer = tokenizer
        self._network = network
        self._kept: WeakKeyDictionary[Document, Array] = WeakKeyDictionary()
        self._start, self._steps = constraints(spec.tags)
        if spec.steps:
            self._start = self._start + np.array(spec.start, np.float32)
            self._steps = self._steps + np.array(spec.steps, np.float32)

    def tag(self, doc: Document, *, recall_first: bool = False) -> tuple[Span, ...]:
        """The spans of a note, sorted and disjoint; a longer text is read in chunks."""
        return in_chunks(doc, lambda part: self._of_note(part, recall_first))

    def _of_note(self, doc: Document, recall_first: bool) -> tuple[Span, ...]:
        scores = self.scores(doc)
        if not len(scores):
            return ()
        chances = np.exp(scores)
        self._kept.pop(doc, None)  # the key of an equal note may die first
        self._kept[doc] = chances
        if recall_first and self.spec.recall:
            scores = scores + np.array(
                [self.spec.recall.get(tag[2:], 0.0) for tag in self.spec.tags], np.float32
            )
        tags = best_tags(scores, self._start, self._steps)
        return spans_of(tags, chances, self.spec.tags, doc.tokens, source=Transformer.name)

    def chances(self, doc: Document) -> Array:
        """The calibrated chance of each tag of each token, (N, K); zeros for what is no word. A
        note that was tagged and still lives is not read again.
        """
        if doc not in self._kept:
            found = by_token(doc, self._chances_of, len(self.spec.tags))
            self._kept.pop(doc, None)
            self._kept[doc] = found
        return self._kept[doc]

    def _chances_of(self, doc: Document) -> Array:
        self._of_note(doc, False)
        empty = np.zeros((len(doc.tokens), len(self.spec.tags)), np.float32)
        return self._kept.get(doc, empty)

    def scores(self, doc: Document) -> Array:
        """Calibrated log-probabilities of the tags of each token: (N, K) float32."""
        spec, tokens = self.spec, doc.tokens
        out = np.zeros((len(tokens), len(spec.tags)), np.float32)
        if not len(tokens):
            return out
        pieces = cut(doc.text, tokens, self._tokenizer)
        classes = np.zeros((len(pieces.ids), 0), np.float32)
        if spec.classes:
            classes = class_rows(doc, rule_spans(doc), pieces)
        starts = sentence_starts(tokens, doc.text)
        around = len(spec.prefix), len(spec.suffix)
        for window in windows(
            starts, pieces.sizes(), words=spec.words, room=spec.room, overlap=spec.overlap
        ):
            begin = int(pieces.first[window.start]) if window.start else 0
            end = min(int(pieces.first[window.end]), begin + spec.room)
            ids = np.concatenate((spec.prefix, pieces.ids[begin:end], spec.suffix))
            rows = np.pad(classes[begin:end], (around, (0, 0)))
            found = self._network(ids[None].astype(np.int64), rows[None])[0]  # (T, K)
            own = slice(window.own_start, window.own_end)
            places = np.minimum(pieces.first[:-1][own] - begin, end - begin - 1) + around[0]
            out[own] = found[np.maximum(places, 0)]
        out /= spec.temperature
        out -= np.logaddexp.reduce(out, axis=1, keepdims=True)
        # a token that no piece shows is outside, or whatever goes on
        out[pieces.silent] = [FORBIDDEN / 2 if tag[0] == "B" else 0.0 for tag in spec.tags]
        return out


def onnx_network(path: Path, spec: TaggerSpec) -> Network:
    """The network of an ONNX file, on one thread.

    Raises:
        ModelError: it is damaged or of another shape.
    """
    try:
        import onnxruntime
    except ImportError:
        raise ModelError(
            "onnxruntime and tokenizers are missing: pip install onnxruntime tokenizers"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session: Any = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library's own errors have no common base
        raise ModelError(
            f"{path} is damaged or no ONNX file ({type(error).__name__}); copy or export it again"
        ) from None
    wanted = {"ids", "classes"} if spec.classes else {"ids"}
    if {entry.name for entry in session.get_inputs()} != wanted:
        raise ModelError(f"{path} does not take {', '.join(sorted(wanted))}; export it again")
    if session.get_outputs()[0].shape[-1] != len(spec.tags):
        raise ModelError(f"{path} does not give {len(spec.tags)} tags; export it again")

    def run(ids: Array, classes: Array) -> Array:
        feed = {"ids": ids, "classes": classes} if spec.classes else {"ids": ids}
        scores: Array = session.run(None, feed)[0]
        return scores

    return run


def _torch(folder: Path, spec: TaggerSpec) -> Network:
    try:
        from dpdeid.detect.taggers.transformer_network import read_tagger
    except ImportError:
        raise ModelError(
            f"{folder} has no {ONNX}, and its {WEIGHTS} needs pip install '.[transformers]' in a "
            "checkout of dpdeid"
        ) from None
    return torch_network(read_tagger(folder, spec.width, len(spec.tags)))


def torch_network(module: Any) -> Network:
    """The network of a torch module, set to evaluate."""
    import torch

    module.eval()

    def run(ids: Array, classes: Array) -> Array:
        with torch.inference_mode():
            scores: Array = module(torch.from_numpy(ids), torch.from_numpy(classes)).numpy()
        return scores

    return run
