"""The transformer tagger: BIO tags of our labels over the clinical tokens of a note.

The AP-HP design (Tannier et al. 2024): an encoder, a tag for each word at its first piece, windows
cut at sentence starts, and a decoding over the whole note that allows valid sequences only. Runs on
onnxruntime and `tokenizers` where the folder has a `model.onnx`, else on torch. A score is the
calibrated probability of the label, the least over the tokens of the span.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from dpdeid.detect.alignment import class_rows, cut
from dpdeid.detect.books import by_parts
from dpdeid.detect.card import check_files, read_card
from dpdeid.detect.eponyms import without_eponyms
from dpdeid.detect.rules import rule_spans
from dpdeid.detect.tagger_files import (
    CONFIG,
    ONNX,
    SHIPPED,
    WEIGHTS,
    TaggerSpec,
    find_folder,
    read_spec,
    read_tokenizer,
)
from dpdeid.detect.viterbi import FORBIDDEN, best_tags, constraints, spans_of
from dpdeid.detect.windows import sentence_starts, windows
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

    Array = np.ndarray[Any, np.dtype[Any]]

Network = Callable[["Array", "Array"], "Array"]
"""ids (1, T) int64 and classes (1, T, C) float32 → scores (1, T, K) float32."""

_log: Final = logging.getLogger(__name__)


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
        return without_eponyms(doc, _loaded(self.model).tag(doc, recall_first=self.recall_first))

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex).

        Raises:
            ModelError: the model or its card is missing or damaged.
        """
        return read_card(find_folder(self.model)).files


@cache
def _loaded(model: str) -> Tagger:
    return load(find_folder(model))


def load(folder: Path) -> Tagger:
    """The tagger of a model folder. Logs it if it was trained on identified notes.

    Raises:
        ModelError: something in the folder is missing, damaged or of another kind.
    """
    spec, tokenizer, card = read_spec(folder), read_tokenizer(folder), read_card(folder)
    check_files(folder, card)
    if card.trained_on_identified:
        _log.warning("the model %s was trained on identified notes: keep it inside", folder)
    if (folder / ONNX).is_file():
        return Tagger(spec, tokenizer, onnx_network(folder / ONNX, spec))
    if (folder / WEIGHTS).is_file() and (folder / CONFIG).is_file():
        return Tagger(spec, tokenizer, _torch(folder, spec))
    raise ModelError(f"{folder} has neither {ONNX} nor {WEIGHTS} with {CONFIG}: copy it again")


class Tagger:
    """A network with its tokenizer, ready to tag. Holds no note."""

    __slots__ = ("_network", "_start", "_steps", "_tokenizer", "spec")

    def __init__(self, spec: TaggerSpec, tokenizer: Tokenizer, network: Network) -> None:
        import numpy as np

        self.spec = spec
        self._tokenizer = tokenizer
        self._network = network
        self._start, self._steps = constraints(spec.tags)
        if spec.steps:
            self._start = self._start + np.array(spec.start, np.float32)
            self._steps = self._steps + np.array(spec.steps, np.float32)

    def tag(self, doc: Document, *, recall_first: bool = False) -> tuple[Span, ...]:
        """The spans of a note, sorted and disjoint; a book is read in parts."""
        return by_parts(doc, lambda part: self._of_note(part, recall_first))

    def _of_note(self, doc: Document, recall_first: bool) -> tuple[Span, ...]:
        import numpy as np

        scores = self.scores(doc)
        if not len(scores):
            return ()
        chances = np.exp(scores)
        if recall_first and self.spec.recall:
            scores = scores + np.array(
                [self.spec.recall.get(tag[2:], 0.0) for tag in self.spec.tags], np.float32
            )
        tags = best_tags(scores, self._start, self._steps)
        return spans_of(tags, chances, self.spec.tags, doc.tokens, source=Transformer.name)

    def scores(self, doc: Document) -> Array:
        """Calibrated log-probabilities of the tags of each token: (N, K) float32."""
        import numpy as np

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
        out[pieces.silent] = _unseen(spec)
        return out


def _unseen(spec: TaggerSpec) -> list[float]:
    """Scores of a token that no piece shows: outside, or whatever goes on."""
    return [FORBIDDEN / 2 if tag.startswith("B-") else 0.0 for tag in spec.tags]


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
        from dpdeid.detect.torch_tagger import read_tagger
    except ImportError:
        raise ModelError(
            f"{folder} has no {ONNX}, and its {WEIGHTS} needs pip install '.[transformers]' in a "
            "checkout of dpdeid"
        ) from None
    return torch_network(read_tagger(folder, spec))


def torch_network(module: Any) -> Network:
    """The network of a torch module, set to evaluate."""
    import torch

    module.eval()

    def run(ids: Array, classes: Array) -> Array:
        with torch.inference_mode():
            scores: Array = module(torch.from_numpy(ids), torch.from_numpy(classes)).numpy()
        return scores

    return run
