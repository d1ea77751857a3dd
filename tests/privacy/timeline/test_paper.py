"""The published chain: faithful, and not private for a note."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from dpdeid.privacy.losses import NoGuarantee
from dpdeid.privacy.mechanisms.falling import BoundedLaplace
from dpdeid.privacy.rng import Streams
from dpdeid.privacy.timeline.modes import Kind, Point
from dpdeid.privacy.timeline.unproved import Paper
from tests.privacy.helpers import chi_square_fits, probabilities
from tests.privacy.making import E0, point, timelines

KEY = bytes(range(32))


def intervals(mode: Paper, backs: list[int], unit: str) -> list[int]:
    """The released intervals of days so far before e0, most recent first."""
    points = [point(back, Kind.EVENT, 0) for back in backs]
    released = mode.release(points, e0=E0, streams=Streams(KEY, unit))
    days = [E0, *(r.day or 0 for r in released)]
    return [before - day for before, day in pairwise(days)]


@given(timelines())
def test_order_is_kept_and_equal_days_stay_equal(points: list[Point]) -> None:
    released = Paper(epsilon=Fraction(6)).release(points, e0=E0, streams=Streams(KEY, "order"))
    pairs = sorted((p.day, r.day or 0) for p, r in zip(points, released, strict=True))
    surrogates = [surrogate for _, surrogate in pairs]
    assert surrogates == sorted(surrogates)
    assert len(dict(pairs)) == len(set(pairs))


def test_each_interval_takes_its_smallest_category_and_an_even_share() -> None:
    """Two intervals, 50 and 700 days: each is drawn with ε / 2 on 0..61 and on 0..36,000."""
    mode = Paper(epsilon=Fraction(16))
    drawn = [intervals(mode, [-50, -750], f"u{n}") for n in range(3_000)]
    short = BoundedLaplace(epsilon=Fraction(8), upper=61)
    expected = dict(enumerate(probabilities(short, 50)))
    assert chi_square_fits(Counter(first for first, _ in drawn), expected)
    half = BoundedLaplace(epsilon=Fraction(4), upper=61)
    assert not chi_square_fits(
        Counter(first for first, _ in drawn), dict(enumerate(probabilities(half, 50)))
    )
    assert 0 <= min(second for _, second in drawn) < max(second for _, second in drawn) <= 36_000
    mean = sum(abs(second - 700) for _, second in drawn) / len(drawn)
    assert 3_500 < mean < 5_000  # 36,000 / 8 near an end of the domain


@pytest.mark.parametrize(("interval", "width"), [(0, 61), (61, 61), (62, 660), (660, 660)])
def test_a_boundary_belongs_to_the_smaller_category(interval: int, width: int) -> None:
    mode = Paper(epsilon=Fraction(1, 2))
    drawn = [intervals(mode, [-interval], f"b{n}")[0] for n in range(400)]
    assert 0.8 * width < max(drawn) <= width


def test_an_interval_beyond_the_last_category_is_clamped() -> None:
    assert 0 <= intervals(Paper(epsilon=Fraction(1)), [-90_000], "far")[0] <= 36_000


def test_days_after_e0_are_a_chain_forwards() -> None:
    points = [point(back, Kind.EVENT, 0) for back in (30, 400, -20)]
    released = Paper(epsilon=Fraction(6)).release(points, e0=E0, streams=Streams(KEY, "ahead"))
    soon, later, past = (r.day or 0 for r in released)
    assert E0 <= soon <= E0 + 61
    assert soon <= later <= soon + 660
    assert past <= E0


def test_the_category_tells_fifty_days_from_seven_hundred() -> None:
    """The reason for no guarantee: one output has probability 0 for one and about .99 for other."""
    mode = Paper(epsilon=Fraction(1))
    near = [intervals(mode, [-50], f"n{n}")[0] for n in range(500)]
    far = [intervals(mode, [-700], f"n{n}")[0] for n in range(500)]
    assert max(near) <= 61
    assert sum(days > 61 for days in far) / len(far) > 0.98


def test_neither_a_charge_nor_an_announcement_prints_the_share_as_an_epsilon() -> None:
    mode = Paper(epsilon=Fraction(6))
    released = mode.release([point(-5, Kind.EVENT, 0)], e0=E0, streams=Streams(KEY, "c"))
    charge = released[0].charges[0]
    assert charge.mechanism == "paper(epsilon=6, categories=61/660/36000)"
    assert isinstance(charge.loss, NoGuarantee)
    assert "given its category" in charge.loss.reason


@pytest.mark.parametrize("categories", [(), (61, 61), (660, 61), (0, 5)])
def test_bad_categories_are_refused(categories: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="categories"):
        Paper(epsilon=Fraction(1), categories=categories)
