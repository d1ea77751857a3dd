"""The CRF tagger: spans from calibrated chances of BIO tags, by features and not by word pieces.

The role of MEDINA in the HNFC hybrid (Tchouka et al. 2022), with the proposals of the rules among
its features. A model file holds words of its training notes in clear; its card says whether they
were real ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

import numpy as np

from dpdeid.detect.names.name_tokens import without_eponyms
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.detect.taggers.card import ModelCard, card_path, checked_card, read_card
from dpdeid.detect.taggers.features import Extractor
from dpdeid.detect.taggers.inputs import rule_spans
from dpdeid.detect.taggers.sequences import by_token, in_chunks
from dpdeid.document import Document, Span
from dpdeid.errors import ModelError
from dpdeid.labels import Label
from dpdeid.spans import OUTSIDE, decode
from dpdeid.tokens import Tokens

Array = np.ndarray[Any, np.dtype[Any]]

KINDS: Final = ("unlisted", "short", "name", "capital", "word", "number", "other")
_SHORT: Final = 4
_SURE: Final = 0.999
"""Calibration beyond it, and below its complement, count as it: a log odds has no end."""

Line = tuple[float, float]
"""Slope and shift of the log odds."""


def kind_of(text: str, folded: str) -> str:
    """The kind of a token: "unlisted" is in no list of words ("short": and an abbreviation by its
    look), "name" in a list of names and capitalised; "capital" and "word" are the other words of
    the lists; "number" is digits, and "other" what is no word.
    """
    if not text.isalpha():
        return "number" if text.isdecimal() else "other"
    found = EVIDENCE[folded]
    if found.suspicious:
        return "short" if text.isupper() and len(text) <= _SHORT else "unlisted"
    if text[0].islower():
        return "word"
    return "name" if found.first_name or found.surname or found.name_word else "capital"


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the chances of one model are read.

    Args:
        lines: kind of token → its line; a kind without one is taken at its word.
        recall: label → the least chance with which its tokens reached a target recall.
    """

    lines: Mapping[str, Line] = field(default_factory=dict)
    recall: Mapping[str, float] = field(default_factory=dict)

    def of(self, kind: str, chance: float) -> float:
        """The calibrated chance, in (0, 1)."""
        slope, shift = self.lines.get(kind, (1.0, 0.0))
        return 1 / (1 + math.exp(-slope * log_odds(chance) - shift))

    def settings(self) -> dict[str, float]:
        """The same as flat entries of a model card."""
        flat = {f"recall/{label}": least for label, least in self.recall.items()}
        for kind, (slope, shift) in self.lines.items():
            flat |= {f"slope/{kind}": slope, f"shift/{kind}": shift}
        return flat

    @classmethod
    def of_settings(cls, settings: Mapping[str, str | int | float]) -> Calibration:
        """What a model card says; what it does not say is left out.

        Raises:
            ValueError: an entry is no number.
        """
        lines = {
            kind: (float(settings[f"slope/{kind}"]), float(settings[f"shift/{kind}"]))
            for kind in KINDS
            if f"slope/{kind}" in settings and f"shift/{kind}" in settings
        }
        recall = {
            key.removeprefix("recall/"): float(value)
            for key, value in settings.items()
            if key.startswith("recall/")
        }
        return cls(lines, recall)


def log_odds(chance: float) -> float:
    """Of a chance in [0, 1]; at most those of 0.999, either way."""
    chance = min(_SURE, max(1 - _SURE, chance))
    return math.log(chance / (1 - chance))


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
    """A model that is ready to tag. One tagger serves one thread; it holds a number a token for
    notes that live.

    Args:
        data: the model file.
        card: what it is; its labels must be those of the file.
        source: names the model in errors.

    Raises:
        ModelError: the file is damaged or not what its card says.
    """

    __slots__ = (
        "_calibration",
        "_direct",
        "_extract",
        "_kept",
        "_others",
        "_tagger",
        "_tags",
        "card",
        "data",
    )

    def __init__(self, data: bytes, card: ModelCard, source: str) -> None:
        self.card = card
        if card.kind != "crf":
            raise ModelError(f"{source} is a model of the kind {card.kind}, not crf")
        if sha256(data).hexdigest() not in card.files.values():
            raise ModelError(f"{source} is damaged or not the one of its card: copy both again")
        try:
            self._calibration = Calibration.of_settings(card.settings)
        except ValueError:
            raise ModelError(f"{source}: a chance on its card is no number") from None
        module = crfsuite()
        self.data = data  # CRFsuite reads it where it lies
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
        self._kept: WeakKeyDictionary[Document, Array] = WeakKeyDictionary()

    @classmethod
    def read(cls, path: Path) -> Self:
        """The tagger of a model file with its card beside it.

        Raises:
            ModelError: one of them is missing, damaged or of another kind.
        """
        if path.is_dir():
            raise ModelError(f"{path} is a folder: a CRF model is one file")
        card = checked_card(path)
        return cls(path.read_bytes(), card, str(path))

    def with_calibration(self, calibration: Calibration) -> Self:
        """The same tagger under another calibration."""
        return type(self)(
            self.data,
            replace(self.card, settings={**self.card.settings, **calibration.settings()}),
            self.card.name,
        )

    def spans(
        self, doc: Document, outside: float, *, recall_first: bool = False
    ) -> tuple[Span, ...]:
        """The spans of a note; a longer text is read in chunks.

        Args:
            outside, recall_first: see `dpdeid.detect.taggers.crf.Crf`.
        """
        least = dict.fromkeys((tag[2:] for tag in self._direct), 1 - outside)
        if recall_first:
            least |= self._calibration.recall
        return in_chunks(doc, lambda part: self._of_note(part, least))

    def chances(self, doc: Document) -> Array:
        """The chances of each token to be part of anything and of a direct identifier, (N, 2), as
        learned and not calibrated; a note that was tagged and still lives is not read again.
        """
        found = self._kept.get(doc)
        if found is None:
            found = by_token(doc, self._chances_of, 2)
            self._kept.pop(doc, None)
            self._kept[doc] = found
        return found

    def _chances_of(self, doc: Document) -> Array:
        self._of_note(doc, {})
        return self._kept[doc]

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
        tags, scores, told = list[str](), list[float](), list[tuple[float, float]]()
        words = zip(doc.tokens.texts, doc.tokens.folded, strict=True)
        marginal = self._tagger.marginal
        for (at, best), (text, folded) in zip(self._tagged(doc), words, strict=True):
            tag, score, chance, some = OUTSIDE, 1.0, 0.0, 1 - marginal(OUTSIDE, at)
            if best != OUTSIDE or some >= FAINT:
                kind = kind_of(text, folded)
                chances = {tag: marginal(tag, at) for tag in self._direct}
                chance = sum(chances.values())
                tag = self._choose(at, best, kind, least, chances)
                if tag != OUTSIDE:
                    score = self._calibration.of(kind, self._of_label(at, tag[2:]))
            tags.append(tag)
            scores.append(score)
            told.append((some, chance))
        self._kept.pop(doc, None)  # the key of an equal note may die first
        self._kept[doc] = np.array(told, np.float32).reshape(-1, 2)
        return decode(tags, doc.tokens, source=NAME, scores=scores)

    def _choose(
        self,
        at: int,
        best: str,
        kind: str,
        least: Mapping[str, float],
        direct: Mapping[str, float],
    ) -> str:
        """The tag of a token. A direct one needs the `least` chance of its label, for all `direct`
        tags together; so do the others if the best is outside and they have such a chance."""
        if best != OUTSIDE and best not in direct:
            return best
        said = {tag: chance for tag, chance in direct.items() if tag[2:] in least}
        if said:
            tag = best if best in direct else max(said, key=said.__getitem__)
            if self._calibration.of(kind, sum(said.values())) > least[tag[2:]]:
                return tag
        others = [] if best in direct else [tag for tag in self._others if tag[2:] in least]
        if others:
            tag = max(others, key=lambda tag: self._marginal(at, tag))
            if self._calibration.of(kind, self._of_label(at, tag[2:])) > least[tag[2:]]:
                return tag
        return OUTSIDE

    def _marginal(self, at: int, tag: str) -> float:
        return float(self._tagger.marginal(tag, at))

    def _of_label(self, at: int, label: str) -> float:
        both = (f"{prefix}-{label}" for prefix in "BI")
        return min(1.0, sum(self._marginal(at, tag) for tag in both if tag in self._tags))


def windows(tokens: Tokens, text: str) -> Iterator[tuple[int, int]]:
    """Stretches of tokens, [first, stop), that are tagged as one sequence each: the whole of a
    short note; a longer one is cut at line ends. Features are those of the whole note.
    """
    start, size, starts, ends = 0, len(tokens), tokens.starts, tokens.ends
    while start < size:
        last = min(size, start + _LONGEST)
        cuts = (i for i in range(start + _WINDOW, last) if "\n" in text[ends[i - 1] : starts[i]])
        stop = next(cuts, last)
        yield start, stop
        start = stop


SHIPPED: Final = "shipped"
_NAME: Final = "crf.crfsuite"


@dataclass(frozen=True, slots=True)
class Crf:
    """Finds spans with a trained conditional random field.

    Args:
        model: a file that `dpdeid train crf` wrote, or "shipped".
        outside: a token whose calibrated chance to be outside every direct label is less than this
            is tagged, in [0.5, 1]; the higher, the more is found and the more is found wrongly.
            The other labels are those of the likeliest row of tags.
        recall_first: use the chances with which each label reached a target recall on held-out
            notes, at a cost in precision; `outside` stands for labels without one.
    """

    name: ClassVar[str] = NAME
    model: str = SHIPPED
    outside: Fraction = Fraction(3, 4)
    recall_first: bool = False

    def __post_init__(self) -> None:
        if not 0.5 <= self.outside <= 1:
            raise ValueError(f"outside lies in [0.5, 1], not {self.outside}")

    def __call__(self, doc: Document) -> Iterable[Span]:
        """The spans of a note; a score is the least calibrated chance of its tokens.

        Raises:
            ModelError: the model is missing, damaged or of another kind, or python-crfsuite is not
                installed.
        """
        found = loaded(self.model).spans(doc, float(self.outside), recall_first=self.recall_first)
        return without_eponyms(doc, found)

    def model_files(self) -> Mapping[str, str]:
        """File of the model → its SHA-256 (hex); so too for its settings, by which it is read.

        Raises:
            ModelError: the model or its card is missing or damaged.
        """
        card = _shipped()[0] if self.model == SHIPPED else read_card(Path(self.model))
        settings = json.dumps(dict(card.settings), sort_keys=True)
        return {**card.files, "settings": sha256(settings.encode()).hexdigest()}


@cache
def loaded(model: str) -> Tagger:
    """The tagger of a model (see `Crf`), read once.

    Raises:
        ModelError: the model is missing, damaged or of another kind.
    """
    if model == SHIPPED:
        card, data = _shipped()
        return Tagger(data, card, _NAME)
    return Tagger.read(Path(model))


def _shipped() -> tuple[ModelCard, bytes]:
    folder = files("dpdeid") / "models"  # inside a zip file, perhaps
    card = card_path(Path(_NAME)).name
    try:
        text, data = (folder / card).read_text(encoding="utf-8"), (folder / _NAME).read_bytes()
    except (OSError, UnicodeDecodeError):
        raise ModelError("the shipped CRF model is missing or damaged: reinstall dpdeid") from None
    return ModelCard.from_json(text, card), data
