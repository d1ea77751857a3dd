"""Leakage in bits: the sum of the largest probabilities, from the exact weights."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest

from dpdeid.assurance.forecast import timeline_of
from dpdeid.policy.policy import load_policy, parse_policy, policy_text
from dpdeid.privacy.leakage import bits, told
from dpdeid.privacy.mechanisms.falling import BoundedLaplace, ClampedGeometric
from dpdeid.privacy.mechanisms.proportional import ProportionalNoise
from dpdeid.privacy.mechanisms.window import PriorWindow, Window
from dpdeid.privacy.timeline.decoding import Decodable
from dpdeid.privacy.timeline.modes import Metric, Strict
from tests.privacy.helpers import probabilities

THIRD = Fraction(1, 3)


def by_definition(mechanism: Decodable) -> float:
    rows = [probabilities(mechanism, value) for value in mechanism.domain]
    return math.log2(sum(map(max, zip(*rows, strict=True))))


@pytest.mark.parametrize(
    "mechanism",
    [
        Window(epsilon=Fraction(2), upper=40),
        Window(epsilon=THIRD, upper=9, width=1),
        PriorWindow(epsilon=Fraction(1), table=(1, 2, 3, 5, 8, 13, 21)),
        BoundedLaplace(epsilon=Fraction(3), upper=60),
        BoundedLaplace(epsilon=THIRD, upper=1),
        ClampedGeometric(epsilon_per_day=THIRD, lower=-20, upper=30),
        ClampedGeometric(epsilon_per_day=Fraction(4), lower=0, upper=1),
    ],
    ids=str,
)
def test_the_bits_of_a_draw_are_those_of_its_weights(mechanism: Decodable) -> None:
    assert bits(mechanism) == pytest.approx(by_definition(mechanism), abs=1e-9)


@pytest.mark.parametrize(
    "mechanism",
    [
        ProportionalNoise(share=THIRD, least=Fraction(1, 2), upper=60),
        ProportionalNoise(share=Fraction(0), least=Fraction(20), upper=90),
        PriorWindow(epsilon=Fraction(1), table=(0, 0, 0, 1, 1, 2, 9, 9, 9, 9, 40)),
    ],
    ids=str,
)
def test_they_are_never_too_few(mechanism: Decodable) -> None:
    assert by_definition(mechanism) <= bits(mechanism) <= by_definition(mechanism) + 1


def test_no_draw_tells_more_than_its_epsilon_or_its_domain() -> None:
    for epsilon in (1, 2, 8):
        window = Window(epsilon=Fraction(epsilon), upper=40)
        assert 0 < bits(window) <= min(epsilon / math.log(2), math.log2(41))


def lines(name: str, *changes: tuple[str, str]) -> list[str]:
    text = policy_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    mode = timeline_of(parse_policy(text))
    assert isinstance(mode, Metric | Strict)
    return list(told(mode))


def test_a_strict_record_is_told_to_stay_unnamed() -> None:
    """Five draws and a birth: 8.3 bits, where e^12 alone would allow 17."""
    (draws, record) = lines("dp-strict")
    assert "first 1.1, stay 1.1" in draws
    (amount,) = map(float, re.findall(r"at most ([\d.]+) bits", record))
    assert amount == pytest.approx(5 * 1.1 + 2.8, abs=0.3)
    (chance,) = map(float, re.findall(r"with at most ([\d.]+) %", record))
    assert chance == pytest.approx(2**amount / 100, rel=0.1)  # of 10,000, in percent


def test_the_record_of_many_dates_may_be_named_and_the_shift_hides_its_first() -> None:
    draws, record = lines("dp")
    assert "from 3 dates on" in record  # ages of the past tell most
    without = lines("dp", ("shift_days: 3650", "shift_days: 0"))[0]
    first, bare = (float(re.findall(r"first ([\d.]+)", line)[0]) for line in (draws, without))
    assert first < 4 < 9 < bare


def test_a_newborn_counts_with_the_birth_that_tells_most() -> None:
    mode = timeline_of(load_policy("dp-strict"))
    assert isinstance(mode, Strict)
    assert len(mode.of_births()) == 4
    alone = bits(mode.of_births()[0])
    assert max(map(bits, mode.of_births())) >= alone


def test_the_more_noise_the_fewer_bits() -> None:
    more = lines("dp", ("before: [0.62, 4, 14]", "before: [1, 8, 14]"))[0]
    of = re.compile(r"before ([\d.]+)")
    assert float(of.findall(more)[0]) < float(of.findall(lines("dp")[0])[0])


def test_check_tells_them() -> None:
    policy = load_policy("dp")
    dates = next(s for s in policy.strategies if s.name == "dates")
    assert any("leakage" in line for line in dates.forecast(policy.unit).lines)  # type: ignore[attr-defined]
