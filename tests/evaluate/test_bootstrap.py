"""Intervals of shares: exact where the bootstrap is blind, never narrower, and right as often."""

from __future__ import annotations

import math
import random
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpdeid.errors import UsageError
from dpdeid.evaluate.bootstrap import interval, resampled, share_interval
from dpdeid.evaluate.figures import Floats, Table


def samples(words: list[int], missed: list[int], resamples: int = 300) -> Floats:
    """The share of covered words over all notes, then over samples of them."""
    counts = np.array([words, missed], dtype=float).T
    table = Table({("all",): 0, ("missed",): 1}, counts)
    ((totals, _),) = resampled([(table, range(len(words)))], len(words), resamples, seed=0)
    covered: Floats = 1 - totals["missed",] / totals["all",]
    return covered


@pytest.mark.parametrize("notes", [1, 2, 12, 60, 3_000])
def test_nothing_missed_is_no_proof(notes: int) -> None:
    """Clopper and Pearson's on notes: at 60 notes the bound is 94.0 %, whatever their words."""
    low, high = share_interval(samples([20] * notes, [0] * notes, 20), notes)
    assert high == 1
    assert low == pytest.approx(0.025 ** (1 / notes))
    assert share_interval(samples([20] * notes, [20] * notes, 20), notes) == (
        0,
        pytest.approx(1 - low),
    )


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), min_size=1, max_size=30))
def test_it_is_never_narrower_than_the_bootstrap(notes: list[tuple[int, int]]) -> None:
    words, missed = [n for n, _ in notes], [min(n, k) for n, k in notes]
    values = samples(words, missed, 60)
    low, high = share_interval(values, len(notes))
    blind = interval(values)
    assert 0 <= low <= blind[0] + 1e-12
    assert blind[1] - 1e-12 <= high <= 1
    assert low <= values[0] <= high
    assert low < high


def test_one_trial_a_note_gives_clopper_and_pearson() -> None:
    """Notes of one word each are independent trials: the exact interval of 200 of them."""
    values = samples([1] * 200, [1] * 30 + [0] * 170, 4_000)
    low, high = share_interval(values, 200)
    exact = stats.binomtest(170, 200).proportion_ci(0.95, "exact")
    assert low == pytest.approx(exact.low, abs=0.006)
    assert high == pytest.approx(exact.high, abs=0.006)


def test_two_notes_say_next_to_nothing() -> None:
    low, high = share_interval(samples([14, 11], [5, 4]), 2)
    assert low == pytest.approx(stats.binomtest(1, 2).proportion_ci(0.95, "exact").low)
    assert high == pytest.approx(stats.binomtest(2, 2).proportion_ci(0.95, "exact").high)


def test_of_nothing_there_is_no_interval() -> None:
    assert all(math.isnan(end) for end in share_interval(np.full(5, math.nan), 0))


@pytest.mark.statistical
def test_the_truth_is_inside_as_often_as_is_said() -> None:
    """One note in forty leaks all its words: the bootstrap misses that in a fifth of all sets."""
    draw, sets, truth = random.Random(3), 300, 1 - 1 / 40
    blind = ours = 0
    for _ in range(sets):
        missed = [10 * (draw.random() < 1 / 40) for _ in range(60)]
        values = samples([10] * 60, missed, 200)
        low, high = interval(values)
        blind += low <= truth <= high
        low, high = share_interval(values, 60)
        ours += low <= truth <= high
    assert blind / sets < 0.9
    assert ours / sets > 0.95


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    values = samples([20] * 12, [1, *[0] * 11])
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(UsageError, match=r"\.\[evaluate\].*--resamples 0"):
        share_interval(values, 12)
