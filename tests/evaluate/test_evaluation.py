"""Figures of several notes and runs, counted by hand; intervals and comparisons by their laws."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.document import Document, Span
from dpdeid.evaluate.bootstrap import interval, p_value, resampled
from dpdeid.evaluate.detection import Scores, score
from dpdeid.evaluate.evaluation import Evaluation, GoldNote, Run, as_json, evaluate
from dpdeid.evaluate.figures import Table, tabulated
from dpdeid.labels import HNFC, Label
from dpdeid.spans import disjoint
from dpdeid.testing import marked
from dpdeid.testing.strategies import spans

LINES = (
    ("lettre", "M. «LAST_NAME:Morel» vu le «DATE:12/03»"),
    ("lettre", "revu le «DATE:15/03»"),
    ("bilan", "à «CITY:Brest» par le Dr «LAST_NAME:Petit»"),
    (None, "rien"),
)
GOLD = [
    GoldNote(Document(str(i), text), found, kind)
    for i, (kind, line) in enumerate(LINES)
    for text, found in [marked(line)]
]
PERFECT: Run = [note.spans for note in GOLD]


def without(label: Label) -> Run:
    return [tuple(s for s in found if s.label != label) for found in PERFECT]


WORSE = [*without(Label.LAST_NAME)[:3], (Span(0, 4, Label.CITY),)]
"""Both names are missed and "rien" is taken for a town."""


def value(evaluation: Evaluation, path: str) -> float:
    return evaluation.values[tuple(path.split("."))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("all.redacted", 5 / 7),  # of Morel, 12, 03, 15, 03, Brest, Petit
        ("direct.redacted", 0.0),
        ("quasi.redacted", 1.0),
        ("all.fully_redacted", 2 / 4),  # the second, and the fourth, which has nothing to hide
        ("direct.fully_redacted", 2 / 4),
        ("labels.LAST_NAME.fully_redacted", 2 / 4),
        ("labels.LAST_NAME.token.precision", math.nan),  # nothing was predicted
        ("labels.LAST_NAME.token.f1", 0.0),
        ("labels.CITY.exact.precision", 1 / 2),
        ("micro.exact.precision", 3 / 4),
        ("micro.exact.recall", 3 / 5),
        ("micro.token.recall", 5 / 7),
        ("direct.exact.recall", 0.0),
        ("quasi.exact.recall", 1.0),
        ("macro.exact.precision", (0 + 1 + 1 / 2) / 3),  # LAST_NAME counts as 0
        ("macro.exact.f1", (0 + 1 + 2 / 3) / 3),
        ("weighted.exact.recall", (2 * 0 + 2 * 1 + 1 * 1) / 5),
        ("strict.precision", 5 / 6),
        ("strict.recall", 5 / 7),
        ("once.recall", 5 / 7),  # the two 03 are in two notes
        ("strict.missed_per_note", 2 / 4),
        ("categories.NAME.exact.recall", 0.0),
        ("categories.TIME.partial.f1", 1.0),
        ("types.lettre.all.redacted", 4 / 5),
        ("types.bilan.all.fully_redacted", 0.0),
    ],
)
def test_figures_counted_by_hand(path: str, expected: float) -> None:
    found = value(evaluate(GOLD, [WORSE], resamples=0), path)
    assert found == pytest.approx(expected, nan_ok=True)


def test_runs_are_counted_together_and_spread_apart() -> None:
    both = evaluate(GOLD, [PERFECT, WORSE], resamples=0)
    assert value(both, "all.redacted") == (7 + 5) / 14
    assert value(both, "all.fully_redacted") == (4 + 2) / 8
    assert value(both, "strict.missed_per_note") == 2 / 8
    assert both.spread["all", "redacted"] == [1.0, 5 / 7]
    assert both.counts["micro", "exact", "tp"] == 5 + 3
    assert both.confusion["LAST_NAME", "O"] == 2
    assert both.confusion["LAST_NAME", "LAST_NAME"] == 2


def test_no_gold_and_no_prediction() -> None:
    nothing = evaluate([GOLD[3]], [[()]], resamples=20)
    assert value(nothing, "all.fully_redacted") == 1
    for path in ("all.redacted", "micro.exact.f1", "macro.token.f1", "strict.precision"):
        assert math.isnan(value(nothing, path)), path
    assert all(math.isnan(end) for end in nothing.intervals["all", "redacted"])
    found = as_json(nothing)
    assert found["all"]["redacted"] is None
    assert found["labels"] == found["categories"] == {}
    for group in ("micro", "direct", "quasi"):
        assert found[group]["exact"]["tp"] == found[group]["token"]["fn"] == 0


def test_a_type_has_the_labels_that_occur_in_it() -> None:
    found = evaluate(GOLD, [WORSE], resamples=10)
    lettre = {path[3] for path in found.values if path[:3] == ("types", "lettre", "labels")}
    assert lettre == {"DATE", "LAST_NAME"}
    assert found.counts["types", "lettre", "micro", "exact", "fn"] == 1
    assert ("types", "bilan", "labels", "CITY", "exact", "f1") in found.intervals


def test_groups_are_not_told_apart_in_classes_that_mix_them() -> None:
    found = evaluate(GOLD, [PERFECT], classes=HNFC, resamples=0)
    assert value(found, "labels.PER.exact.f1") == 1
    assert ("direct", "exact", "f1") not in found.values
    assert value(found, "direct.redacted") == 1


@given(st.lists(st.lists(spans(6)).map(disjoint), min_size=1, max_size=4))
def test_a_table_sums_to_what_scores_add_up_to(predicted: list[Sequence[Span]]) -> None:
    doc, gold = GOLD[0].doc, GOLD[0].spans
    scores = [score(doc, gold, found) for found in predicted]
    total = sum(scores, Scores())
    table = tabulated([{"labels": s} for s in scores])
    sums = table.totals()
    for label, counts in total.partial.items():
        found = [sums["labels", label, "partial", c][0] for c in ("tp", "fp", "fn")]
        assert found == [counts.tp, counts.fp, counts.fn]
    assert sums["direct", "leaking_notes"][0] == total.direct.notes - total.direct.clean_notes
    assert sums["strict", "fp"][0] == total.strict.fp
    twice = (table + table).totals()
    assert all(twice[path][0] == 2 * sums[path][0] for path in table.index)


class TestBootstrap:
    TABLE = Table({("x",): 0}, np.array([[1.0], [2.0], [4.0], [8.0]]))

    def test_samples_are_of_as_many_notes_and_are_the_same_for_all_parts(self) -> None:
        parts = [(self.TABLE.of(rows), rows) for rows in (range(4), (1,), (0, 2, 3))]
        (all_of, drawn), (one, ones), (rest, rests) = resampled(parts, 4, 120, seed=3)
        assert all_of["x",][0] == 15
        assert set(drawn) == {4.0}
        assert len(drawn) == 121
        assert np.array_equal(one["x",] + rest["x",], all_of["x",])
        assert np.array_equal(ones + rests, drawn)
        assert np.array_equal(one["x",], 2 * ones)

    def test_equal_seeds_give_equal_samples(self) -> None:
        parts = [(self.TABLE, range(4))]
        first, again, other = (resampled(parts, 4, 60, seed)[0][0].counts for seed in (1, 1, 2))
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)

    def test_the_spread_of_a_share_is_binomial(self) -> None:
        notes = 400
        table = Table({("x",): 0}, np.array([[float(i < 100)] for i in range(notes)]))
        ((totals, _),) = resampled([(table, range(notes))], notes, 2000, seed=0)
        shares = totals["x",][1:] / notes
        expected = math.sqrt(0.25 * 0.75 / notes)
        assert shares.mean() == pytest.approx(0.25, abs=4 * expected / math.sqrt(2000))
        assert shares.std() == pytest.approx(expected, rel=0.07)  # 4 standard errors of it
        low, high = interval(totals["x",] / notes)
        assert low == pytest.approx(0.25 - 1.96 * expected, abs=0.006)
        assert high == pytest.approx(0.25 + 1.96 * expected, abs=0.006)

    def test_p_counts_the_samples_on_the_other_side(self) -> None:
        assert p_value(np.array([0.3] + [0.2] * 97 + [-0.1] * 2)) == 2 * 3 / 100
        assert p_value(np.array([0.3] + [0.2] * 99)) == 2 * 1 / 100
        assert p_value(np.zeros(100)) == 1
        assert math.isnan(p_value(np.array([0.3])))


class TestComparison:
    def test_a_system_does_not_differ_from_itself(self) -> None:
        same = evaluate(GOLD, [WORSE], against=[WORSE], resamples=50)
        for difference in same.differences.values():
            if not math.isnan(difference.value):
                assert (difference.value, difference.low, difference.high) == (0, 0, 0)
                assert difference.p == 1

    def test_the_same_notes_are_drawn_for_both(self) -> None:
        notes, found = GOLD * 10, [*PERFECT] * 10
        worse = [*without(Label.CITY)] * 10  # leaks in each third note of four, and nowhere else
        better = evaluate(notes, [found], against=[worse], resamples=400)
        difference = better.differences["all", "fully_redacted"]
        alone = evaluate(notes, [worse], resamples=400).intervals["all", "fully_redacted"]
        assert difference.value == pytest.approx(1 / 4)
        assert difference.low >= 1 - alone[1]  # the interval of a share is exact besides
        assert difference.high <= 1 - alone[0]
        assert difference.high - difference.low == pytest.approx(alone[1] - alone[0], rel=0.2)
        assert difference.p < 0.01
        back = evaluate(notes, [worse], against=[found], resamples=400)
        assert back.differences["all", "fully_redacted"].value == -difference.value

    def test_runs_on_both_sides_are_t_tested(self) -> None:
        one = evaluate(GOLD, [PERFECT, WORSE], against=[WORSE], resamples=10)
        assert all(difference.t is None for difference in one.differences.values())
        two = evaluate(GOLD, [PERFECT, WORSE], against=[WORSE, PERFECT], resamples=10)
        tested = two.differences["all", "redacted"].t
        assert tested is not None
        assert (tested.t, tested.df, tested.p) == (0, 2, 1)


def test_json_has_an_object_for_each_step_and_no_nan() -> None:
    found = as_json(evaluate(GOLD, [WORSE, PERFECT], against=[WORSE, WORSE], resamples=30))
    text = json.dumps(found, allow_nan=False)
    assert "Morel" not in text
    assert found["labels"]["CITY"]["exact"] == {
        "tp": 2, "fp": 1, "fn": 0,
        "precision": 0.666667, "recall": 1.0, "f1": 0.8,
    }  # fmt: skip
    assert found["labels"]["LAST_NAME"]["token"]["tp"] == 2
    assert found["types"]["lettre"]["notes"] == 2
    assert found["confusion"]["O"] == {"CITY": 1}
    assert len(found["intervals"]["direct"]["redacted"]) == 2
    assert found["bootstrap"] == {"resamples": 30, "seed": 0, "level": 0.95, "unit": "note"}
    assert found["spread"]["all"]["redacted"]["values"] == [0.714286, 1.0]
    assert set(found["comparison"]["micro"]["token"]["f1"]) == {
        "difference", "interval", "p", "student",
    }  # fmt: skip
