"""The words that detection leaves in place, each with the chance that it identifies directly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Final

from dpdeid.detect.decision.decision import weighed
from dpdeid.detect.decision.evidence import ROW, by_voice
from dpdeid.document import Document, Finding, Span

_BETWEEN_BOXES: Final = re.compile(r"[/.-]?[ \t|_]{1,3}(?:[/.-][ \t|_]{1,3})?")
UNHEARD: Final = 1e-4
"""The chance of a word that no voice says anything of."""


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


def left_in_place(doc: Document, found: Finding) -> list[Word]:
    """The words and numbers of a note that no span touches, in their order.

    Args:
        doc: with a clean text (`dpdeid.normalize.clean`).
        found: what detection saw in it.

    Raises:
        ModelError: a shipped tagger is missing or damaged.
    """
    taken = {at for span in found.spans for at in doc.tokens.over(span.start, span.end)}
    _, sure = weighed(doc, by_voice(found.proposals))
    rows = _rows(doc)
    alnum = [at for at, text in enumerate(doc.tokens.texts) if _is_word(text)]
    words = []
    for (free, _), run in groupby(alnum, lambda at: (at not in taken, rows.get(at, at))):
        if free:
            own = [*run]
            risk = fmean(sure[at].direct if at in sure else UNHEARD for at in own)
            words.append(Word(own[0], own[-1] + 1, risk))
    return words


def things(doc: Document, spans: Iterable[Span]) -> list[frozenset[int]]:
    """The words, numbers and rows in each span, counted as those left, by their first tokens."""
    over, texts, rows = doc.tokens.over, doc.tokens.texts, _rows(doc)
    inside: Iterable[Sequence[int]] = (
        [at for at in over(s.start, s.end) if _is_word(texts[at])] for s in spans
    )
    return [frozenset(rows.get(at, at) for at in own) for own in inside]


def _rows(doc: Document) -> Mapping[int, int]:
    """Single letters or digits in a row on a line, apart from each other as in the boxes of a form:
    each → the first of its row.
    """
    found: dict[int, int] = {}
    row: list[int] = []
    texts, starts, ends = doc.tokens.texts, doc.tokens.starts, doc.tokens.ends
    singles = [at for at, text in enumerate(texts) if len(text) == 1 and text.isalnum()]
    for at in (*singles, None):
        between = doc.text[ends[row[-1]] : starts[at]] if row and at else ""
        if at is None or not _BETWEEN_BOXES.fullmatch(between):
            found |= dict.fromkeys(row if len(row) >= ROW else (), row[0] if row else 0)
            row = []
        row = [*row, at] if at is not None else row
    return found


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))
