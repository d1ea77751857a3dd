"""The features of every token of a note, for a linear-chain tagger.

Words and their neighbours (see `word_features`), what stands between them, where in the line and
the note, under which header, what the rules proposed there, and how the same word stands elsewhere
in the note. What the rules say is a feature and no decision: the tagger learns when to trust them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.merge import detector_of
from dpdeid.detect.units import View, view_of
from dpdeid.detect.word_features import REACH, Features, keeper, word_memo
from dpdeid.document import Document, Span
from dpdeid.spans import disjoint
from dpdeid.tags import OUTSIDE, encode

_SHORTEST: Final = 3
"""Letters of a word that is looked for elsewhere in the note."""
_SEEN: Final = 3
"""The first tokens of a line, and after a header, are told apart."""
_LINE: Final = frozenset({"line", "blank"})
_MOST: Final = 1 << 16

Key = tuple[str | int, ...]


class _Made(dict[Key, Features]):
    """The features for each key, made once; full, it starts anew."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[..., Features], keep: Callable[[Features], Features]) -> None:
        self._make: Callable[[Key], Features] = lambda key: keep(make(*key))

    def __missing__(self, key: Key) -> Features:
        if len(self) >= _MOST:
            self.clear()
        value = self[key] = self._make(key)
        return value


class Extractor:
    """Gives each token of a note its features.

    Args:
        known: the features that the model has weights for; the others are not made. None makes all,
            to train with.
    """

    __slots__ = (
        *("_also", "_gaps", "_kinds", "_near", "_phrase", "_places", "_rules", "_sure", "_words"),
    )

    def __init__(self, known: Collection[str] | None = None) -> None:
        keep = keeper(known)
        self._words = word_memo(known)
        self._kinds = _Made(_of_kinds, keep)
        self._near = _Made(_of_near, keep)
        self._gaps = _Made(_of_gaps, keep)
        self._rules = _Made(_of_rules, keep)
        self._places = _Made(_of_place, keep)
        self._also = _Made(_of_others, keep)
        self._sure = _Made(_of_sureness, keep)
        self._phrase = keep(["eponym phrase"])

    def __call__(self, doc: Document, proposals: Iterable[Span]) -> list[Features]:
        """One list of features a token.

        Args:
            proposals: spans of the rules; they may overlap.
        """
        view = view_of(doc)
        if not view.size:
            return []
        words = list(map(self._words.__getitem__, view.texts))
        proposals = disjoint(proposals)
        rules = encode(proposals, doc.tokens)
        gaps = _gaps(view)
        kinds = ["^", *(word.kind for word in words), "$"]
        padded = ["^", *rules, "$"]
        items = [
            [*word.own, *kind, *gap, *rule, *place, *also]
            for word, kind, gap, rule, place, also in zip(
                words,
                map(self._kinds.__getitem__, zip(kinds, kinds[1:], kinds[2:], strict=False)),
                map(self._gaps.__getitem__, zip(gaps, (*gaps[1:], "blank"), strict=True)),
                map(self._rules.__getitem__, zip(padded, padded[1:], padded[2:], strict=False)),
                map(self._places.__getitem__, _places(view, gaps)),
                map(self._also.__getitem__, _others(view, rules)),
                strict=True,
            )
        ]
        for away in range(1, REACH + 1):
            for item, word in zip(items[away:], words, strict=False):
                item += word.around[-away]
            for item, word in zip(items, words[away:], strict=False):
                item += word.around[away]
        words_around = ["^", "^", *view.folded, "$"]
        for index, item in enumerate(items):
            item += self._near[
                (*words_around[index : index + 2], kinds[index + 1], words_around[index + 3])
            ]
        for span in proposals:
            more = self._sure[detector_of(span), round(10 * span.score), span.label]
            first = bisect_right(view.ends, span.start)
            for index in range(first, bisect_left(view.starts, span.end)):
                items[index] += more
        for index in view.guarded:
            items[index] += self._phrase
        return items


def _of_kinds(left: str, own: str, right: str) -> Features:
    return [f"kl={left}|{own}", f"kr={own}|{right}", f"k3={left}|{own}|{right}"]


def _of_near(before: str, left: str, own: str, right: str) -> Features:
    return [f"lo={left}|{own}", f"blo={before}|{left}|{own}", f"or={own}|{right}"]


def _of_sureness(detector: str, tenths: int, label: str) -> Features:
    return [f"by={detector}/{tenths}/{label}"]


def _of_gaps(before: str, after: str) -> Features:
    return [f"gaps={before}/{after}"]


def _of_rules(left: str, own: str, right: str) -> Features:
    return [f"r={own}", f"r3={left}|{own}|{right}"]


def _of_place(case: str, size: int, at: int, top: int, end: int, head: str, since: int) -> Features:
    return [
        f"line={case}{size}/{at}",
        f"top={top}/{size}",
        f"end={end}/{size}/{at}",
        f"head={head}/{since}",
    ]


def _of_others(*names: str) -> Features:
    return [f"also={name}" for name in names]


def _gaps(view: View) -> list[str]:
    """What stands before each token: "glued", "space", "wide", "line" or "blank" (line)."""
    found = []
    text, done = view.text, 0
    for start, end in zip(view.starts, view.ends, strict=True):
        if start == done:
            found.append("glued")
        elif start == done + 1 and text[done] == " ":
            found.append("space")
        else:
            lines = text.count("\n", done, start)
            found.append("blank" if lines > 1 else "line" if lines else "wide")
        done = end
    return found


def _places(view: View, gaps: Sequence[str]) -> Iterator[Key]:
    """Where each token stands: the case and size of its line, its place in it, the lines above and
    below, and the word before the last colon with the tokens since.
    """
    texts, folded, size = view.texts, view.folded, view.size
    starts = [i for i, gap in enumerate(gaps) if gap in _LINE or not i]
    header, since = "", 0
    for number, (first, stop) in enumerate(zip(starts, (*starts[1:], size), strict=False)):
        line = "".join(texts[first:stop])
        case = "U" if line.isupper() else "L" if line.islower() else "M"
        length = min(stop - first, 16).bit_length()
        top, end = min(number, 7).bit_length(), min(len(starts) - 1 - number, 7).bit_length()
        if gaps[first] == "blank" and ":" not in line:
            header = ""
        since = 0
        for index in range(first, stop):
            at = index - first
            yield (
                *(case, length, at if at < _SEEN else _SEEN, top, end),
                *(header, since if since < _SEEN else _SEEN),
            )
            since += 1
            if texts[index] == ":" and index > first:
                header, since = folded[index - 1], 0


def _others(view: View, rules: Sequence[str]) -> Iterator[Key]:
    """How each word stands in the rest of the note: in which case, titled, proposed as what."""
    bits, texts, folded = view.bits, view.texts, view.folded
    times = Counter(folded)
    states: dict[int, tuple[str, ...]] = {}
    counts: dict[str, Counter[str]] = {}
    for index, text in enumerate(texts):
        if len(text) < _SHORTEST or not text.isalpha():
            continue
        if times[folded[index]] == 1:
            states[index] = ()
            continue
        state = ["lower" if text.islower() else "capital"]
        if rules[index] != OUTSIDE:
            state.append(rules[index][2:])
        before = index - 2 if index > 1 and texts[index - 1] == "." else index - 1
        if index and bits[before] & voc.TITLE:
            state.append("title")
        states[index] = tuple(state)
        counts.setdefault(folded[index], Counter()).update(state)
    for index in range(view.size):
        own = states.get(index)
        if not own:
            yield () if own is None else ("none",)
            continue
        every = counts[folded[index]].items()
        yield tuple(name for name, count in every if count > (name in own)) or ("none",)
