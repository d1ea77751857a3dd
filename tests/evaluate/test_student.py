"""Student's distribution and test against scipy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdeid.evaluate.student import inside, t_test

stats = pytest.importorskip("scipy.stats")
runs = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=2, max_size=6)


@given(st.floats(0, 50), st.integers(1, 40))
def test_the_finite_sum_is_the_distribution(t: float, df: int) -> None:
    assert inside(t, df) == pytest.approx(1 - 2 * stats.t.sf(t, df), abs=1e-12)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")  # scipy's, of equal runs
@given(runs, runs)
def test_the_test_is_scipys(a: list[float], b: list[float]) -> None:
    found = t_test(a, b)
    assert found.df == len(a) + len(b) - 2
    if len({*a}) == len({*b}) == 1:
        assert math.isnan(found.t)
        assert math.isnan(found.p)
    else:
        theirs = stats.ttest_ind(a, b)
        assert found.t == pytest.approx(theirs.statistic)
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_an_example_by_hand() -> None:
    found = t_test([1.0, 3.0], [4.0, 6.0])  # means 2 and 5, pooled variance 2, so t = −3/√2
    assert found.t == pytest.approx(-3 / math.sqrt(2))
    assert found.p == pytest.approx(1 - (3 / math.sqrt(2)) / math.sqrt(2 + 9 / 2))  # df = 2


def test_one_run_is_no_group() -> None:
    with pytest.raises(ValueError, match="two runs"):
        t_test([1.0], [1.0, 2.0])
