"""What a run is chosen by, and what a card says of several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from dpdeid.document import Document, Span
from dpdeid.labels import Label
from dpdeid.training.calibration import best_run, card_scores, figures, worth

TEXT = "Mme Kerdoncuff, vue à Brest"
NAME, TOWN = Span(4, 14, Label.LAST_NAME), Span(22, 27, Label.CITY)


@dataclass(frozen=True)
class Found:
    """A tagger that gives the same spans for every note."""

    spans: tuple[Span, ...]

    def tag(self, doc: Document) -> tuple[Span, ...]:
        return self.spans


@dataclass(frozen=True)
class Run:
    scores: Mapping[str, float]


def test_figures_count_spans_tokens_and_direct_identifiers() -> None:
    scores = figures(Found((NAME,)), [(Document("n", TEXT), (NAME, TOWN))])
    assert scores == {
        "exact F1": pytest.approx(2 / 3),
        "token precision": 1.0,
        "token recall": 0.5,
        "direct redacted": 1.0,
        "direct fully redacted": 1.0,
    }


def test_who_finds_nothing_scores_nothing() -> None:
    scores = figures(Found(()), [(Document("n", TEXT), (TOWN,))])
    assert scores["exact F1"] == scores["token recall"] == 0
    assert math.isnan(scores["direct redacted"])


def test_what_is_missed_counts_as_much_as_what_is_wrong() -> None:
    assert worth({"exact F1": 0.8, "direct redacted": 1.0}) == pytest.approx(0.9)
    assert worth({"exact F1": 0.8, "direct redacted": float("nan")}) == 0.8


def test_the_best_run_is_kept_and_all_are_counted() -> None:
    runs = [Run({"exact F1": a, "direct redacted": b}) for a, b in ((0.5, 1), (0.9, 0.8), (0.7, 0))]
    best, spread = best_run(runs)
    assert best is runs[1]
    assert spread["exact F1"] == pytest.approx((0.7, 0.2))
    assert best_run(runs[:1])[1]["direct redacted"] == (1, 0)
    assert card_scores(best.scores, spread) == {
        "held out/exact F1": 0.9,
        "held out/direct redacted": 0.8,
        "held out/exact F1, mean of seeds": 0.7,
        "held out/exact F1, sd of seeds": 0.2,
        "held out/direct redacted, mean of seeds": 0.6,
        "held out/direct redacted, sd of seeds": pytest.approx(0.52915),
    }


def test_a_figure_over_nothing_is_told_as_none() -> None:
    runs = [Run({"exact F1": 0.5, "direct redacted": r}) for r in (math.nan, 1.0, 1.0)]
    best, spread = best_run(runs)
    assert all(map(math.isnan, spread["direct redacted"]))
    assert not any(map(math.isnan, card_scores(runs[0].scores, spread).values()))
    assert best.scores["direct redacted"] == 1.0
