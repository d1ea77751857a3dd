"""What a tagger scores on held-out notes: how a run is chosen, and what its card says of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from dpdeid.document import Document, Span
from dpdeid.evaluate.detection import Scores, score
from dpdeid.labels import Label
from dpdeid.training.corpus import Note


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
    """What a tagger is chosen by: the mean of its exact F1 and of what it redacts of the direct
    identifiers; notes without any count by the former alone.
    """
    exact, redacted = scores["exact F1"], scores["direct redacted"]
    return exact if math.isnan(redacted) else (exact + redacted) / 2


def best_run(runs: Sequence[AnyRun]) -> tuple[AnyRun, dict[str, tuple[float, float]]]:
    """The best of several runs, and figure → mean and standard deviation over all; nan where a run
    has nothing to score.
    """
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
