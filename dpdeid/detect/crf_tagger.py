"""A CRF at work: chances of BIO tags over the clinical tokens, and the spans that they make.

Linear-chain conditional random field (Lafferty et al. 2001; CRFsuite, Okazaki 2007).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from dpdeid.detect.books import by_parts
from dpdeid.detect.card import ModelCard, check_files, read_card
from dpdeid.detect.chances import Chances, kind_of
from dpdeid.detect.features import Extractor
from dpdeid.detect.rules import rule_spans
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.tags import OUTSIDE, decode
from dpdeid.tokens import Tokens

NAME: Final = "crf"
_WINDOW: Final = 400
_LONGEST: Final = 1_000
"""Tokens after which a sequence ends at the next line, and at any token."""

FAINT: Final = 0.005
"""A chance that is not looked at."""


def crfsuite() -> Any:
    """The module `pycrfsuite`.

    Raises:
        ModelError: it is not installed.
    """
    try:
        import pycrfsuite
    except ImportError:
        raise ModelError(
            "the CRF tagger needs python-crfsuite: pip install python-crfsuite"
        ) from None
    return pycrfsuite


class Tagger:
    """A model that is ready to tag. One tagger serves one thread.

    Args:
        data: the model file.
        card: what it is; its labels must be those of the file.
        source: names the model in errors.

    Raises:
        ModelError: the file is damaged or not what its card says.
    """

    __slots__ = ("_chances", "_data", "_direct", "_extract", "_others", "_tagger", "_tags", "card")

    def __init__(self, data: bytes, card: ModelCard, source: str) -> None:
        self.card = card
        if card.kind != "crf":
            raise ModelError(f"{source} is a model of the kind {card.kind}, not crf")
        if sha256(data).hexdigest() not in card.files.values():
            raise ModelError(f"{source} is damaged or not the one of its card: copy both again")
        try:
            self._chances = Chances.of_settings(card.settings)
        except ValueError:
            raise ModelError(f"{source}: a chance on its card is no number") from None
        module = crfsuite()
        self._data = data  # CRFsuite reads it where it lies
        self._tagger: Any = module.Tagger()
        try:
            self._tagger.open_inmemory(data)
            known = self._tagger.info().attributes
        except (ValueError, module.CRFSuiteError) as error:
            raise ModelError(f"{source} is no CRF model ({type(error).__name__})") from None
        tags: set[str] = set(self._tagger.labels())
        own = {f"{prefix}-{label}" for label in card.labels for prefix in "BI"}
        if OUTSIDE not in tags or tags - own - {OUTSIDE}:
            other = sorted(tags - own - {OUTSIDE}) or ["no O"]
            raise ModelError(f"{source} has other labels than its card: {other[0]}")
        self._tags: Final = tags - {OUTSIDE}
        self._direct: Final = [tag for tag in sorted(self._tags) if Label(tag[2:]).is_direct]
        self._others: Final = sorted(self._tags.difference(self._direct))
        self._extract = Extractor(known)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The tagger of a model file with its card beside it.

        Raises:
            ModelError: one of them is missing, damaged or of another kind.
        """
        card = read_card(path)
        if path.is_dir():
            raise ModelError(f"{path} is a folder: a CRF model is one file")
        check_files(path, card)
        return cls(path.read_bytes(), card, str(path))

    def read_by(self, chances: Chances) -> Self:
        """The same tagger under another calibration."""
        return type(self)(
            self._data,
            replace(self.card, settings={**self.card.settings, **chances.settings()}),
            self.card.name,
        )

    def spans(
        self, doc: Document, outside: float, *, recall_first: bool = False
    ) -> tuple[Span, ...]:
        """The spans of a note; a book is read in parts.

        Args:
            outside, recall_first: see `dpdeid.detect.crf.Crf`.
        """
        least = dict.fromkeys((tag[2:] for tag in self._direct), 1 - outside)
        if recall_first:
            least |= self._chances.recall
        return by_parts(doc, lambda part: self._of_note(part, least))

    def marginals(self, doc: Document) -> Iterator[dict[str, float]]:
        """Of each token of a note the chance of every label, as learned and not calibrated; {} for
        one that is outside for sure."""
        for at, _ in self._tagged(doc):
            sure = 1 - self._marginal(at, OUTSIDE) < FAINT
            yield {} if sure else {x: self._of_label(at, x) for x in self.card.labels}

    def _tagged(self, doc: Document) -> Iterator[tuple[int, str]]:
        """Each token's place in its window and likeliest tag, while CRFsuite holds the window."""
        items = self._extract(doc, rule_spans(doc))
        for start, stop in windows(doc.tokens, doc.text):
            self._tagger.set(items[start:stop])
            yield from enumerate(self._tagger.tag())

    def _of_note(self, doc: Document, least: Mapping[str, float]) -> tuple[Span, ...]:
        tags, scores = list[str](), list[float]()
        words = zip(doc.tokens.texts, doc.tokens.folded, strict=True)
        for (at, best), (text, folded) in zip(self._tagged(doc), words, strict=True):
            tag, score = OUTSIDE, 1.0
            if best != OUTSIDE or 1 - self._marginal(at, OUTSIDE) >= FAINT:
                kind = kind_of(text, folded)
                tag = self._choose(at, best, kind, least)
                if tag != OUTSIDE:
                    score = self._chances.of(kind, self._of_label(at, tag[2:]))
            tags.append(tag)
            scores.append(score)
        return decode(tags, doc.tokens, source=NAME, scores=scores)

    def _choose(self, at: int, best: str, kind: str, least: Mapping[str, float]) -> str:
        """The tag of a token. A direct one needs the `least` chance of its label, for all direct
        tags together; so do the others if the best is outside and they have such a chance."""
        direct = best in self._direct
        if best != OUTSIDE and not direct:
            return best
        for group, alone in ((self._direct, False), (self._others, True)):
            chances = {tag: self._marginal(at, tag) for tag in group if tag[2:] in least}
            if chances:
                tag = best if direct else max(chances, key=chances.__getitem__)
                chance = self._of_label(at, tag[2:]) if alone else sum(chances.values())
                if self._chances.of(kind, chance) > least[tag[2:]]:
                    return tag
            if direct:
                break
        return OUTSIDE

    def _marginal(self, at: int, tag: str) -> float:
        return float(self._tagger.marginal(tag, at))

    def _of_label(self, at: int, label: str) -> float:
        """The marginal probability of a label, in [0, 1]."""
        both = (f"{prefix}-{label}" for prefix in "BI")
        return min(1.0, sum(self._marginal(at, tag) for tag in both if tag in self._tags))


def windows(tokens: Tokens, text: str) -> Iterator[tuple[int, int]]:
    """Stretches of tokens, [first, stop), that are tagged as one sequence each: the whole of a
    short note; a longer one is cut at line ends. Features are those of the whole note.
    """
    start, size = 0, len(tokens)
    while start < size:
        last = min(size, start + _LONGEST)
        stop = next((i for i in range(start + _WINDOW, last) if _opens(i, tokens, text)), last)
        yield start, stop
        start = stop


def _opens(index: int, tokens: Tokens, text: str) -> bool:
    return "\n" in text[tokens.ends[index - 1] : tokens.starts[index]]
