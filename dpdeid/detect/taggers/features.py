"""The features of every token of a note, for the CRF.

Its spelling, shape, lists and role, its neighbours, what stands between them, where in the line and
the note, under which header, what the rules proposed there, and how the same word stands elsewhere
in the note. What the rules say is a feature and no decision: the tagger learns when to trust them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import compress
from typing import Final, NamedTuple

from dpdeid import gazetteers
from dpdeid.detect.merge.published import detector_of
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.detect.names.vocabulary import EVIDENCE, Evidence
from dpdeid.detect.places.index import names
from dpdeid.document import Document, Span
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold
from dpdeid.spans import OUTSIDE, disjoint, encode

Features = list[str]

REACH: Final = 3
"""How many tokens to either side a word is seen."""
_RUNS: Final = re.compile(r"(.)\1+")
_FLAGS: Final = tuple(
    (name, int(getattr(voc, name.upper())))
    for name in ("stop", "title", "role", "particle", "eponym", "frequent", "anchor", "sole")
)
_WORDS: Final = (
    ("family", voc.FAMILY),
    ("staff", voc.STAFF),
    ("naming", voc.NAMING),
    ("maiden", voc.MAIDEN),
    ("person", voc.BEFORE_PERSON),
    ("place", voc.BEFORE_PLACE),
    ("street", voc.STREETS),
    ("does", voc.DOES),
    ("off", voc.SIGN_OFF),
)
_YEARS: Final = range(1900, 2040)


class Word(NamedTuple):
    """The features that a word gives.

    Args:
        kind: one short class, for the features that join two words.
        own: to itself.
        around: to the token at each distance, from `-REACH` to `REACH` without 0: key −1 for the
            token that has this word on its left.
    """

    kind: str
    own: Features
    around: dict[int, Features]


def keeper(known: Collection[str] | None) -> Callable[[Features], Features]:
    """What drops the features outside `known`; None keeps all."""
    if known is None:
        return lambda features: features
    held = frozenset(known)
    return lambda features: [f for f in features if f in held]


def word_memo(known: Collection[str] | None) -> Memo[Word]:
    """The features of each word as written, remembered."""
    keep = keeper(known)
    return Memo(lambda text: _word(text, keep))


def shape(text: str) -> str:
    """The pattern of a word, runs of letters shortened: "Martin" → "Xx", "12" → "dd"."""
    if text.isdecimal():
        return "d" * min(len(text), 11)
    if not text.isalpha():
        return text
    if len(text) == 1:
        return "X1" if text.isupper() else "x1"
    return _RUNS.sub(r"\1", "".join("X" if c.isupper() else "x" for c in text))


def _word(text: str, keep: Callable[[Features], Features]) -> Word:
    key, form = fold(text), shape(text)
    if not text.isalpha():
        kind = _number(text) if text.isdecimal() else text
        own = ["s=" + form, "k=" + kind, *(["w=" + key] if len(key) < 5 else ())]
        if len(text) == 5 and text.isdecimal() and gazetteers.places_with_zip(text):
            own.append("zip")
        near = ["k=" + kind if len(key) > 2 else "w=" + key]
        return Word(kind, keep(own), _around(near, near, keep))
    found, bits = EVIDENCE[key], voc.TRAITS[key]
    flags = [name for name, bit in _FLAGS if bits & bit]
    flags += [name for name, listed in _WORDS if key in listed]
    places = names()
    flags += ["town"] * (key in places.alone) + ["land"] * (key in places.countries)
    marks = found.word, found.name_word, found.medical, found.drug, found.shorthand
    lexicon = "".join(compress("wnmda", marks)) or "-"
    lists = f"{'f' if found.first_name else ''}{found.surname or ''}" or "-"
    kind = _kind(key, form, bits, found)
    own = [
        "w=" + key,
        "k=" + kind,
        f"sl={form}/{lexicon}",
        f"sg={form}/{lists}",
        f"slg={form}/{lexicon}/{lists}",
        f"sz={form}/{found.frequency}",
        f"n={min(len(key), 9)}",
        *(f"sf={form}/{flag}" for flag in flags),
    ]
    if len(key) > 3:
        own += [f"p={key[:3]}", f"u={key[-2:]}", f"u={key[-3:]}"]
    near = ["w=" + key, "k=" + kind, *("f=" + flag for flag in flags)]
    return Word(kind, keep(own), _around(near, ["w=" + key, "k=" + kind], keep))


def _around(
    near: Features, far: Features, keep: Callable[[Features], Features]
) -> dict[int, Features]:
    return {
        side * away: keep([f"{side * away}{f}" for f in (near if away == 1 else far)])
        for side in (-1, 1)
        for away in range(1, REACH + 1)
    }


def _number(text: str) -> str:
    value = int(text[:5])
    if len(text) <= 2:
        return "month" if 1 <= value <= 12 else "day" if 1 <= value <= 31 else "dd"
    if len(text) == 4:
        return "year" if value in _YEARS else "dddd"
    return f"d{min(len(text), 15)}"


def _kind(key: str, form: str, bits: int, found: Evidence) -> str:
    """The class of a word, for features that join neighbours: what it is, else how it looks."""
    if bits & voc.TITLE:
        return "TITLE"
    if key in voc.FAMILY:
        return "FAMILY"
    if key in voc.STAFF:
        return "STAFF"
    if bits & voc.PARTICLE or found.frequency >= 6:
        return key
    case = form if len(form) < 3 else "Xx" if form[0] == "X" else "x"
    if bits & voc.SOLE:
        return case + ("/first" if bits & voc.FIRST else "/last")
    if found.ambiguous:
        return case + ("/first?" if bits & voc.FIRST else "/last?")
    return case + ("/?" if found.suspicious else "/word")


_SHORTEST: Final = 3
"""Letters of a word that is looked for elsewhere in the note."""
_SEEN: Final = 3
"""The first tokens of a line, and after a header, are told apart."""
_LINE: Final = frozenset({"line", "blank"})

Key = tuple[str | int, ...]


_KINDS: Final = ("kl={0}|{1}", "kr={1}|{2}", "k3={0}|{1}|{2}")
_NEAR: Final = ("lo={1}|{2}", "blo={0}|{1}|{2}", "or={2}|{3}")
_GAPS: Final = ("gaps={0}/{1}",)
_RULES: Final = ("r={1}", "r3={0}|{1}|{2}")
_PLACES: Final = ("line={0}{1}/{2}", "top={3}/{1}", "end={4}/{1}/{2}", "head={5}/{6}")
_SURE: Final = ("by={0}/{1}/{2}",)
"""Features that join what stands at their numbers in a key."""


class Extractor:
    """Gives each token of a note its features.

    Args:
        known: the features that the model has weights for; the others are not made. None makes all,
            to train with.
    """

    def __init__(self, known: Collection[str] | None = None) -> None:
        keep = keeper(known)

        def made(forms: Sequence[str]) -> Memo[Features]:
            return Memo(lambda key: keep([form.format(*key) for form in forms]))

        self._words = word_memo(known)
        self._kinds, self._near, self._gaps = made(_KINDS), made(_NEAR), made(_GAPS)
        self._rules, self._places, self._sure = made(_RULES), made(_PLACES), made(_SURE)
        self._also: Memo[Features] = Memo(lambda key: keep([f"also={name}" for name in key]))
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
            for index in doc.tokens.over(span.start, span.end):
                items[index] += more
        for index in view.guarded:
            items[index] += self._phrase
        return items


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
    """Where each token stands: in its line and the note, behind which header and how far."""
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
