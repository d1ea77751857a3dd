"""Calibrates a CRF on held-out notes: a line for each kind of token, a least chance for each label.

The lines are fitted as Platt (1999) did, to the log odds of each label at each token, drawn a
little towards the line that changes nothing; then the least chances are read off.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dpdeid.detect.chances import Chances, Line, kind_of, log_odds
from dpdeid.detect.crf_tagger import FAINT, Tagger
from dpdeid.labels import Label
from dpdeid.tags import encode
from dpdeid.training.corpus import Note

_STEPS: Final = 30
_FLAT: Final = 1e-6
_LEAST: Final = 0.02
"""No label is tagged on less, whatever the target."""

Pair = tuple[float, bool]
"""Log odds, and whether it came true."""


class Seen(NamedTuple):
    """A token: its kind, its gold label ("" for none), the chance of each label."""

    kind: str
    gold: str
    chances: Mapping[str, float]


def calibrate(tagger: Tagger, notes: Sequence[Note], *, target: float) -> Chances:
    """How the chances of a tagger are to be read, by notes that it was not trained on.

    Args:
        target: share of the tokens of each label, in (0, 1), that `recall_first` is to find.
    """
    tokens = [token for note in notes for token in seen(tagger, note)]
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for kind, gold, chances in tokens:
        pairs[kind] += [(log_odds(c), x == gold) for x, c in chances.items() if c >= FAINT]
    lines = {kind: fit_line(found) for kind, found in sorted(pairs.items())}
    reached: dict[str, list[float]] = defaultdict(list)
    for token in tokens:
        if token.gold in tagger.card.labels:
            reached[token.gold].append(_reached(Chances(lines), token))
    return Chances(lines, {label: _least(all_, target) for label, all_ in sorted(reached.items())})


def seen(tagger: Tagger, note: Note) -> Iterator[Seen]:
    """The tokens of a note that have a letter or digit."""
    tokens = note[0].tokens
    rows = zip(
        *(tokens.texts, tokens.folded, encode(note[1], tokens), tagger.marginals(note[0])),
        strict=True,
    )
    for text, folded, tag, chances in rows:
        if any(map(str.isalnum, text)):
            yield Seen(kind_of(text, folded), tag[2:], chances)


def fit_line(pairs: Sequence[Pair]) -> Line:
    """The slope and shift under which what came true is likeliest, less half the squared distance
    from (1, 0): Newton's steps, halved while they make it worse.
    """
    slope, shift = 1.0, 0.0
    now = _loss(pairs, slope, shift)
    for _ in range(_STEPS):
        g, h, aa, ab, bb = slope - 1, shift, 1.0, 0.0, 1.0
        for odds, true in pairs:
            chance = 1 / (1 + math.exp(-(slope * odds + shift)))
            wrong, weight = chance - true, chance * (1 - chance)
            g, h = g + wrong * odds, h + wrong
            aa, ab, bb = aa + weight * odds * odds, ab + weight * odds, bb + weight
        root = aa * bb - ab * ab
        step, part = ((bb * g - ab * h) / root, (aa * h - ab * g) / root), 1.0
        while (new := _loss(pairs, slope - part * step[0], shift - part * step[1])) > now:
            part /= 2
        slope, shift = slope - part * step[0], shift - part * step[1]
        if now - new < _FLAT:
            break
        now = new
    return round(slope, 4), round(shift, 4)


def _loss(pairs: Sequence[Pair], slope: float, shift: float) -> float:
    wrong = ((slope - 1) ** 2 + shift**2) / 2
    for odds, true in pairs:
        against = (-1 if true else 1) * (slope * odds + shift)
        wrong += max(against, 0) + math.log1p(math.exp(-abs(against)))
    return wrong


def _reached(lines: Chances, token: Seen) -> float:
    """The chance by which a token may be tagged at all: see `Tagger.spans`."""
    if not token.chances:
        return 0.0
    direct = [c for label, c in token.chances.items() if Label(label).is_direct]
    one = token.chances[token.gold]
    return lines.of(token.kind, min(1.0, sum(direct)) if Label(token.gold).is_direct else one)


def _least(found: Sequence[float], target: float) -> float:
    """The largest chance, rounded down, that so many of those found reach."""
    allowed = math.floor((1 - target) * len(found) + 1e-9)
    return max(_LEAST, math.floor(sorted(found)[allowed] * 1000) / 1000)
