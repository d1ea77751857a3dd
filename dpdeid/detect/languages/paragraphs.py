"""Where in a note another language is written: "Herr Zbinden wurde am 3. April operiert."

A line or sentence is of the language whose small words it has, and of French where nothing speaks
for another: the cheapest way through the sentences of a note, where each word costs what it says
against a language, and each change of language something, less at the end of a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.languages.tables import READ, strange, telling, zipf
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.vocabulary import EVIDENCE
from dpdeid.document import Document
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

OTHER: Final = "other"
"""A language that no list has, told by its letters or its words."""
_FEWEST: Final = 2
"""Different words that tell a language, at least."""
_FEWEST_OTHER: Final = 3
_MOST: Final = 6
_ALIEN: Final = re.compile(
    "[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ua7ff\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufefc"
    "\u0100-\u0151\u0154-\u0177\u0179-\u024f\u1ea0-\u1ef9ãõÃÕñÑåÅøØæÆðÐþÞ]"
)
"""Letters that French words do not have."""
_SCRIPT: Final = re.compile(
    "[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ua7ff\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufefc]"
)
"""Letters of another script."""
_GREEK: Final = re.compile("(?<![\u0370-\u03ff])[\u0370-\u03ff]{1,2}(?![\u0370-\u03ff])")
"""Signs of a French note: "α-bloquant"."""
_ENDS: Final = frozenset(".!?:;»)")


def is_alien(text: str) -> bool:
    """Whether a text has a letter that French words do not have."""
    return _ALIEN.search(text) is not None


_STRANGE_SHARE: Final = 0.5
_FEW_WORDS: Final = 8
_LETTERS: Final = 4

_AT_LINE: Final = 1.4
_AT_BLANK: Final = 1.0
_AT_SENTENCE: Final = 2.2
_FOREIGN: Final = 0.1
"""What a change of language costs at the end of a line, at a blank one and of a sentence, and what
each sentence costs that is not French."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens `first` to `stop` (exclusive) in one language: "de", "nl", "it", "en", or another that
    is not read.
    """

    first: int
    stop: int
    language: str

    @property
    def read(self) -> bool:
        """Whether its forms are known here."""
        return self.language in READ


@lru_cache(maxsize=8)  # the merge asks, and the net and the engine again
def stretches(doc: Document) -> tuple[Stretch, ...]:
    """The parts of a note in another language, in order; none in most."""
    folded = doc.tokens.folded
    own = frozenset(folded)
    states = _candidates(doc, own)
    if not states:
        return ()
    parts = list(_sentences(doc))
    costs = {lang: [_cost(doc, part, lang) for part in parts] for lang in ("fr", *states)}
    path = _cheapest(doc, parts, costs)
    return tuple(_joined(doc, parts, path))


def _candidates(doc: Document, own: frozenset[str]) -> list[str]:
    """The languages for which enough speaks to look at the sentences of a note."""
    table = strange()
    hits = Counter(lang for word in own & table.keys() for lang in table[word])
    strange_letters = 0
    if not doc.text.isascii():
        strange_letters = len(_ALIEN.findall(_GREEK.sub("", doc.text)))
    fewest = _FEWEST if strange_letters else _FEWEST_OTHER
    found = [lang for lang in READ if hits[lang] >= _FEWEST]
    found += [x for x, n in hits.most_common(_MOST) if x not in READ and n >= fewest]
    if strange_letters >= _LETTERS or any(map(_is_unheard, doc.text.split("\n"))):
        found.append(OTHER)
    return found


def _is_unheard(line: str) -> bool:
    """Whether a long line has hardly a small word of French, and words that no list has."""
    if len(line) < _LONG_LINE:
        return False
    words, french = line.split(), telling()["fr"]
    if sum(map(french.__contains__, words)) * _SMALL_SHARE > len(words):
        return False
    lower = [fold(word) for word in words if word.isalpha() and word.islower()]
    return len(lower) >= _FEW_WORDS and sum(map(_UNKNOWN.__getitem__, lower)) * 4 > len(lower)


_LONG_LINE: Final = 80
_SMALL_SHARE: Final = 12
"""Of so many words of French one at least is a small one."""


def _unknown(word: str) -> bool:
    if not word.isalpha() or len(word) < _LETTERS:
        return False
    return voc.UNLISTED[word] and not gazetteers.abroad().get(word)


_UNKNOWN: Final = Memo(_unknown)
"""Whether a folded word is in no list of any language."""


def _sentences(doc: Document) -> Iterator[tuple[int, int, str]]:
    """First token, token behind the last, and what parts it from the one before."""
    tokens, text = doc.tokens, doc.text
    first, gap = 0, ""
    for at in range(1, len(tokens) + 1):
        between = text[tokens.ends[at - 1] : tokens.starts[at]] if at < len(tokens) else "\n"
        if "\n" in between or (between and tokens.texts[at - 1] in _ENDS):
            yield first, at, gap
            first, gap = at, between


def _cost(doc: Document, part: tuple[int, int, str], language: str) -> float:
    """What the words of a sentence say against a language."""
    cost = 0.0 if language == "fr" else _FOREIGN * (1 + (language == OTHER))
    weigh = _AGAINST[language]
    texts, folded = doc.tokens.texts, doc.tokens.folded
    return cost + sum(weigh[texts[at], folded[at]] for at in range(*part[:2]))


def _against(language: str) -> Memo[float]:
    mine = telling().get(language, frozenset())
    others = frozenset().union(*(words for lang, words in telling().items() if lang in _SPOKEN))

    def weigh(word: tuple[str, str]) -> float:
        text, key = word
        if not text.isalpha() or key in mine:
            return 0.0
        known = EVIDENCE[key]
        french = known.word or known.name_word
        if _SCRIPT.search(text) and not (len(text) == 1 and _GREEK.match(text)):
            return 1.0 if language == "fr" or language in READ else 0.0
        if language == OTHER:
            if key in telling()["fr"] or (french and text.islower()):
                return 1.0
            return 0.3 if known.known else 0.0
        if key in telling()["fr"] or key in others or (language == "fr" and key in strange()):
            return 1.0
        if language == "fr":
            if french or not text.islower():
                return 0.5 if _ALIEN.search(text) else 0.0
            if _ALIEN.search(text):
                return 1.0
            return 0.5 if _UNKNOWN[key] or gazetteers.abroad().get(key) else 0.0
        if language in READ and zipf(key, language):
            return 0.0
        named = known.first_name or known.surname > 1
        return 0.5 if french and not text.isupper() and not (text.istitle() and named) else 0.0

    return Memo(weigh)


_SPOKEN: Final = ("fr", *READ)


class _Weights(dict[str, Memo[float]]):
    def __missing__(self, language: str) -> Memo[float]:
        found = self[language] = _against(language)
        return found


_AGAINST: Final = _Weights()


def _cheapest(
    doc: Document, parts: Sequence[tuple[int, int, str]], costs: dict[str, list[float]]
) -> list[str]:
    """The language of each sentence on the cheapest way through them."""
    best = {lang: given[0] + (0.0 if lang == "fr" else _AT_LINE) for lang, given in costs.items()}
    steps: list[dict[str, str]] = []
    for at in range(1, len(parts)):
        change = _change(parts[at][2])
        cheapest = min(best, key=lambda lang: best[lang])
        came, after = {}, {}
        for lang, given in costs.items():
            stay, other = best[lang], best[cheapest] + change
            came[lang] = lang if stay <= other else cheapest
            after[lang] = min(stay, other) + given[at]
        steps.append(came)
        best = after
    path = [min(best, key=lambda lang: (best[lang], lang != "fr"))]
    for came in reversed(steps):
        path.append(came[path[-1]])
    return path[::-1]


def _change(gap: str) -> float:
    lines = gap.count("\n")
    return _AT_SENTENCE if not lines else _AT_LINE if lines == 1 else _AT_BLANK


def _joined(
    doc: Document, parts: Sequence[tuple[int, int, str]], path: Sequence[str]
) -> Iterator[Stretch]:
    """Sentences of one language that follow each other, if enough of their words tell it."""
    start = 0
    for at in range(1, len(parts) + 1):
        if at < len(parts) and path[at] == path[start]:
            continue
        first, stop, language = parts[start][0], parts[at - 1][1], path[start]
        if language != "fr" and _is_told(doc, first, stop, language):
            yield Stretch(first, stop, language)
        start = at


def _is_told(doc: Document, first: int, stop: int, language: str) -> bool:
    """Whether enough words of a stretch are of its language, and few of French."""
    folded, table = doc.tokens.folded[first:stop], strange()
    words = [word for word in folded if word.isalpha() and len(word) > 1]
    if language == OTHER:
        text = doc.text[doc.tokens.starts[first] : doc.tokens.ends[stop - 1]]
        if _MARKUP.search(text):
            return False
        if len(_SCRIPT.findall(_GREEK.sub("", text))) >= _LETTERS:
            return True
        lower = [w for w in doc.tokens.texts[first:stop] if w.isalpha() and w.islower()]
        unknown = sum(not EVIDENCE[fold(w)].known for w in lower)
        alien = len(_ALIEN.findall(_GREEK.sub("", text))) >= _LETTERS
        few = len(lower) < (_LETTERS if alien else _FEW_WORDS)
        return not few and unknown > len(lower) * (_STRANGE_SHARE if not alien else _ALIEN_SHARE)
    told = {word for word in words if language in table.get(word, ())}
    mine = telling()[language]
    own = sum(word in mine for word in words)
    french = sum(word in telling()["fr"] and word not in mine for word in words)
    return len(told) >= _FEWEST and own >= len(words) * _TOLD_SHARE and own > 2 * french


_MARKUP: Final = re.compile(r"</\w|/>|\\u[0-9a-f]{4}|&lt;|\":")
_ALIEN_SHARE: Final = 0.3
_TOLD_SHARE: Final = 0.15
