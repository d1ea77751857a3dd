"""What is known of each word and number of a note, in columns: who proposes it as what, what the
taggers think of it and of what stands beside it, what the lists say, how it is written and where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from dpdeid import gazetteers
from dpdeid.detect.decision.tables import COLUMNS, in_tables
from dpdeid.detect.decision.vote import voted
from dpdeid.detect.measurements import measured
from dpdeid.detect.merge.published import detector_of, kind_of
from dpdeid.detect.names import vocabulary as voc
from dpdeid.detect.names.name_tokens import view_of
from dpdeid.detect.taggers import crf, transformer
from dpdeid.document import Document, Span
from dpdeid.french import numerals
from dpdeid.french.letters.abbreviations import LISTED
from dpdeid.labels import CATEGORIES, NAMES, Label
from dpdeid.lexicon import Memo
from dpdeid.normalize import fold

Array = np.ndarray[Any, np.dtype[np.float32]]

GROUPS: Final = ("nothing", "names", "times", "places", "bodies", "numbers", "others")
_PLACES: Final = (Label.STREET, Label.ZIP, Label.CITY, Label.COUNTRY, Label.ROOM)
_BODIES: Final = (Label.HOSPITAL, Label.ORGANIZATION, Label.UNIT)


def group(label: str) -> int:
    """The place in `GROUPS` of what a label tells, "" of no label."""
    if not label:
        return 0
    own = Label(label)
    if own in NAMES:
        return 1
    if CATEGORIES[own] == "TIME" or own is Label.AGE:
        return 2
    if own in _PLACES or own in _BODIES:
        return 3 if own in _PLACES else 4
    return 5 if own.is_direct else 6


_GROUP_OF: Final = {label: group(label) for label in Label}
_VOICES: Final = ("patterns", "lookup", "lookup_places", "propagate", "transformer", "crf")
_BY_RULE: Final = tuple(f"patterns say {name}" for name in GROUPS[1:])
_SAID: Final = (*_BY_RULE, *(f"{name} says so" for name in _VOICES[1:]), "voices")
_LISTS: Final = (
    "word", "first", "last", "common", "stop", "title", "role", "particle", "eponym", "frequent",
    "anchor", "letter", "sole",
)  # fmt: skip
_CLOSED: Final = (
    *(f"veto_{name}" for name in ("devices", "things", "eponyms", "clipped", "makers", "scored")),
    *("veto_classes", "veto_clause", "greetings", "fields", "form_labels", "unfilled", "faculties"),
    *("abbreviated_roles", "short_roles"),
)
"""Closed lists of words that name nobody in their place."""
_WORD: Final = (
    *_LISTS, "name word", "zipf", "surname", "medical", "drug", "shorthand", "abbreviation",
    "listed abbreviation", "cut short", "unlisted", "place", "town", "number word",
    "degree", *(f"in {name}" for name in _CLOSED),
    "kind", "length", "digits", "upper", "lower", "title case", "mark",
)  # fmt: skip
_BESIDE: Final = tuple(name for name in _WORD if not name.startswith(("in ", "listed", "town")))
_FAR: Final = ("title", "role", "anchor", "medical", "drug", "upper", "digits", "mark", "stop")
_HERE: Final = (
    "guarded", "opens", "row", "in capitals", "line in capitals", "digits in line", "bars in line",
    "names elsewhere", "numbers elsewhere", "as often", "capital elsewhere",
    "voted",
)  # fmt: skip
FEATURES: Final = (
    *_SAID,
    *(f"transformer: {name}{at}" for at in ("", " before", " behind") for name in GROUPS),
    *("transformer: direct two before", "transformer: direct two behind"),
    *(f"crf: {name}{at}" for at in ("", " before", " behind") for name in ("any", "direct")),
    *_WORD, *(f"{name} before" for name in _BESIDE), *(f"{name} behind" for name in _BESIDE),
    *(f"{name} two before" for name in _FAR), *(f"{name} two behind" for name in _FAR),
    "gap before", "gap behind",
    *_HERE, *COLUMNS,
)  # fmt: skip
"""The columns, in their order."""
_KINDS: Final = ("word", "name", "capital", "short", "unlisted", "number", "other")
_MARKS: Final = {mark: at for at, mark in enumerate("\0:/-.,()|;=_'+%*", 0)}
ROW: Final = 3
"""Single letters or digits in a row from which they may stand in the boxes of a form."""
SIGNED: Final = 0.4
"""The share of initials in a column from which all of it is asked."""
FAINT: Final = 0.01
"""The chance to be something below which a tagger says nothing of a word."""


def _of_word(text: str) -> tuple[float, ...]:
    word = fold(text)
    bits, known = voc.TRAITS[word], voc.EVIDENCE[word]
    digits = sum(map(str.isdigit, text))
    return (
        *(float(bits >> at & 1) for at in range(len(_LISTS))),
        *(known.name_word, known.frequency, known.surname, known.medical, known.drug),
        *(known.shorthand, word in voc.ABBREVIATIONS, word in LISTED, voc.CUT_SHORT[word]),
        *(voc.UNLISTED[word], word in gazetteers.place_keys()),
        *(_size(word), word in numerals.WORDS, word in voc.DEGREES),
        *(word in voc.LISTS[name] for name in _CLOSED),
        *(_KINDS.index(crf.kind_of(text, word)), len(text), digits, text.isupper()),
        *(text.islower(), text.istitle(), _MARKS.get(text, 0)),
    )


def _size(word: str) -> float:
    """How large the largest town of a name is, as a power of ten."""
    found = gazetteers.places_named(word) if word in gazetteers.place_keys() else ()
    return float(np.log10(1 + max((place.population for place in found), default=0)))


_OF_WORD: Final = Memo(lambda text: np.array(_of_word(text), np.float32).tobytes())
_AT: Final = {name: at for at, name in enumerate(_WORD)}
_BESIDE_AT: Final = [_AT[name] for name in _BESIDE]
_FAR_AT: Final = [_AT[name] for name in _FAR]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one note.

    Args:
        places: the tokens that any voice or tagger says something of, and those of columns of
            initials, but for measurements.
        values: a row a place and a column of `FEATURES` each, (n, F).
        voted: the spans of the label that most voices give each token.
    """

    places: tuple[int, ...]
    values: Array
    voted: Sequence[Span] = ()


def by_voice(proposals: Iterable[Span]) -> dict[str, list[Span]]:
    """The proposals of a note by the names of their detectors."""
    found: dict[str, list[Span]] = {}
    for span in proposals:
        found.setdefault(detector_of(span), []).append(span)
    return found


Chances = Callable[[Document], Array]
"""Of each token the chance of each of `GROUPS` (the transformer's), or to be part of any and of a
direct identifier (the CRF's)."""


@cache
def shipped() -> tuple[Chances, Chances]:
    """The shipped transformer and CRF. Raises `ModelError` if one is missing or damaged."""
    return by_transformer(transformer.SHIPPED), by_crf(crf.SHIPPED)


def by_transformer(model: str) -> Chances:
    """What a transformer thinks of the tokens of a note, (N, `GROUPS`)."""
    tagger = transformer.loaded(model)
    into = np.zeros((len(tagger.spec.tags), len(GROUPS)), np.float32)
    for at, tag in enumerate(tagger.spec.tags):
        into[at, group(tag[2:])] = 1
    return lambda doc: tagger.chances(doc) @ into


def by_crf(model: str) -> Chances:
    """What a CRF thinks of the tokens of a note, (N, 2)."""
    return crf.loaded(model).chances


def evidence(
    doc: Document,
    proposals: Mapping[str, Sequence[Span]],
    taggers: tuple[Chances, Chances] | None = None,
) -> Evidence:
    """What is known of the words of a note.

    Args:
        proposals: the name of each detector → its spans.
        taggers: others than the shipped ones: those that did not learn the note.

    Raises:
        ModelError: a shipped tagger is missing or damaged.
    """
    tokens, size = doc.tokens, len(doc.tokens)
    if not size:
        return Evidence((), np.zeros((0, len(FEATURES)), np.float32))
    by_network, by_field = (read(doc) for read in taggers or shipped())
    said = _said(doc, proposals)
    every = [span for spans in proposals.values() for span in spans]
    votes = voted(doc, proposals, every)
    found = _found(doc, votes)
    grids = measured(doc)
    tabled = in_tables(doc)
    heard = (said[:, -1] > 0) | (by_network[:, 0] < 1 - FAINT) | (by_field[:, 0] > FAINT)
    heard |= tabled[:, COLUMNS.index("column of initials")] > SIGNED
    known = b"".join([_OF_WORD[text] for text in tokens.texts])
    words = np.frombuffer(known, np.float32).reshape(size, -1)
    places = tuple(
        at for at in np.flatnonzero(heard).tolist()
        if at not in grids and any(map(str.isalnum, tokens.texts[at]))
    )  # fmt: skip
    if not places:
        return Evidence((), np.zeros((0, len(FEATURES)), np.float32), votes)
    own = np.array(places)
    gaps = _gaps(doc)
    direct = by_network[:, 1] + by_network[:, 5]
    return Evidence(
        places,
        np.column_stack(
            (
                said[own],
                *(_shifted(by_network, own, step) for step in (0, -1, 1)),
                *(_shifted(direct[:, None], own, step) for step in (-2, 2)),
                *(_shifted(by_field, own, step) for step in (0, -1, 1)),
                words[own],
                *(_shifted(words[:, _BESIDE_AT], own, step) for step in (-1, 1)),
                *(_shifted(words[:, _FAR_AT], own, step) for step in (-2, 2)),
                gaps[own], gaps[own + 1],
                _here(doc, own, words, by_network),
                found[own], tabled[own],
            )
        ).astype(np.float32),
        votes,
    )  # fmt: skip


def _found(doc: Document, votes: Sequence[Span]) -> Array:
    """Of each token the group of its voted span, (N,)."""
    found = np.zeros(len(doc.tokens), np.float32)
    for span in votes:
        own = doc.tokens.over(span.start, span.end)
        found[own.start : own.stop] = _GROUP_OF[span.label]
    return found


def _shifted(columns: Array, places: Any, step: int) -> Array:
    """The rows a step from each place, zeros outside the note."""
    at = places + step
    rows = columns[np.clip(at, 0, len(columns) - 1)]
    return np.where(((at >= 0) & (at < len(columns)))[:, None], rows, 0)


def _said(doc: Document, proposals: Mapping[str, Sequence[Span]]) -> Array:
    """The best score of each voice for each token, the patterns' by group, and how many speak."""
    found = np.zeros((len(doc.tokens), len(_SAID)), np.float32)
    for name, spans in proposals.items():
        kind = kind_of(name)
        if kind not in _VOICES:
            kind = "transformer" if kind in transformer_kinds() else "lookup"
        column = _SAID.index(f"{kind} says so") if kind != "patterns" else -1
        spoken = np.zeros(len(doc.tokens), bool)
        for span in spans:
            own = doc.tokens.over(span.start, span.end)
            at = column if column >= 0 else _GROUP_OF[span.label] - 1
            part = found[own.start : own.stop, at]
            np.maximum(part, span.score, out=part)
            spoken[own.start : own.stop] = True
        found[:, -1] += spoken
    return found


def transformer_kinds() -> tuple[str, ...]:
    """Kinds of networks, which speak as one."""
    return ("transformer", "flair")


def _gaps(doc: Document) -> Array:
    """What stands before each token, and behind the last: 0 nothing, 1 a space, 2 more, 3 the end
    of a line, 4 of a paragraph, (N + 1,).
    """
    text, tokens = doc.text, doc.tokens
    ends = (0, *tokens.ends)
    starts = (*tokens.starts, len(text))
    found = np.zeros(len(starts), np.float32)
    for at, (end, start) in enumerate(zip(ends, starts, strict=True)):
        if start > end:
            gap = text[end:start]
            lines = gap.count("\n")
            wide = len(gap) > 1 or gap == "\t"
            found[at] = 4 if lines > 1 else 3 if lines else 2 if wide else 1
    found[0] = found[-1] = 4
    return found


def _here(doc: Document, places: Any, words: Array, by_network: Array) -> Array:
    """Where each place stands, and how the same word stands elsewhere in the note."""
    tokens, view = doc.tokens, view_of(doc)
    size = len(tokens)
    line = np.zeros(size, np.intp)
    if view.breaks:
        line[[at for at in view.breaks if at < size]] = 1
    line = np.cumsum(line)
    count = np.maximum(np.bincount(line), 1)
    upper = words[:, _AT["upper"]]
    loud = np.bincount(line, upper) / count
    digits = np.bincount(line, words[:, _AT["digits"]] > 0) / count
    bars = np.bincount(line, words[:, _AT["mark"]] == _MARKS["|"])
    rows = np.zeros(size, np.float32)
    for row in boxes(doc):
        rows[row] = len(row)
    same: dict[str, list[int]] = {}
    for at, word in enumerate(tokens.folded):
        same.setdefault(word, []).append(at)
    best = np.zeros((size, 2), np.float32)
    often = np.ones(size, np.float32)
    written = np.zeros(size, np.float32)
    for word in {tokens.folded[at] for at in places.tolist()}:
        if len(alike := same[word]) > 1:
            own = np.column_stack((by_network[alike][:, (1, 5)], words[alike, _AT["title case"]]))
            second, first = np.sort(own, axis=0)[-2:]
            others = np.where(own == first, second, first)  # the most of all but itself
            best[alike], written[alike], often[alike] = others[:, :2], others[:, 2], len(alike)
    guarded = np.isin(places, [*view.guarded])
    opens = [view.opens(at) for at in places.tolist()]
    of_line = line[places]
    return np.column_stack(
        (
            guarded, opens, rows[places], np.full(len(places), upper.mean()), loud[of_line],
            digits[of_line], bars[of_line], best[places], often[places], written[places],
        )
    )  # fmt: skip


def boxes(doc: Document) -> Iterator[list[int]]:
    """Single letters or digits in a row, with blanks or bars between, as in the boxes of a form."""
    row: list[int] = []
    for at, text in enumerate(doc.tokens.texts):
        if len(text) == 1 and text.isalnum():
            row.append(at)
        elif text not in "|_/.-" or len(text) > 1:
            if len(row) >= ROW:
                yield row
            row = []
    if len(row) >= ROW:
        yield row
