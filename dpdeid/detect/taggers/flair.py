"""The flair tagger: BIO tags over the clinical tokens from a bi-LSTM over words, as at CHUV.

Word embeddings of its own, every digit read as 0, one or two layers (Loftsson 2022), and if wanted
a CRF over them (Lample et al. 2016; flair, Akbik et al. 2019). Windows begin and end at sentences
and overlap; the tags are decoded over the whole note at once, valid sequences only. Needs flair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from dpdeid.detect.names.name_tokens import without_eponyms
from dpdeid.detect.taggers.card import ModelCard, checked_card, read_card
from dpdeid.detect.taggers.sequences import (
    PLAN,
    UNKNOWN,
    FlairPlan,
    best_tags,
    constraints,
    in_chunks,
    marginals,
    spans_of,
)
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


_DIGIT: Final = re.compile(r"\d")


class Numbering:
    """The numbers of words in a vocabulary."""

    __slots__ = ("_number",)

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._number = {word: number for number, word in enumerate(vocabulary)}

    def ids(self, texts: Sequence[str]) -> list[int]:
        """One number a token: of the word as it stands, in small letters, or else of its shape."""
        return [self._id(fold_digits(text)) for text in texts]

    def _id(self, word: str) -> int:
        for form in (word, word.lower(), shape(word)):
            if (found := self._number.get(form)) is not None:
                return found
        raise KeyError("a shape is missing")  # the plan was checked


def fold_digits(word: str) -> str:
    """The word with every digit read as 0."""
    return _DIGIT.sub("0", word)


def shape(word: str) -> str:
    """Which of `UNKNOWN` stands for a word."""
    if any(map(str.isdigit, word)):
        return UNKNOWN[3]
    if word.islower():
        return UNKNOWN[0]
    if word.istitle() or (word[:1].isupper() and not word.isupper()):
        return UNKNOWN[1]
    return UNKNOWN[2] if word.isupper() else UNKNOWN[4]


def read_plan(folder: Path) -> FlairPlan:
    """The plan of a model folder.

    Raises:
        ModelError: it is missing or damaged, or not for this package.
    """
    path = folder / PLAN
    if not path.is_file():
        raise ModelError(f"{path} is missing: {folder} is no flair model; {FlairPlan.retrain}")
    return FlairPlan.read(path)


Network = Callable[["Array"], "Array"]
"""ids (T,) int64 → scores (T, K) float32, without those of steps."""


@dataclass(frozen=True, slots=True)
class Flair:
    """Finds spans with a trained bi-LSTM.

    Args:
        model: a folder that `dpdeid train flair` wrote. None ships with the package.
    """

    name: ClassVar[str] = "flair"
    model: str

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note; a score is the least probability of the label over its tokens.

        Raises:
            ModelError: the model is missing, damaged or of another kind, or flair is not installed.
        """
        return without_eponyms(doc, _loaded(self.model).tag(doc))

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex).

        Raises:
            ModelError: the model or its card is missing or damaged.
        """
        return _card(Path(self.model)).files


@cache
def _loaded(model: str) -> Tagger:
    return load(Path(model))


def load(folder: Path) -> Tagger:
    """The tagger of a model folder. Logs it if it was trained on identified notes.

    Raises:
        ModelError: something in the folder is missing, damaged or of another kind, or flair is not
            installed.
    """
    card = _card(folder)
    plan = read_plan(folder)
    checked_card(folder)
    if card.labels != plan.labels:
        raise ModelError(f"{folder / PLAN} has other labels than its card: copy the folder again")
    try:
        from dpdeid.detect.taggers.flair_network import read_network
    except ImportError as error:
        raise ModelError(
            "the flair tagger needs pip install '.[flair]' in a checkout of dpdeid "
            f"(no {error.name})"
        ) from None
    return tagger_of(plan, read_network(folder, plan))


def _card(folder: Path) -> ModelCard:
    if folder.is_file():
        raise ModelError(
            f"{folder} is a file: a flair model is a folder with {PLAN}. flair's own .pt files are "
            "pickles, which may run any code; none is read: make a folder with `dpdeid train flair`"
        )
    card = read_card(folder)
    if card.kind != "flair":
        raise ModelError(f"{folder} is a model of the kind {card.kind}, not flair")
    return card


class Tagger:
    """A network with its vocabulary, ready to tag. Holds no note."""

    __slots__ = ("_network", "_numbering", "_start", "_steps", "plan")

    def __init__(
        self, plan: FlairPlan, network: Network, learned: tuple[Array, Array] | None
    ) -> None:
        self.plan = plan
        self._network = network
        self._numbering = Numbering(plan.vocabulary)
        self._start, self._steps = constraints(plan.tags)
        if learned is not None:
            self._start, self._steps = self._start + learned[0], self._steps + learned[1]

    def tag(self, doc: Document) -> tuple[Span, ...]:
        """The spans of a note, sorted and disjoint; a longer text is read in chunks."""
        return in_chunks(doc, self._of_note)

    def _of_note(self, doc: Document) -> tuple[Span, ...]:
        scores = self.scores(doc)
        if not len(scores):
            return ()
        tags = best_tags(scores, self._start, self._steps)
        chances = marginals(scores, self._start, self._steps)
        return spans_of(tags, chances, self.plan.tags, doc.tokens, source=Flair.name)

    def scores(self, doc: Document) -> Array:
        """What the network gives the tags at each token: (N, K) float32."""
        import numpy as np

        plan, tokens = self.plan, doc.tokens
        out = np.zeros((len(tokens), len(plan.tags)), np.float32)
        ids = np.array(self._numbering.ids(tokens.texts), np.int64)
        for window in plan.cut(doc):
            found = self._network(ids[window.start : window.end])
            own = slice(window.own_start - window.start, window.own_end - window.start)
            out[window.own_start : window.own_end] = found[own]
        return out


def tagger_of(plan: FlairPlan, network: Any) -> Tagger:
    """The tagger that runs a flair network, which it sets to evaluate."""
    import torch

    from dpdeid.detect.taggers.flair_network import emissions, head, one_thread

    network.eval()

    def run(ids: Array) -> Array:
        with torch.inference_mode(), one_thread():
            rows = emissions(network, torch.from_numpy(ids)[None], torch.tensor([len(ids)]))
        scores: Array = rows[0].numpy()
        return scores

    learned = head(network)
    return Tagger(plan, run, learned and (learned[0].numpy(), learned[1].numpy()))
