"""The t test of runs."""

from __future__ import annotations

import math
import sys

import pytest

from dpdeid.errors import UsageError
from dpdeid.evaluate.evaluation import t_test


def test_an_example_by_hand() -> None:
    found = t_test([1.0, 3.0], [4.0, 6.0])  # means 2 and 5, pooled variance 2, so t = −3/√2
    assert found.df == 2
    assert found.t == pytest.approx(-3 / math.sqrt(2))
    assert found.p == pytest.approx(1 - (3 / math.sqrt(2)) / math.sqrt(2 + 9 / 2))


def test_equal_runs_have_no_statistic() -> None:
    found = t_test([1.0, 1.0], [2.0, 2.0])
    assert math.isnan(found.t)
    assert math.isnan(found.p)


def test_one_run_is_no_group() -> None:
    with pytest.raises(ValueError, match="two runs"):
        t_test([1.0], [1.0, 2.0])


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(UsageError, match=r"\.\[evaluate\]"):
        t_test([1.0, 2.0], [3.0, 4.0])
