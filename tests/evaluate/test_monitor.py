"""Drift: silent on batches of the same kind, loud when a label goes or doubles."""

from __future__ import annotations

import json
import math
import random
import statistics
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.errors import UsageError
from dpdeid.evaluate.monitor import (
    ANY,
    NONE,
    Drift,
    Tally,
    drifts,
    read_baseline,
    read_labels,
    tallies,
)
from dpdeid.labels import Label

COUNTS = st.lists(st.integers(0, 40), min_size=2, max_size=60)


def batch(number: int, seed: int, *, dates: float = 3.0, names: float = 2.0) -> list[Counter[str]]:
    """Notes with about so many dates and surnames each."""
    draw = random.Random(seed)

    def some(mean: float) -> int:
        return sum(draw.random() < mean / 20 for _ in range(20))

    return [Counter(DATE=some(dates), LAST_NAME=some(names)) for _ in range(number)]


def named(rows: tuple[Drift, ...]) -> dict[str, Drift]:
    return {row.name: row for row in rows}


@given(COUNTS)
def test_a_tally_has_the_moments_of_its_counts(counts: list[int]) -> None:
    tally = Tally.of(counts)
    assert tally.notes == len(counts)
    assert tally.mean == pytest.approx(statistics.fmean(counts))
    assert tally.variance == pytest.approx(statistics.variance(counts), abs=1e-9)


def test_the_bins_are_those_that_are_documented() -> None:
    assert Tally.of([0, 1, 2, 3, 4, 5, 9, 10, 99]).bins == (1, 1, 1, 2, 2, 2)


@given(COUNTS)
def test_equal_batches_do_not_drift(counts: list[int]) -> None:
    notes = tallies(Counter(DATE=count) for count in counts)
    for row in drifts(notes, notes):
        assert (row.p, row.psi, row.alarms) == (1.0, 0.0, False)
        assert row.ratio == 1


def test_hand_computed() -> None:
    # 0, 2, 4, 2 beside 4, 4, 6, 6: means 2 and 5, variances 8/3 and 4/3, the second taken to be
    # 8/3 too: error² = 4/3, z² = 27/4.
    rows = drifts(
        tallies(Counter(DATE=count) for count in (0, 2, 4, 2)),
        tallies(Counter(DATE=count) for count in (4, 4, 6, 6)),
    )
    date = named(rows)["DATE"]
    assert (date.old, date.new, date.ratio) == (2, 5, 2.5)
    assert date.p == pytest.approx(len(rows) * math.erfc(math.sqrt(27 / 8)))
    # Bins 1 0 2 1 0 0 and 0 0 0 2 2 0, each with half a note more, of 7.
    old, new = [1.5, 0.5, 2.5, 1.5, 0.5, 0.5], [0.5, 0.5, 0.5, 2.5, 2.5, 0.5]
    psi = sum((n - o) / 7 * math.log(n / o) for o, n in zip(old, new, strict=True))
    assert date.psi == pytest.approx(psi)


def test_two_batches_of_one_kind_raise_no_alarm() -> None:
    old = tallies(batch(1_000, 0))
    alarms = sum(
        row.alarms for seed in range(100) for row in drifts(old, tallies(batch(200, seed)))
    )
    assert alarms <= 3  # 100 families of tests at 1 %


@pytest.mark.parametrize("size", [5, 30])
def test_a_few_notes_of_the_same_kind_raise_no_alarm(size: int) -> None:
    """Most of their labels are in no note: a variance of 0 that says nothing."""
    draw = random.Random(0)
    labels = [label.value for label in Label]
    rows = [Counter(label for label in labels if draw.random() < 0.1) for _ in range(300)]
    old = tallies(rows)
    batches = [drifts(old, tallies(draw.choices(rows, k=size))) for _ in range(100)]
    assert sum(any(row.alarms for row in batch) for batch in batches) <= 3


@pytest.mark.parametrize(
    ("change", "label"), [({"names": 1.0}, "LAST_NAME"), ({"dates": 6.0}, "DATE")]
)
def test_a_label_that_halves_or_doubles_alarms_alone(change: dict[str, float], label: str) -> None:
    rows = named(drifts(tallies(batch(1_000, 0)), tallies(batch(200, 1, **change))))
    assert rows[label].alarms
    assert not rows[({"DATE", "LAST_NAME"} - {label}).pop()].alarms


def test_a_trifle_in_a_large_batch_is_no_alarm() -> None:
    row = named(drifts(tallies(batch(10_000, 0)), tallies(batch(10_000, 1, dates=3.2))))["DATE"]
    assert row.p < 0.01
    assert not row.alarms


def test_notes_without_any_span_are_a_figure() -> None:
    old = tallies([Counter(DATE=3)] * 95 + [Counter()] * 5)
    new = tallies([Counter(DATE=3)] * 60 + [Counter()] * 40)
    rows = named(drifts(old, new))
    assert (rows[NONE].old, rows[NONE].new) == (0.05, 0.4)
    assert rows[NONE].alarms
    assert rows[ANY].alarms


def test_a_label_that_is_nowhere_is_left_out() -> None:
    rows = named(drifts(tallies(batch(50, 0)), tallies(batch(50, 1))))
    assert "SSN" not in rows
    assert {"DATE", "LAST_NAME", ANY} <= set(rows)


def test_rows_are_read_and_errors_left_out(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    rows = [
        {"id": "1", "entities": [{"label": "DATE"}, {"label": "DATE"}, {"label": "CITY"}]},
        {"id": "2", "error": "row 2: empty"},
        {"id": "3", "entities": []},
    ]
    path.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert list(read_labels(path)) == [Counter(DATE=2, CITY=1), Counter()]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": 1}', '{"entities": [{"label": "Zyxwv"}]}', '{"entities": [3]}']
)
def test_a_bad_line_is_named_and_not_repeated(tmp_path: Path, line: str) -> None:
    path = tmp_path / "spans.jsonl"
    path.write_text('{"entities": []}\n' + line, encoding="utf-8")
    with pytest.raises(UsageError, match="row 2") as caught:
        list(read_labels(path))
    assert "Zyxwv" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{}", '{"format": 9}', '{"format": 1, "tallies": {"a": 1}}'])
def test_another_file_is_no_baseline(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="not a baseline"):
        read_baseline(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl"):
        list(read_labels(tmp_path / "none.jsonl"))
    with pytest.raises(UsageError, match="--new-baseline"):
        read_baseline(tmp_path / "none.json")
