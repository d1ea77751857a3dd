"""The chance of every word that detection left in place to be part of a direct identifier, and of
every span that it took on weak evidence to be part of any.

A logistic regression over what the two shipped taggers think of the word and of its neighbours,
what FASDIM's lists say of it, how it is written, what was detected beside it or is the same word
elsewhere, and who took it for what. Its coefficients are in `risk.tsv`, made by
`benchmarks/recipes/risk.py`. It only ranks as well as its training notes are like a site's;
docs/review.md has how well that is.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby, pairwise
from statistics import fmean
from typing import Any, Final

import numpy as np

from dpdeid import gazetteers
from dpdeid.detect.measurements import measured
from dpdeid.detect.merge.published import detector_of, kind_of
from dpdeid.detect.names.name_tokens import View, view_of
from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Finding, Span
from dpdeid.evaluate.detection import KEPT
from dpdeid.fasdim.lists import Lists
from dpdeid.fasdim.numbers import numbers
from dpdeid.fasdim.removal import unvouched
from dpdeid.fasdim.starting import DRUG, STARTING, Verdict, is_medical, is_name, is_unit
from dpdeid.french import numerals
from dpdeid.french.titles import TITLES
from dpdeid.labels import CATEGORIES, NAMES, Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

Array = np.ndarray[Any, np.dtype[np.float64]]

RISING: Final = (
    "transformer", "crf", "least", "most", "unlisted x both", "capital x both", "beside", "between",
    "chance beside", "name beside", "elsewhere", "proposed", "row", "taken in row",
    "said by transformer", "said by crf", "said by lists",
)  # fmt: skip
"""Features that can only raise the chance."""
OTHERS: Final = (
    "unvouched", "unlisted", "short", "name", "capital", "mark", "medical", "listed name",
    "frequency", "eponym", "number word", "behind title", "behind colon", "opens", "upper",
    "shouted", "inside", "number", "letter", "two letters", "digit", "long", "distinct in row",
    "counting in row", "taken", "as name", "as number", "as time", "glued", "drug", "unit behind",
)  # fmt: skip
FEATURES: Final = (*RISING, *OTHERS)
SORTS: Final = ("word", "number", "row", "taken word", "taken number")
"""Columns of coefficients: of words, of numbers, of single letters and digits in a row, and of
words and numbers that were taken on weak evidence."""
Chances = Callable[[Document], Sequence[float]]
"""The chance of each token of a note to be part of a direct identifier."""
_FAINT: Final = 1e-3
"""A chance below it counts as it, and one above its complement as that."""
_FAINT_ODDS: Final = math.log(_FAINT / (1 - _FAINT))
_LONG: Final = 5
_ROW: Final = 3
"""Single letters or digits in a row from which they may stand in the boxes of a form."""
_MOST: Final = 10
_TAGGERS: Final = ("transformer", "crf")
_BY_LISTS: Final = ("lookup", "lookup_places")
_WEAK: Final = frozenset((*_TAGGERS, *_BY_LISTS))
"""Kinds of detectors whose word alone is weak evidence."""
_NUMBERS: Final = frozenset(
    label for label in Label if label.endswith("_ID") or CATEGORIES[label] == "CONTACT"
)
Voices = Mapping[int, Mapping[str, float]]
"""Of each token the kinds of detectors that propose it, with the best score of each."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or number that was left in place; of a row of boxes what was left of it together.

    Args:
        first, stop: its tokens, half-open.
        risk: its chance to be part of a direct identifier, in (0, 1); of a row the mean.
    """

    first: int
    stop: int
    risk: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What is thought of one note.

    Args:
        left: the words and numbers that no span touches, each with its risk.
        weak: the spans that taggers or lists alone propose, of labels whose values are hidden, with
            the chance of each to be part of an identifier: that of its likeliest word.
    """

    left: Sequence[Word]
    weak: Mapping[Span, float]


def judged(documents: Sequence[Document], found: Sequence[Finding]) -> list[Judged]:
    """What was left in place and what was taken on weak evidence in the notes of one record.

    Args:
        documents: with clean texts (`dpdeid.normalize.clean`).
        found: what detection saw in each of them.

    Raises:
        ModelError: a shipped tagger is missing or damaged.
    """
    every = zip(documents, found, features(documents, found), strict=True)
    return [
        _judged(doc, one, dict(zip(places, risk(values).tolist(), strict=True)))
        for doc, one, (places, values) in every
    ]


def left_in_place(documents: Sequence[Document], found: Sequence[Finding]) -> list[Sequence[Word]]:
    """What `judged` says of the words and numbers that no span touches."""
    return [one.left for one in judged(documents, found)]


def _judged(doc: Document, found: Finding, chances: Mapping[int, float]) -> Judged:
    weak: dict[Span, float] = {}
    for at, span in _taken(doc, found).items():
        if at in chances:
            weak[span] = max(weak.get(span, 0.0), chances[at])
    inside = {at for span in weak for at in doc.tokens.over(span.start, span.end)}
    return Judged(_words(doc, {at: chances[at] for at in chances.keys() - inside}), weak)


def _words(doc: Document, own: Mapping[int, float]) -> list[Word]:
    rows, words = _rows(view_of(doc)), list[Word]()
    alnum = [at for at, text in enumerate(doc.tokens.texts) if _is_word(text)]
    for _, run in groupby(alnum, lambda at: (at in own, rows.get(at, [at])[0])):
        left = [at for at in run if at in own]
        if left:
            words.append(Word(left[0], left[-1] + 1, fmean(own[at] for at in left)))
    return words


def things(doc: Document, spans: Iterable[Span]) -> list[frozenset[int]]:
    """The words, numbers and rows in each span, counted as those left, by their first tokens."""
    over, texts, rows = doc.tokens.over, doc.tokens.texts, _rows(view_of(doc))
    inside = ([at for at in over(s.start, s.end) if _is_word(texts[at])] for s in spans)
    return [frozenset(rows.get(at, [at])[0] for at in own) for own in inside]


def risk(values: Array, fit: tuple[Array, Array] | None = None) -> Array:
    """The risk of each row of features, (n,), by other coefficients than the shipped if given."""
    weights, intercepts = fit or coefficients()
    its = sorts(values)
    odds = (values * weights[its]).sum(1) + intercepts[its]
    found: Array = 1 / (1 + np.exp(-odds))
    return found


COEFFICIENTS: Final = "risk.tsv"


def coefficients_file() -> Traversable:
    """The shipped coefficients."""
    return files("dpdeid.fasdim") / COEFFICIENTS


@cache
def coefficients() -> tuple[Array, Array]:
    """The weights of `FEATURES` for each of `SORTS`, (5, n), and the intercepts, (5,)."""
    text = coefficients_file().read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    found = {name: list(map(float, values)) for name, *values in lines}
    return np.array([found[name] for name in FEATURES]).T, np.array(found["intercept"])


def features(
    documents: Sequence[Document],
    found: Sequence[Finding],
    taggers: Sequence[Chances] = (),
) -> Iterator[tuple[list[int], Array]]:
    """Of each note the tokens that were left in place, or taken on weak evidence, and their
    features (n, `FEATURES`).

    Args:
        taggers: others than the shipped transformer and CRF: those that did not learn the notes.
    """
    taggers = taggers or [tagger.loaded(tagger.SHIPPED).direct for tagger in (transformer, crf)]
    named = Counter(
        doc.tokens.folded[at]
        for doc, finding in zip(documents, found, strict=True)
        for span in finding.spans
        if span.label in NAMES
        for at in doc.tokens.over(span.start, span.end)
    )
    for doc, finding in zip(documents, found, strict=True):
        yield _of_note(doc, finding, named, taggers)


def _of_note(
    doc: Document, found: Finding, named: Mapping[str, int], taggers: Iterable[Chances]
) -> tuple[list[int], Array]:
    view, tokens, taken, said = view_of(doc), doc.tokens, _taken(doc, found), _voices(doc, found)
    kinds: defaultdict[Span, set[str]] = defaultdict(set)
    for at, span in taken.items():
        kinds[span].update(said.get(at, ()))
    weak = {s for s, by in kinds.items() if by and by <= _WEAK and s.label not in KEPT}
    grids = measured(doc)
    places = [
        at
        for at, text in enumerate(tokens.texts)
        if _is_word(text) and at not in grids and (at not in taken or taken[at] in weak)
    ]
    one, other = ([_odds(chance) for chance in tagger(doc)] for tagger in taggers)
    both = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
    proposed = {
        at for s in found.proposals if s.label.is_direct for at in tokens.over(s.start, s.end)
    }
    unknown, rows = unvouched(view, Lists()), _rows(view)
    if not places:
        return [], np.zeros((0, len(FEATURES)))
    values = np.zeros((len(places), len(FEATURES)))
    values[:, _BY_WORD_AT] = [_BY_WORD[tokens.texts[at]] for at in places]
    chances = np.array([both[at] for at in places])
    odds = np.array([(one[at], other[at]) for at in places])
    beside = [_beside(view, at) for at in places]
    columns = {
        "transformer": odds[:, 0],
        "crf": odds[:, 1],
        "least": odds.min(1),
        "most": odds.max(1),
        "unlisted x both": chances * (values[:, _AT["unlisted"]] + values[:, _AT["short"]]),
        "capital x both": chances * (values[:, _AT["name"]] + values[:, _AT["capital"]]),
        "chance beside": [max((both[n] for n in near), default=0.0) for near in beside],
        "proposed": [at in proposed for at in places],
        "unvouched": [at in unknown for at in places],
        "eponym": [at in view.guarded for at in places],
        "behind title": [
            view.word(at - 1) in TITLES or view.word(at - 2) in TITLES for at in places
        ],
        "behind colon": [at > 0 and view.texts[at - 1] == ":" for at in places],
        "opens": [view.opens(at) for at in places],
        "shouted": [_SHOUTED[view.texts[at]] and _is_alone(view, at) for at in places],
        "inside": [view.texts[at][0].isupper() and not view.opens(at) for at in places],
    }
    for name, column in columns.items():
        values[:, _AT[name]] = column
    measures = [n for n in numbers(view) if is_unit(n)] if weak else []
    counted = {at for n in measures for at in range(n.first, n.stop)}
    for at, line, next_to in zip(places, values, beside, strict=True):
        own, folded, few = taken.get(at), tokens.folded[at], dict[str, float]()
        near = [taken[n] for n in next_to if n in taken]
        if near := [span for span in near if span.label.is_direct and span != own]:
            named_one = any(span.label in NAMES for span in near)
            few |= {"beside": True, "between": len(near) > 1, "name beside": named_one}
        if folded in named and named[folded] > (own is not None and own.label in NAMES):
            few["elsewhere"] = STARTING[folded] is not Verdict.AUTHORIZED
        if row := rows.get(at):
            few["row"] = min(len(row), _MOST)
            few["taken in row"] = any(n in taken and taken[n].label.is_direct for n in row)
            few |= _of_row([tokens.texts[n] for n in row])
        if own:
            few |= _of_taken(doc.text, own, said.get(at, {}))
            few["drug"] = gazetteers.medical().get(folded) == DRUG
            few["unit behind"] = at in counted
        for name, value in few.items():
            line[_AT[name]] = value
    return places, values


def _taken(doc: Document, found: Finding) -> dict[int, Span]:
    return {at: span for span in found.spans for at in doc.tokens.over(span.start, span.end)}


def _voices(doc: Document, found: Finding) -> Voices:
    said: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for proposal in found.proposals:
        kind = kind_of(detector_of(proposal))
        for at in doc.tokens.over(proposal.start, proposal.end):
            said[at][kind] = max(said[at].get(kind, 0.0), proposal.score)
    return said


def _of_taken(text: str, span: Span, said: Mapping[str, float]) -> Mapping[str, float]:
    """Who took a token for what, and whether the span is part of a word or code."""
    around = text[max(span.start - 1, 0) : span.start] + text[span.end : span.end + 1]
    return {
        **{f"said by {name}": _odds(said.get(name, 0.0)) for name in _TAGGERS},
        "said by lists": max(said.get(name, 0.0) for name in _BY_LISTS),
        "taken": True,
        "as name": span.label in NAMES,
        "as number": span.label in _NUMBERS,
        "as time": CATEGORIES[span.label] == "TIME",
        "glued": any(map(str.isalnum, around)),
    }


def _of_row(row: Sequence[str]) -> Mapping[str, float]:
    """How many characters are distinct, and the share that goes up by one, as in a scale."""
    up = sum(ord(second) - ord(first) == 1 for first, second in pairwise(row))
    distinct = min(len(set(row)), _MOST)
    return {"distinct in row": distinct, "counting in row": up / max(1, len(row))}


def sorts(values: Array) -> Array:
    """Of each row of features its column of coefficients."""
    number, row, taken = (values[:, _AT[x]] > 0 for x in ("number", "row", "taken"))
    found: Array = np.where(taken, 3 + number, np.where(row, 2, number))
    return found


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _odds(chance: float) -> float:
    """The log odds of a chance, from 0 up."""
    if chance <= _FAINT:
        return 0.0
    chance = min(chance, 1 - _FAINT)
    return math.log(chance / (1 - chance)) - _FAINT_ODDS


def _by_word(text: str) -> Sequence[float]:
    folded = fold(text)
    kind, digits, letters = crf.kind_of(text, folded), text.isdigit(), text.isalpha()
    told = {
        **{name: name == kind for name in _OF_WORD[:4]},
        "mark": kind == "other",
        "medical": is_medical(folded),
        "listed name": is_name(folded),
        "frequency": gazetteers.frequency().get(folded, 0),
        "number word": folded in numerals.WORDS,
        "number": not letters,
        "upper": text.isupper(),
        "letter": letters and len(text) == 1,
        "two letters": letters and len(text) == 2,
        "digit": digits and len(text) == 1,
        "long": digits and len(text) >= _LONG,
    }
    return [float(told[name]) for name in _OF_WORD]


_OF_WORD: Final = (
    "unlisted", "short", "name", "capital", "mark", "medical", "listed name", "frequency",
    "number word", "number", "upper", "letter", "two letters", "digit", "long",
)  # fmt: skip
"""Features that a word has wherever it stands."""
_AT: Final = {name: at for at, name in enumerate(FEATURES)}
_BY_WORD_AT: Final = [_AT[name] for name in _OF_WORD]
_BY_WORD: Final = Memo(_by_word)
_SHOUTED: Final = Memo(lambda text: text.isupper() and len(text) > 2)


def _is_alone(view: View, at: int) -> bool:
    """Whether words in small letters stand beside this one."""
    beside = view.texts[max(0, at - 2) : at] + view.texts[at + 1 : at + 3]
    return any(text.islower() and len(text) > 1 for text in beside)


def _beside(view: View, at: int) -> list[int]:
    """The words right before and behind on the line, over a hyphen, point or slash."""
    found = []
    for step in (-1, 1):
        near = at + step
        if 0 <= near < view.size and view.texts[near] in _JOINS:
            near += step
        if 0 <= near < view.size:
            first, second = sorted((at, near))
            if "\n" not in view.text[view.ends[first] : view.starts[second]]:
                found.append(near)
    return found


_JOINS: Final = frozenset("-./'_|")
_BETWEEN_BOXES: Final = re.compile(r"[/.-]?[ \t|_]{1,3}(?:[/.-][ \t|_]{1,3})?")


@lru_cache(maxsize=2)  # its words are asked, and then what is made of them
def _rows(view: View) -> dict[int, list[int]]:
    """Single letters or digits in a row on a line, apart from each other as in the boxes of a form:
    each with all of its row.
    """
    found: dict[int, list[int]] = {}
    row: list[int] = []
    singles = [at for at, text in enumerate(view.texts) if len(text) == 1 and text.isalnum()]
    for at in (*singles, None):
        between = view.text[view.ends[row[-1]] : view.starts[at]] if row and at else ""
        if at is None or not _BETWEEN_BOXES.fullmatch(between):
            found |= dict.fromkeys(row if len(row) >= _ROW else (), row)
            row = []
        row = [*row, at] if at is not None else row
    return found
