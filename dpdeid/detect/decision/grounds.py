"""What spoke for and against taking a word: how its chance changes without a kind of evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from dpdeid.detect.decision.decision import trees
from dpdeid.detect.decision.evidence import FEATURES, Array, evidence
from dpdeid.detect.decision.tables import COLUMNS
from dpdeid.document import Document, Span

_NOTHING: Final = tuple(
    at for at, name in enumerate(FEATURES) if name.startswith("transformer: nothing")
)
"""Columns that are 1 where the network says nothing of a word."""
_TELLS: Final = 1.0
"""The change of the log odds from which a kind of evidence is named."""


def _kind(name: str) -> str:
    """The kind of evidence of a column."""
    if name.startswith(("transformer", "crf")):
        return "the transformer" if name.startswith("transformer") else "the CRF"
    if name.startswith("patterns"):
        return "the rules"
    if name.startswith("lookup"):
        return "the lists of names and places"
    if "propagate" in name or name.endswith("elsewhere") or name == "as often":
        return "the same word elsewhere"
    if name in ("voices", "voted"):
        return "how many agree"
    if name in COLUMNS or name.endswith((" in line", "in capitals", "row")):
        return "its line or table"
    if name.endswith(("before", "behind")) or name in ("guarded", "opens"):
        return "the words beside it"
    return "the word itself"


KINDS: Final = tuple(dict.fromkeys(map(_kind, FEATURES)))
_OF: Final = np.array([KINDS.index(_kind(name)) for name in FEATURES])


class Grounds(NamedTuple):
    """Why a word is taken.

    Args:
        chance: that it is part of an identifier, of a direct one if the span's label is direct.
        speaks_for, against: kinds of evidence without which the chance would be clearly lower, or
            higher; the strongest first.
    """

    chance: float
    speaks_for: tuple[str, ...]
    against: tuple[str, ...]


def grounds(
    doc: Document, proposals: Mapping[str, Sequence[Span]], spans: Sequence[Span], name: str
) -> dict[Span, Grounds]:
    """The grounds of the likeliest word of each span; of one without a chance, as what the hospital
    told, none.

    Args:
        proposals: the name of each detector → its spans.
        name: of the trees.

    Raises:
        ModelError: a shipped tagger or the trees are missing or damaged.
    """
    told = evidence(doc, proposals)
    if not told.places:
        return {}
    grown, row = trees(name), {at: row for row, at in enumerate(told.places)}
    chances, found = grown.chances(told.values), {}
    for span in spans:
        head = int(span.label.is_direct)
        own = [row[at] for at in doc.tokens.over(span.start, span.end) if at in row]
        if not own:
            continue
        best = max(own, key=lambda at: float(chances[at, head]))
        without = np.repeat(told.values[best][None], len(KINDS), 0)
        silent = np.zeros(len(FEATURES), np.float32)
        silent[[*_NOTHING]] = 1
        for at in range(len(KINDS)):
            without[at] = np.where(at == _OF, silent, without[at])
        odds = _odds(chances[best, head]) - _odds(grown.chances(without)[:, head])
        ranked = sorted(zip(odds.tolist(), KINDS, strict=True), key=lambda one: -abs(one[0]))
        found[span] = Grounds(
            float(chances[best, head]),
            tuple(kind for change, kind in ranked if change >= _TELLS),
            tuple(kind for change, kind in ranked if change <= -_TELLS),
        )
    return found


def _odds(chance: Array) -> Array:
    odds: Array = np.log(chance / (1 - chance))
    return odds
