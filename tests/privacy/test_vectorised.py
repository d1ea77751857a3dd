"""Arrays of draws are the draws one after the other, and leave the source where those leave it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.vectorised.days import Days, SystemSource, randomise_all
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.priors import log_uniform
from tests.privacy.helpers import STREAMS

MECHANISMS: list[Days] = [
    Window(epsilon=Fraction(1), upper=61),
    Window(epsilon=Fraction(700), upper=1),
    Window(epsilon=Fraction("1e-30"), upper=61),
    BoundedLaplace(epsilon=Fraction(2), upper=61),
    BoundedLaplace(epsilon=Fraction(30), upper=1),
    BoundedLaplace(epsilon=Fraction(4), upper=36_000),
    ClampedGeometric(epsilon_per_day=Fraction("0.05"), lower=-36_500, upper=36_500),
    ClampedGeometric(epsilon_per_day=Fraction("1e-9"), lower=0, upper=9),
    ClampedGeometric(epsilon_per_day=Fraction(40), lower=0, upper=1),
    Window(epsilon=Fraction(2), upper=6, width=1),
    PriorWindow(epsilon=Fraction(2), table=log_uniform(36_000).table),
    PriorWindow(epsilon=Fraction(2), table=(-5, -5, 0, 3, 3, 3, 90)),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_the_same_integers_from_the_same_stream(mechanism: Days) -> None:
    chance, domain = np.random.default_rng(3), mechanism.domain
    values = chance.integers(domain[0] - 20, domain[-1] + 21, 5_000)
    one, other = STREAMS.stream("twin"), STREAMS.stream("twin")
    assert one.randbelow(7) == other.randbelow(7)  # not at the border of a word
    singly = [mechanism.randomise(int(value), one) for value in values]
    assert randomise_all(mechanism, values, other).tolist() == singly
    assert one.randbelow(1 << 99) == other.randbelow(1 << 99)


@given(st.sampled_from(MECHANISMS), st.integers(0, 300), st.text())
def test_any_length_from_any_stream(mechanism: Days, length: int, name: str) -> None:
    values = np.full(length, mechanism.domain[-1])
    singly = STREAMS.stream(name)
    expected = [mechanism.randomise(int(value), singly) for value in values]
    assert randomise_all(mechanism, values, STREAMS.stream(name)).tolist() == expected


class Refusing:
    """Mostly words that no total accepts."""

    def __init__(self) -> None:
        self.turn = 0

    def words(self, count: int) -> bytes:
        return b"".join(self._word() for _ in range(count))

    def randbelow(self, n: int) -> int:
        while (drawn := int.from_bytes(self._word(), "big")) >= n:
            pass
        return drawn

    def _word(self) -> bytes:
        self.turn += 1
        small = (self.turn * 0x9E3779B97F4A7C15 % (1 << 64)).to_bytes(8, "big")
        return small if self.turn % 5 == 0 else b"\xff" * 8


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_refused_words_are_refused_alike(mechanism: Days) -> None:
    values = np.arange(400) % 5
    one, other = Refusing(), Refusing()
    singly = [mechanism.randomise(int(value), one) for value in values]
    assert randomise_all(mechanism, values, other).tolist() == singly
    assert one.turn == other.turn


def test_the_system_source_stays_in_the_domain() -> None:
    for mechanism in MECHANISMS:
        drawn = randomise_all(mechanism, np.zeros(1_000, dtype=np.int64), SystemSource())
        assert set(drawn.tolist()) <= set(mechanism.domain)


def test_an_empty_array_draws_nothing() -> None:
    one = STREAMS.stream("none")
    assert not len(randomise_all(MECHANISMS[0], np.array([], dtype=np.int64), one))
    assert one.randbelow(1 << 64) == STREAMS.stream("none").randbelow(1 << 64)
