"""What a word is, beside its letters: its shape, its place on the line, and the lists it is in.

Extra inputs of the transformer tagger, with what the rules propose for the word. A small model
cannot learn 219,000 surnames; the lists know them. A class is evidence only: the tagger weighs it
against the context, and learns when to trust a rule. The names of the classes stand in the model
folder, so that a model is never fed another set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect import vocabulary as v
from dpdeid.detect.place_index import names, population
from dpdeid.detect.vocabulary import TRAITS
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.memo import Memo
from dpdeid.normalize import fold
from dpdeid.spans import disjoint
from dpdeid.tags import encode

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


def _word(word: str) -> int:
    return _shape(word) | _lists(fold(word))


_WORDS: Final = Memo(_word)


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
