"""What share of true surnames may come out as surrogates: a surname that never does is a miss, and
whoever has the package knows.

Of people in France, by the bearers of each name of the register, all and by origin (`by_origin`);
of the surnames of gold notes, and of those of ten origins that stand in no list, which can only be
made up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Final

from dpdeid import gazetteers
from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.normalize import fold
from dpdeid.substitute.people.clusters import PREFIXES
from dpdeid.substitute.people.surnames import bearers, odds, surnames
from made import origins, told

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


def by_origin() -> dict[str, dict[str, float]]:
    """Origin, told by `told.origin_of` → how many people of the register are of it, and the shares
    of them that bear a name which may be drawn, of all of its names and of the usual ones.

    A name of parts may be where each part may: each is replaced by itself.
    """
    ranks = gazetteers.surnames()
    weighed = dict(zip(ranks, bearers([rank + 1 for rank in ranks.values()]), strict=True))
    drawn = frozenset(surnames().names())
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, people in weighed.items():
        own, known = found[told.origin_of(name)], name in told.usual()
        comes = name in drawn or _in_parts(name, drawn)
        own[0] += int(people)
        own[1] += int(people) * comes
        own[2] += int(people) * known
        own[3] += int(people) * known * comes
    return {
        origin: {"people": every, "drawn": part / every, "usual drawn": own / usual}
        for origin, (every, part, usual, own) in sorted(found.items())
    }


def _in_parts(name: str, drawn: frozenset[str]) -> bool:
    """Whether each part of a name may be drawn: "d'angelo", "ferreira da silva", "n diaye"."""
    respelt = re.sub(r" h$", "'h", re.sub(r"^([lnmk]) ", r"\1'", name))
    parts = [part for part in _BREAK.split(name) if part not in PREFIXES]
    return respelt in drawn or (len(parts) > 0 and drawn.issuperset(parts) and name not in parts)


def _words(name: str) -> list[str]:
    """The parts of a surname that are replaced each by itself, particles left out."""
    words = _BREAK.split(fold(name))
    return [word for word in words if len(word) > 2 and word.isalpha() and word not in PREFIXES]


def may_come(name: str) -> bool:
    """Whether a folded surname may be drawn or made up."""
    return surnames().has(name) or surnames().may_make_up(name)
