"""BIO tags of a network's scores: its specification, windows over a note, and the best sequence.

The sequence is exact (Viterbi) among the valid ones, which have no I- without its B- or I- before
it; `marginals` says how sure each tag is. A longer text is read in chunks, so that memory does not
grow with it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from dpdeid.document import Document, Span
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.spans import OUTSIDE, decode
from dpdeid.tokens import Tokens

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


def bio_tags(labels: Iterable[Label]) -> tuple[str, ...]:
    """The tags of some labels: "O", then "B-" and "I-" of each."""
    return (OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI"))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSpec:
    """How a network is fed and read, as a JSON file of its folder says.

    Args:
        tags: of its outputs, in their order; "O" first.
        words, overlap: most tokens in a window; how many two neighbours share.
    """

    retrain: ClassVar[str]
    tags: tuple[str, ...]
    words: int
    overlap: int = 24

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels it can find."""
        return tuple(Label(tag[2:]) for tag in self.tags if tag.startswith("B-"))

    def check(self, source: str) -> None:
        """Refuses what no network of the kind has.

        Raises:
            ModelError, ValueError: what is wrong.
        """

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """The specification in a text. `source` names it in errors.

        Raises:
            ModelError: it is damaged, or not for this package.
        """
        try:
            spec = cls(**{key: _frozen(value) for key, value in json.loads(text).items()})
            if other := sorted(set(spec.tags) - set(bio_tags(Label))):
                raise ModelError(
                    f"{source}: the tag {other[0]!r} is not one of ours (B- or I- and a label of "
                    f"dpdeid.labels); {cls.retrain}"
                )
            if spec.tags != bio_tags(spec.labels):
                raise ValueError("tags must be O, then B- and I- of each label")
            spec.check(source)
        except (AttributeError, TypeError, ValueError) as error:
            raise ModelError(f"{source} is damaged: {error}; {cls.retrain}") from None
        return spec

    @classmethod
    def read(cls, path: Path) -> Self:
        """The specification in a file.

        Raises:
            ModelError: as `from_json`, or the file cannot be read.
        """
        try:
            return cls.from_json(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise ModelError(f"cannot read {path}: {type(error).__name__}") from None


CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
FORBIDDEN = -1e4
"""The log score of a step that BIO does not allow."""

_FAINTEST = -300.0
"""A tag further behind the best of its token counts as if it were so far: its share is not zero."""


def constraints(tags: Sequence[str]) -> tuple[Array, Array]:
    """Log scores of what BIO allows, 0 or `FORBIDDEN`: of the first tag (K,), of steps (K, K).

    `steps[i, j]` is from tag i to tag j.
    """
    import numpy as np

    start = np.zeros(len(tags), np.float32)
    steps = np.zeros((len(tags), len(tags)), np.float32)
    for j, tag in enumerate(tags):
        if tag.startswith("I-"):
            start[j] = FORBIDDEN
            steps[:, j] = FORBIDDEN
            for i, before in enumerate(tags):
                if before[2:] == tag[2:]:
                    steps[i, j] = 0.0
    return start, steps


def best_tags(scores: Array, start: Array, steps: Array) -> Array:
    """The tags (N,) int of the best sequence, by Viterbi.

    Args:
        scores: (N, K) log scores of the tags at each token, in the order of `bio_tags`.
        start: (K,) log scores of the first tag.
        steps: (K, K) log scores of steps from one tag to the next.
    """
    import numpy as np

    count = len(scores)
    tags = np.empty(count, np.int64)
    if not count:
        return tags
    likely: Array = scores.argmax(1)
    if (
        not (start[likely[0]] or steps[likely[:-1], likely[1:]].any())
        and max(start.max(), steps.max()) <= 0
    ):
        return likely  # no step costs anything, and none would win anything
    back = np.empty((count, scores.shape[1]), np.int64)
    total = scores[0] + start
    into = np.ascontiguousarray(steps.T)  # (to, from)
    columns = np.arange(scores.shape[1])
    for at in range(1, count):
        ways = into + total  # (K, K)
        best = ways.argmax(1)
        back[at] = best
        total = ways[columns, best] + scores[at]
    tags[-1] = total.argmax()
    for at in range(count - 1, 0, -1):
        tags[at - 1] = back[at, tags[at]]
    return tags


def marginals(scores: Array, start: Array, steps: Array) -> Array:
    """The probability of each tag at each token among the valid sequences: (N, K) float64, rows sum
    to 1. Forward-backward (Baum et al. 1970); for the arguments see `best_tags`.
    """
    import numpy as np

    own = np.exp(np.maximum(scores - scores.max(1, keepdims=True), _FAINTEST), dtype=np.float64)
    step = np.exp(steps - steps.max(), dtype=np.float64)  # what BIO does not allow becomes 0
    before, after = np.empty_like(own), np.ones_like(own)
    row = np.exp(start - start.max(), dtype=np.float64)
    for at in range(len(own)):
        row = own[at] * (row @ step if at else row)
        row /= row.sum()
        before[at] = row
    for at in range(len(own) - 1, 0, -1):
        row = step @ (own[at] * after[at])
        after[at - 1] = row / row.sum()
    found: Array = before * after
    found /= found.sum(1, keepdims=True)
    return found


def spans_of(
    tags: Array, chances: Array, names: Sequence[str], tokens: Tokens, *, source: str
) -> tuple[Span, ...]:
    """The spans of decoded tags; a score is the least chance of the label over the tokens.

    Args:
        tags: (N,) numbers of tags.
        chances: (N, K) of each tag at each token.
        names: of the tags: "O", then B- and I- of each label, side by side.
    """
    import numpy as np

    both = chances[:, 1::2] + chances[:, 2::2]
    inside = np.arange(len(tags)), np.maximum(tags - 1, 0) // 2
    sure = np.clip(np.where(tags > 0, both[inside], 1.0), 1e-6, 1.0)
    return decode([names[tag] for tag in tags], tokens, source=source, scores=sure.tolist())


_ENDS = frozenset(".!?…")


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens [start, end) of a note; those in [own_start, own_end) are judged here."""

    start: int
    end: int
    own_start: int
    own_end: int


def sentence_starts(tokens: Tokens, text: str) -> list[int]:
    """Indices of tokens that begin a line, or follow the mark that ends a sentence."""
    starts = []
    done = 0
    for index, (start, end) in enumerate(tokens):
        opens = "\n" in text[done:start]
        if not opens and index and tokens.texts[index - 1] in _ENDS:
            opens = done < start and not tokens.texts[index][:1].islower()
        if opens or not index:
            starts.append(index)
        done = end
    return starts


def windows(
    starts: Sequence[int], sizes: Sequence[int], *, words: int, room: int, overlap: int
) -> Iterator[Window]:
    """Windows that cover all tokens; each token is judged in exactly one of them.

    Args:
        starts: tokens at which a window may begin or end; where none fits, it is cut anywhere.
        sizes: how many pieces each token has.
        words: most tokens in a window, at least 1.
        room: most pieces in a window; a token with more has a window of its own.
        overlap: tokens that two neighbours share, where sentences allow; less than `words`.
    """
    total = list(accumulate(sizes, initial=0))
    count = len(sizes)
    cuts: list[tuple[int, int]] = []
    start = 0
    while start < count:
        fits = bisect_right(total, total[start] + room) - 1
        end = min(start + words, max(fits, start + 1))
        if end < count:
            end = _at_sentence(starts, (start + end + 1) // 2, end)
        cuts.append((start, min(end, count)))
        if end >= count:
            break
        start = _at_sentence(
            starts, max(start + 1, end - 2 * overlap), max(start + 1, end - overlap)
        )
    own = 0
    for place, (start, end) in enumerate(cuts):
        own_end = count if place + 1 == len(cuts) else (cuts[place + 1][0] + end) // 2
        yield Window(start, end, own, own_end)
        own = own_end


def _at_sentence(starts: Sequence[int], low: int, high: int) -> int:
    """The last sentence start in [low, high], `high` if there is none."""
    at = bisect_right(starts, high)
    return starts[at - 1] if at and starts[at - 1] >= low else high


_CHARACTERS: Final = 100_000
_TOKENS: Final = 20_000
"""More of either, and a text is read in parts."""
_WORD: Final = 1_000
"""Characters of a token that is no word: nothing is looked for in it."""


def in_chunks(doc: Document, read: Callable[[Document], Iterable[Span]]) -> tuple[Span, ...]:
    """What `read` finds in a note, or in the chunks of a longer text, each a note of its own."""
    if len(doc.text) <= _CHARACTERS and len(doc.tokens) <= _TOKENS:
        return tuple(read(doc))
    found: list[Span] = []
    for start, end in parts(doc):
        if any(map(str.isalnum, doc.text[start:end])):
            spans = read(Document(doc.id, doc.text[start:end]))
            found += [replace(s, start=s.start + start, end=s.end + start) for s in spans]
    return tuple(found)


def by_token(doc: Document, read: Callable[[Document], Array], width: int) -> Array:
    """What `read` says of each token of a note, or in the chunks of a longer text, (N, `width`);
    zeros for a token that is no word.
    """
    import numpy as np

    if len(doc.text) <= _CHARACTERS and len(doc.tokens) <= _TOKENS:
        return read(doc)
    found = np.zeros((len(doc.tokens), width), np.float32)
    for start, end in parts(doc):
        said, own = read(Document(doc.id, doc.text[start:end])), doc.tokens.over(start, end)
        if len(said) == len(own):
            found[own.start : own.stop] = said
    return found


def parts(doc: Document) -> Iterator[tuple[int, int]]:
    """Stretches [start, end) of whole tokens that are words; half full, one ends with its line."""
    start = end = -1
    count = 0
    for first, last in doc.tokens:
        full = count >= _TOKENS or last - start > _CHARACTERS
        line = 2 * count >= _TOKENS and "\n" in doc.text[end:first]
        if count and (full or line or last - first > _WORD):
            yield start, end
            count = 0
        if last - first <= _WORD:
            start, end = first if count == 0 else start, last
            count += 1
    if count:
        yield start, end


PLAN: Final = "plan.json"
UNKNOWN: Final = ("<lower>", "<Title>", "<UPPER>", "<digits>", "<other>")
"""What stands for a word outside the vocabulary, by its shape: the first entries of every one."""
_LARGEST: Final = 10_000
"""Of any size of a network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlairPlan(NetworkSpec):
    """What a network is built from, and how it is fed.

    Args:
        vocabulary: the words that have an embedding of their own, digits folded to 0; it begins
            with `UNKNOWN`.
        layers: of the LSTM.
        crf: whether a CRF reads its outputs.
        embedding, hidden: numbers a word has; and a state of each direction.
    """

    retrain: ClassVar[str] = "make one with `dpdeid train flair`"
    vocabulary: tuple[str, ...]
    layers: int = 1
    crf: bool = False
    embedding: int = 128
    hidden: int = 64
    words: int = 128

    def cut(self, doc: Document) -> Iterator[Window]:
        """The windows of a note, see `windows`."""
        return windows(
            sentence_starts(doc.tokens, doc.text),
            [1] * len(doc.tokens),
            words=self.words,
            room=self.words,
            overlap=self.overlap,
        )

    def check(self, source: str) -> None:
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
