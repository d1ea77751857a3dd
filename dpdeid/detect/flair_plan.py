"""The folder of a flair tagger: what lies in it, and why another one is refused.

    plan.json          tags, vocabulary and sizes of the network (see `FlairPlan`)
    model.safetensors  its weights
    card.json          what it was trained on

flair's own `.pt` files are pickles: reading one runs whatever code it holds, and a digest only says
that the file is the one its sender meant. So none is read, and the network is built anew from its
plan. The vocabulary holds words of the training notes in clear.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from dpdeid.detect.tagger_files import check_tags
from dpdeid.detect.windows import Window, sentence_starts, windows
from dpdeid.document import Document
from dpdeid.errors import ModelError
from dpdeid.labels import Label

PLAN: Final = "plan.json"
WEIGHTS: Final = "model.safetensors"
UNKNOWN: Final = ("<lower>", "<Title>", "<UPPER>", "<digits>", "<other>")
"""What stands for a word outside the vocabulary, by its shape: the first entries of every one."""
_RETRAIN: Final = "make one with `dpdeid train flair`"
_LARGEST: Final = 10_000
"""Of any size of a network."""
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class FlairPlan:
    """What a network is built from, and how it is fed.

    Args:
        tags: of its outputs, in their order; "O" first.
        vocabulary: the words that have an embedding of their own, digits folded to 0; it begins
            with `UNKNOWN`.
        layers: of the LSTM.
        crf: whether a CRF reads its outputs.
        embedding, hidden: numbers a word has; and a state of each direction.
        words, overlap: most tokens in a window; how many two neighbours share.
    """

    tags: tuple[str, ...]
    vocabulary: tuple[str, ...]
    layers: int = 1
    crf: bool = False
    embedding: int = 128
    hidden: int = 64
    words: int = 128
    overlap: int = 24

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels it can find."""
        return tuple(Label(tag[2:]) for tag in self.tags if tag.startswith("B-"))

    def cut(self, doc: Document) -> Iterator[Window]:
        """The windows of a note, see `windows`."""
        return windows(
            sentence_starts(doc.tokens, doc.text),
            [1] * len(doc.tokens),
            words=self.words,
            room=self.words,
            overlap=self.overlap,
        )

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=0, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """The plan in a text. `source` names it in errors.

        Raises:
            ModelError: it is damaged, or its tags are not ours.
        """
        try:
            row = json.loads(text)
            frozen: Any = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
            plan = cls(**frozen)
            check_tags(plan.tags, source, _RETRAIN)
            plan._check()
        except (AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{source} is damaged: {error}; {_RETRAIN}") from None
        return plan

    def _check(self) -> None:
        for name in ("layers", "embedding", "hidden", "words"):
            if type(getattr(self, name)) is not int or not 1 <= getattr(self, name) <= _LARGEST:
                raise ValueError(f"{name} must be a whole number, 1 to {_LARGEST:,}")
        if type(self.overlap) is not int or not 0 <= self.overlap < self.words:
            raise ValueError("overlap must be a whole number, 0 to less than words")
        if type(self.crf) is not bool:
            raise ValueError("crf must be true or false")
        if not all(isinstance(word, str) and word for word in self.vocabulary):
            raise ValueError("the vocabulary must be words")
        if len(set(self.vocabulary)) < len(self.vocabulary):
            raise ValueError("a word stands twice in the vocabulary")
        if self.vocabulary[: len(UNKNOWN)] != UNKNOWN:
            raise ValueError(f"the vocabulary must begin with {', '.join(UNKNOWN)}")


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
        raise ModelError(f"{path} is missing: {folder} is no flair model; {_RETRAIN}")
    try:
        return FlairPlan.from_json(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read {path}: {type(error).__name__}") from None
