"""What feeds the learned taggers: the rules' spans, word pieces with their classes, a fingerprint.

A tagger judges a token by its first piece, and every piece knows the classes of its token: shape,
place on the line, the lists it is in, what the rules say. Offsets are code points of the raw text.

Once a rule or list is edited a tagger is fed something else than it was trained and scored with,
and nothing fails. So a model's card records the fingerprint of its inputs, and `drift` says what
has changed since. Only values are hashed, and what is made of them, not the code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpdeid import gazetteers
from dpdeid.detect.names import vocabulary as v
from dpdeid.detect.names.lookup import Lookup
from dpdeid.detect.names.vocabulary import TEXTS, TRAITS
from dpdeid.detect.places.index import names, population
from dpdeid.detect.places.lookup import LookupPlaces
from dpdeid.detect.rules import Patterns
from dpdeid.detect.rules.fragments import FAMILIES, family
from dpdeid.detect.rules.row_files import rows
from dpdeid.detect.taggers.card import ModelCard, read_card, write_card
from dpdeid.detect.taggers.features import Extractor
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.spans import disjoint, encode
from dpdeid.tokens import Tokens

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

    Array = np.ndarray[Any, np.dtype[Any]]


_TRAITS: Final = {
    "word": v.WORD,
    "first_name": v.FIRST,
    "surname": v.LAST,
    "common_surname": v.COMMON,
    "stop": v.STOP,
    "civility": v.TITLE,
    "role": v.ROLE,
    "particle": v.PARTICLE,
    "eponym": v.EPONYM,
    "frequent_first_name": v.FREQUENT,
    "letter": v.LETTER,
    "sole": v.SOLE,
}
_SHAPES: Final = ("lower_case", "title_case", "upper_case", "mixed_case", "mark")
_DIGITS: Final = 5
_LISTS: Final = ("common_word", "very_common_word", "unknown", "place", "large_place", "country")
_LINES: Final = ("opens_line", "opens_paragraph", "closes_line", "glued")
CLASSES: Final = (
    *_SHAPES,
    *(f"digits_{n}" for n in range(1, _DIGITS + 1)),
    *_TRAITS,
    *_LISTS,
    *_LINES,
    "rule_begins",
    *(f"rule_{label}" for label in Label),
)
"""The names of the classes: class i is bit i."""
_BIT: Final = {name: 1 << index for index, name in enumerate(CLASSES)}
_VERY_COMMON: Final = 1_000
_LARGE: Final = 5_000


def _shape(word: str) -> int:
    if word.isdigit():
        return _BIT[f"digits_{min(len(word), _DIGITS)}"]
    if not word.isalpha():
        return _BIT["mark"]
    if word.islower():
        return _BIT["lower_case"]
    if word.isupper():
        return _BIT["upper_case"]
    return _BIT["title_case" if word.istitle() else "mixed_case"]


def _lists(word: str) -> int:
    traits = TRAITS[word]
    bits = sum(_BIT[name] for name, trait in _TRAITS.items() if traits & trait)
    if not word.isalpha():
        return bits
    rank = gazetteers.common_words().get(word)
    if rank is not None:
        bits |= _BIT["common_word"] | (_BIT["very_common_word"] if rank < _VERY_COMMON else 0)
    index = names()
    if word in index.alone:
        bits |= _BIT["place"] | (_BIT["large_place"] if population(word) >= _LARGE else 0)
    if word in index.countries:
        bits |= _BIT["country"]
    if not traits & (v.WORD | v.FIRST | v.LAST):
        bits |= _BIT["unknown"]
    return bits


_WORDS: Final = Memo(lambda word: _shape(word) | _lists(fold(word)))


def word_classes(doc: Document, rules: Iterable[Span]) -> list[int]:
    """One number a token: the bits of its classes (see `CLASSES`).

    Args:
        rules: what the rules propose; where two overlap, the larger counts.
    """
    text, tokens = doc.text, doc.tokens
    bits = list(map(_WORDS.__getitem__, tokens.texts))
    for index, tag in enumerate(encode(disjoint(rules), tokens)):
        if tag[2:]:
            begins = _BIT["rule_begins"] if tag[0] == "B" else 0
            bits[index] |= _BIT[f"rule_{tag[2:]}"] | begins
    done = 0
    for index, (start, end) in enumerate(tokens):
        between = text[done:start]
        if "\n" in between or not index:
            bits[index] |= _BIT["opens_line"]
            if index:
                bits[index - 1] |= _BIT["closes_line"]
            if between.count("\n") > 1:
                bits[index] |= _BIT["opens_paragraph"]
        elif not between:
            bits[index] |= _BIT["glued"]
        done = end
    if bits:
        bits[-1] |= _BIT["closes_line"]
    return bits


AROUND: Final = (0, -2, -1, 1, 2)
"""A piece knows the classes of its token and of the tokens at these distances."""
WIDTH: Final = len(AROUND) * len(CLASSES)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one note.

    Args:
        ids: (P,) int64.
        first: (N + 1,) first piece of each token, then P. Never falls.
        silent: (N,) bool; tokens that no piece shows.
        owner: (P,) token of each piece, -1 for what lies between tokens (line breaks).
    """

    ids: Array
    first: Array
    silent: Array
    owner: Array

    def sizes(self) -> list[int]:
        """How many pieces belong to each token, those before the next one counted."""
        import numpy as np

        sizes: list[int] = np.diff(self.first).tolist()
        return sizes


def cut(text: str, tokens: Tokens, tokenizer: Tokenizer) -> Pieces:
    """The pieces of a text, without special ones."""
    import numpy as np

    encoded = tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
    offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2)
    shown = offsets[:, 0] < offsets[:, 1]
    ids = np.array(encoded.ids, np.int64)[shown]
    begins, ends = offsets[shown].T
    ends = np.maximum.accumulate(ends) if len(ends) else ends
    starts, stops = np.array(tokens.starts, np.int64), np.array(tokens.ends, np.int64)
    first = np.append(np.searchsorted(ends, starts, side="right"), len(ids))
    silent = np.ones(len(starts), bool)
    real = first[:-1] < len(ids)
    silent[real] = begins[first[:-1][real]] >= stops[real]
    owner = np.searchsorted(stops, ends - 1, side="right")
    inside = owner < len(stops)
    inside[inside] = starts[owner[inside]] < ends[inside]
    return Pieces(ids, first, silent, np.where(inside, owner, -1))


def class_rows(doc: Document, rules: Iterable[Span], pieces: Pieces) -> Array:
    """The classes of each piece's token and of its neighbours: (P, WIDTH) float32 of 0 and 1.

    Args:
        rules: what the rules propose in the note.
    """
    import numpy as np

    bits = np.array(word_classes(doc, rules), np.int64)
    own = ((bits[:, None] >> np.arange(len(CLASSES))) & 1).astype(np.float32)  # (N, C)
    reach = max(AROUND)
    padded = np.pad(own, ((reach, reach + 1), (0, 0)))
    count = len(own)
    rows = np.concatenate([padded[reach + d : reach + d + count + 1] for d in AROUND], 1)
    rows[count:] = 0  # the last is for pieces between tokens
    found: Array = rows[pieces.owner]
    return found


_RULES: Final = (Patterns(), Lookup(), LookupPlaces())
SHIPPED: Final = ("crf.crfsuite", "transformer")
"""The models of the package that are fed by rules and lists."""
_MARK: Final = re.compile(r"«[A-Z_]+:([^»]*)»")


def rule_spans(doc: Document) -> tuple[Span, ...]:
    """The spans of all rules that need nothing but the text; they may overlap.

    The rules remember the last notes: a policy with rules and taggers runs them once.
    """
    return tuple(span for detector in _RULES for span in detector(doc))


def inputs(kind: str) -> dict[str, str]:
    """The fingerprint of what feeds the taggers of a kind, by part; {} for one that reads words
    alone. "rules" are the files of rows, "lists" the gazetteers they read and the closed lists but
    those that only speak against taggers, and "features" what the code makes of both in the
    examples of all rows.
    """
    if kind not in ("crf", "transformer"):
        return {}
    lists = [json.dumps(row) for row in sorted(TEXTS.items()) if not row[0].startswith("veto_")]
    return {
        "rules": _digest(json.dumps(family(name)) for name in FAMILIES),
        "lists": _digest([gazetteers.fingerprint(gazetteers.FEEDING), *lists]),
        "features": _digest(_features(kind)),
    }


def drift(card: ModelCard) -> tuple[str, ...]:
    """The parts of its inputs in which today differs from when the model was last scored."""
    now = inputs(card.kind)
    return tuple(part for part in now if card.inputs.get(part) != now[part])


def record(model: Path) -> None:
    """Writes today's inputs on the card of a model that was trained or scored again.

    Raises:
        ModelError: the model or its card is missing, or the card cannot be written.
    """
    card = read_card(model)
    write_card(model, replace(card, inputs=inputs(card.kind)))


def record_shipped() -> None:
    """Writes today's inputs on the cards of the models in this checkout: `make inputs`."""
    models = Path(__file__).parents[2] / "models"
    for model in SHIPPED:
        record(models / model)


def _features(kind: str) -> Iterator[str]:
    """What a tagger of the kind is told of each token, in the examples of all rows."""
    extract = Extractor()
    for text in sorted(
        {_MARK.sub(r"\1", line) for row in rows() for line in (row.example, *row.never)}
    ):
        doc = Document("example", text)
        spans = rule_spans(doc)
        yield json.dumps(extract(doc, spans) if kind == "crf" else word_classes(doc, spans))
    yield "" if kind == "crf" else json.dumps(CLASSES)


def _digest(lines: Iterable[str]) -> str:
    digest = sha256()
    for line in lines:
        digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
