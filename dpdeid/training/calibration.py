"""Makes scores mean something: a temperature, and offsets for a target recall.

Both are chosen on held-out notes. With the temperature (Guo et al. 2017) a score of 0.9 is right
about nine times in ten on notes like these.

A CRF gets a line for each kind of token and a least chance for each label. What a tagger scores on
such notes chooses the best of several runs and stands on its card.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

import numpy as np

from dpdeid.detect.taggers.crf import FAINT, Calibration, Line, kind_of, log_odds
from dpdeid.detect.taggers.crf import Tagger as CrfTagger
from dpdeid.detect.taggers.transformer import Tagger
from dpdeid.document import Document, Span
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.spans import encode
from dpdeid.training.corpus import Note

_TEMPERATURES: Final = tuple(round(0.5 * 1.1**step, 4) for step in range(25))
_OFFSETS: Final = tuple(step / 2 for step in range(13))
"""From none to 6: at the end a label wins against an outside 400 times as likely."""


def temperature(tagger: Tagger, notes: Sequence[Note]) -> float:
    """The temperature in 0.5 … 5 under which the gold tags are most likely."""
    number = {tag: index for index, tag in enumerate(tagger.spec.tags)}
    rows, gold = [], []
    for doc, spans in notes:
        rows.append(tagger.scores(doc))
        gold += [number.get(tag, 0) for tag in encode(spans, doc.tokens)]
    scores, truth = np.concatenate(rows), np.array(gold)

    def loss(degree: float) -> float:
        cooled = scores / degree
        return float(
            (np.logaddexp.reduce(cooled, axis=1) - cooled[np.arange(len(truth)), truth]).mean()
        )

    return min(_TEMPERATURES, key=loss) if len(truth) else 1.0


def recall_offsets(tagger: Tagger, notes: Sequence[Note], *, target: float) -> dict[str, float]:
    """Label → the least offset with which `target` of its gold tokens get a tag other than outside.

    A label without gold tokens has no entry; one that does not get there has the largest offset.
    """
    margins: dict[str, list[float]] = {}
    for doc, spans in notes:
        for row, tag in zip(tagger.scores(doc), encode(spans, doc.tokens), strict=True):
            if tag[2:] in tagger.spec.labels:
                margins.setdefault(tag[2:], []).append(_margin(tagger, row, tag[2:]))
    return {
        label: next(
            (o for o in _OFFSETS if np.mean([m <= o for m in found]) >= target), _OFFSETS[-1]
        )
        for label, found in sorted(margins.items())
    }


def _margin(tagger: Tagger, row: np.ndarray, label: str) -> float:
    """By how much outside beats the label; below zero where any other tag wins anyway."""
    own = max(row[i] for i, tag in enumerate(tagger.spec.tags) if tag[2:] == label)
    return -1.0 if row[0] < row[1:].max() else float(row[0] - own)


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


def calibrate(tagger: CrfTagger, notes: Sequence[Note], *, target: float) -> Calibration:
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
            reached[token.gold].append(_reached(Calibration(lines), token))
    return Calibration(
        lines, {label: _least(all_, target) for label, all_ in sorted(reached.items())}
    )


def seen(tagger: CrfTagger, note: Note) -> Iterator[Seen]:
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
    odds, true = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    inputs = np.stack([odds, np.ones_like(odds)])  # (2, pairs)
    start = np.array([1.0, 0.0])

    def loss(line: np.ndarray) -> float:
        against = np.where(true, -1, 1) * (line @ inputs)
        return float(((line - start) ** 2).sum() / 2 + np.logaddexp(0, against).sum())

    line, now = start, loss(start)
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(line @ inputs)))
        gradient = line - start + inputs @ (chances - true)
        curvature = np.eye(2) + inputs * (chances * (1 - chances)) @ inputs.T
        step = np.linalg.solve(curvature, gradient)
        while (new := loss(line - step)) > now:
            step = step / 2
        line = line - step
        if now - new < _FLAT:
            break
        now = new
    return round(float(line[0]), 4), round(float(line[1]), 4)


def _reached(lines: Calibration, token: Seen) -> float:
    """The chance by which a token may be tagged at all: see `crf_tagger.Tagger.spans`."""
    if not token.chances:
        return 0.0
    direct = [c for label, c in token.chances.items() if Label(label).is_direct]
    one = token.chances[token.gold]
    return lines.of(token.kind, min(1.0, sum(direct)) if Label(token.gold).is_direct else one)


def _least(found: Sequence[float], target: float) -> float:
    """The largest chance, rounded down, that so many of those found reach."""
    allowed = math.floor((1 - target) * len(found) + 1e-9)
    return max(_LEAST, math.floor(sorted(found)[allowed] * 1000) / 1000)


class Tagging(Protocol):
    """A tagger that is ready to tag."""

    def tag(self, doc: Document) -> tuple[Span, ...]: ...


class Run(Protocol):
    """What a training gave, with its held-out scores by figure."""

    @property
    def scores(self) -> Mapping[str, float]: ...


AnyRun = TypeVar("AnyRun", bound=Run)


def figures(tagger: Tagging, notes: Sequence[Note]) -> dict[str, float]:
    """The held-out scores that a model card shows; nan where there is nothing to score."""
    total = Scores()
    for doc, gold in notes:
        total += score(doc, gold, tagger.tag(doc))
    exact, token = total.micro(total.exact, Label), total.micro(total.token, Label)
    return {
        "exact F1": exact.f1 if exact.tp else 0.0,
        "token precision": token.precision,
        "token recall": token.recall,
        "direct redacted": total.direct.redacted,
        "direct fully redacted": total.direct.fully_redacted,
    }


def worth(scores: Mapping[str, float]) -> float:
    """What a tagger is chosen by: the mean of its exact F1 and, if any, of the direct redacted."""
    exact, redacted = scores["exact F1"], scores["direct redacted"]
    return exact if math.isnan(redacted) else (exact + redacted) / 2


def best_run(runs: Sequence[AnyRun]) -> tuple[AnyRun, dict[str, tuple[float, float]]]:
    """The best of several runs, and figure → mean and standard deviation of all, nan if one is."""
    best = max(runs, key=lambda run: worth(run.scores))
    return best, {figure: _spread([run.scores[figure] for run in runs]) for figure in best.scores}


def _spread(values: Sequence[float]) -> tuple[float, float]:
    if any(map(math.isnan, values)):
        return math.nan, math.nan
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0


def card_scores(
    scores: Mapping[str, float], spread: Mapping[str, tuple[float, float]]
) -> dict[str, float]:
    """The held-out scores of a kept run and of all, as a card has them: no ratio over nothing."""
    found = {f"held out/{figure}": value for figure, value in scores.items()}
    for figure, (mean, deviation) in spread.items():
        found[f"held out/{figure}, mean of seeds"] = mean
        found[f"held out/{figure}, sd of seeds"] = deviation
    return {name: round(value, 5) for name, value in found.items() if not math.isnan(value)}
