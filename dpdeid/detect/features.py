"""The features of every token of a note, for a linear-chain tagger.

Words and their neighbours (see `word_features`), what stands between them, where in the line and
the note, under which header, what the rules proposed there, and how the same word stands elsewhere
in the note. What the rules say is a feature and no decision: the tagger learns when to trust them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from dpdeid.detect import vocabulary as voc
from dpdeid.detect.units import View, view_of
from dpdeid.detect.word_features import REACH, Features, keeper, word_memo
from dpdeid.document import Document, Span
from dpdeid.memo import Memo
from dpdeid.spans import disjoint
from dpdeid.tags import OUTSIDE, encode

_SHORTEST: Final = 3
"""Letters of a word that is looked for elsewhere in the note."""
_GAPS: Final = ("glued", "space", "wide", "line", "blank")


class Extractor:
    """Gives each token of a note its features.

    Args:
        known: the features that the model has weights for; the others are not made. None makes all,
            to train with.
    """

    __slots__ = ("_one", "_words")

    def __init__(self, known: Collection[str] | None = None) -> None:
        keep = keeper(known)
        self._words = word_memo(known)
        self._one: Memo[Features] = Memo(lambda feature: keep([feature]))

    def __call__(self, doc: Document, proposals: Iterable[Span]) -> list[Features]:
        """One list of features a token.

        Args:
            proposals: spans of the rules; they may overlap.
        """
        view = view_of(doc)
        words = list(map(self._words.__getitem__, view.texts))
        rules = encode(disjoint(proposals), doc.tokens)
        gaps = _gaps(view)
        items = [list(word.own) for word in words]
        for away in range(1, REACH + 1):
            for item, word in zip(items[away:], words, strict=False):
                item += word.around[-away]
            for item, word in zip(items, words[away:], strict=False):
                item += word.around[away]
        one = self._one
        kinds = ["^", *(word.kind for word in words), "$"]
        for feature_of in (
            _between(gaps),
            _joined(kinds),
            _proposed(rules),
            _placed(view, gaps),
            _elsewhere(view, rules),
        ):
            for item, features in zip(items, feature_of, strict=True):
                for feature in features:
                    item += one[feature]
        for index in view.guarded:
            items[index] += one["eponym phrase"]
        return items


def _gaps(view: View) -> list[str]:
    """What stands before each token: one of `_GAPS`."""
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


def _between(gaps: Sequence[str]) -> Iterable[tuple[str, ...]]:
    after = (*gaps[1:], "blank")
    return ((f"gaps={a}/{b}",) for a, b in zip(gaps, after, strict=True))


def _joined(kinds: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """The classes of two and of three words; `kinds` has one more at each end."""
    return (
        (f"kl={a}|{b}", f"kr={b}|{c}", f"k3={a}|{b}|{c}")
        for a, b, c in zip(kinds, kinds[1:], kinds[2:], strict=False)
    )


def _proposed(rules: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """The tags of the rules, here and beside."""
    padded = ("^", *rules, "$")
    return (
        (f"r={b}", f"r3={a}|{b}|{c}")
        for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)
    )


def _placed(view: View, gaps: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Where in the line and the note a token stands, and under which header."""
    lines = _lines(gaps)
    header = ""
    for number, (first, stop) in enumerate(lines):
        texts = view.texts[first:stop]
        letters = "".join(t for t in texts if t.isalpha())
        case = "U" if letters.isupper() else "L" if letters.islower() else "M"
        size = min(stop - first, 16).bit_length()
        down, up = min(number, 7).bit_length(), min(len(lines) - 1 - number, 7).bit_length()
        if ":" not in texts and gaps[first] == "blank":
            header = ""
        since = 0
        for index in range(first, stop):
            at = min(index - first, 3)
            yield (
                f"line={case}{size}/{at}",
                f"head={header}/{min(since, 3)}",
                f"top={down}/{size}",
                f"end={up}/{size}/{at}",
            )
            since += 1
            if view.texts[index] == ":" and index > first:
                header, since = view.folded[index - 1], 0


def _lines(gaps: Sequence[str]) -> list[tuple[int, int]]:
    """The first token of each line and of the next."""
    starts = [i for i, gap in enumerate(gaps) if gap in ("line", "blank") or not i]
    return list(zip(starts, (*starts[1:], len(gaps)), strict=True))


def _elsewhere(view: View, rules: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """How the same word stands in the rest of the note: proposed as what, in which case, titled."""
    size = view.size
    counted = [len(text) >= _SHORTEST and text.isalpha() for text in view.texts]
    titled = [False] * size
    for index in range(1, size):
        before = index - 2 if view.texts[index - 1] == "." and index > 1 else index - 1
        titled[index] = bool(view.bits[before] & voc.TITLE)
    totals: Counter[tuple[str, str]] = Counter()
    states: list[tuple[str, ...]] = []
    for index in range(size):
        if not counted[index]:
            states.append(())
            continue
        state = ["lower" if view.texts[index].islower() else "capital"]
        if rules[index] != OUTSIDE:
            state.append(rules[index][2:])
        if titled[index]:
            state.append("title")
        states.append(tuple(state))
        totals.update((view.folded[index], name) for name in state)
    by_word: dict[str, list[tuple[str, int]]] = {}
    for (word, name), count in totals.items():
        by_word.setdefault(word, []).append((name, count))
    for index, own in enumerate(states):
        if not own:
            yield ()
            continue
        found = [name for name, count in by_word[view.folded[index]] if count > (name in own)]
        yield tuple(f"also={name}" for name in found) if found else ("also=none",)
