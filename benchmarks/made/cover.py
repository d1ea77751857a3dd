"""What share of true surnames may come out as surrogates: a surname that never does is a miss, and
whoever has the package knows.

Of people in France, by the bearers of each name of the register; of the surnames of gold notes, and
of those of ten origins that stand in no list, which can only be made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.people.clusters import PREFIXES
from dpdeid.substitute.people.surnames import bearers, odds, surnames
from made import origins

_BREAK: Final = re.compile(r"[-\s'’]+")
Note = tuple[Document, tuple[Span, ...]]


def figures(notes: Iterable[Note] = ()) -> dict[str, float]:
    """Share of each kind that may be drawn, or made up."""
    drawn = sum(one.people for one in odds())
    every = sum(bearers(range(1, len(gazetteers.surnames()) + 1)))
    found = {"people of the register": drawn / every}
    texts = {f"origin {one}": names[Label.LAST_NAME] for one, names in origins.origins().items()}
    texts["gold notes"] = tuple(
        doc.text[span.start : span.end]
        for doc, spans in notes
        for span in spans
        if span.label is Label.LAST_NAME
    )
    groups = {one: set(chain.from_iterable(map(_words, own))) for one, own in texts.items()}
    for group, names in groups.items():
        if names:
            found[f"{group}, listed"] = sum(map(surnames().has, names)) / len(names)
            found[f"{group}, at all"] = sum(map(may_come, names)) / len(names)
    return found


def _words(name: str) -> list[str]:
    """The parts of a surname that are replaced each by itself, particles left out."""
    words = _BREAK.split(fold(name))
    return [word for word in words if len(word) > 2 and word.isalpha() and word not in PREFIXES]


def may_come(name: str) -> bool:
    """Whether a folded surname may be drawn or made up."""
    return surnames().has(name) or surnames().may_make_up(name)
